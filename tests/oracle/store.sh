#!/bin/sh
# What a store says of captures is what the commands say of the captures themselves, to the byte; each goes in once, whole
# or not at all; and no text in one is ever taken for anything but a text.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

captures="$data/recorded/foreign/0[1-9]-*.data* $data/recorded/foreign/1[0-46-8]-*.data* $data/recorded/foreign/2[0-4]-*.data*
	$data/unwind/*/*.data*"

# Each alone, and all together.
count=0
# shellcheck disable=SC2086 # patterns
for file in $captures; do
	name=$(basename "$file")
	"$pdtool" collapse -q "$file" >wanted 2>err || { grep -q 'no samples\|nothing\|no weight' err && continue; }
	"$pdtool" store add -q "$count.db" "$file" >added 2>err && "$pdtool" collapse -q "$count.db" >got 2>>err
	result "$name: it goes in and comes out" $?
	same "$name: collapse" wanted got
	count=$((count + 1))
done
[ "$count" -ge 20 ]
result "captures were compared ($count)" $?

# Two with other labels: each, both, and what is between them.
old=$data/recorded/foreign/13-*.data.zst new=$data/recorded/foreign/14-*.data.zst
# shellcheck disable=SC2086
set -- $old $new
"$pdtool" store add -q two.db "$1" --label version=1 --label "service=a b,c" >added 2>err && "$pdtool" store add -q two.db "$2" --label version=2 >>added 2>>err
result 'two captures with labels' $?
"$pdtool" collapse -q "$1" >wanted
"$pdtool" collapse -q two.db:version=1 >got
same 'one of them by its label' wanted got
for command in 'report -s sym --format csv' 'flamegraph --format csv' 'abstime --format csv'; do
	"$pdtool" collapse -q "$1" >one.folded
	# shellcheck disable=SC2086
	"$pdtool" $command -q one.folded 2>&1 | sed 's/one.folded/INPUT/' >wanted
	# shellcheck disable=SC2086
	"$pdtool" $command -q two.db:version=1 2>&1 | sed 's/two.db:version=1/INPUT/' >got
	same "$command: as of the folded stacks" wanted got
done
"$pdtool" collapse -q "$1" "$2" >wanted
"$pdtool" collapse -q two.db >got
same 'collapse of both' wanted got
"$pdtool" collapse -q two.db:version=1,version=2 >got
same 'a label with either value' wanted got
"$pdtool" collapse -q "$1" >wanted
"$pdtool" collapse -q 'two.db:service=a b,c' >got
same 'a label with a blank and a comma' wanted got
"$pdtool" diff -q --format csv "$1" "$2" 2>/dev/null | records >wanted
"$pdtool" diff -q --format csv two.db:version=1 two.db:version=2 2>/dev/null | records >got
same 'diff: as of the captures' wanted got
for n in 1 2 3; do
	"$pdtool" store add -q runs.db "$data/recorded/x86_64/diff_pair/base$n.data.zst" --label side=base --label run=$n >>added 2>>err
	"$pdtool" store add -q runs.db "$data/recorded/x86_64/diff_pair/slow$n.data.zst" --label side=slow --label run=$n >>added 2>>err
done
pair=$data/recorded/x86_64/diff_pair
"$pdtool" diff -q --format csv --before "$pair"/base[123].data.zst --after "$pair"/slow[123].data.zst 2>/dev/null | records >wanted
"$pdtool" diff -q --format csv --before runs.db:side=base,run=1 runs.db:side=base,run=2 runs.db:side=base,run=3 \
	--after runs.db:side=slow,run=1 runs.db:side=slow,run=2 runs.db:side=slow,run=3 2>/dev/null | records >got
same 'diff of runs: as of the captures' wanted got
for key in run capture; do
	"$pdtool" diff -q --format csv --before "runs.db:side=base,each=$key" --after "runs.db:side=slow,each=$key" 2>err | records >got
	same "diff of runs by each $key: as of the captures" wanted got
done
"$pdtool" collapse -q "$pair"/base[123].data.zst >wanted
"$pdtool" collapse -q runs.db:side=base,each=run >got
same 'collapse of each run: of all' wanted got
"$pdtool" diff -q --before runs.db:each=side --after runs.db:each=nothing >got 2>err
[ $? -ne 0 ] && grep -q 'no capture in it is as asked for' err
result 'a label that no capture has' $?
symbol=$(awk '{ n = split($1, f, ";"); print f[n] }' wanted | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }')
awk -v s="$symbol" '{ n = split(substr($0, 1, match($0, / [0-9]+$/) - 1), f, ";"); for (i = 2; i <= n; i++) if (f[i] == s) { print; next } }' wanted >some
"$pdtool" collapse -q "runs.db:side=base,symbol=$symbol" | grep -v '^# pdtool' >got
[ -s some ] && same "stacks with $symbol" some got
"$pdtool" collapse -q "runs.db:side=base,symbol=$symbol,symbol=*" | grep -v '^# pdtool' >got
grep -v '^# pdtool' wanted | grep ';' >some
same 'either of two patterns' some got
! "$pdtool" collapse two.db:version=3 >got 2>err && grep -q 'no capture in it is as asked for' err
result 'a value that no capture has' $?

# Once.
"$pdtool" store add two.db "$1" 2>err | grep -q 'was there already'
result 'the same capture again' $?
zstd -dcq "$1" >plain.data
"$pdtool" store add two.db plain.data 2>err | grep -q 'was there already'
result 'the same capture, not compressed' $?
"$pdtool" collapse -q two.db >got
"$pdtool" collapse -q "$1" "$2" >wanted
same 'nothing counts twice' wanted got

# Several importers at once.
for round in 1 2 3 4 5; do
	rm -f many.db*
	for i in 1 2 3 4; do { "$pdtool" store add -q many.db "$1" "$2" >/dev/null 2>err.$i || echo "failed: $?" >>err.$i; } & done
	wait
	cat err.?
done >errors
equal 'four importers at once: none fails' '' "$(cat errors)"
"$pdtool" collapse -q many.db >got
same 'four importers of the same captures' wanted got

# A part of the time: steps of a store are told apart.
cat >steps.mkperf <<'END'
clock_data clockid=1 wall=1700000000000000000 clock=5000000000
event cpu-clock type=software config=0 period=1000000 ids=5 sample_id_all use_clockid clockid=1 mmap comm task sample_type=IP|TID|TIME|CPU|PERIOD|CALLCHAIN
comm pid=10 comm=app time=5000000000
comm pid=11 comm=other time=5000000000
mmap pid=10 addr=0x400000 len=0x10000 file=/bin/app time=5000000001
mmap pid=11 addr=0x400000 len=0x10000 file=/bin/other time=5000000001
repeat 3000 i {
sample pid=10+(($i/100)%2) tid=10+(($i/100)%2) cpu=$i%3 time=5000000002+$i*10000000 ip=0x400000 period=1000000 chain=[user:0x400000+($i%5)*16,0x401000]
}
END
"$mkperf" -o steps.data steps.mkperf && "$pdtool" store add -q steps.db steps.data >added 2>err
result 'a capture with a wall clock' $?
for range in 20,23 20,20.5 31,40 45,51.2 10,59; do
	from=2023-11-14T22:13:${range%,*} to=2023-11-14T22:13:${range#*,}
	case $to in *.*) until=${to%.*} && until=${until%??}$((${until##*:} + 1)) ;; *) until=$to ;; esac
	"$pdtool" collapse -q --time "$from,$until" steps.data >wanted
	"$pdtool" collapse -q "steps.db:from=$from,to=$to" >got 2>err
	same "from $from to $to: as --time of whole steps" wanted got
done
for range in 22:13:20,to=2023-11-14T22:13:30 22:13:30,to=2023-11-14T23:00:00; do
	"$pdtool" store query -q "steps.db:each=capture,from=2023-11-14T$range" coverage --format csv 2>err | records | cut -f 5
done >got
equal 'coverage: of a part of the time, as long as it was recorded' '9999999998 19990000002' "$(tr '\n' ' ' <got | sed 's/ $//')"
for key in comm=app 'comm=ap*' 'module=*app'; do
	"$pdtool" collapse -q --comms app steps.data >wanted
	"$pdtool" collapse -q "steps.db:$key" >got
	same "$key: as --comms" wanted got
done
# Steps of a nanosecond in a capture of a hundred years: the places of its samples take more bits than a number has.
{ cat steps.mkperf && echo 'sample pid=10 tid=10 cpu=1 time=4000000000000000000 ip=0x400000 period=1000000 chain=[user:0x400000]'; } >wide.mkperf
"$mkperf" -o wide.data wide.mkperf && "$pdtool" store add -q --step 1ns wide.db wide.data >added 2>err
result 'short steps of a long time' $? "$(cat err)"
"$pdtool" collapse -q wide.data >wanted
"$pdtool" collapse -q wide.db >got
same 'all of it' wanted got
"$pdtool" collapse -q --time 2023-11-14T22:13:31,2023-11-14T22:13:40 wide.data >wanted
"$pdtool" collapse -q wide.db:from=2023-11-14T22:13:31,to=2023-11-14T22:13:40 >got
same 'a part of it' wanted got
# Threads that were not sampled are none of the store's: they would be most of it where many processes come and go.
{ cat steps.mkperf && echo 'repeat 1000 i {' && echo "fork pid=1000+\$i ppid=10 tid=1000+\$i ptid=10 time=6000000000+\$i" && echo '}'; } >forks.mkperf
"$mkperf" -o forks.data forks.mkperf && "$pdtool" store add -q forks.db forks.data >added 2>err
result 'a capture of many threads' $? "$(cat err)"
if command -v sqlite3 >/dev/null; then
	equal 'threads that were not sampled are left out' "$(sqlite3 steps.db 'SELECT hex(threads) FROM capture')" "$(sqlite3 forks.db 'SELECT hex(threads) FROM capture')"
else
	skip 'threads that were not sampled are left out' 'sqlite3 is not installed'
fi
# A fleet: 40 hosts, an hour between their captures; 40 functions of 400 samples, f3 of 3000, by chance. Those of version 2 spend
# 5 % more in f3, 20 % in f8, one host three times as much in f5, and f40 comes in the 30th hour. 100 times all are split at random.
mkdir fleet
awk 'function chance() { seed = seed * 16807 % 2147483647; return seed / 2147483647 }
function gauss(i, sum) { sum = -6; for (i = 0; i < 12; i++) sum += chance(); return sum }
BEGIN {
	seed = 11
	for (k = 0; k <= 40; k++) printf "%x 10 f%d\n", 4194304 + k * 16, k >"fleet/map"
	for (h = 0; h < 40; h++) {
		f = "fleet/" h ".mkperf"
		print "clock_data clockid=1 wall=" 1700000000 + 3600 * h "000000000 clock=5000000000" >f
		print "event cpu-clock type=software config=0 period=1000000 ids=5 sample_id_all use_clockid clockid=1 mmap comm task sample_type=IP|TID|TIME|CPU|PERIOD|CALLCHAIN" >f
		print "comm pid=10 comm=app time=5000000000\nmmap pid=10 addr=0x400000 len=0x1000 file=//anon time=5000000001" >f
		for (k = 0; k < 40 + (h >= 30); k++) {
			c = k == 40 ? 200 : (k == 3 ? 3000 : 400) * (k == 3 && h >= 20 ? 1.05 : 1) * (k == 8 && h >= 20 ? 1.2 : 1) * (k == 5 && h == 7 ? 3 : 1)
			c = int(c * (1 + 0.01 * gauss()) + sqrt(c) * gauss() + 0.5)
			printf "repeat %d i {\nsample pid=10 tid=10 cpu=0 time=5000000002+%d+$i*1000 ip=0x%x period=1000000 chain=[user:0x%x]\n}\n", c, k * 4000000, 4194304 + k * 16, 4194304 + k * 16 >f
		}
		close(f)
		printf "%d --label service=%s --label host=h%02d --label version=%d", h, h == 7 ? "odd" : "web", h, 1 + (h >= 20) >"fleet/labels"
		for (s = 0; s < 100; s++) printf " --label s%d=%s", s, chance() < (20 - taken[s]) / (40 - h) && ++taken[s] ? "a" : "b" >"fleet/labels"
		print "" >"fleet/labels"
	}
}'
while read -r h labels; do
	# shellcheck disable=SC2086 # options
	"$mkperf" -o "fleet/$h.data" "fleet/$h.mkperf" && "$pdtool" store add -q --perf-map 10=fleet/map fleet.db $labels "fleet/$h.data" 2>&1 >/dev/null
done <fleet/labels >err
equal 'captures of 40 hosts' '' "$(cat err)"
query="$pdtool store query -q fleet.db"
$query trend --function f8 --format csv >got 2>err
equal 'trend: one change of level, of about 20 %, at the release' '1 2023-11-15T18:00:00' \
	"$(records <got | awk -F'\t' '$6 != "" { n++; at = substr($1, 1, 19); if ($6 < 15 || $6 > 25) n += 100 } END { print n, at }')"
equal 'trend: a point for each hour' 40 "$(records <got | wc -l)"
$query trend --function f3 --step 1d --format csv >got 2>err
for h in 0 1; do
	"$pdtool" collapse -q --perf-map 10=fleet/map fleet/$h.data
done | awk '/;f3 / { f += $NF } { all += $NF } END { printf "2 %d %.4f\n", f, 100 * f / all }' >wanted
records <got | awk -F'\t' 'NR == 1 { printf "%d %d %.4f\n", $2, $3, $4 }' >some
same 'trend: as of the captures of a day' wanted some
$query trend --function f4 --format csv >got 2>err
equal 'trend: nothing else changed' '' "$(records <got | awk -F'\t' '$6 != "" && $1 < "2023-11-16T04"')"
$query outliers --format csv >got 2>err
records <got | awk -F'\t' 'NR == 1 { print $1, $2, ($5 > 5) }' >some
equal 'outliers: the host, and its function' 'h07 f5 1' "$(cat some)"
equal 'outliers: f40 is not usual, and nothing else is unusual' '' "$(records <got | awk -F'\t' '$1 != "h07" && $2 != "f40"')"
$query first --function 'f40' --format csv >got 2>err
equal 'first seen' '2023-11-16T04:13:20 f40' "$(records <got | awk -F'\t' 'NR == 1 { print substr($1, 1, 19), $2 }')"
$query coverage --format csv >got 2>err
equal 'coverage' '40 captures of 40 hosts' "$(records <got | awk -F'\t' '{ n += $2 } END { print n " captures of " NR " hosts" }')"
equal 'coverage: samples' "$(for h in fleet/*.data; do "$pdtool" collapse -q --weight samples "$h"; done | awk '{ n += $NF } END { print n }')" \
	"$(records <got | awk -F'\t' '{ n += $7 } END { print n }')"
$query diff service=web,version=1 service=web,version=2 --format csv >got 2>err
"$pdtool" diff -q --format csv --before fleet.db:service=web,version=1,each=host --after fleet.db:service=web,version=2,each=host >wanted 2>err
same 'diff: hosts are the runs' wanted got
$query diff service=web,version=1 service=web,version=2 >got 2>err
grep -q ' sure  .* f3$' got
result '5 % more of one function on half of 40 hosts are found' $?
for s in 0 1 2 3 4 5 6 7 8 9; do
	for t in 0 1 2 3 4 5 6 7 8 9; do
		$query diff service=web,s$((10 * s + t))=a service=web,s$((10 * s + t))=b --fail-over 0.5% >got 2>err
		echo $?
	done
done | sort | uniq -c | sort -rn >gates
sed "s/^/exit status: /" gates
equal 'the gate: 100 comparisons of the same, of which at most 5 fail' '100 yes' \
	"$(awk '{ n += $1 } $2 == 4 { bad += $1 } $2 != 0 && $2 != 4 { bad += 100 } END { print n, (bad <= 5 ? "yes" : bad) }' gates)"
$query diff service=web,version=1 service=web,version=2 --fail-over 0.5% >got 2>err
equal 'the gate: of the two versions it fails' 4 $?
"$pdtool" report -q -s sym --format csv fleet.db >wanted
$query top -s sym --format csv >got
same 'top: report' wanted got
"$pdtool" flamegraph -q --format folded fleet.db:version=1 >wanted 2>err
"$pdtool" store query -q fleet.db:version=1 flame --format folded >got 2>err
same 'flame: flamegraph' wanted got
# The questions of docs/fleet.md, of this fleet: its functions and times.
sed -n '/^## Ask/,/^## /s/^    \(pdtool \)/\1/p' "$top/docs/fleet.md" | sed 's/inflate/f3/; s/2026-11-24T08/2023-11-15T08/; s/2026-11-24T12/2023-11-15T12/' >commands
equal 'docs/fleet.md: questions' 6 "$(wc -l <commands)"
mkdir bin && cp "$pdtool" bin/pdtool
while IFS= read -r command; do
	(PATH=$tmp/bin:$PATH && eval "$command") >got 2>err </dev/null
	result "docs/fleet.md: $command" $? "$(head -n 1 err)"
done <commands
[ -s web.svg ] && [ -s web.html ]
result 'docs/fleet.md: a flame graph and a page' $?
# The same fleet in two stores.
while read -r h labels; do
	# shellcheck disable=SC2086 # options
	"$pdtool" store add -q --perf-map 10=fleet/map fleet$((h % 2)).db $labels "fleet/$h.data" 2>&1 >/dev/null
	# shellcheck disable=SC2086 # options
	[ "$h" != 1 ] || "$pdtool" store add -q --perf-map 10=fleet/map fleet0.db --label host=h00 "fleet/$h.data" 2>&1 >/dev/null
	# shellcheck disable=SC2086 # options
	[ "$h" != 1 ] || "$pdtool" store add -q --perf-map 10=fleet/map fleet2.db --label host=h00 "fleet/$h.data" 2>&1 >/dev/null
done <fleet/labels >err
for question in outliers 'trend --function f8' 'first --function f40'; do
	# shellcheck disable=SC2086 # a question and its options
	$query $question --format csv | records | sed 's/[0-9]*.data#.*//' >wanted
	# shellcheck disable=SC2086 # the same
	"$pdtool" store query -q fleet1.db fleet0.db:service=web $question --format csv | records | sed 's/[0-9]*.data#.*//' >got
	same "two stores: $question" wanted got
