#!/bin/sh
# What the session says of each sample, whichever way it was read. First where it was: a sample's own address and its
# chain (testdata/synthetic/apart.mkperf), which was worked out by hand.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

events=$build/tests/oracle/events

# where FILE: of each sample its time, "apart" or "-", and the location of its own address.
where() {
	"$events" stacks "$1" | awk '
		$1 == "kind" { n++; time[n] = $4; apart[n] = / apart ip / ? "apart" : "-"; stack[n] = $(NF - 2); next }
		$1 == "stack" { own[$2] = $5; next }
		END { for (i = 1; i <= n; i++) print time[i], apart[i], own[stack[i]] }'
}

cat >want <<'END'
1010 - 0:/bin/apart+10
1020 - 0:/bin/apart+10
1030 apart 0:/bin/apart+10
1040 apart 0:/bin/apart+10
1050 apart 0:/bin/apart+18
1060 apart 0:/bin/apart+10
1070 apart 0:/bin/apart+20
1080 apart 1:[kernel.kallsyms]+ffffffff81000020
1090 apart 1:[kernel.kallsyms]+ffffffff81000020
1100 - 0:/bin/apart+40
1110 apart 0:/bin/apart+40
1120 apart 1:[kernel.kallsyms]+400040
1130 - 0:/bin/apart+50
1140 apart 0:/bin/apart+50
1150 apart 3:+400060
1160 - 0:/bin/apart+60
1170 - 0:/bin/apart+70
1180 - 0:/bin/apart+70
1200 apart 0:/bin/apart+80
1210 apart 0:/bin/apart+84
1220 - 1:[kernel.kallsyms]+ffffffff81000080
1230 apart 1:[kernel.kallsyms]+ffffffff81000084
1250 apart 0:/bin/apart+90
END
apart=$data/synthetic/apart.mkperf
for form in '--mode file' '--mode pipe' '--endian big' '--mode pipe --endian big --zstd'; do
	# shellcheck disable=SC2086
	"$mkperf" $form -o apart.data "$apart" && where apart.data >got
	same "own addresses, $form" want got
done
# One event, whose samples are plain.
sed '/^event no-address/,/ids=32/d; /^sample event=no-address/d' "$apart" >plain.mkperf
"$mkperf" -o plain.data plain.mkperf && where plain.data >got
grep -v '^11[78]0' want >want.plain
same 'own addresses, plain samples' want.plain got

# The raw address of each sample, as the text says it, with stacks, and asked for alone.
sed -n 's/^sample .*/& /; s/.*time=\([0-9]*\) .*/\1 &/p' plain.mkperf | sed 's/^\([0-9]*\) .* ip=0x\([0-9a-f]*\) .*/\1 \2/' >want
for need in stacks ip 'stacks ip raw'; do
	# shellcheck disable=SC2086
	"$events" $need plain.data | sed -n 's/^kind .* time \([0-9]*\) .* ip \([0-9a-f]*\) .*/\1 \2/p' >got
	same "addresses asked for with $need" want got
done

# Every event, and all that is counted, is the same without the fast path, and taken as columns: of each capture here, and of each sample_type
# that the fast path knows.
general=$build/tests/oracle/events_general

# alike NAME FILE
alike() {
	for need in 'stacks comms raw tasks switches' 'comms raw' ip; do
		# shellcheck disable=SC2086
		"$events" $need "$2" >fast 2>&1
		fast=$?
		# shellcheck disable=SC2086
		"$general" $need "$2" >slow 2>&1
		slow=$?
		if [ "$need" != ip ]; then
			# shellcheck disable=SC2086
			"$events" columns $need "$2" >columns 2>&1
			cmp -s fast columns || fail "$1, as columns, with $need" "$(diff fast columns | grep -c '^[<>]') lines differ"
		fi
		[ $fast = $slow ] && cmp -s fast slow && continue
		fail "$1, read either way, with $need" "$(diff slow fast | grep -c '^[<>]') lines differ, status $slow and $fast"
		diff slow fast | show /dev/stdin
		return
	done
	ok "$1, read either way"
}

