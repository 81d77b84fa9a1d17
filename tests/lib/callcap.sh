# To be sourced after test.sh: captures of system calls and of branches.

# callcap FILE: a capture of what standard input says, "TIME enter|exit TID COMM NUMBER [RESULT]" in lines.
callcap() {
	{
		cat <<-'EOF'
		arch x86_64
		tracepoint raw_syscalls:sys_enter id=11 fields="long id;unsigned long args[6]" print="\"NR %ld\", REC->id"
		tracepoint raw_syscalls:sys_exit id=12 fields="long id;long ret" print="\"NR %ld\", REC->id"
		event raw_syscalls:sys_enter type=tracepoint config=11 period=1 ids=1 sample_id_all comm task sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|RAW
		event raw_syscalls:sys_exit type=tracepoint config=12 period=1 ids=2 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|RAW
		EOF
		awk '!($3 in seen) { seen[$3]; print "comm pid=" $3 " tid=" $3 " comm=\"" $4 "\" time=0" }
		$2 == "enter" { print "sample event=raw_syscalls:sys_enter pid=" $3 " tid=" $3 " cpu=0 time=" $1 " raw=[u16:11,u8:0,u8:0,u32:" $3 ",u64:" $5 ",zero:48]" }
		$2 == "exit" { print "sample event=raw_syscalls:sys_exit pid=" $3 " tid=" $3 " cpu=0 time=" $1 " raw=[u16:12,u8:0,u8:0,u32:" $3 ",u64:" $5 ",u64:" $6 "]" }'
	} >"$1.mkperf"
	"$mkperf" -o "$1" "$1.mkperf"
}

# branchcap FILE COMM MODULE: two samples of two branches each; without COMM no sample.
branchcap() {
	cat >"$1.mkperf" <<-END2
	event cycles type=hardware config=0 period=1 ids=1 sample_id_all mmap comm task branch_sample_type=ANY sample_type=IP|TID|TIME|CPU|BRANCH_STACK
	comm pid=7 tid=7 comm="${2:-none}" time=1
	mmap pid=7 tid=7 addr=0x400000 len=0x10000 file="${3:-/bin/none}" time=2
	END2
	[ $# = 1 ] || cat >>"$1.mkperf" <<-END2
	sample pid=7 tid=7 cpu=0 time=1000 ip=0x400100 branch=[0x400020:0x400010:P|5<<4,0x400030:0x400008:M|9<<4]
	sample pid=7 tid=7 cpu=0 time=2000 ip=0x400100 branch=[0x400020:0x400010:P|5<<4,0x400030:0x400008:P|7<<4]
	END2
	"$mkperf" -o "$1" "$1.mkperf"
}