done
"$pdtool" store query -q fleet0.db fleet2.db coverage --format csv | records | awk -F'\t' '$1 == "h00" { print $2 }' >got
equal 'a host in two stores is one host' 3 "$(cat got)"
"$pdtool" store query -q two.db first --function '*' --format csv >got 2>err
equal 'first seen: captures without a wall clock' '' "$(records <got | awk -F'\t' '$1 != ""')"
"$pdtool" collapse -q two.db | grep -v '^# pdtool' | sed 's/ [0-9]*$//' | awk -F';' '{ for (i = 2; i <= NF; i++) if (!n[$i]++) print $i }' | sort >wanted
records <got | cut -f 2 | sort >some
[ -s wanted ] && same 'first seen: all functions of them' wanted some
for wrong in '' trend 'coverage --function f3' nosuch; do
	# shellcheck disable=SC2086 # an operand
	$query $wrong >got 2>err
	equal "store query $wrong: a usage error" 2 $?
done
"$pdtool" store query fleet/0.data coverage >got 2>err
[ $? -eq 1 ] && grep -q 'expected a store' err
result 'a capture is no store' $?
"$pdtool" store query two.db outliers >got 2>err
[ $? -eq 1 ] && grep -q 'expected 5 hosts' err
result 'outliers of two hosts' $?
# More stacks than there is room for: the rare ones are one, as of collapse, and nothing is lost.
cat >room.mkperf <<'END'
event cpu-clock type=software config=0 period=1000000 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME|CPU|PERIOD|CALLCHAIN
comm pid=10 comm=app time=1
mmap pid=10 addr=0x400000 len=0x1000000 file=//anon time=2
repeat 60000 i {
sample pid=10 tid=10 cpu=$i%3 time=1000+$i*1000 ip=0x400000+$i*16 period=1000000 chain=[user:0x400000+$i*16,0x400000+($i%7)*16]
}
END
awk 'BEGIN { for (k = 0; k < 60000; k++) printf "%x 10 f%d\n", 4194304 + k * 16, k }' >room.map
"$mkperf" -o room.data room.mkperf && "$pdtool" store add --perf-map 10=room.map --max-memory 1M room.db room.data >added 2>err
result 'little room: it goes in' $? "$(head -n 1 err)"
grep -q 'count as \[others\] (see --max-memory)' err
result 'little room: it is said' $? "$(head -n 1 err)"
"$pdtool" collapse -q --perf-map 10=room.map --max-memory 1M room.data >wanted 2>err
"$pdtool" collapse -q room.db >got 2>err
same 'little room: collapse' wanted got
equal 'little room: all weight is there' '60000000000 1' "$(stacks <got | awk '{ n += $NF; others += /\[others\]/ } END { printf "%.0f %d", n, others }')"
# Killed at any moment: whole or absent, and the next one goes in.
rm -f kill.db*
begun=$(date +%s%N)
"$pdtool" store add -q kill.db "$1" >added 2>err
took=$(($(date +%s%N) - begun))
size=$("$pdtool" collapse -q kill.db | cksum)
whole=$("$pdtool" collapse -q "$1" "$2" | cksum)
bad=0 i=0 moments=$(some 100)
while [ $i -lt $moments ]; do
	i=$((i + 1))
	cp kill.db k.db
	rm -f k.db-*
	"$pdtool" store add -q k.db "$2" >/dev/null 2>&1 &
	sleep "$(awk "BEGIN { srand($i); print rand() * 1.5 * $took / 1e9 }")"
	kill -9 $! 2>/dev/null
	wait $! 2>/dev/null
	got=$("$pdtool" collapse -q k.db 2>err | cksum)
	[ "$got" = "$size" ] || [ "$got" = "$whole" ] || bad=$((bad + 1))
	[ "$got" = "$whole" ] || echo "$i"
	"$pdtool" store add -q k.db "$2" >/dev/null 2>&1
	[ "$("$pdtool" collapse -q k.db 2>err | cksum)" = "$whole" ] || bad=$((bad + 1))
