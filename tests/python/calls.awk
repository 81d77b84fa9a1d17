# A capture, in the words of mkperf, of threads that read, write and wait for futexes, some of it in vain.
# -v what=raw (raw_syscalls), rw (read and write) or futex
function random(n) { seed = (seed * 1103515245 + 12345) % 2147483648; return int(seed / 65536) % n }

function event(name, id, fields) {
	printf "tracepoint %s id=%d fields=\"%s\" print=\"\\\"\\\"\"\n", name, id, fields
	events[++count] = sprintf("event %s type=tracepoint config=%d period=1 ids=%d sample_id_all " \
		"sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|RAW", name, id, id)
}

# the numbers: of 8 bytes each, behind the call's own
function sample(name, id, numbers,    raw, n, i, list) {
	n = split(numbers, list, " ")
	raw = sprintf("u16:%d,u8:0,u8:0,u32:%d", id, tid)
	if (what != "raw")
		raw = raw ",u32:0,u32:0"
	for (i = 1; i <= n; i++)
		raw = raw ",u64:" list[i]
	now += 1 + random(5000)
	printf "sample event=%s pid=%d tid=%d time=%d cpu=%d raw=[%s]\n", name, tid - tid % 3, tid, now, random(4), raw
}

function begin(    i) {
	for (i = 1; i <= count; i++)
		print events[i]
	for (i = 100; i < 112; i++)
		printf "comm pid=%d tid=%d comm=\"work %d\"\n", i - i % 3, i, i % 5
}

BEGIN {
	seed = 7
	now = 1000000000
	if (what == "raw") {
		event("raw_syscalls:sys_enter", 441, "long id;unsigned long args[6]")
		event("raw_syscalls:sys_exit", 442, "long id;long ret")
	} else if (what == "rw") {
		split("read write", names, " ")
		for (i = 1; i <= 2; i++) {
			event("syscalls:sys_enter_" names[i], 440 + i, "int __syscall_nr;u64 fd;u64 buf;u64 count")
			event("syscalls:sys_exit_" names[i], 442 + i, "int __syscall_nr;long ret")
		}
	} else {
		event("syscalls:sys_enter_futex", 441, "int __syscall_nr;u64 uaddr;u64 op;u64 val;u64 utime;u64 uaddr2;u64 val3")
		event("syscalls:sys_exit_futex", 442, "int __syscall_nr;long ret")
	}
	begin()
	for (n = 0; n < 400; n++) {
		tid = 100 + random(12)
		if (what == "raw") {
			sample("raw_syscalls:sys_enter", 441, random(300) " 1 2 3 4 5 6")
			sample("raw_syscalls:sys_exit", 442, random(300) " " (random(3) ? random(4096) : -random(40)))
		} else if (what == "rw") {
			i = 1 + random(2)
			size = random(9000)
			if (random(20))
				sample("syscalls:sys_enter_" names[i], 440 + i, random(10) " 140000000000 " size)
			sample("syscalls:sys_exit_" names[i], 442 + i, random(4) ? size : -random(12))
		} else if (random(2)) {
			sample("syscalls:sys_enter_futex", 441, 4096 * (1 + random(3)) " " (random(3) * 128 + random(4) % 3) " 1 0 0 0")
			last = tid
		} else {
			tid = random(3) ? last : tid
			sample("syscalls:sys_exit_futex", 442, random(2) - 1)
		}
	}
}
