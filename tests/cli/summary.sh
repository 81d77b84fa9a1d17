#!/bin/sh
# `pdtool FILE`: one screen of every capture of testdata, whose three commands run and show something; figures that are those
# of the commands which own them; names that a shell or a terminal could misunderstand.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"
. "$top/tests/lib/blockcap.sh"

mkdir bin made && ln -s "$pdtool" bin/pdtool
PATH=$tmp/bin:$PATH

for source in "$data"/synthetic/*.mkperf; do
	"$mkperf" -o "$(basename "$source" .mkperf).data" "$source" || exit 1
done
i=0
while [ $i -lt 400 ]; do
	echo "$((1000 + i * 100000)) rq_issue $((254 + i % 3)):0 $((i * 8)) 8 $([ $((i % 2)) = 0 ] && echo R || echo W)"
	echo "$((1000 + i * 100000 + (i * 7919) % 90000)) rq_complete $((254 + i % 3)):0 $((i * 8)) 8 $([ $((i % 2)) = 0 ] && echo R || echo W)"
	i=$((i + 1))
done | blockcap block.data

# fits NAME TEXT: at most 40 lines of at most 80 columns, and there is something.
fits() {
	wide=$(LC_ALL=C.UTF-8 wc -L <"$2")
	lines=$(grep -c '' <"$2")
	[ "$lines" -ge 3 ] && [ "$lines" -le 40 ] && [ "$wide" -le 80 ] || { fail "$1" "$lines lines, $wide columns"; return 1; }
}

# commands: those of the summary in "csv", a line each.
commands() { records <csv | awk -F '\t' '$1 == "next" && $3 == "command" { print $4 }'; }

# runs NAME: three commands, each of which runs and shows something.
runs() {
	commands >next
	[ "$(grep -c '' <next)" = 3 ] && [ "$(sort -u next | grep -c '')" = 3 ] || { fail "$1" "$(grep -c '' <next) commands"; return 1; }
	while read -r command; do
		rm -f ./*.svg
		sh -c "$command" >shown 2>err </dev/null || { fail "$1" "$command: $(head -n 1 err)"; return 1; }
		case $command in
		*' -o '*) [ -s ./*.svg ] || { fail "$1" "$command: nothing drawn"; return 1; } ;;
		*) [ -s shown ] || { fail "$1" "$command: nothing shown"; return 1; } ;;
		esac
	done <next
}

# screen NAME FILE
screen() {
	if ! "$pdtool" "$2" >text 2>err; then
		# what has no samples says so, as every command does
		[ "$(grep -c '' <err)" = 1 ] && [ ! -s text ] && ! "$pdtool" report -q "$2" >/dev/null 2>&1 ||
			fail "$1" "$(cat err)"
		return
	fi
	"$pdtool" summary -q --format csv "$2" >csv 2>err || fail "$1" "as csv: $(cat err)"
	fits "$1" text && runs "$1" && screens=$((screens + 1))
}

screens=0 captures=0
for file in ./*.data $(find "$data/recorded" "$data/broken" -type f ! -name '*.folded' ! -name '*.tsv' ! -name '*.txt' ! -name '*.gz' ! -name '*.md' | sort); do
	"$pdtool" info -q --counts "$file" >/dev/null 2>&1 || continue
	captures=$((captures + 1))
	screen "${file#"$data"/}" "$file"
done
[ $captures -ge 100 ] && [ $screens -ge 80 ] && ok "$screens of $captures captures have a screen, each with three commands that run" ||
	fail 'the captures' "$screens of $captures have a screen"

# ---- filters and places of names are those of the next command, too ----

cp "$data/recorded/x86_64/diff_pair/slow1.data.zst" "a b.data"
"$pdtool" summary -q --format csv --comms "app,it's" --time 10%-90% --kallsyms "$data/recorded/x86_64/kallsyms" "a b.data" >csv 2>err
runs 'with filters' && equal 'the next commands have the filters' 3 \
	"$(grep -cF " '--comms=app,it'\\''s' --time=10%-90% --kallsyms=$data/recorded/x86_64/kallsyms 'a b.data'" next)"

# ---- the figures are the owners' ----

# cells TABLE COLUMN...: the rows of a table of the summary in "csv", these columns.
cells() {
	records <csv | awk -F '\t' -v table="$1" -v wanted="$*" '
		BEGIN { n = split(wanted, column, " ") }
		$1 == table { value[$2, $3] = $4; rows = $2 > rows ? $2 : rows }
		END { for (r = 1; r <= rows; r++) for (c = 2; c <= n; c++) printf "%s%s", value[r, column[c]], c < n ? "\t" : "\n" }'
}

# columns NAME...: these columns of the CSV on standard input, in the order of its rows.
columns() {
	cat >whole
	head -n 1 whole >names
	records <whole | awk -F '\t' -v wanted="$*" '
		BEGIN {
			getline header <"names"
			m = split(header, name, ",")
			n = split(wanted, column, " ")
			for (i = 1; i <= m; i++) at[name[i]] = i
		}
		{ for (c = 1; c <= n; c++) printf "%s%s", $(at[column[c]]), c < n ? "\t" : "\n" }'
}

# within NAME ROWS OF: there are rows, and each is one of OF.
within() {
	if [ ! -s "$2" ]; then
		fail "$1" 'no rows'
	elif grep -vxFf "$3" "$2" >others; then
		fail "$1" "$(head -n 1 others)"
	else
		ok "$1"
	fi
}

for file in "$data/recorded/foreign"/15-*.zst "$data/recorded/foreign"/18-*.zst "$data/recorded/foreign"/22-*.zst basic.data ids.data; do
	name=$(basename "$file")
	"$pdtool" summary -q --format csv "$file" >csv
	event=$("$pdtool" summary -q --format json "$file" | sed -n 's/^"samples":"[0-9]* \([^ ,"]*\).*/\1/p')
	cells functions dso sym self_percent children_percent samples >got
	"$pdtool" report -q --no-children -s dso,sym --event "$event" --format csv "$file" |
		columns dso sym self_percent children_percent samples >want
	head -n "$(grep -c '' <got)" want >first
	same "$name: functions as report has them" first got
	cells threads comm pid tid percent samples >got
	"$pdtool" report -q --no-children -s comm,pid,tid --event "$event" --format csv "$file" |
		columns comm pid tid self_percent samples >want
	head -n "$(grep -c '' <got)" want >first
	same "$name: threads as report has them" first got
	"$pdtool" summary -q --format json "$file" | tr -d '\n' | sed 's/.*"labels":\["//; s/"\]}.*//; s/","/\n/g' >labels
	"$pdtool" summary -q --format json "$file" | tr -d '\n' | sed 's/.*"cells":\[\[//; s/\]\].*//; s/\],\[/\n/g' |
		awk -F , '{ sum = 0; for (i = 1; i <= NF; i++) sum += $i; printf "%.0f\n", sum }' | paste labels - | grep -v '^others	' >got
	"$pdtool" report -q --no-children -s comm --event "$event" --format csv "$file" | tr -d '"' |
		awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $NF "\t" $(at["self_ns"] ? at["self_ns"] : at["self_periods"]) }' >want
	head -n "$(grep -c '' <got)" want >first
	same "$name: commands over time as report has them" first got
	"$pdtool" summary -q --format json "$file" | sed -n 's/^"health":.*unnamed frames \([0-9.]*\) %, leaves \([0-9.]*\) %.*/\1 \2/p' >got
	"$pdtool" doctor -q --format json "$file" | sed -n 's/^"unresolved":"\([0-9.]*\) % of frames.*, \([0-9.]*\) % of leaves.*/\1 \2/p' >want
	[ -s got ] && same "$name: unnamed as doctor has it" want got