done >absent
equal 'killed at some moments: whole or absent, and again: there' 0 $bad
[ -s absent ] && [ "$(wc -l <absent)" -lt $moments ]
result 'some were absent, some whole' $? "$(wc -l <absent) were absent"

# A full disk: a line, and what is there stays; with room it goes on.
if unshare -m sh -c 'mount -t tmpfs none /mnt' 2>err; then
	mkdir small
	cat >full.sh <<'END'
for room in 16384 40960; do
	mount -t tmpfs -o size=$(($(wc -c <kill.db) + room)) none small && cp kill.db small/k.db || exit 9
	"$1" store add -q small/k.db "$2" >/dev/null 2>err
	echo "$?, $(grep -c . err) line, $("$1" collapse -q small/k.db | cksum)"
done
mount -o remount,size=8m small
"$1" store add -q small/k.db "$2" >/dev/null 2>>err
echo "$?, $("$1" collapse -q small/k.db | cksum)"
END
	unshare -m sh full.sh "$pdtool" "$2" >got 2>>err
	printf '1, 1 line, %s\n1, 1 line, %s\n0, %s\n' "$size" "$size" "$whole" >wanted
	same 'a full disk' wanted got
else
	skip 'a full disk' "no file system can be mounted: $(head -n 1 err)"
