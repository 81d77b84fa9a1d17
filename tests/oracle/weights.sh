#!/bin/sh
# One quantity, one number: the self and the inclusive weight of every symbol of every capture here, by `report`,
# `abstime`, `diff` against nothing, folded stacks added up by awk, and `report` on those folded stacks; with inlined
# functions and without; from a file, from a pipe, with several threads.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

recorded=$data/recorded/x86_64
symbols="--kallsyms=$recorded/kallsyms --symfs=$data/symfs --buildid-dir=$data/buildid"
: >nothing

# pick NAME SELF [INCLUSIVE]: those columns as "name, self, inclusive", names as folded text has them; rows of nothing go.
pick() {
	awk -F '\t' -v name="$1" -v self="$2" -v all="${3:-0}" '{
		n = $name
		gsub(/;/, ":", n)
		a[n] = all ? $all : 0
		s[n] += $self
	} END { for (n in s) if (s[n] + 0 || a[n] + 0) printf "%s\t%.0f\t%.0f\n", n, s[n], a[n] }' | sort
}

# sums: folded stacks added up by hand. The first frame is the command; a line of weight 0 tells of the weights.
sums() {
	awk '$NF != 0 {
		w = $NF
		sub(/ [0-9]+$/, "")
		n = split($0, frame, ";")
		split("", seen)
		for (i = n; i > 1; i--) {
			if (i == n) self[frame[i]] += w
			if (!(frame[i] in seen)) all[frame[i]] += w
			seen[frame[i]] = 1
		}
		if (n == 1) self["[unknown]"] += w
		if (n == 1) all["[unknown]"] += w
	}
	END { for (f in all) printf "%s\t%.0f\t%.0f\n", f, self[f], all[f] }' | sort
}

run() { "$pdtool" "$@" 2>>err; }

# only_self REPORT: of what `abstime` has, which knows no inclusive weight.
only_self() { cut -f 1,2 "$1" | awk -F '\t' '$2 > 0'; }

# one NAME FILE [OPTION...]
one() {
	name=$1 file=$2
	shift 2
	: >err
	run collapse -q $symbols "$@" "$file" >folded
	event=$(sed -n 's/^# pdtool .* event=\([^ ]*\) 0$/\1/p' folded)
	[ -n "$event" ] || return 1
	run report -q $symbols --format csv -s sym --event "$event" "$@" "$file" >report.csv
	records <report.csv | pick 6 4 3 >report
	sums <folded >stacks
	total=$(awk '{ n += $NF } END { printf "%.0f", n }' folded)
	seconds=$(printf '%010d' "$total" | sed 's/\(.........\)$/.\1/')
	apart=$(run report -q $symbols -s sym --event "$event" "$@" "$file" | grep -c '^apart ')
	run collapse -q $symbols --event-filter "$event" "$@" "$file" | cmp -s - folded || fail "$name" "the event $event alone folds otherwise"

	run abstime -q $symbols --format csv --event-filter "$event" --cpu-time "$seconds" "$@" "$file" | records | pick 1 2 >abstime
	only_self report >want
	only_self abstime >got
	same "$name: report and abstime" want got
	run diff -q --allow-empty $symbols --format csv --match exact --normalize none --event-filter "$event" "$@" "$file" nothing |
		records | pick 1 2 4 >diff
	same "$name: report and diff" report diff
	if [ "$apart" = 0 ]; then
		same "$name: report and stacks added up" report stacks
		# without the command in front, folded text is what report has
		sed '/^#/!s/^[^;]*;//' folded >bare
		run report -q --format csv -s sym bare | records | pick 6 4 3 >text
		same "$name: report, and report on folded text" report text
	else
		# self is where the sample was, stacks are chains: both say how much lies apart
		run collapse -q $symbols --header --format csv "$@" "$file" | grep -c '^# apart' >got
		equal "$name: collapse says what lies apart, as report does" 1 "$(cat got)"
	fi
	# groups are asked for one by one: the three symbols with the greatest inclusive weight
	sort -t '	' -k 3,3nr -k 1,1 report | head -n 3 >most
	while IFS='	' read -r sym self all; do
		word=$(printf '%s' "$sym" | sed 's/[][\.*^$+?(){}|/]/\\&/g')
		got=$(run abstime -q $symbols --format csv --event-filter "$event" --cpu-time "$seconds" --group "X=stack:^$word\$" "$@" "$file" |
			records | awk -F '\t' '$1 == "X" { print $2 }')
		[ "$got" = "$all" ] || echo "$sym: $all by report, $got by abstime --group"
	done <most >wrong
	if [ -s wrong ]; then fail "$name: inclusive weight by abstime" "$(cat wrong)"; else ok "$name: inclusive weight by abstime"; fi
	run report -q $symbols --format csv -s sym --event "$event" -j1 "$@" "$file" >got
	same "$name: one thread" report.csv got
	[ ! -d "$file" ] || return 0 # a directory is no pipe
	cat "$file" | run report -q $symbols --format csv -s sym --event "$event" "$@" - >got
	same "$name: a pipe" report.csv got
}

for source in "$data"/synthetic/*.mkperf; do
	"$mkperf" -o "$(basename "$source" .mkperf).data" "$source"
done
for file in $(find "$data/recorded" "$data/unwind" -name '*.data' -o -name '*.data.zst' | sort) *.data; do
	name=${file#"$data/"}
	number=$((${number:-0} + 1)) both=--no-inline
	[ $((number % one_in)) = 0 ] || both=
	for options in --inline $both; do
		[ $options = --inline ] && options=
		one "$name${options:+, $options}" "$file" $options || break
	done
done

# The heat map by function counts samples where they were, as report does.
for file in "$recorded/diff_pair/base1.data.zst" "$data"/recorded/foreign/15-*.zst apart.data; do
	for options in '' --no-inline; do
		event=$(run collapse -q "$file" | sed -n 's/^# pdtool .* event=\([^ ]*\) 0$/\1/p')
		run report -q $symbols --weight samples --no-children --format csv -s sym --event "$event" $options "$file" |
			records | awk -F '\t' '{ print $6 "\t" $4 }' | sort >want
		run heatmap -q $symbols --events "$event" --value symbol --rows 1000 --format csv $options "$file" |
			records | awk -F '\t' '{ n[$2] += $3 } END { for (s in n) print s "\t" n[s] }' | sort >got
		same "$(basename "$file")${options:+, $options}: report and the heat map by function" want got
	done
done
