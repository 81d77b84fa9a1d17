#!/bin/sh
# The manual that the program shows: every command has its page, laid out as man(1) would, in any width; and the help names
# every command below its question.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

# page NAME: the name of a command ("sched-latency" of a file is "sched latency"), which pdtool itself has none of.
command_of() { case $1 in pdtool) echo pdtool ;; pdtool-sched-*) echo "sched ${1#pdtool-sched-}" ;; *) echo "${1#pdtool-}" ;; esac; }

# words: what there is to read, without what differs by taste: hyphenation, and the last line.
words() { tr -s ' \n' '\n\n' | sed 's/\xe2\x80\x90/-/g' | grep .; }

for page in "$top"/cli/man/*.[157]; do
	name=$(basename "${page%.[157]}")
	command=$(command_of "$name")
	# shellcheck disable=SC2086
	"$pdtool" help $command >shown 2>err
	result "help $command" $? "$(head -n 1 err)"
	head -n 1 shown | grep -qi "^$name([157])"
	result "$name: its title" $?
	if command -v groff >/dev/null; then
		LC_ALL=C.UTF-8 groff -man -Tutf8 -P-c -P-b -P-o -P-u -rHY=0 -rLL=200n "$page" 2>/dev/null | sed '$d' | words >want
		words <shown >got
		# the footer: its last three words
		head -n "$(grep -c '' got)" want >cut
		same "$name: what groff shows" cut got
		[ $(($(grep -c '' want) - $(grep -c '' got))) -le 4 ]
		result "$name: nothing is lost at its end" $?
	else
		skip "$name: what groff shows" 'groff is not installed'
	fi
done
"$pdtool" sched latency --help >page
"$pdtool" help sched latency >shown
same 'COMMAND --help is the page' shown page
[ "$(awk '{ sub(/[^\n]*/, ""); n++ } END { print n }' page)" -gt 40 ]
result 'which is long' $?

# a terminal of each width: no line is wider, but for examples and long words, which stay whole
if command -v script >/dev/null; then
	for width in 60 80 160; do
		for name in report "sched timehist" pdtool; do
			script -qec "stty cols $width rows 50; PDTOOL_PAGER=cat '$host_pdtool' help $name" /dev/null 2>/dev/null </dev/null |
				tr -d '\r' | sed 's/\x1b\[[0-9;]*m//g; s/\xe2\x80[\x90-\xbf]/-/g' >shown
			awk -v w=$width '/^           / || NF == 1 { next } length > w { print length ": " $0 }' shown >wide
			[ -s shown ] && equal "$name in $width columns" '' "$(head -n 1 wide)"
		done
		awk '{ if (length > most) most = length } END { print most }' shown >most
		[ "$(cat most)" -gt $((width * 8 / 10)) ]
		result "$width columns are used" $? "$(cat most)"
	done
	script -qec "PDTOOL_PAGER=cat '$host_pdtool' help report" /dev/null </dev/null 2>/dev/null | grep -q "$(printf '\033\\[0;1mNAME')"
	result 'on a terminal headings are bold' $?
else
	skip 'the manual on a terminal' 'script is not installed'
fi
"$pdtool" help report | grep -q "$(printf '\033')"
equal 'and elsewhere they are not' 1 $?

# ---- the commands by question ----

"$pdtool" list | sed -n '/^Analyzers/,/^$/s/^  //p' >list
"$pdtool" help >help
tr -d ' ' <list | sort >want
sed -n 's/^  //p' help | tr -d ' ' | sort >all
comm -23 want all >lost
equal 'each command stands below a question' '' "$(cat lost)"
equal 'once' '' "$(sort all | uniq -d)"
grep -q '^Where does the time go?$' help && grep -q '^Who waits, and behind whom?$' help
result 'questions are asked' $?
awk '/^Who waits/ { on = 1; next } /^$/ { on = 0 } on' help | grep -q '^  sched latency '
result 'sched latency answers who waits' $?
grep -q '^And more' help
equal 'every command states its question' 1 $?
for word in help list; do
	grep -q "^  $word " help
	result "help: $word" $?
done
"$pdtool" help nonsense >out 2>err
equal 'help of what does not exist is wrong usage' 2 $?