fi

# Texts that would be SQL, or would end a frame or a line.
cat >hostile.mkperf <<'END'
event cpu-clock type=software config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME|PERIOD
comm pid=10 comm=a'); time=1
mmap pid=10 addr=0x400000 len=0x10000 file=/bin/x';DROP_TABLE_capture;-- time=2
mmap pid=10 addr=0x500000 len=0x1000 file=//anon time=3
sample pid=10 tid=10 time=10 ip=0x400000 period=7
sample pid=10 tid=10 time=11 ip=0x500000 period=8
END
echo "500000 10 f');DROP TABLE frame;--" >hostile.map
name="n');DROP TABLE capture;--.data"
"$mkperf" -o "$name" hostile.mkperf && "$pdtool" store add -q --perf-map 10=hostile.map hostile.db "$name" --label "k'=v');DELETE FROM total;--" >added 2>err &&
	"$pdtool" collapse -q --perf-map 10=hostile.map "$name" >wanted && "$pdtool" collapse -q "hostile.db:k'=v');DELETE FROM total;--" >got 2>err
result 'names that look like SQL' $?
same 'they are names' wanted got
grep -q "f').DROP TABLE frame" got
result 'a function, too' $? "$(cat got)"
equal 'and that of the capture' "$name#1" "$("$pdtool" store query -q hostile.db:each=capture coverage --format csv | records | cut -f 1)"

