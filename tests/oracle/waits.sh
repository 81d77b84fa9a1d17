#!/bin/sh
# Waits for a CPU, time off it and I/Os in a store: counts, sums and the longest are those of sched latency, offcpu and block over the
# captures, to the unit; percentiles are within 1/128 of the exact ones; captures merge exactly; in a file as on ClickHouse.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh" && . "$top/tests/lib/clickhouse.sh"
sched="$data/recorded/x86_64/sched/flat.data.zst $data/recorded/x86_64/sched/nospin.data.zst $data/recorded/x86_64/sched/sw_wakeup.data.zst
	$data/recorded/x86_64/sched/sw_lost.data.zst $data/recorded/x86_64/sched/switchev.data.zst"
block=$data/recorded/x86_64/block/q1.data.zst

# figures: of lines "KEY NS" (a tab between) what store query says: key, count, total, average, exact percentiles, the longest.
figures() {
	sort -t '	' -k 1,1 -k 2,2n | awk -F'\t' 'function rank(p, at) { at = int(p * n / 100); return at * 100 < p * n ? at + 1 : at }
	function out() { if (n) printf "%s\t%d\t%.0f\t%.0f\t%s\t%s\t%s\t%s\t%s\n", key, n, sum, (sum - sum % n) / n, v[rank(50)], v[rank(90)], v[rank(95)], v[rank(99)], v[n] }
	$1 != key { out(); n = sum = 0; key = $1 }
	{ v[++n] = $2; sum += $2 }
	END { out() }' | sort
}
# as_exact NAME WANTED GOT: the same but for percentiles, and these within 1/128.
as_exact() {
	for side in "$2" "$3"; do cut -f 1-4,9 "$side" | sort >"$side.sums"; done
	[ -s "$2" ] && same "$1: count, total, average, longest" "$2.sums" "$3.sums"
	sort "$3" | paste "$2" - | awk -F'\t' '{ for (i = 5; i <= 8; i++) { d = $i - $(i + 9); if ((d < 0 ? -d : d) > $i / 128) { print; bad = 1 } } } END { exit bad || !NR }' >off
	result "$1: percentiles within 1/128" $? "$(head -n 3 off)"
}
# asked STORE QUESTION: its rows; of I/Os the latency belongs to the key.
asked() {
	"$pdtool" store query -q "$1" "$2" --format csv 2>>err | records | if [ "$2" = io ]; then sed 's/	/ /'; else cat; fi
}
waits() {
	for file; do "$pdtool" sched latency -q --each --format csv "$file" 2>>err | records | awk -F'\t' '{ print $7 "\t" $6 }'; done
}
ios() {
	for file; do
		"$pdtool" block -q --each --format csv "$file" | records |
			awk -F'\t' '{ n = split("queue device total", l, " "); for (i = 1; i <= n; i++) if ($(7 + i) != "") print $1 " " $3 " " l[i] "\t" $(7 + i) }'
	done
}
# off FILE...: by command how long; off_count FILE OPTION...: how many intervals.
off() { "$pdtool" offcpu -q "$@" 2>>err | stacks | awk '{ w = $NF; sub(/;.*/, ""); sum[$0] += w } END { for (c in sum) printf "%s\t%.0f\n", c, sum[c] }' | sort; }
off_count() { "$pdtool" offcpu -q --format json "$@" 2>>err | sed -n 's/^"off the CPU":"\([0-9]*\) .*/\1/p'; }

n=0
for file in $sched; do
	n=$((n + 1)) name=$(basename "$file")
	"$pdtool" store add -q $n.db "$file" >added 2>err
	result "$name: it goes in" $?
	waits "$file" | figures >wanted
	asked $n.db waits >got
	as_exact "$name: waits" wanted got
	off "$file" >wanted
	asked $n.db offcpu | cut -f 1,3 | tr ' ' _ | awk -F'\t' '$2' | sort >got # folded stacks have no blanks
	same "$name: time off the CPU by command: offcpu" wanted got
	equal "$name: intervals off the CPU" "$(off_count "$file")" "$(asked $n.db offcpu | awk -F'\t' '{ n += $2 } END { print n }')"
	"$pdtool" offcpu -q "$file" 2>err | stacks >wanted
	"$pdtool" collapse -q $n.db:event=offcpu 2>>err | stacks >got
	same "$name: event=offcpu: the stacks of offcpu" wanted got
