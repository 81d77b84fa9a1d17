#!/bin/sh
# Every example of the manual runs: with a capture by the name that it uses, and of names in captures (a command, a function,
# a moment) those that this one has. What is not pdtool's own (perf, tar, flamegraph.pl) only has to be there.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

# pdtool of the examples: as it is, with the files of testdata for names, and with its status noted.
mkdir bin captures
cat >bin/pdtool <<END
#!/bin/sh
PDTOOL_SYMFS=$data/symfs PDTOOL_NO_HOST=1 "$host_pdtool" "\$@" >"$tmp/out" 2>"$tmp/err"
status=\$?
made=
for word; do
	[ "\${before:-}" != -o ] || made=\$word
	before=\$word
done
echo "\$status \$(cat "$tmp/out" "$tmp/err" \$made | wc -c) \$*" >>"$tmp/runs"
cat "$tmp/out"
END
for program in flamegraph.pl tar; do printf '#!/bin/sh\ncat\n' >bin/$program; done
printf '#!/bin/sh\n' >bin/perf
printf '#!/bin/sh\necho "main;work 10"\n' >bin/stackcollapse.pl
chmod +x bin/*

# ---- what the examples name ----

foreign=$data/recorded/foreign recorded=$data/recorded/x86_64
cd captures || exit 1
cp "$foreign"/15-*.perf.data.zst perf.data
for i in 1 2 3; do
	cp "$recorded/diff_pair/base$i.data.zst" old.$i.data
	cp "$recorded/diff_pair/slow$i.data.zst" new.$i.data
	cp old.$i.data old$i.data && cp new.$i.data new$i.data
done
cp old.1.data old.data && cp new.1.data new.data
cp old.2.data host1.data && cp old.3.data host2.data
for side in old new; do "$pdtool" collapse -q $side.data >$side.folded; done
cp "$recorded/block/q1.data.zst" b.data
awk 'BEGIN { for (i = 0; i < 100; i++) print 1000 * i, i % 7 * 100 }' >out.lat_us
cat >k.mkperf <<'END'
tracepoint kmem:kmalloc id=400 fields="unsigned long call_site;unsigned long bytes_req;unsigned long bytes_alloc" print="\"%zu\", REC->bytes_alloc"
event kmem:kmalloc type=tracepoint config=400 period=1 ids=71 sample_id_all \
	sample_type=TID|TIME|CPU|PERIOD|RAW|IDENTIFIER read_format=ID
comm pid=10 comm=alpha time=0
END
for i in 1 2 3 4 5 6; do
	echo "sample event=kmem:kmalloc pid=10 time=${i}000000 cpu=0 period=1 raw=[u16:400,u8:0,u8:0,u32:10,word:1,word:$i,word:$((i * 64))]"
done >>k.mkperf
"$mkperf" -o k.data k.mkperf || exit 1
tar czf syms.tgz k.mkperf
echo '10330.00,msec,task-clock,10330000000,100.00,0.999,CPUs utilized' >a.csv
printf '%s\n' '' " Performance counter stats for './flamegraph-workload':" '' '         10,330.00 msec task-clock' \
	'             1,000      probe_server:request' '' '      10.340000000 seconds time elapsed' >a.txt
printf '%s\n' " Performance counter stats for './program' (10 runs):" '' '          1,234      page-faults     ( +-  0.50% )' >ten.txt
for i in 1 2 3; do echo "103$i.00,msec,task-clock,103${i}000000,100.00,0.999,CPUs utilized" >run$i.csv; done
cd .. || exit 1
PATH=$tmp/bin:$PATH

# names PAGE: a script for sed that puts in names of the captures; and the captures that only this page has by a name.
names() {
	echo 's/compress_block\|memcpy/func3/; s/callers malloc/callers func3/; s/nginx\*/flame*/; s/postgres/flamegraph-work/; s/old\.\[1-5\]/old.[1-3]/; s/new\.\[1-5\]/new.[1-3]/'
	case $1 in
	pdtool-sched-*) echo 's/locker/perf/; s/12\.3,12\.4/10%-60%/; s/100,101/10%-60%/' ;;
	pdtool-wakeup) echo 's/mysqld/alpha/; s/1ms/1us/' ;;
	pdtool-syscalls) echo 's/10ms/10us/' ;;
	pdtool-heatmap) echo 's/comms dd/comms calls/' ;;
	pdtool-report) printf '%s\n' 's/\(-e sched_switch .*\)perf.data/\1s.data/' ;;
	pdtool-mem) echo 's/0x55d0c1a2b040/0x404040/' ;;
	pdtool-export | pdtool-page) echo 's/comms app/comms flame*/; s/binary app/binary flamegraph-workload/' ;;
	pdtool-store-add) echo 's/web\.svg/w.svg/' ;;
	pdtool-store-rename) echo "s#symbols-of-2026#$data/symfs#" ;;
	pdtool-store-query) echo 's/compress_block/checksum/' ;;
	pdtool-store-sql) echo 's/cpu-clock/task-clock/' ;;
	pdtool-cut) echo 's/comms app/comms flame*/; s/+12.3,+13.3/+2.3,+3.3/' ;;
	pdtool-flamegraph) echo "s/4711/$(sed -n 2p tids)/" ;;
	esac
}
captures() {
	rm -rf at && cp -r captures at
	case $1 in
	pdtool-sched-*) cp "$recorded/sched/nospin.data.zst" at/perf.data ;;
	pdtool-offcpu | pdtool-wakeup) "$mkperf" -o at/s.data "$data/synthetic/offcpu.mkperf" ;;
	pdtool-report) cp "$recorded/sched/nospin.data.zst" at/s.data ;;
	pdtool-branches) cp "$data/recorded/android/sp_lbr.data.zst" at/perf.data ;;
	pdtool-events) cp "$recorded/sched/nospin.data.zst" at/perf.data ;;
	pdtool-mem) "$mkperf" -o at/perf.data "$top/tests/oracle/mem.mkperf" ;;
	pdtool-stat)
		cp "$data/recorded/stat/stat-aA.data.zst" at/perf.data
		for i in 1 2 3; do zstd -dcq "$data/recorded/stat/stat.data.zst" >at/run$i.data; done
		;;
	pdtool-syscalls) cp "$data/recorded/syscalls/sys1.data.zst" at/perf.data ;;
	pdtool-page | pdtool-store-query | pdtool-store-rename | pdtool-store-sql)
		for n in 1 2 3; do
			"$pdtool" store add -q at/fleet.db --label service=web --label version=1.1 --label host=a$n "$recorded/diff_pair/base$n.data.zst"
			"$pdtool" store add -q at/fleet.db --label service=web --label version=1.2 --label host=b$n "$recorded/diff_pair/slow$n.data.zst"
		done >/dev/null
		"$pdtool" store add -q at/fleet.db --label host=db7 "$recorded/sched/flat.data.zst" >/dev/null ;;
	pdtool-heatmap) cp "$recorded/calls/all.data.zst" at/s.data ;;
	esac
}