# What is no store, what is damaged.
echo hello >text.db
! "$pdtool" store add text.db "$1" >/dev/null 2>err && [ "$(grep -c . err)" = 1 ] && grep -q 'text.db' err && [ "$(cat text.db)" = hello ]
result 'another file is refused, and stays' $?
! "$pdtool" store add >/dev/null 2>err && grep -q 'expected a store' err
result 'no store is named' $?
! "$pdtool" store add two.db "$1" --label nothing >/dev/null 2>err && grep -q 'KEY=VALUE' err
result 'a label without a value' $?
bad=0
size=$(wc -c <two.db)
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
	cp two.db d.db
	rm -f d.db-*
	printf '\377\001\200\177' | dd of=d.db bs=1 seek=$((size * i / 31 + i)) conv=notrunc 2>/dev/null
	"$san" collapse -q d.db >/dev/null 2>err
	[ $? -le 1 ] && ! grep -q 'ERROR\|runtime error' err || { bad=$((bad + 1)) && cat err; }
	head -c $((size * i / 31)) two.db >d.db
	"$san" collapse -q d.db >/dev/null 2>err
	[ $? -le 1 ] && ! grep -q 'ERROR\|runtime error' err || { bad=$((bad + 1)) && cat err; }
done
equal 'damaged and cut stores: no crash' 0 $bad

# Names that a URI would take apart, and a store in another directory.
mkdir -p 'a?b#c%41'
"$pdtool" store add -q 'a?b#c%41/x:y.db' "$1" >added 2>err && "$pdtool" collapse -q 'a?b#c%41/x:y.db:version=1' >got 2>err
grep -q 'no capture in it' err && "$pdtool" collapse -q 'a?b#c%41/x:y.db' >got 2>err
same 'a path with colons, question marks and per cent signs' one.folded got
