#!/bin/sh
# A store on ClickHouse, two shards: every question has the answer that SQLite gives, which is that of the captures; each capture is
# there once, whole or not at all, whatever dies in the middle; no text is ever SQL; nothing is connected to that was not named.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh" && . "$top/tests/lib/clickhouse.sh"
for tool in clickhouse-server clickhouse-client sqlite3; do
	command -v $tool >/dev/null || { skip 'a store on ClickHouse' "$tool is not installed"; exit; }
done
trap 'clickhouse_stop "$tmp/servers"; rm -rf "$tmp"' EXIT
clickhouse_start "$tmp/servers" || { fail 'two servers' "$(cat "$tmp"/servers/?/errors "$tmp"/servers/?/out | head -n 3)"; exit; }
ok 'two servers'

# make NAME [ADDRESS'S SHARD]: a database of that name with pdtool's tables on both.
make_store() {
	for shard in $shard1 $shard2; do
		database='' clickhouse_client $shard "CREATE DATABASE $1" && "$pdtool" store sql -q "clickhouse://$shard/$1" schema --cluster fleet >schema.sql &&
			database=$1 clickhouse_client $shard <schema.sql
	done 2>err
	result "the tables of $1" $?
}

# 200 captures of 20 hosts: ten each, an hour apart, three services, two versions; what they do differs by host and hour, most on h17.
make_store fleet
remote=clickhouse://$shard1/fleet
mkdir fleet
awk 'function chance() { seed = seed * 16807 % 2147483647; return seed / 2147483647 }
BEGIN {
	seed = 7
	for (k = 0; k < 60; k++) printf "%x 10 f%d\n", 4194304 + k * 16, k >"fleet/map"
	for (h = 0; h < 20; h++) for (t = 0; t < 10; t++) {
		f = "fleet/" h "-" t ".mkperf"
		print "clock_data clockid=1 wall=" 1700000000 + 3600 * t + 7 * h "500000000 clock=5000000000" >f
		print "event cpu-clock type=software config=0 period=1000000 ids=5 sample_id_all use_clockid clockid=1 mmap comm task sample_type=IP|TID|TIME|CPU|PERIOD|CALLCHAIN" >f
		print "comm pid=10 comm=app time=5000000000\nmmap pid=10 addr=0x400000 len=0x1000 file=//anon time=5000000001" >f
		print "comm pid=11 comm=helper time=5000000000\nmmap pid=11 addr=0x400000 len=0x1000 file=//anon time=5000000001" >f
		for (i = 0; i < 150; i++) {
			a = h == 17 && i % 9 == 0 ? 57 + i / 9 % 3 : int(60 * chance() * chance())
			b = int((20 + h) * chance())
			printf "sample pid=%d tid=%d cpu=%d time=%.0f ip=0x%x period=%d chain=[user:0x%x,0x%x,0x%x]\n", 10 + i % 2, 10 + i % 2, i % 4, \
				5000000002 + i * 133000000, 4194304 + a * 16, 1000000 + int(9000 * chance()), 4194304 + a * 16, 4194304 + b * 16, 4194304 + int(60 * chance()) * 16 >f
		}
		close(f)
	}
}'
for f in fleet/*.mkperf; do "$mkperf" -o "${f%.mkperf}.data" "$f"; done
for h in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19; do
	for store in fleet.db "$remote"; do
		for version in 1 2; do
			[ $version = 1 ] && times=[0-4] || times=[5-9]
			# shellcheck disable=SC2086 # a pattern
			"$pdtool" store add -q --perf-map 10=fleet/map --perf-map 11=fleet/map "$store" --label host=h$h --label service=s$((h % 3)) --label version=$version \
				fleet/$h-$times.data || echo "$h $store"
		done
	done
done >added 2>err
equal '200 captures into each' '400 added, 0 lines of errors' "$(grep -c ' added ' added) added, $(wc -l <err) lines of errors"
equal 'both shards have some' yes "$(for s in $shard1 $shard2; do database=fleet clickhouse_client $s 'SELECT count() > 3000 FROM sample_local'; done | tr -d '\n' | sed 's/11/yes/')"

# asked NAME STORE'S-PART COMMAND...: the same of both.
asked() {
	name=$1 part=$2
	shift 2
	"$pdtool" "$@" "fleet.db$part" 2>&1 | sed 's/fleet\.db/STORE/g' >wanted
	"$pdtool" "$@" "$remote$part" 2>&1 | sed "s!$remote!STORE!g" >got
	same "$name$part: as SQLite" wanted got
	grep '^pdtool: ' got && fail "$name$part: an answer" "$(cat got)"
}
maps='--perf-map 10=fleet/map --perf-map 11=fleet/map'
# shellcheck disable=SC2086 # options
"$pdtool" collapse -q $maps fleet/*.data | stacks >wanted
"$pdtool" collapse -q "$remote" | stacks >got
same 'collapse: as the 200 captures' wanted got
for h in 0 7 19; do
	# shellcheck disable=SC2086 # options
	"$pdtool" collapse -q $maps fleet/$h-*.data | stacks >wanted
	"$pdtool" collapse -q "$remote:host=h$h" | stacks >got
	same "collapse: host h$h" wanted got
done
# shellcheck disable=SC2086 # options
"$pdtool" report -q $maps -s sym --format csv fleet/[147]-[5-9].data fleet/1[0369]-[5-9].data | records | cut -f 1-4,6 | sort >wanted
"$pdtool" report -q -s sym --format csv "$remote:service=s1,version=2" | records | cut -f 1-4,6 | grep -v '	app$\|	helper$' | sort >got
same 'report: a service and a version, as the captures' wanted got
for part in '' :version=2 :service=s1,service=s2,host=h4 :from=2023-11-15T01:00:00,to=2023-11-15T03:20:00 :from=2023-11-15T00:13:25.7,to=2023-11-15T00:13:31.2 \
	:comm=helper ':symbol=f1*' :symbol=f3,service=s0,from=2023-11-15T02:13:41; do
	asked collapse "$part" collapse -q
	asked report "$part" report -q -s sym
done
for part in '' :service=s1 ':comm=h*,symbol=f1?' ':service=s2,symbol=f[25]*'; do
	for question in coverage outliers 'first --function f5*' 'trend --function f2' 'trend --function f[2-4] --step 1d'; do
		for store in fleet.db "$remote"; do
			# shellcheck disable=SC2086 # a question and its options
			"$pdtool" store query "$store$part" $question 2>&1 | sed "s!$store!STORE!g; s/#[0-9]*$//" >"got.${store%%[.:]*}"
		done
		same "store query$part $question: as SQLite" got.fleet got.clickhouse
	done
done
for store in fleet.db "$remote"; do
	equal "store query outliers, $store: the host that is unlike" 'h17 f57 h17 f58 h17 f59 ' \
		"$("$pdtool" store query -q "$store" outliers --format csv | records | cut -f 1,2 | sort | tr '\t\n' '  ')"
done
# page NAME PART OPTION...: the same bytes, but for the store's name.
page() {
	name=$1 part=$2
	shift 2
	for store in fleet.db "$remote"; do
		"$pdtool" page -q "$@" -o - "$store$part" 2>&1 | sed "s!$store!STORE!g" >"got.${store%%[.:]*}"
	done
	grep -q '"storedUs":' got.fleet && cmp got.fleet got.clickhouse
	result "page$part, $name: as SQLite" $? "$(head -n 1 got.clickhouse)"
}
page whole ''
page 'a service and a time' :service=s1,from=2023-11-15T01:00:00,to=2023-11-15T03:20:00
page 'a command' :comm=helper,version=2
page 'a function' ':symbol=f1?' --budget 200K
for store in fleet.db "$remote"; do
	"$pdtool" page --max-memory 1M -q -o - "$store" 2>&1 | sed "s!$store!STORE!g"
done >got
equal 'page: too many stacks' '2 pdtool: more than 13107 different stacks' "$(wc -l <got) $(cut -d ' ' -f 1-6 got | sort -u)"
for store in fleet.db "$remote"; do
	"$pdtool" store query "$store" diff version=1 version=2 2>&1 | sed "s!$store!STORE!g" >"got.${store%%[.:]*}"
done
same 'store query diff: as SQLite' got.fleet got.clickhouse
# shellcheck disable=SC2046 # files
"$pdtool" diff -q --format csv $(for h in 0 1 2 3 4; do echo "--before" fleet/$h-0.data --after fleet/$h-9.data; done) --perf-map 10=fleet/map --perf-map 11=fleet/map 2>/dev/null | records >wanted
set -- clickhouse://$shard2/fleet:host=h0,host=h1,host=h2,host=h3,host=h4
"$pdtool" diff -q --format csv --before "$1,version=1,to=2023-11-14T22:30:00,each=host" --after "$1,version=2,from=2023-11-15T07:00:00,each=host" >some 2>err
equal 'diff of hosts: no error' '' "$(cat err)"
records <some >got
same 'diff of hosts: as the captures' wanted got

# The SQL of each engine, run by its own client.
for part in '' ,service=s1 ,version=2,comm=app ',symbol=f1?' ,module=nothing; do
	for question in schema top flame trend first coverage; do
		[ $question != schema ] || continue
		set -- $question
		[ $question != trend ] || set -- trend --function 'f[2-4]'
		"$pdtool" store sql -q "fleet.db:event=cpu-clock$part" "$@" >file.sql 2>err && sqlite3 -separator '	' fleet.db <file.sql 2>>err | sed 's/^	//' >wanted
		"$pdtool" store sql -q "clickhouse://$shard2/fleet:event=cpu-clock$part" "$@" >remote.sql 2>>err && database=fleet clickhouse_client $shard2 <remote.sql >got 2>>err
		[ "$part" = ,module=nothing ] && [ $question != coverage ] && { equal "store sql $question$part" '' "$(cat wanted got err)" && continue; }
		same "store sql $question$part: both" wanted got
		case $question in
		flame)
			"$pdtool" collapse -q "fleet.db:event=cpu-clock$part" | stacks | sed 's/ \([0-9]*\)$/	\1/' | sort >wanted
			sort got >sorted
			same "store sql flame$part: collapse" wanted sorted
			;;
		top)
			"$pdtool" report -q -s sym --format csv --limit 0 "fleet.db:event=cpu-clock$part" | records | awk -F'\t' '{ print $NF "\t" $4 "\t" $3 }' |
				sort -t '	' -k 3nr -k 1 | head -n 50 >wanted
			same "store sql top$part: report" wanted got
			;;
		esac
	done
done
"$pdtool" store sql -q "$remote:event=cpu-clock,each=host" flame >remote.sql && database=fleet clickhouse_client $shard1 <remote.sql >got 2>err
for h in 3 12; do
	"$pdtool" collapse -q "fleet.db:host=h$h" | stacks | sed 's/ \([0-9]*\)$/	\1/' | sort >wanted
	awk -F'\t' -v h=h$h '$1 == h { print $2 "\t" $3 }' got | sort >sorted
	same "store sql flame, each host: h$h" wanted sorted
done
"$pdtool" store sql -q "$remote:event=cpu-clock,service=s1" grafana >remote.sql && database=fleet clickhouse_client $shard1 <remote.sql >got 2>err
"$pdtool" collapse -q fleet.db:service=s1 | stacks | awk '{ w = $NF; sub(/ [0-9]*$/, ""); n = split($0, f, ";"); p = ""
	for (i = 1; i <= n; i++) { p = p (i > 1 ? ";" : "") f[i]; all[p] += w; name[p] = f[i]; depth[p] = i - 1; own[p] += i == n ? w : 0 } }
	END { for (p in all) printf "%d\t%s\t%.0f\t%.0f\n", depth[p], name[p], all[p], own[p] }' | sort >wanted
sort got >sorted
same "store sql grafana: each frame of collapse" wanted sorted
awk -F'\t' '{ if ($1 > last + 1) bad = 1; last = $1 } END { exit bad }' got
result 'store sql grafana: depth first' $?
for wrong in top 'trend --cluster x' grafana '' nosuch; do
	# shellcheck disable=SC2086 # a question
	"$pdtool" store sql -q fleet.db $wrong >got 2>err
	equal "store sql $wrong: a usage error" 2 $?
done

# Once: again, by two at the same time, and of those that died.
"$pdtool" store add -q "$remote" fleet/3-3.data >added 2>err
grep -q 'was there already' added
result 'a capture that is there' $?
make_store twice
"$pdtool" store add -q --perf-map 10=fleet/map "clickhouse://$shard1/twice" fleet/1-*.data >added 2>&1 &
one=$!
"$pdtool" store add -q --perf-map 10=fleet/map "clickhouse://$shard2/twice" fleet/1-*.data >added.2 2>&1
wait $one
"$pdtool" collapse -q --perf-map 10=fleet/map fleet/1-*.data >wanted
"$pdtool" collapse -q "clickhouse://$shard2/twice" >got 2>err
same 'two importers at once: each capture once' wanted got
make_store killed
remote=clickhouse://$shard1/killed
bad=0
set --
for t in 0 1 2 3 4 5 6 7 8 9; do
	for wait in 03 11; do
		"$pdtool" store add -q --perf-map 10=fleet/map "$remote" fleet/2-$t.data >/dev/null 2>&1 &
		sleep 0.$wait
		kill -9 $! 2>/dev/null
		wait $! 2>/dev/null
		"$pdtool" collapse -q "$remote" 2>err | stacks >got
		# shellcheck disable=SC2086 # names without blanks
		"$pdtool" collapse -q --perf-map 10=fleet/map "$@" fleet/2-$t.data 2>/dev/null | stacks >with
		[ $# = 0 ] || "$pdtool" collapse -q --perf-map 10=fleet/map "$@" | stacks >without
		[ $# != 0 ] || : >without
		cmp -s got with || cmp -s got without || bad=$((bad + 1))
	done
	"$pdtool" store add -q --perf-map 10=fleet/map "$remote" fleet/2-$t.data >added 2>&1 || bad=$((bad + 1))
	set -- "$@" fleet/2-$t.data
	"$pdtool" collapse -q "$remote" | stacks | cmp -s - with || bad=$((bad + 1))
done
equal 'killed at 20 moments: whole or absent, and again: there' 0 $bad
make_store away
remote=clickhouse://$shard1/away
(sleep 0.4 && kill -9 "$(cat "$tmp/servers/2/pid")") &
killer=$!
"$pdtool" store add -q --perf-map 10=fleet/map "$remote" fleet/*.data >added 2>err
status=$?
wait $killer
equal 'a shard that dies: exit 1 and a line' '1, 1 line' "$status, $(grep -c "$remote" err) line"
"$pdtool" collapse -q "$remote" >got 2>err
equal 'and no answer of a half' 1 $?
clickhouse_server "$tmp/servers/2" 2 $base
clickhouse_answers $shard2
result 'it comes back' $?
"$pdtool" store add -q --perf-map 10=fleet/map "$remote" fleet/*.data >added 2>err
"$pdtool" collapse -q --perf-map 10=fleet/map fleet/*.data >wanted
"$pdtool" collapse -q "$remote" >got 2>err
same 'the same again completes it: nothing lost, nothing twice' wanted got

# Names that are hard to tell from patterns, in both stores, as fnmatch(3) has them.
cat >names.map <<'END'
400000 10 a[b]c
400010 10 std::sort<int>
400020 10 x;y
400030 10 star*name
400040 10 back\slash
400050 10 qu'ote
400060 10 über
400070 10 ab
400080 10 what?
END
cat >names.mkperf <<'END'
event cpu-clock type=software config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME|PERIOD|CALLCHAIN
comm pid=10 comm=names time=1
mmap pid=10 addr=0x400000 len=0x1000 file=//anon time=2
repeat 9 i {
sample pid=10 tid=10 time=10+$i ip=0x400000+$i*16 period=1+$i chain=[user:0x400000+$i*16]
}
END
"$mkperf" -o names.data names.mkperf
{ echo 'clock_data clockid=1 wall=1700000000000000000 clock=1' && sed 's/ids=5/& use_clockid clockid=1/; s/period=1+/period=10+/' names.mkperf; } >timed.mkperf
"$mkperf" -o timed.data timed.mkperf
make_store names
for store in names.db clickhouse://$shard1/names; do
	"$pdtool" store add -q --perf-map 10=names.map "$store" names.data --label clock=none >added 2>err &&
		"$pdtool" store add -q --perf-map 10=names.map "$store" timed.data --label host=timed >added 2>err
done
# sql STORE QUESTION...: what its own client prints.
sql() {
	"$pdtool" store sql -q "$@" >question.sql && case $1 in
	clickhouse:*) database=names clickhouse_client $shard1 <question.sql | sed "s/\\\\'/'/g; s/\\\\\\\\/\\\\/g" ;;
	*) sqlite3 -separator '	' -nullvalue '\N' names.db <question.sql ;;
	esac
}
# Which of two have no wall clock: no time of theirs is told.
for question in coverage first 'trend --function ab'; do
	for store in names.db clickhouse://$shard1/names; do
		# shellcheck disable=SC2086 # a question and its options
		sql "$store:event=cpu-clock" $question 2>&1
	done >got
	equal "store sql $question: where there are captures without a wall clock" "$(case $question in
	coverage) printf '\t1\t\\N\t\\N\t8\t9\t0\ntimed\t1\t2023-11-14 22:13:20\t2023-11-14 22:13:20\t8\t9\t0\n' ;;
	first) sed -n 's/^[0-9]* 10 //p' names.map | tr ';' : | sort | sed 's/$/	2023-11-14 22:13:20/' ;;
	trend*) printf '2023-11-14 22:00:00\t126\t17\n' ;;
	esac | sed p | sort)" "$(sort got)"
done
for store in names.db clickhouse://$shard1/names; do sql "$store:event=cpu-clock,clock=none" first | cut -f 2 | sort | uniq -c | sed 's/^ *//'; done >got
equal 'store sql first: of captures without a wall clock alone' '9 \N 9 \N ' "$(tr '\n' ' ' <got)"
none=0
while IFS= read -r pattern; do
	for store in names.db clickhouse://$shard1/names; do
		"$pdtool" collapse -q --allow-empty "$store:symbol=$pattern" 2>err | stacks >"got.${store%%[.:]*}"
		"$pdtool" store query -q "$store" first --function "$pattern" --format csv 2>>err | records | cut -f 2,3 >>"got.${store%%[.:]*}"
	done
	[ -s got.names ] || none=$((none + 1))
	cmp got.names got.clickhouse
	result "names by $pattern: as SQLite" $? "$(diff got.names got.clickhouse | head -n 3)"
	# In SQL '?' is a character, of pdtool a byte.
	case $pattern in '??ber') characters='?ber' ;; *) characters=$pattern ;; esac
	{
		"$pdtool" collapse -q --allow-empty "names.db:symbol=$pattern" 2>err | stacks | sed 's/ \([0-9]*\)$/	\1/' | sort
		"$pdtool" store query -q names.db trend --function "$pattern" --format csv 2>>err | records | cut -f 3
	} >wanted
	for store in names.db clickhouse://$shard1/names; do
		{
			sql "$store:event=cpu-clock,symbol=$characters" flame | sed 's/^	//' | sort
			sql "$store:event=cpu-clock" trend --function "$characters" | cut -f 3
		} >got 2>err
		cmp wanted got
		result "names by $pattern: SQL of ${store%%[.:]*}" $? "$(diff wanted got | head -n 3)"
	done
