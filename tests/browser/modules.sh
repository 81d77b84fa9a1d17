# What the tests in browsers share: modules=$build/browser, where npm brings once what package.json names, beside copies of the
# scripts here. brought WHAT: is it all there? Else WHAT is skipped, with the reason.
modules=$build/browser
brought() {
	for program in node npm chromium; do
		command -v $program >/dev/null || { skip "$1" "no $program"; return 1; }
	done
	mkdir -p "$modules"
	(
		flock 9
		cp "$top"/tests/browser/*.mjs "$modules"
		cmp -s "$top/tests/browser/package.json" "$modules/brought.json" && exit
		cp "$top/tests/browser/package.json" "$modules"
		cd "$modules" && npm install --no-audit --no-fund --no-package-lock --ignore-scripts --fetch-retries=1 --fetch-timeout=20000 &&
			cp package.json brought.json
	) >npm.log 2>&1 9>"$modules.lock" || { skip "$1" "npm could not bring its modules: $(grep -m 1 'code E' npm.log)"; return 1; }
}