done
# shellcheck disable=SC2086 # files
{
	"$pdtool" store add -q all.db --label fleet=one $sched >added 2>err
	result 'all in one store' $?
	waits $sched | figures >wanted
	asked all.db waits >got
	as_exact 'all captures: waits' wanted got
	waits $sched | sed 's/.*	/one	/' | figures >wanted
	asked all.db:each=fleet waits >got
	as_exact 'all captures as one: waits' wanted got
	"$pdtool" offcpu -q $sched 2>err | stacks >wanted
	"$pdtool" collapse -q all.db:event=offcpu 2>>err | stacks >got
	same 'all captures: event=offcpu: the stacks of offcpu' wanted got
}
# No list of intervals tells the exact percentiles of offcpu: how many are below and above do, one capture at a time.
file=$data/recorded/x86_64/sched/flat.data.zst
"$pdtool" store add -q off.db "$file" --label one=1 >added 2>err
asked off.db:each=one offcpu >got
count=$(cut -f 2 got) i=4
for percent in 50 90 95 99; do
	i=$((i + 1)) ns=$(cut -f $i got)
	most=$(off_count "$file" --max $((ns + ns / 127 + 1))ns) least=$(off_count "$file" --max $((ns - ns / 128 - 1))ns)
	[ $((most * 100)) -ge $((count * percent)) ] && [ $((least * 100)) -lt $((count * percent)) ]
	result "offcpu: $percent % within 1/128" $? "$ns ns: $least, $most of $count"
done
equal 'offcpu: the longest' 1 "$(off_count "$file" --min "$(cut -f 9 got)ns")"

"$pdtool" store add -q io.db "$block" >added 2>err
result 'block: it goes in' $?
ios "$block" | figures >wanted
asked io.db io >got
as_exact 'block: io' wanted got
comm=$("$pdtool" block -q --each --format csv "$block" | records | cut -f 11 | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }')
"$pdtool" block -q --each --format csv --comms "$comm" "$block" | records |
	awk -F'\t' '{ n = split("queue device total", l, " "); for (i = 1; i <= n; i++) if ($(7 + i) != "") print $1 " " $3 " " l[i] "\t" $(7 + i) }' | figures >wanted
asked "io.db:comm=$comm" io >got
as_exact "block: io of $comm" wanted got

# What has none says so, in a line.
"$pdtool" store add -q none.db "$data/recorded/x86_64/diff_pair/base1.data.zst" >added 2>err
for question in waits offcpu io; do
	"$pdtool" store query none.db $question >got 2>err
	equal "$question: none: exit status, lines" '1 0 1' "$? $(wc -l <got) $(wc -l <err)"
	grep -q '^pdtool: none of 1 captures tells ' err
	result "$question: none: the line" $?
done
"$pdtool" store add -q none.db "$file" >added 2>err
"$pdtool" store query none.db waits >got 2>err && grep -q '^without  *1 of 2 captures tell none' got
result 'some have none' $?
for wrong in event=offcpu module=x symbol=x; do
	"$pdtool" store query all.db:$wrong waits >got 2>err
	equal "waits of $wrong: a usage error" 2 $?
done
sqlite3 none.db 'DROP TABLE latency' 2>err && "$pdtool" store query none.db waits >got 2>err
equal 'a store of before' '1 pdtool: none of 2 captures tells' "$? $(cut -d ' ' -f 1-6 err)"
"$pdtool" store add -q none.db "$data/recorded/x86_64/sched/nospin.data.zst" >added 2>err && "$pdtool" store query none.db waits >got 2>err
result 'to a store of before more is added' $?

# Damaged, cut and hostile ones.
bad=0 size=$(wc -c <all.db)
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	cp all.db d.db
	printf '\377\001\200\177' | dd of=d.db bs=1 seek=$((size * i / 21 + i)) conv=notrunc 2>/dev/null
	for question in waits offcpu io; do
		"$san" store query -q d.db $question >/dev/null 2>err
		[ $? -le 1 ] && ! grep -q 'ERROR\|runtime error' err || { bad=$((bad + 1)) && cat err; }
	done