done

# What no file can name is no good health, as little as what a file would.
deep=$data/recorded/state/deep-chains.data
"$pdtool" summary -q "$deep" | grep -q '^health  *poor: unnameable 100.00%$'
result 'unnameable leaves are poor health' $?
"$pdtool" doctor -q "$deep" | grep -q '^unnameable .* 100.00% of leaves'
result 'as doctor has it' $?

for file in sched.data "$data/recorded/x86_64/sched/nospin.data.zst" "$data/recorded/x86_64/sched/sw_wakeup.data.zst"; do
	name=$(basename "$file")
	"$pdtool" summary -q --format csv "$file" >csv
	cells waits comm wait_ns count p99_ns max_ns max_end_ns >got
	"$pdtool" sched latency -q --by comm --format csv "$file" | columns comm wait_ns count p99_ns max_ns max_end_ns >want
	within "$name: waits as sched latency has them" got want
	equal "$name: the longest waits" "$(awk -F '\t' '{ print $2 }' want | sort -nr | head -n "$(grep -c '' <got)")" "$(awk -F '\t' '{ print $2 }' got)"
	cells waits comm behind_comm behind_percent | awk -F '\t' '$2 != ""' >got
	"$pdtool" sched blame -q --waiters --by comm --format csv "$file" | columns waiter_comm comm share_pct >want
	within "$name: behind whom as sched blame has it" got want
	"$pdtool" summary -q --format json "$file" | tr -d ' \n' | sed 's/.*"cells":\[\[//; s/\]\].*//; s/\],\[/\n/g' |
		awk -F , '{ for (i = 1; i <= NF; i++) sum += $i } END { print sum }' >got
	"$pdtool" sched latency -q --by comm --format csv "$file" | columns run_ns | awk '{ sum += $1 } END { print sum }' >want
	same "$name: the time on CPUs" want got