# examples PAGE: its commands, one a line: as man(1) shows them, lines that go on joined.
examples() {
	awk '/^\.SH/ { on = /EXAMPLES/ } !on { next } /^\.EX/ { ex = 1; next } /^\.EE/ { ex = 0; next } ex' "$1" |
		sed "s/\\\\-/-/g; s/\\\\(aq/'/g; s/\\\\(dq/\"/g; s/\\\\e/\\\\/g" | awk '/\\$/ { sub(/\\$/, ""); printf "%s", $0; next } { print }'
}

"$pdtool" collapse -q --label-tid captures/perf.data | sed 's/;.*//; s/.*[^0-9]//' | sort -u >tids

count=0
for page in "$top"/cli/man/*.1 "$top"/cli/man/*.5; do
	name=$(basename "${page%.[15]}")
	examples "$page" >commands
	[ -s commands ]
	result "$name has an example" $?
	captures "$name"
	names "$name" >script
	sed -f script commands >run
	while read -r command; do
		: >runs
		(cd at && eval "$command") >shown 2>said </dev/null
		case $command in
		*pdtool*) [ -s runs ] || { fail "$name: $command" "pdtool is not run: $(head -n 1 said)"; continue; } ;;
		*) continue ;;
		esac
		# a threshold that is exceeded; code that is not at hand
		wrong=$(grep -v -e '^0 [1-9]' -e '^4 .*--\(fail-over\|max-unresolved\) ' -e '^3 .*--instructions ' runs | head -n 1)
		if [ -n "$wrong" ]; then
			fail "$name: $command" "status and bytes $wrong"
			show err
		else
			ok "$name: $command"
		fi
		count=$((count + 1))
	done <run
done
[ $count -ge 45 ]
result 'examples in all' $? "$count"