find "$data" -type f \( -name '*.data' -o -name '*.data.zst' -o -path '*/broken/*' \) ! -path '*/symfs/*' | sort >captures
while read -r file; do
	alike "${file#"$data"/}" "$file"
done <captures
for source in "$data"/synthetic/*.mkperf; do
	for form in '--mode file' '--mode pipe --zstd'; do
		# shellcheck disable=SC2086
		"$mkperf" $form -o form.data "$source" && alike "$(basename "$source"), $form" form.data
	done
done

# samples TYPE EVENT...: lines of each event, with what TYPE has: chains of the user, of the kernel, apart from the
# address, empty; exact or not.
samples() {
	awk -v type="|$1|" -v events="$2" 'function has(field) { return index(type, "|" field "|") > 0 }
		BEGIN { n = split(events, name, " ")
			for (i = 1; i <= n; i++) for (k = 0; k < 8; k++) {
				line = "sample event=" name[i] " pid=7 tid=" 7 + k % 2 " time=" 1000 + 10 * i + k " cpu=" k % 3
				kernel = k % 4 == 1
				line = line " mode=" (kernel ? "kernel" : "user") (k > 5 ? " exact_ip" : "")
				ip = kernel ? "0xffffffff81000010" : "0x400010"
				line = line (has("IP") ? " ip=" ip : "")
				line = line (has("PERIOD") ? " period=" k : "") (has("ADDR") ? " addr=" k : "")
				if (has("CALLCHAIN") && k != 3)
					line = line " chain=[" (kernel ? "kernel:" ip "," : "") "user:0x4000" (k > 4 ? "20" : "10") ",0x400100]"
				if (has("RAW"))
					line = line " raw=u32:" k (k % 2 ? ",u64:1" : "")
				print line
			}
		}'
}

# type_of BITS PREFIX: the fields of a number.
type_of() {
	type=$2
	bit=1
	for field in IP ADDR ID STREAM_ID CPU PERIOD CALLCHAIN RAW; do
		[ $(($1 & bit)) = 0 ] || type="$type|$field"
		bit=$((bit * 2))
	done
	echo "$type"
}

head='comm pid=7 comm=work time=1
mmap pid=7 addr=0x400000 len=0x1000 file=/bin/work exec time=2'
attr='sample_id_all freq period=4'
# By turns each field alone, and all others; of one event, a tracepoint or not.
for bits in 0 1 2 4 8 16 32 64 128 254 253 251 247 239 223 191 127 255; do
	for kind in 'type=tracepoint config=9' 'type=hardware config=0'; do
		type=$(type_of $bits 'TID|TIME')
		{
			echo "event one $kind $attr sample_type=$type ids=1"
			echo "$head"
			samples "$type" one
		} >one.mkperf
		"$mkperf" -o one.data one.mkperf && alike "sample_type $type, ${kind%% *}" one.data
	done
done
# And all of them together, each in an event of its own, as many as a capture here can have.
for from in 0 64 128 192; do
	bits=$from
	: >events.mkperf
	: >samples.mkperf
	while [ $bits -lt $((from + 64)) ]; do
		type=$(type_of $bits 'IDENTIFIER|TID|TIME')
		kind='type=tracepoint config=9'
		[ $((bits % 3)) != 0 ] || kind='type=hardware config=0'
		echo "event e$bits $kind $attr sample_type=$type ids=$((bits + 100))" >>events.mkperf
		samples "$type" e$bits >>samples.mkperf
		bits=$((bits + 1))
	done
	{
		cat events.mkperf
		echo "$head"
		cat samples.mkperf
	} >all.mkperf
	"$mkperf" -o all.data all.mkperf && alike "64 events of as many sample_types, from $from" all.data
	"$events" stacks all.data | grep -q '^samples 512 used 512 bad 0 '
	result "all samples of the 64 from $from are there" $?
done