done

"$pdtool" summary -q --format csv block.data >csv
cells ios io count p50_ns p90_ns p99_ns max_ns >got
"$pdtool" block -q --format csv block.data | columns device op ios device_p50_ns device_p90_ns device_p99_ns device_max_ns | sed 's/	/ /' >want
within 'I/Os as block has them' got want
equal 'the slowest devices' "$(awk -F '\t' '{ print $6 }' want | sort -nr | head -n 5)" "$(awk -F '\t' '{ print $6 }' got)"
cells ios max_ns max_end_ns >got
"$pdtool" block -q --each --format csv block.data | columns device_ns complete_ns >want
within 'the worst moments as block has them' got want

calls=$data/recorded/x86_64/calls/all.data.zst
"$pdtool" summary -q --format csv "$calls" >csv
cells calls call count p50_ns p90_ns p99_ns max_ns >got
"$pdtool" heatmap -q --preset syscall --by id --format json "$calls" |
	grep -o '"id [0-9]*: [^"]*' | sed 's/[^0-9]*\([0-9]*\): \([0-9]*\) points, p50 \([0-9]*\) ns, p90 \([0-9]*\) ns, p99 \([0-9]*\) ns, max \([0-9]*\) ns,.*/id \1	\2	\3	\4	\5	\6/' >want
within 'system calls as the heat map has them' got want

# ---- filters ----

"$pdtool" summary -q --comms alpha --format csv sched.data >csv
equal 'a filter holds in sections' alpha "$(cells waits comm)"
"$pdtool" summary -q --comms bash --format csv basic.data >csv
equal 'and of samples' bash "$(cells threads comm | sort -u)"
"$pdtool" summary -q --comms bash basic.data | grep -q '% .*worker$' && fail 'and over time' "$("$pdtool" summary -q --comms bash basic.data)" || ok 'and over time'

# functions_as_reported NAME FILE OPTION...: with filters, too, shares are of what report takes for all.
functions_as_reported() {
	name=$1 file=$2
	shift 2
	"$pdtool" summary -q --format csv "$@" "$file" >csv
	cells functions dso sym self_percent children_percent samples >got
	"$pdtool" report -q --no-children -s dso,sym "$@" --format csv "$file" |
		columns dso sym self_percent children_percent samples >want
	head -n "$(grep -c '' <got)" want >first
	[ -s got ] && same "$name: functions as report has them" first got
}
for file in "$data/recorded/foreign"/02-*.zst; do
	functions_as_reported '--cpu 2' "$file" --cpu 2
	functions_as_reported '--time 10%-40%' "$file" --time 10%-40%
	functions_as_reported '--time 10%-40% --comms swapper' "$file" --time 10%-40% --comms swapper
	"$pdtool" summary -q --time 10%-40% "$file" | grep -q '^filters  *time 10%-40%$'
	result 'a filter is told' $?
	"$pdtool" summary -q "$file" | grep -q '^filters' && fail 'and none where there is none' '' || ok 'and none where there is none'
