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

# ---- what shells complete: in a directory with captures, the names in one of which would be commands ----

mkdir at && cd at || exit 1
"$mkperf" -o perf.data "$data/synthetic/basic.mkperf"
"$mkperf" -o offcpu.data "$data/synthetic/offcpu.mkperf"
sed 's/comm=bash/comm="x`>own`;$$(>own)"/' "$data/synthetic/basic.mkperf" >hostile.mkperf
"$mkperf" -o hostile.data hostile.mkperf
cp offcpu.data 'with blank.data' && rm hostile.mkperf
mkdir bin && ln -s "$host_pdtool" bin/pdtool
PATH=$PWD/bin:$PATH
pdtool list comms hostile.data >got
grep -qxF 'x`>own`;$(>own)' got
result 'pdtool list: a hostile name' $?
printf '%s\n' alpha beta gamma >want
pdtool list comms offcpu.data | grep -v swapper >got
same 'pdtool list comms' want got
printf '%s\n' sched:sched_switch sched:sched_waking >want
pdtool list events offcpu.data >got
same 'pdtool list events' want got
pdtool list symbols "$data/recorded/x86_64/calls/"*.zst >/dev/null 2>&1
pdtool list symbols --no-host perf.data >/dev/null 2>&1
equal 'pdtool list of what is no option' 1 $?
pdtool list nonsense perf.data >out 2>err
equal 'pdtool list of nonsense is wrong usage' 2 $?
pdtool list events missing >out 2>err
equal 'pdtool list of a missing file' 1 $?
[ ! -s out ] && [ ! -s err ]
result 'says nothing: somebody types' $?
mkfifo fifo && (exec 9<>fifo && limited 5 pdtool list events fifo >/dev/null 2>&1)
[ $? -lt 2 ]
result 'and ends where nothing comes' $?
rm fifo

