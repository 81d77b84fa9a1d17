#!/bin/sh
# Bounds of what is shown: a few bytes of a capture, or of the command line, ask for any amount.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

# ---- print formats of tracepoints ----

# toy PRINT [COUNT]: COUNT (2) events that are shown so, in toy.data.
toy() {
	cat >toy.mkperf <<-END
	tracepoint toy:open id=900 fields="u64 key" print="$1"
	event toy:open type=tracepoint config=900 period=1 ids=1 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|RAW
	repeat ${2:-2} {
	sample pid=7 time=1000+\$i raw=[u16:900,u8:0,u8:0,u32:7,u64:5]
	}
	END
	"$mkperf" -o toy.data toy.mkperf || exit 1
}

# rep COUNT TEXT
rep() { text=$2 awk -v n="$1" 'BEGIN { while (n--) printf "%s", ENVIRON["text"] }'; }

# shown: what script shows of the last event, blanks squeezed
shown() { (ulimit -v 300000; limited 10 "$pdtool" script -q toy.data | sed -n '$s/.*open: *//p' | tr -s ' '); }

toy '\"%4096llu\", REC->key'
equal 'a width up to the bound' '5' "$(shown)"
toy '\"%4097llu\", REC->key'
equal 'a width past the bound' '[FAILED TO PARSE] key=5' "$(shown)"
toy '\"%-999999999llu\", REC->key'
equal 'a width that asks for a gigabyte' '[FAILED TO PARSE] key=5' "$(shown)"
toy '\"%.999999999llu\", REC->key'
equal 'digits that ask for a gigabyte' '[FAILED TO PARSE] key=5' "$(shown)"
# quotes, comma, blank and argument are 12 more
toy "\\\"$(rep 16372 x)\\\", REC->key"
equal 'a format up to the bound' 16372 "$(shown | tr -d '\n' | wc -c)"
toy "\\\"$(rep 16374 x)\\\", REC->key"
equal 'a format past the bound' '[FAILED TO PARSE] key=5' "$(shown)"
toy "\\\"$(rep 100 %4000u)\\\"$(rep 100 ', 5')"
equal 'many widths: the text ends' '5 5 5 5 5 ...' "$(shown)"
"$pdtool" script -q toy.data | tail -1 | wc -c | awk '{ exit !($1 > 16384 && $1 < 24000) }'
result 'many widths: beyond the bound' $?
toy "\\\"%s\\\", __print_flags(REC->key, \\\"|\\\", $(rep 500 '{ 4, \"four\" }, ') { 1, \\\"one\\\" })"
equal 'a list of flags up to the bound' 'four|one' "$(shown)"
# What is read of a format is read once, not for each event.
toy "\\\"%llu\\\", $(rep 200000 'REC->key ? 1 : ') 2" 20000
limited 10 "$pdtool" report -q -s toy:open.key --format csv toy.data >got 2>err
result 'a key of events with a long format' $? "$(cat err)"
equal 'and its row' 1 "$(records <got | grep -c 20000)"

# ---- heat maps and steps ----

# refused NAME COMMAND...: an error, at once.
refused() {
	name=$1
	shift
	(ulimit -v 300000; limited 5 "$pdtool" "$@" >got 2>err)
	status=$?
	[ $status -gt 0 ] && [ $status -lt 3 ] && grep -q '^pdtool: ' err
	result "$name" $? "$status $(head -2 err)"
}
cat >far.mkperf <<'END'
event cpu-clock type=software config=0 period=1000 ids=1 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD
sample pid=7 time=1000 ip=0x10
sample pid=7 time=100000000000000 ip=0x10 period=1000000
END
"$mkperf" -o far.data far.mkperf || exit 1
refused 'columns of a heat map' heatmap --value period --step 1us far.data
refused 'rows of a heat map' heatmap --value period --step 1000s --rows 10001 far.data
refused 'cells of a heat map' heatmap --value period --step 200ms --rows 1000 far.data
refused 'steps of abstime' abstime --step 1ns far.data