done <<'END'
a[b]c
a[[]b]c
a\[b\]c
*[[]*
[!a]*
[[:alpha:]]*
std:*
*::*<int>
x;y
x:y
star\**
star*e
back\\*
back\slash
qu'*
ü*
??ber
*
*?
what\?
[
nosuch*
END
equal 'names by patterns: of how many there are none' 3 $none

# More rows than there is room for: longer steps, as of a file.
make_store thin
cat >thin.mkperf <<'END'
clock_data clockid=1 wall=1700000000000000000 clock=5000000000
event cpu-clock type=software config=0 period=1000000 ids=5 sample_id_all use_clockid clockid=1 mmap comm task sample_type=IP|TID|TIME|CPU|PERIOD|CALLCHAIN
comm pid=10 comm=app time=5000000000
mmap pid=10 addr=0x400000 len=0x10000 file=/bin/app time=5000000001
repeat 30000 i {
sample pid=10 tid=10 cpu=$i%3 time=5000000002+$i*1000000 ip=0x400000 period=1000000 chain=[user:0x400000+($i%5)*16,0x401000]
}
END
"$mkperf" -o thin.data thin.mkperf
for store in thin.db clickhouse://$shard1/thin; do
	"$pdtool" store add -q --step 1ms "$store" thin.data >added 2>err && "$pdtool" page -q --max-memory 1M -o - "$store" | sed "s!$store!STORE!g" >"got.${store%%[.:]*}"
done
grep -q '"stepUs":10000,"storedUs":10000,' got.thin && cmp got.thin got.clickhouse
result 'page: longer steps, as SQLite' $? "$(head -n 1 got.clickhouse)"

# Texts that would be SQL, in a capture, in a label, in a question, in an address.
make_store hostile
remote=clickhouse://$shard1/hostile
cat >hostile.mkperf <<'END'
event cpu-clock type=software config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME|PERIOD
comm pid=10 comm=a');\'-- time=1
mmap pid=10 addr=0x400000 len=0x10000 file=/bin/x';DROP_TABLE_capture;-- time=2
mmap pid=10 addr=0x500000 len=0x1000 file=//anon time=3
sample pid=10 tid=10 time=10 ip=0x400000 period=7
sample pid=10 tid=10 time=11 ip=0x500000 period=8
END
echo "500000 10 f\\');DROP TABLE frame;--" >hostile.map
name="n\\');DROP TABLE capture;--.data"
label="k'=v\\');DROP TABLE sample;--"
"$mkperf" -o "$name" hostile.mkperf && "$pdtool" store add -q --perf-map 10=hostile.map "$remote" "$name" --label "$label" >added 2>err &&
	"$pdtool" collapse -q --perf-map 10=hostile.map "$name" >wanted
equal 'a name of a capture that looks like SQL' "$name" "$("$pdtool" store query -q "$remote:each=capture" coverage --format csv | records | cut -f 1 | sed 's/#[0-9]*$//')"
for part in '' ":$label" ":event=cpu-clock,$label" ",each=k'"; do
	"$pdtool" collapse -q "$remote${part#,}" >got 2>err
	case $part in ,*) continue ;; esac
	same "names that look like SQL: $part" wanted got
done
for part in ":event=x') OR 1 --" ":host=') OR (1=1" ":each=') OR 1 --" ":symbol=') UNION ALL SELECT 1 --"; do
	"$pdtool" collapse -q "$remote$part" >got 2>err
	status=$?
	case $part in :each*) continue ;; esac
	[ $status -ne 0 ] && [ ! -s got ] && ! grep -q 'HTTP' err
	result "a question that looks like SQL: $part" $? "$(cat got err)"
	"$pdtool" store sql -q "$remote:event=cpu-clock$(echo "$part" | sed 's/^:/,/')" flame >remote.sql 2>err && database=hostile clickhouse_client $shard1 <remote.sql >got 2>err
	equal "and as SQL: $part" '' "$(cat got err)"
