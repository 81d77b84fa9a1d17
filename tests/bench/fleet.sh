#!/bin/sh
# What questions to a store on ClickHouse take when a fleet fills it: fleet.sh [HOSTS [HOURS [SHARDS]]] (1000, 168 and 2: a week).
# Rows as captures of 60 s give them, 2,000 of each, of 50 services with 5,000 stacks each, are made by the servers; then the
# seconds and the memory of pdtool for the top and the flame graph of a service, of a day and of all, are printed, as CSV.
# Of 1000 hosts and a week it takes half an hour and 6 GB.
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/lib/clickhouse.sh"
hosts=${1:-1000} hours=${2:-168} shards=${3:-2}
tmp=$(mktemp -d "${TMPDIR:-/tmp}/fleet.XXXXXX") && trap 'clickhouse_stop "$tmp"; rm -rf "$tmp"' EXIT && trap 'exit 1' INT TERM
clickhouse_start "$tmp" || { echo "fleet.sh: no ClickHouse" >&2; exit 1; }
database=default
list=$shard1
[ "$shards" = 1 ] || list="$shard1 $shard2"
[ "$shards" = 1 ] && cluster='' || cluster='--cluster fleet'
for shard in $shard1 $shard2; do
	# shellcheck disable=SC2086 # an option, or none
	"$top/build/pdtool" store sql -q "clickhouse://$shard/default" schema $cluster | clickhouse_client $shard || exit
done
local=${cluster:+_local}
stack='sipHash128(toString(n))'
begin=$(date +%s)
clickhouse_client $shard1 "INSERT INTO frame SELECT number, if(number < 50, concat('app', toString(number)), concat('function_', toString(number))),
	concat('/usr/lib/lib', toString(number % 40), '.so'), 1 FROM numbers(12050)"
clickhouse_client $shard1 "INSERT INTO stack SELECT $stack, arrayConcat([toUInt64(intDiv(n, 5000))], arrayMap(i -> toUInt64(50 + intHash32(intDiv(n,
	2 * (16 - i) * (16 - i) + 1) * 31 + i) % 12000), range(15))) FROM (SELECT number AS n FROM numbers(250000))"
shard_of=0
for shard in $list; do
	hour=0
	while [ $hour -lt "$hours" ]; do
		cat <<-END
			INSERT INTO sample$local SELECT toDateTime(1700006400 + $hour * 3600 + r % 60), 0, cap, concat('h', toString(host)), concat('s', toString(service)), 'cycles',
			concat('app', toString(service)), r % 8, 100 + r % 7, 100 + r % 7, $stack, 1, 1
			FROM (SELECT intDiv(number, 2000) * $shards + $shard_of AS host, $hour * 100000 + host AS cap, host % 50 AS service, number % 2000 AS r,
			service * 5000 + toUInt32(5000 * pow(intHash32(number * 7 + $hour * 3) / 4294967296, 3)) AS n FROM numbers($((hosts / shards * 2000))));
			INSERT INTO capture$local SELECT cap, toFixedString(unhex(leftPad), 16), cap, concat('/srv/captures/', h, '/', toString($hour), '.data'), h, '6.1.0-44-amd64', 'x86_64', 'perf record',
			toInt64(1700006400 + $hour * 3600) * 1000000000, 0, 59999999999, 1000000000, 0, 2000, 8, 1, ['host', 'service', 'version'],
			[h, concat('s', toString(host % 50)), toString(1 + ($hour >= 48))], ['cycles'], ['samples'], [2000.], [99], [1], [2000], [2000]
			FROM (SELECT number * $shards + $shard_of AS host, $hour * 100000 + host AS cap, concat('h', toString(host)) AS h,
			substring(concat('00000000000000000000000000000000', hex(cap)), -32) AS leftPad FROM numbers($((hosts / shards))));
		END
		hour=$((hour + 1))
	done | clickhouse_client "$shard" >"$tmp/made.$shard_of" 2>&1 &
	eval "made$shard_of=$!"
	shard_of=$((shard_of + 1))
done
# shellcheck disable=SC2154 # by eval
wait "$made0" ${made1:+"$made1"}
cat "$tmp"/made.*
echo "made in $(($(date +%s) - begin)) s, $(du -sm "$tmp" | cut -f 1) MB" >&2
remote=clickhouse://$shard1/default
day=from=2023-11-17T00:00:00,to=2023-11-18T00:00:00
[ "$hours" -ge 72 ] || day=from=2023-11-15T00:00:00,to=2023-11-16T00:00:00 # there is no third one
echo 'question,of,seconds,cpu seconds,MB,lines'
asked() { # QUESTION OF STORE'S-PART [OPTION...]
	question=$1 of=$2 part=$3
	shift 3
	for n in 1 2 3; do
		/usr/bin/time -f '%e %U %M' -o "$tmp/time" "$top/build/pdtool" store query -q "$remote$part" "$question" "$@" >"$tmp/out" 2>"$tmp/err" || sed 1q "$tmp/err" >&2
		awk -v OFS=, -v lines="$(wc -l <"$tmp/out")" 'NF == 3 { print $1, $2, int($3 / 1024), lines }' "$tmp/time"
	done | sort -n | sed -n "2s/^/$question,$of,/p"
}
asked top 'a service and a day' ":service=s7,$day"
asked flame 'a service and a day' ":service=s7,$day" --format folded
asked top 'a day' ":$day"
asked flame 'a day' ":$day" --format folded
asked top 'a service' :service=s7
asked flame 'a service' :service=s7 --format folded
asked top all ''
asked flame all '' --format folded