done

# ---- where a file stands for a command ----

"$pdtool" summary basic.data >want 2>&1
"$pdtool" basic.data >got 2>&1
same 'pdtool FILE is pdtool summary FILE' want got
"$host_pdtool" -q --no-host ./basic.data | sed 's, \./basic, basic,' >got
"$pdtool" summary -q basic.data >want
same 'options may come first' want got
"$host_pdtool" --no-host --comms bash basic.data -q >got
"$pdtool" summary -q --comms bash basic.data >want
same 'options with values, too' want got
cp basic.data sched
"$host_pdtool" sched >got 2>&1
equal 'a file called as commands begin' 2 $?
"$pdtool" -q ./sched >got && fits './sched' got && ok './sched'
rm sched
"$host_pdtool" nosuch >got 2>&1 && fail 'a word that is no file' 'status 0'
equal 'a word that is no file' "pdtool: unknown command 'nosuch'" "$(cat got)"
"$host_pdtool" no/such >got 2>&1
equal 'a path that is not there' 1 $?
equal 'a path that is not there: why' 1 "$(grep -c 'no/such: No such file' got)"
printf 'a;b 3\n' >folded
"$host_pdtool" folded >got 2>&1
equal 'folded text' 1 $?
"$pdtool" - <basic.data >text 2>/dev/null && fits 'standard input' text && grep -q 'pdtool flamegraph -o flame.svg -$' text &&
	ok 'standard input' || fail 'standard input' "$(cat text)"

# ---- a narrow terminal ----

"$build/tests/lib/pty" 60x60 "$pdtool" summary -q --no-pager sched.data | sed 's/\x1b\[[0-9;]*m//g' >text
[ "$(LC_ALL=C.UTF-8 wc -L <text)" -le 60 ] && grep -q 'alpha$' text && ok '60 columns' || fail '60 columns' "$(cat text)"
"$build/tests/lib/pty" 160x60 "$pdtool" summary -q --no-pager "$data/recorded/foreign"/18-*.zst | sed 's/\x1b\[[0-9;]*m//g' | tr -d '\r' >text
"$pdtool" summary -q "$data/recorded/foreign"/18-*.zst >want
same 'a wide one is as a pipe' want text
# wide characters, and words that must not be parted, have no room in the least of them
cp basic.data "$(printf '\346\227\245\346\234\254\346\227\245').data"
for columns in 1 3 4 5 9; do
	timeout 20 "$build/tests/lib/pty" ${columns}x60 "$pdtool" --no-pager -q ./*本*.data >text
	result "$columns columns" $?
done

# ---- names ----

# A shell gets the file, whatever its name is; a terminal no control bytes.
long=$(printf '%0200d' 7)
mkdir -p "deep/$long/$long"
for file in "a b;touch gone;'\$(touch gone)' \"x\".data" "-x.data" "esc$(printf '\033')[31m.data" "new
line.data" "bad$(printf '\377').data" 'percent%s.data' "deep/$long.data" "deep/$long/$long/it's here.data"; do
	cp basic.data "./$file"
	rm -f gone
	"$pdtool" summary -q "./$file" >text 2>err || { fail "$file" "$(cat err)"; continue; }
	"$pdtool" summary -q --format csv "./$file" >csv
	# the screen's own lines, as they would be pasted
	LC_ALL=C sed -n '/^What Next/,$p' text | sed 1d | sed 's/^[a-z ]*:$//; s/^.*  pdtool /pdtool /' >pasted
	rm -f ./*.svg
	sh -e ./pasted >shown 2>err </dev/null
	status=$?
	if [ $status != 0 ]; then
		fail "$file: as pasted" "$(head -n 1 err)"
	elif [ -e gone ] || LC_ALL=C grep -q "$(printf '[\001-\011\013-\037\177\377]')" text; then
		fail "$file" 'is not inert'
	else
		case $file in *"/$long/"*) ;; *) fits "$file" text || continue ;; esac
		runs "$file" && ok "a file called $(printf %.20s "$file" | tr -c '[:print:]' '?')"
	fi
done