done
database=hostile clickhouse_client $shard1 'SELECT count() FROM sample' >got
equal 'the tables are there' 2 "$(cat got)"
for address in 'clickhouse://' 'clickhouse:///x' 'clickhouse://u:p@h/x' "clickhouse://$shard1/x?query=SELECT" "clickhouse://$shard1/no such"; do
	timeout 20 "$pdtool" collapse "$address" >got 2>err
	[ $? -ne 0 ] && [ "$(grep -c . err)" = 1 ]
	result "$address: refused" $? "$(cat err)"
done

# Who asks.
remote=clickhouse://$shard1/fleet
CLICKHOUSE_USER=team CLICKHOUSE_PASSWORD="se&cret '1" "$pdtool" store query -q "$remote" coverage >got 2>err
result 'user and password of the environment' $?
echo "se&cret '1" >password
CLICKHOUSE_USER=team CLICKHOUSE_PASSWORD_FILE=$tmp/password "$pdtool" store query -q "$remote" coverage >got 2>err
result 'a password in a file' $?
CLICKHOUSE_USER=team CLICKHOUSE_PASSWORD=other "$pdtool" store query -q "$remote" coverage >got 2>err
[ $? -eq 1 ] && [ "$(grep -c . err)" = 1 ] && grep -q 'HTTP' err && ! grep -q other err
result 'a wrong password: a line, without it' $? "$(cat err)"
"$pdtool" collapse -q clickhouse://127.0.0.1:1/x >got 2>err
[ $? -eq 1 ] && [ "$(grep -c . err)" = 1 ]
result 'nobody answers: a line' $? "$(cat err)"
"$pdtool" collapse -q "clickhouse+https://$shard1/fleet" >got 2>err
[ $? -eq 1 ] && [ "$(grep -c . err)" = 1 ]
result 'a server without TLS, asked for it: no answer in the clear' $? "$(cat err)"
if command -v strace >/dev/null && strace -o trace true 2>err; then
	for words in 'collapse -q fleet.db' 'store query -q fleet.db coverage' "store sql -q $remote schema" "collapse -q fleet/1-1.data"; do
		# shellcheck disable=SC2086 # words
		strace -f -e trace=network -o trace "$pdtool" $words >got 2>err
		equal "$words: no connection" '' "$(grep -E 'connect|sendto' trace)"
	done