done
equal 'damaged stores: no crash' 0 $bad
cp off.db d.db
for buckets in "x'ffffffffffffffffff0101'" "x'FFFF'" "zeroblob(1000000)" NULL "'text'"; do
	sqlite3 d.db "UPDATE latency SET buckets=$buckets"
	"$san" store query -q d.db waits >/dev/null 2>err
	equal "a histogram of $buckets is damaged" '1 1' "$? $(grep -c 'is damaged' err)"
done

asked 'all.db:comm=pipe_chain' waits >got && asked 'all.db:comm=pipe ch*' waits >wanted
[ "$(cut -f 1 got)" = 'pipe chain' ] && same 'a command as folded stacks have it' wanted got

# A fleet of 4 hosts, 3 hours: threads of two commands wait by chance, each capture with a wall clock.
mkdir fleet
awk 'function chance() { seed = seed * 16807 % 2147483647; return seed / 2147483647 }
function change(prev, state, to) {
	printf "sample event=sched:sched_switch time=%.0f cpu=0 pid=%d raw=[u16:314,u8:0,u8:0,u32:0,t16:c%d,u32:%d,u32:120,word:%d,t16:c%d,u32:%d,u32:120]\n", now, prev, prev, prev, state, to, to >f
}
BEGIN {
	seed = 5
	for (h = 0; h < 4; h++) for (t = 0; t < 3; t++) {
		f = "fleet/" h "-" t ".mkperf"
		print "clock_data clockid=1 wall=" 1700000000 + 3600 * t "000000000 clock=5000000000" >f
		print "tracepoint sched:sched_switch id=314 fields=\"char prev_comm[16];pid_t prev_pid;int prev_prio;long prev_state;char next_comm[16];pid_t next_pid;int next_prio\" print=\"\\\"\\\"\"" >f
		print "tracepoint sched:sched_waking id=310 fields=\"char comm[16];pid_t pid;int prio;int target_cpu\" print=\"\\\"\\\"\"" >f
		print "event sched:sched_switch type=tracepoint config=314 period=1 ids=71 sample_id_all use_clockid clockid=1 mmap comm task sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|RAW" >f
		print "event sched:sched_waking type=tracepoint config=310 period=1 ids=73 sample_id_all use_clockid clockid=1 sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|RAW" >f
		print "default mode=kernel ip=0xffffffff81000710" >f
		for (k = 10; k < 14; k++) print "comm pid=" k " comm=" (k % 2 ? "app" : "helper") " time=5000000000" >f
		now = 5000000002 + h; was = 10
		for (i = 0; i < 600; i++) {
			k = 10 + int(4 * chance())
			if (k == was) continue
			now += 1000 + int(exp(18 * chance()))
			printf "sample event=sched:sched_waking time=%.0f cpu=0 pid=%d raw=[u16:310,u8:0,u8:0,u32:0,t16:c%d,u32:%d,u32:120,u32:0]\n", now, was, k, k >f
			now += 100 + int(exp((10 + h) * chance()))
			change(was, i % 3 ? 1 : 0, k)
			was = k
		}
		close(f)
	}
}'
add_fleet() { # STORE
	for f in fleet/*.data; do
		h=${f#fleet/} && h=${h%-*}
		"$pdtool" store add -q "$1" --label host=h$h --label service=s$((h % 2)) "$f" >added || echo "$f"
	done 2>&1
}
for f in fleet/*.mkperf; do "$mkperf" -o "${f%.mkperf}.data" "$f"; done
add_fleet fleet.db | grep -v 'no call chains' >got
equal 'a fleet goes in' '' "$(grep . got)"
waits fleet/*.data | figures >wanted
asked fleet.db waits >got
as_exact 'fleet: waits' wanted got
waits fleet/[02]-*.data | sed 's/.*	/s0	/' | figures >wanted
waits fleet/[13]-*.data | sed 's/.*	/s1	/' | figures >>wanted
asked fleet.db:each=service waits >got
as_exact 'fleet: waits by service' wanted got
waits fleet/2-*.data | figures | grep app >wanted
asked fleet.db:comm=a*,host=h2 waits >got
as_exact 'fleet: waits of a host and a command' wanted got
for range in 2023-11-14T22:13:20,2023-11-14T22:13:22 2023-11-14T22:13:20,2023-11-14T23:13:21 2023-11-14T23:13:21,2023-11-15T02:00:00; do
	# steps are of the clock of the capture, in which 22:13:20 is 5 s
	for f in fleet/*.data; do "$pdtool" sched latency -q --each --format csv --time "$range" "$f" 2>err | records; done | awk -F'\t' '{ print $7 "\t" $6 }' | figures >wanted
	asked "fleet.db:from=${range%,*},to=${range#*,}" waits >got
	as_exact "fleet: waits from $range: as --time" wanted got
done
"$pdtool" store query -q fleet.db waits --format json >got 2>err && python3 -c 'import json; t = json.load(open("got"))["table"]; assert len(t["rows"]) == 2 and t["columns"][0] == "of"' 2>err
result 'as JSON' $?
"$pdtool" store query fleet.db waits >got 2>err && grep -q '^percentiles  within 0.8 %' got
result 'as text' $?

# Filters choose what is put in, too.
rm -f part.db*
"$pdtool" store add -q --time 7981.8,7981.9 part.db "$data/recorded/x86_64/sched/flat.data.zst" >/dev/null 2>err
"$pdtool" sched latency -q --each --format csv "$data/recorded/x86_64/sched/flat.data.zst" --time 7981.8,7981.9 2>err | records | awk -F'\t' '{ print $7 "\t" $6 }' | figures >want
asked part.db waits >got
as_exact 'added with --time' want got

rm -f part.db*
"$pdtool" store add --comms 'pipe*' part.db "$block" "$data/recorded/x86_64/sched/flat.data.zst" --format csv >got 2>err
equal 'a capture of which nothing passes is not added, and told' '1 1' "$(grep -c added got) $(grep -c 'it is not added' err)"
rm -f part.db*
"$pdtool" store add -q --comms nosuch part.db "$block" "$data/recorded/x86_64/sched/flat.data.zst" >got 2>err
equal 'nothing passes of any: no success' '1 0' "$? $(wc -l <got)"

# Killed at any moment: whole or absent, and the next one goes in.
wait_sums() { "$pdtool" store query -q "$1" waits --format csv 2>/dev/null | cksum; }
"$pdtool" store add -q kill.db fleet/0-0.data >added 2>err
begun=$(date +%s%N)
cp kill.db k.db && "$pdtool" store add -q k.db "$data/recorded/x86_64/sched/sw_lost.data.zst" >added 2>err
took=$(($(date +%s%N) - begun))
before=$(wait_sums kill.db) whole=$(wait_sums k.db) bad=0 i=0
while [ $i -lt 40 ]; do
	i=$((i + 1))
	rm -f k.db* && cp kill.db k.db
	"$pdtool" store add -q k.db "$data/recorded/x86_64/sched/sw_lost.data.zst" >/dev/null 2>&1 &
	sleep "$(awk "BEGIN { srand($i); print rand() * 1.5 * $took / 1e9 }")"
	kill -9 $! 2>/dev/null
	wait $! 2>/dev/null
	got=$(wait_sums k.db)
	[ "$got" = "$before" ] || [ "$got" = "$whole" ] || bad=$((bad + 1))
	[ "$got" = "$whole" ] || echo "$i"
	"$pdtool" store add -q k.db "$data/recorded/x86_64/sched/sw_lost.data.zst" >/dev/null 2>&1
	[ "$(wait_sums k.db)" = "$whole" ] || bad=$((bad + 1))
done >absent
equal 'killed at 40 moments: whole or absent, and again: there' 0 $bad
[ -s absent ] && [ "$(wc -l <absent)" -lt 40 ]
result 'some were absent, some whole' $? "$(wc -l <absent) were absent"

# sqlite3 or the client of ClickHouse, with the SQL that is printed; the first columns of `store query` in that order
in_sql() {
	"$pdtool" store sql -q "$1" $2 >question.sql 2>err || { head -n 1 err; return; }
	case $1 in
	clickhouse*) database=fleet clickhouse_client $shard1 <question.sql ;;
	*) sqlite3 -separator '	' fleet.db <question.sql ;;
	esac 2>&1
}
of_query() {
	"$pdtool" store query -q "$1" $2 --format csv 2>/dev/null | records | if [ $2 = io ]; then
		awk -F '\t' -v OFS='\t' '{ print $1, "io-" $2, $3, $4, $NF }' | sort -t '	' -k 4,4nr -k 1,2
	else
		awk -F '\t' -v OFS='\t' '{ print $1, $2, $3, $NF }' | sort -t '	' -k 3,3nr -k 1,1
	fi
}
# sql_as_query STORE QUESTION PART...
sql_as_query() {
	store=$1 question=$2
	shift 2
	for part; do
		of_query "$store$part" $question >wanted
		in_sql "$store$part" $question >got
		[ -s wanted ] || fail "store sql $question$part" 'there are none'
		same "store sql $question$part, ${store%%[.:]*}" wanted got
	done
}
for question in waits offcpu; do
	sql_as_query fleet.db $question '' :service=s1 ':comm=h*' :host=h2,comm=app
done
for wrong in module=x symbol=x event=offcpu; do
	"$pdtool" store sql fleet.db:$wrong waits >got 2>err
	equal "store sql waits of $wrong: a usage error" 2 $?
done

# The same on ClickHouse.
for tool in clickhouse-server clickhouse-client; do
	command -v $tool >/dev/null || { skip 'waits on ClickHouse' "$tool is not installed"; exit; }
done
trap 'clickhouse_stop "$tmp/servers"; rm -rf "$tmp"' EXIT
clickhouse_start "$tmp/servers" || { fail 'two servers' "$(cat "$tmp"/servers/?/errors "$tmp"/servers/?/out | head -n 3)"; exit; }
for shard in $shard1 $shard2; do
	database='' clickhouse_client $shard 'CREATE DATABASE fleet' && "$pdtool" store sql -q "clickhouse://$shard/fleet" schema --cluster fleet >schema.sql &&
		database=fleet clickhouse_client $shard <schema.sql
done 2>err
result 'two servers and their tables' $?
remote=clickhouse://$shard1/fleet
with_waits() { for s in $shard1 $shard2; do database=fleet clickhouse_client $s 'SELECT count() > 10 FROM latency_local'; done | tr -d '\n'; }
# A capture's number, by which it goes to a shard, is random: all on one are added anew.
for attempt in 1 2 3 4 5 6; do
	[ $attempt = 1 ] || for shard in $shard1 $shard2; do
		sed -n 's/^CREATE TABLE \([a-z]*_local\) .*/TRUNCATE TABLE \1;/p' schema.sql | database=fleet clickhouse_client $shard
	done
	add_fleet "$remote" | grep -v 'no call chains' >got
	"$pdtool" store add -q "$remote" --label host=disk "$block" 2>&1 >/dev/null | grep -v 'no call chains' >>got
	[ "$(with_waits)" != 11 ] || break
done
"$pdtool" store add -q fleet.db --label host=disk "$block" >added 2>err
equal 'the fleet goes in' '' "$(grep . got)"
sql_as_query fleet.db io '' :host=disk
for question in waits offcpu; do
	sql_as_query "$remote" $question '' :service=s1 ':comm=h*' :host=h2,comm=app
done
sql_as_query "$remote" io '' :host=disk
equal 'both shards have waits' 11 "$(with_waits)"
for part in '' :service=s1 :each=host :each=service,comm=app ':comm=h*' :each=capture :from=2023-11-14T22:13:21,to=2023-11-14T23:13:22 :host=disk :host=nobody; do
	for question in waits offcpu io; do
		for store in fleet.db "$remote"; do
			"$pdtool" store query "$store$part" $question 2>&1 | sed "s!$store!STORE!g; s/#[0-9]*//" >"got.${store%%[.:]*}"
		done
		same "$question$part: as SQLite" got.fleet got.clickhouse
	done
	case $part in *host=[dn]*) continue ;; esac
	both=${part:+,} && both=$part${both:-:}event=offcpu
	"$pdtool" collapse -q "fleet.db$both" 2>/dev/null | stacks >wanted
	"$pdtool" collapse -q "$remote$both" 2>/dev/null | stacks >got
	[ -s wanted ] && same "event=offcpu$part: as SQLite" wanted got
done