# As bash calls the function: with what is typed, and the word of it behind the last : or =.
cat >../complete.bash <<'END'
source "$1/cli/completion/pdtool.bash"
while IFS='|' read -r line want; do
	COMP_LINE=$line COMP_POINT=${#line} COMPREPLY=()
	word=${line##*[ :=]}
	_pdtool pdtool "$word" '' 2>/dev/null
	[[ "${COMPREPLY[*]}" == "$want" ]] || echo "$line: ${COMPREPLY[*]}"
done
END
cat >../wanted <<'END'
pdtool re|report
pdtool sched l|latency
pdtool help s|sched script stat store summary syscalls
pdtool help p|pack page pdtool peers
pdtool list c|comms
pdtool list events of|offcpu.data
pdtool sched latency --by |thread comm pid cpu
pdtool report --perc|--percent-limit= --percentage=
pdtool report --sort dso,sr|dso,srcfile dso,srcline
pdtool report --sort=dso,sr|dso,srcfile dso,srcline
pdtool report -s d|dso
pdtool report --color n|never
pdtool report --color=n|never
pdtool flamegraph --colors r|rust red
pdtool heatmap --lanes d|device
pdtool report --fontt|
pdtool diff --fontt|--fonttype=
pdtool report off|offcpu.data
pdtool hos|hostile.data
pdtool offcpu.data --comms a|alpha
pdtool report --input=off|offcpu.data
pdtool report --comms |bash pool\ 1 swapper worker
pdtool report --comms b|bash
pdtool report --comms=b|bash
pdtool report --comms bash,w|bash,worker
pdtool report offcpu.data --comms a|alpha
pdtool report --comms a offcpu.data|offcpu.data
pdtool report -i offcpu.data --comms a|alpha
pdtool report offcpu.data -e sched:sched_s|sched_switch
pdtool report offcpu.data -e sc|sched:sched_switch sched:sched_waking
pdtool report offcpu.data --event=sched:s|sched_switch sched_waking
pdtool report hostile.data --comms x|x\`\>own\`\;\$\(\>own\)
pdtool report nothing.data --comms x|
END
if command -v bash >/dev/null; then
	bash ../complete.bash "$top" <../wanted >../wrong 2>&1
	equal 'bash completes words, lists, options, files, names of a capture' '' "$(cat ../wrong)"
else
	skip 'bash completion' 'bash is not installed'
fi

# typed SHELL TEXT: what the shell makes of the text, with tabs, at a terminal: the arguments of its command, one a line.
cat >bin/show <<'END'
#!/bin/sh
printf '%s\n' "$@" >"$SHOWN"
END
chmod +x bin/show
SHOWN=$tmp/shown
export SHOWN
typed() {
	rm -f "$SHOWN"
	{ sleep 0.5; printf "$2"; sleep 1; printf '\n'; sleep 0.3; printf 'exit\n'; } |
		TERM=dumb limited 20 script -qec "$1" /dev/null >log 2>&1
	[ -f "$SHOWN" ] || : >"$SHOWN"
}
if command -v script >/dev/null && command -v bash >/dev/null; then
	printf '%s\n' "PATH=$PATH" 'PS1=' "source $top/cli/completion/pdtool.bash" 'complete -F _pdtool show' \
		'show() { command show "$@"; }' >rc
	# Completion asks the program that is typed: here that is one which shows its arguments.
	sed -i 's/^show() .*/show() { if [[ $1 == list ]]; then pdtool "$@"; else command show "$@"; fi; }/' rc
	typed 'bash --noprofile --rcfile rc -i' 'show report offcpu.data -e sched:sched_sw\t'
	equal 'bash, at a terminal: an event' 'report offcpu.data -e sched:sched_switch' "$(tr '\n' ' ' <"$SHOWN" | sed 's/ *$//')"
	typed 'bash --noprofile --rcfile rc -i' 'show report hostile.data --comms x\t'
	equal 'bash, at a terminal: a hostile name' 'report hostile.data --comms x`>own`;$(>own)' "$(tr '\n' ' ' <"$SHOWN" | sed 's/ *$//')"
else
	skip 'bash, at a terminal' 'script is not installed'
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
if command -v zsh >/dev/null && command -v script >/dev/null; then
	mkdir zdot
	printf '%s\n' "PATH=$PATH" 'PS1=' "fpath=($top/cli/completion \$fpath)" 'autoload -Uz compinit && compinit -u' \
		'show() { if [[ $1 == list ]]; then pdtool "$@"; else command show "$@"; fi; }' 'compdef _pdtool show' >zdot/.zshrc
	zsh_typed() { ZDOTDIR=$PWD/zdot typed 'zsh -i' "$1"; tr '\n' ' ' <"$SHOWN" | sed 's/ *$//'; }
	equal 'zsh, at a terminal: an option' 'report --percent-limit=5' "$(zsh_typed 'show report --percent-l\t5')"
	equal 'zsh, at a terminal: an event' 'report offcpu.data -e sched:sched_switch' \
		"$(zsh_typed 'show report offcpu.data -e sched:sched_sw\t')"
	equal 'zsh, at a terminal: a command of two words' 'sched latency offcpu.data --comms alpha,beta' \
		"$(zsh_typed 'show sched lat\t offcpu.data --comms alpha,be\t')"
	equal 'zsh, at a terminal: a file without a command' 'hostile.data --comms swapper' \
		"$(zsh_typed 'show hos\t --comms swap\t')"
	equal 'zsh, at a terminal: a hostile name' 'report hostile.data --comms x`>own`;$(>own)' \
		"$(zsh_typed 'show report hostile.data --comms x\t')"
else
	skip 'zsh, at a terminal' 'zsh or script is not installed'
fi
if command -v fish >/dev/null; then
	# fished TEXT WANTED...: what fish proposes for it
	fished() {
		text=$1 && shift
		HOME=$PWD fish -c "source $top/cli/completion/pdtool.fish; complete -C '$text'" 2>&1 | cut -f 1 | sort >../got
		printf '%s\n' "$@" >../want
		same "fish: $text" ../want ../got
	}
	fished 'pdtool report --sort dso,sr' dso,srcfile dso,srcline
	fished 'pdtool report --comms ' bash 'pool 1' swapper worker
	fished 'pdtool report offcpu.data --comms alpha,b' alpha,beta
	fished 'pdtool report offcpu.data -e sched:' sched:sched_switch sched:sched_waking
	fished 'pdtool report --input=offcpu.data --comms=a' --comms=alpha
	fished 'pdtool report hostile.data --comms x' 'x`>own`;$(>own)'
	fished 'pdtool list ev' events
	fished 'pdtool hosti' hostile.data
fi
[ ! -e own ]
result 'no name was run' $?