else
	skip 'no connection without an address' 'there is no strace that works'
fi

# The commands of docs/fleet.md, with these servers in place of its own, these captures and their times.
pair=$data/recorded/x86_64/diff_pair
mkdir bin documented && cp fleet/1[0-5]-[5-9].data documented && zstd -dcq "$pair/slow1.data.zst" >documented/0.data && cat >bin/clickhouse-client <<END
#!/bin/sh
[ "\$1" = --host ] || exit 9
at=\${2#*:}
shift 2
exec $(command -v clickhouse-client) --host 127.0.0.1 --port \$((at + 10)) "\$@"
END
cp "$pdtool" bin/pdtool && chmod +x bin/clickhouse-client
sed -n '/^## On ClickHouse/,/^## /s/^    \(for \|pdtool \)/\1/p' "$top/docs/fleet.md" |
	sed "s!db1!$shard1!g; s!db2!$shard2!g; s!/fleet!/documented!g; s/DATABASE fleet/DATABASE documented/; s/--database fleet/--database documented/
	s/2026-11-24T08/2023-11-15T03/g; s/2026-11-24T09/2023-11-15T04/g" >commands
equal 'docs/fleet.md: commands for ClickHouse' 5 "$(wc -l <commands)"
number=0
while IFS= read -r command; do
	number=$((number + 1))
	[ $number != 3 ] || "$pdtool" store add -q "clickhouse://$shard1/documented" --label service=web --label version=1.1 "$pair/base1.data.zst" fleet/1[0-5]-[0-4].data >added 2>err
	(cd documented && PATH=$tmp/bin:$PATH && eval "$command") >got 2>err </dev/null
	result "docs/fleet.md: $command" $? "$(head -n 1 err)"
	cp got got.$number
done <commands
equal 'docs/fleet.md: what they say' 'added 31, verdict 1, a picture 1' \
	"added $(grep -c ' added ' got.3), verdict $(grep -c '^verdict' got.4), a picture $(grep -c '</svg>' documented/web.svg)"
grep -o '`ALTER TABLE [^`]*`' "$top/docs/fleet.md" | tr -d '`' | sed 's/20261024/20231115/; s/$/;/' >drop.sql
for shard in $shard1 $shard2; do database=documented clickhouse_client $shard <drop.sql; done 2>err
equal 'docs/fleet.md: old days are dropped' '2 0 19700101 20231114' "$(wc -l <drop.sql) $(wc -l <err) $(database=documented clickhouse_client $shard1 'SELECT DISTINCT toYYYYMMDD(time) AS day FROM sample ORDER BY day' | tr '\n' ' ' | sed 's/ $//')"

# A server from a stranger: what it answers is cut and changed at random.
command -v python3 >/dev/null || { skip 'damaged answers' 'there is no python3'; exit; }
cat >proxy.py <<'END'
import http.server, os, random, sys, urllib.request
there, seed = sys.argv[1], [0]
class Damaging(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.0'
    def do_POST(self):
        body = self.rfile.read(int(self.headers['Content-Length']))
        headers = {k: v for k, v in self.headers.items() if k.lower() == 'content-type'}
        answer = bytearray(urllib.request.urlopen(urllib.request.Request('http://' + there + self.path, body, headers)).read())
        seed[0] += 1
        r = random.Random(seed[0])
        with open('answered', 'a') as f:
            print(len(answer), file=f)
        for _ in range(0 if os.path.exists('sound') else r.choice([0, 0, 0, 1, 3, 40])):
            if answer:
                answer[r.randrange(len(answer))] = r.choice([0, 1, 127, 128, 255, r.randrange(256)])
        if r.random() < 0.15 and not os.path.exists('sound'):
            del answer[r.randrange(len(answer) + 1):]
        self.send_response(200)
        self.end_headers()
        self.wfile.write(answer)
    def log_message(self, *words):
        pass
server = http.server.HTTPServer(('127.0.0.1', 0), Damaging)
print(server.server_port, flush=True)
server.serve_forever()
END
python3 proxy.py $shard1 >port &
proxy=$!
trap 'kill $proxy; clickhouse_stop "$tmp/servers"; rm -rf "$tmp"' EXIT
while [ ! -s port ]; do sleep 0.1; done
bad=0 answers=0
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40; do
	case $((i % 3)) in
	0) question='collapse -q %s,each=capture' ;;
	1) question='collapse -q %s' ;;
	2) question='store query -q %s,each=capture outliers' ;;
	esac
	# shellcheck disable=SC2059,SC2046 # words
	"$san" $(printf "$question" "clickhouse://127.0.0.1:$(cat port)/fleet:host=h$((i % 20))") >got 2>err
	status=$?
	[ $status != 0 ] || answers=$((answers + 1))
	[ $status -le 1 ] && ! grep -q 'ERROR\|runtime error' err || { bad=$((bad + 1)) && cat err; }
done
equal 'damaged answers: no crash' 0 $bad
[ $answers -gt 0 ] && [ $answers -lt 40 ]
result 'some of them were read, some not' $? "$answers of 40"

# What comes to pdtool: of a trend, captures and a sum or two of each; of outliers, a sum of each function of a host; and no stacks.
touch sound
for question in 'store query -q %s trend --function f2' 'store query -q %s outliers' 'collapse -q %s'; do
	: >answered
	# shellcheck disable=SC2059,SC2046 # words
	"$pdtool" $(printf "$question" "clickhouse://127.0.0.1:$(cat port)/fleet") >got 2>err
	awk '{ n += $1 } END { print (n < 100000 ? "little" : n > 500000 ? "much" : n) }' answered
done >comes
equal 'bytes that come of a trend, of outliers, and of all stacks' 'little little much' "$(tr '\n' ' ' <comes | sed 's/ $//')"
