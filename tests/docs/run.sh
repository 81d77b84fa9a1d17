#!/bin/sh
# What the manual and the completions say of options is what the rows of options say; and the completions complete.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

mkdir kept && cp -r "$top/cli/man" "$top/cli/completion" kept
"$build/tests/docs/docs" kept 2>err || fail 'writing them anew' "$(cat err)"
for file in "$top"/cli/man/*.[15] "$top"/cli/completion/*; do
	same "${file##*/}" "$file" "kept/${file#"$top"/cli/}"
done
equal 'nothing but these' "$(cd "$top/cli" && ls man completion)" "$(cd kept && ls man completion)"

# what is missing comes back, and the text of a page stays
mkdir broken && cp -r "$top/cli/man" "$top/cli/completion" broken
rm broken/man/pdtool-offcpu.1
sed -i '/^\.\\" --skip-after/d; s/^The event that counts: .*/Text of the page./' broken/man/pdtool-collapse.1
sed -i '/weight/d' broken/completion/*
"$build/tests/docs/docs" broken
grep -q 'skip\\-after.*FUNC' broken/man/pdtool-collapse.1
result 'an option that a page lacks is written' $?
grep -q '^Text of the page\.$' broken/man/pdtool-collapse.1
result 'the text of a page is kept' $?
grep -q '^\.BR pdtool (1)\.$' broken/man/pdtool-offcpu.1 && grep -q 'part.*blocked' broken/man/pdtool-offcpu.1
result 'a page that is missing is begun' $?
diff -r "$top/cli/completion" broken/completion >difference
result 'options that completions lack are written' $?

# every option of the help stands in the manual
for page in "$top"/cli/man/pdtool-*.1; do
	command=$(sed -n 's/\\-/-/g; s/^\.B pdtool //p' "$page" | head -n 1)
	# shellcheck disable=SC2086
	"$build/pdtool" $command -h | sed -n '/^Options/,/^$/s/^  ....--\([a-z-]*\).*/\1/p' | while read -r name; do
		grep -qF -- "\\-\\-$(echo "$name" | sed 's/-/\\-/g')\\fR" "$page" || echo "$command: --$name"
	done
done >missing
equal 'every option of the help stands in its page' '' "$(cat missing)"

# ---- bash ----

cat >complete.bash <<'END'
source "$1/cli/completion/pdtool.bash"
while IFS='|' read -r line want; do
	read -ra COMP_WORDS <<<"$line"
	[[ $line == *' ' ]] && COMP_WORDS+=('')
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
	_pdtool pdtool "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}" 2>/dev/null
	[[ "${COMPREPLY[*]}" == "$want" ]] || echo "$line: ${COMPREPLY[*]}"
done
END
cat >wanted <<'END'
pdtool re|report
pdtool sched l|latency
pdtool help s|sched summary
pdtool sched latency --by |thread comm pid cpu
pdtool report --perc|--percent-limit= --percentage=
pdtool report --sort dso,sr|dso,srcfile dso,srcline
pdtool report -s d|dso
pdtool report --color = n|never
pdtool flamegraph --colors r|rust red
pdtool heatmap --lanes d|device
pdtool report --fontt|
pdtool diff --fontt|--fonttype=
pdtool report --callers |
pdtool report wan|wanted
END
if command -v bash >/dev/null; then
	bash complete.bash "$top" <wanted >wrong 2>&1
	equal 'bash completes words, lists, options, files' '' "$(cat wrong)"
else
	skip 'bash completion' 'bash is not installed'
fi

# ---- zsh and fish: their own parsers, where there are any ----

for shell in zsh fish; do
	file=$top/cli/completion/$([ $shell = zsh ] && echo _pdtool || echo pdtool.fish)
	if command -v $shell >/dev/null; then
		$shell -n "$file" >err 2>&1
		result "$shell reads its completion" $?
	else
		skip "$shell completion" "$shell is not installed"
	fi
done
if command -v fish >/dev/null; then
	HOME=$PWD fish -c "source $top/cli/completion/pdtool.fish; complete -C 'pdtool report --sort dso,sr'" 2>&1 |
		cut -f 1 >got
	printf 'dso,srcfile\ndso,srcline\n' >want
	same 'fish completes' want got
fi
