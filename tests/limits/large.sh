#!/bin/sh
# Bounds that only large captures reach: minutes. They come through a pipe, and are never on disk. For `make check-limits`.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

# says NAME FILE TEXT COMMAND...: it reads FILE to its end, and a line of what it prints has TEXT.
says() {
	name=$1 file=$2 text=$3
	shift 3
	"$mkperf" --mode pipe -o - "$file" | "$pdtool" "$@" - >out 2>err
	equal "$name: $1 ends well" 0 $?
	grep -qF -- "$text" out err
	result "$name: $1 says it" $? "$(head -3 err)"
}

# 4,194,304 threads, and more; the last one is among the others
cat >tasks.mkperf <<'END2'
event cpu-clock type=software config=0 period=1 comm task sample_id_all sample_type=IP|TID|TIME
repeat 4194310 {
comm pid=1 tid=2+$i comm=a time=1000+$i
}
sample pid=1 tid=4194000 time=900000000 ip=0x401000
sample pid=1 tid=4194311 time=900000000 ip=0x401000
END2
says tasks tasks.mkperf 'left out: 9 uses of more tasks, past 4194304' collapse
equal 'tasks: one that has a name, and one past the bound' '[others];[unknown] 1|a;[unknown] 1|' "$(stacks <out | tr '\n' '|')"

# 4,194,304 keys and seven more, each of them twice
cat >keys.mkperf <<'END2'
tracepoint toy:open id=900 fields="u64 key" print="\"\""
event toy:open type=tracepoint config=900 period=1 ids=1 sample_type=TIME|RAW
repeat 2 {
repeat 4194311 j {
sample time=1000+$i*10000000+$j raw=[u16:900,u8:0,u8:0,u32:7,u64:$j]
}
}
END2
says keys keys.mkperf '14 of more keys than 4,194,304' heatmap --event toy:open --value delta --key key

# 8,001 frames with the one that a stack had: 4,193 of 4,200 stacks within 33,554,432
{
	cat <<-'END2'
	event cycles type=hardware config=0 period=1 ids=1 sample_id_all defer_callchain defer_output sample_type=IP|TID|TIME|CALLCHAIN
	repeat 4200 {
	sample pid=7 time=1000+$i*2 ip=0xffffffff81000001 chain=[kernel:0xffffffff81000001,user_deferred:1+$i]
	END2
	echo "callchain_deferred pid=7 time=1001+\$i*2 cookie=1+\$i chain=[user:$(seq -s , -f %.0f 4096 12095)]"
	echo '}'
} >joined.mkperf
says 'frames that came later' joined.mkperf 'deferred   7 stacks lack their user part' info
