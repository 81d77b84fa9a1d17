#!/bin/sh
# store rename: captures that came without symbols and got them later answer as those that came with them, to the byte; in one
# transaction; names that symbols of now do not tell stay.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

# asked STORE: what it answers to all kinds of questions.
asked() {
	store=$1
	shift
	for question in 'collapse' 'report --format csv' 'report -s dso,sym --format csv' 'flamegraph --format csv' 'store query:coverage' \
		'store query:outliers' 'store query:first' 'store query:trend --function *'; do
		for part in "$@"; do
			echo "$question $part"
			case $question in
			'store query'*)
				set -f
				# shellcheck disable=SC2086 # words
				"$pdtool" store query -q "$store$part" ${question#*:} 2>&1
				set +f
				;;
			*)
				# shellcheck disable=SC2086 # words
				"$pdtool" $question -q "$store$part" 2>&1
				;;
			esac | sed "s/$store/STORE/g"
		done
	done
}

# compared NAME "SYMBOLS" "PARTS" CAPTURE...: the captures without symbols and renamed, beside those with them.
compared() {
	name=$1 symbols=$2 parts=$3
	shift 3
	rm -f late.db* once.db*
	"$pdtool" store add -q late.db --label group=a "$@" >/dev/null 2>err || { fail "$name" "$(tail -n 1 err)"; return; }
	# shellcheck disable=SC2086 # words
	"$pdtool" store add -q $symbols once.db --label group=a "$@" >/dev/null 2>err
	"$pdtool" collapse -q late.db >before
	# shellcheck disable=SC2086
	"$pdtool" store rename $symbols late.db >renamed 2>err
	result "$name: renamed" $? "$(tail -n 1 err)"
	# shellcheck disable=SC2086
	asked late.db $parts >got
	# shellcheck disable=SC2086
	asked once.db $parts >wanted
	same "$name: all answers are those of captures that came with symbols" wanted got
	"$pdtool" collapse -q late.db >after
	! cmp -s before after
	result "$name: there are other names" $?
}

recorded=$data/recorded/x86_64
symfs=$data/symfs
# shellcheck disable=SC2046 # names of files
compared 'recorded captures, a root directory' "--symfs $symfs" ':group=a' "$recorded"/diff_pair/*.data.zst \
	$(find "$recorded/binaries" "$recorded/modes" -maxdepth 1 -name '*.data')
compared 'recorded captures, the kernel too' "--symfs $symfs --kallsyms $recorded/kallsyms" ':group=a' "$recorded"/diff_pair/*.data.zst \
	"$recorded"/modes/*.data
for event in cpu-clock task-clock page-faults; do
	"$pdtool" collapse -q "late.db:event=$event" 2>&1 | sed 's/late.db/STORE/' >got
	"$pdtool" collapse -q "once.db:event=$event" 2>&1 | sed 's/once.db/STORE/' >wanted
	same "event $event" wanted got
done

# In two steps: what the first one told stays.
rm -f steps.db*
"$pdtool" store add -q steps.db --label group=a "$recorded"/diff_pair/*.data.zst "$recorded"/modes/*.data >/dev/null 2>err
"$pdtool" store rename --kallsyms "$recorded/kallsyms" steps.db >/dev/null 2>err && "$pdtool" store rename --symfs "$symfs" steps.db >/dev/null 2>>err
result 'renamed twice' $?
asked steps.db :group=a >got
asked once.db :group=a >wanted
same 'first the kernel, then programs: as with both at once' wanted got
"$pdtool" store rename steps.db >out 2>err && ! awk '$2 ~ /^[1-9]/ && $3 ~ /data/ { exit 1 }' out
asked steps.db :group=a >got
same 'without symbols: names stay' wanted got

# Inlined functions, of addresses that are callers in some stacks and not in others; a library, one that nobody has, the kernel; two
# captures of other loads, and a part of their time.
mkdir -p root/bin root/lib
cat >chain.c <<'END'
int sink;
static inline __attribute__((always_inline)) void inner(int n) { while (n-- > 0) sink += n * sink; }
static inline __attribute__((always_inline)) void middle(int n) { inner(n); sink ^= n; }
__attribute__((noinline)) void outer(int n) { middle(n); middle(n + 1); }
__attribute__((noinline)) void start(int n) { outer(n); sink++; outer(n + 2); }
END
sed 's/outer/other/; s/start/begin/' chain.c >lib.c
if cc -g -O2 -shared -fPIC -o root/bin/chain chain.c 2>err && cc -O2 -shared -fPIC -o root/lib/lib.so lib.c 2>err; then
	start() { nm -S "root/$1" | awk -v f="$2" '$4 == f { print "0x" $1 }'; }
	bytes() { nm -S "root/$1" | awk -v f="$2" '$4 == f { print "0x" $2 }'; }
	for host in 1 2; do
		cat >"$host.mkperf" <<-END
		host host$host
		release 6.1.0
		arch x86_64
		clock_data clockid=1 wall=170000000${host}000000000 clock=5000000000
		event cpu-clock type=software config=0 period=1000000 ids=5 sample_id_all use_clockid clockid=1 mmap comm task sample_type=IP|TID|TIME|CPU|PERIOD|CALLCHAIN
		comm pid=10 comm=app time=5000000000
		comm pid=11 comm=other time=5000000000
		mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x1000000 pgoff=0xffffffff81000000 file=[kernel.kallsyms]_text time=1
		mmap pid=10 addr=0x7f0000000000 len=0x10000 file=/bin/chain time=5000000001
		mmap pid=10 addr=0x7f0000100000 len=0x10000 file=/lib/lib.so time=5000000001
		mmap pid=10 addr=0x7f0000200000 len=0x10000 file=/lib/gone.so time=5000000001
		mmap pid=11 addr=0x7e0000000000 len=0x10000 file=/bin/chain time=5000000001
		mmap pid=11 addr=0x7e0000200000 len=0x10000 file=/lib/gone.so time=5000000001
		repeat 600 i {
		sample pid=10 tid=10+\$i%2 cpu=\$i%3 time=5000000002+\$i*10000000 ip=0x7f0000000000+$(start bin/chain outer)+\$i%$(bytes bin/chain outer) period=1000000 chain=[user:0x7f0000000000+$(start bin/chain outer)+\$i%$(bytes bin/chain outer),0x7f0000000000+$(start bin/chain start)+(\$i/7)%$(bytes bin/chain start)]
		sample pid=10 tid=10 cpu=\$i%2 time=5000000003+\$i*10000000 ip=0x7f0000100000+$(start lib/lib.so other)+\$i%$(bytes lib/lib.so other) period=1000000 chain=[user:0x7f0000100000+$(start lib/lib.so other)+\$i%$(bytes lib/lib.so other),0x7f0000200000+\$i%50*16,0x7f0000000000+$(start bin/chain outer)+\$i%$(bytes bin/chain outer)]
		sample pid=11 tid=11 cpu=\$i%2 time=5000000004+\$i*10000000 ip=0xffffffff81000000+(\$i%$((host + 2)))*0x100 period=1000000*$host chain=[kernel:0xffffffff81000000+(\$i%$((host + 2)))*0x100,user:0x7e0000200000+\$i%9*16,0x7e0000000000+$(start bin/chain start)+\$i%$(bytes bin/chain start)]
		}
		END
		"$mkperf" -o "$host.data" "$host.mkperf" || fail "capture $host" "mkperf: $?"
	done
	awk 'BEGIN { for (i = 0; i < 16; i++) printf "ffffffff81%06x T kernel_%d\n", i * 256, i; print "ffffffff82000000 T _etext" }' >kallsyms
	printf 'ffffffff81000000 T _text\n' | cat - kallsyms >all && mv all kallsyms
	early='from=2023-11-14T22:13:22,to=2023-11-14T22:13:24'
	compared 'inlined functions, kernel, several modules' "--symfs root --kallsyms kallsyms" ": :group=a :host=host2 :symbol=inner :module=lib.so :module=gone.so :comm=other :symbol=kernel_1 :$early" 1.data 2.data
	grep -q 'start;outer;middle;inner ' after && grep -q 'other;\[kernel_\|kernel_2 ' after && grep -q '\[gone.so\]' after
	result 'the case has what it is for' $? "$(head -n 3 after)"
	"$pdtool" collapse -q --symfs root --kallsyms kallsyms 1.data 2.data >wanted
	same 'and as the captures themselves' wanted after
	rm -f late.db* once.db*
	"$pdtool" store add -q --no-inline late.db 1.data 2.data >/dev/null 2>err && "$pdtool" store rename -q --symfs root late.db >/dev/null 2>>err
	"$pdtool" collapse -q --symfs root 1.data 2.data >wanted
	"$pdtool" collapse -q late.db >got
	same 'added with --no-inline, renamed with them' wanted got

	# Killed: whole or not at all.
	rm -f late.db*
	"$pdtool" store add -q late.db 1.data 2.data >/dev/null 2>err
	cp late.db kept.db
	before=$("$pdtool" collapse -q late.db | cksum) bad=0 i=0
	begun=$(date +%s%N)
	"$pdtool" store rename -q --symfs root late.db >/dev/null 2>err
	took=$(($(date +%s%N) - begun))
	after=$("$pdtool" collapse -q late.db | cksum)
	while [ $i -lt 40 ]; do
		i=$((i + 1))
		rm -f k.db*
		cp kept.db k.db
		"$host_pdtool" store rename -q --no-host --symfs root k.db >/dev/null 2>&1 &
		sleep "$(awk "BEGIN { srand($i); print rand() * $took / 1e9 }")"
		kill -9 $! 2>/dev/null
		wait $! 2>/dev/null
		got=$("$pdtool" collapse -q k.db 2>err | cksum)
		[ "$got" = "$before" ] || [ "$got" = "$after" ] || bad=$((bad + 1))
		[ "$got" = "$after" ] || echo "$i"
		"$pdtool" store rename -q --symfs root k.db >/dev/null 2>&1
		[ "$("$pdtool" collapse -q k.db 2>err | cksum)" = "$after" ] || bad=$((bad + 1))
	done >absent
	equal 'killed at 40 moments: whole or absent, and again: there' 0 $bad
	[ -s absent ] && [ "$(wc -l <absent)" -lt 40 ]
	result 'some were absent, some whole' $? "$(wc -l <absent) were absent"

	# Damage.
	if command -v sqlite3 >/dev/null; then
		bad=0 i=0 damaged=$(some 120)
		while [ $i -lt "$damaged" ]; do
			i=$((i + 1))
			cp kept.db d.db
			at=$(awk "BEGIN { srand($i); print int(rand() * $(sqlite3 kept.db 'SELECT length(data) FROM address WHERE cap=1')) }")
			sqlite3 d.db "UPDATE address SET data = CAST(substr(data, 1, $at) || $([ $((i % 3)) = 0 ] && echo "x''" || echo "x'$(printf %02x $((i * 37 % 256)))' || substr(data, $at + 2)") AS BLOB) WHERE cap=1"
			"$san" store rename -q --symfs root d.db >out 2>err
			rc=$?
			[ $rc -le 1 ] || { bad=$((bad + 1)) && head -n 5 err; }
			[ $rc = 0 ] || [ "$("$pdtool" collapse -q d.db 2>err | cksum)" = "$before" ] || bad=$((bad + 1))
		done
		equal 'damaged addresses: refused, and the store as it was' "0 of $damaged" "$bad of $i"
	else
		skip 'damaged addresses' 'sqlite3 is not installed'
	fi
else
	skip 'inlined functions' "cc: $(head -n 1 err)"
fi

# Time off the CPU has stacks of its own: such a capture stays as it is, and what others tell of it, too.
rm -f off.db*
"$pdtool" store add -q off.db "$data/recorded/x86_64/sched/flat.data.zst" >/dev/null 2>err
"$pdtool" collapse -q off.db:event=offcpu >wanted 2>err
"$pdtool" store rename -q off.db --symfs "$symfs" >out 2>err
[ $? -eq 1 ] && grep -q 'of none of its 1 captures addresses are kept' err
result 'time off the CPU: such a capture is not renamed, and told' $? "$(cat err)"
"$pdtool" collapse -q off.db:event=offcpu >got 2>err
same 'time off the CPU: its stacks stay' wanted got

# What has no addresses.
one=$recorded/modes/clock.data two=$recorded/modes/zstd.data
"$pdtool" store add -q filtered.db --dsos libc.so.6 "$one" >/dev/null 2>err
! "$pdtool" store rename -q filtered.db --symfs "$symfs" >out 2>err && grep -q 'of none of its 1 captures addresses are kept' err
result 'added through a filter by names: refused' $?
"$pdtool" store add -q filtered.db "$two" >/dev/null 2>err
"$pdtool" store rename filtered.db --symfs "$symfs" >out 2>err && grep -q 'of 1 captures no addresses are kept' err
result 'beside another: told' $? "$(cat err)"
! "$pdtool" store rename -q --strict filtered.db --symfs "$symfs" >out 2>err
result 'and with --strict no success' $?
if command -v sqlite3 >/dev/null; then
	"$pdtool" store add -q old.db "$one" >/dev/null 2>err
	"$pdtool" collapse -q old.db >wanted
	sqlite3 old.db 'DROP TABLE address'
	"$pdtool" collapse -q old.db >got
	same 'a store of before: read' wanted got
	! "$pdtool" store rename -q old.db --symfs "$symfs" >out 2>err && grep -q 'of none of its 1 captures addresses are kept' err
	result 'a store of before: not renamed' $?
	"$pdtool" store add -q old.db "$two" >/dev/null 2>err && "$pdtool" store rename -q old.db --symfs "$symfs" >out 2>err
	result 'a store of before: what comes now is' $?
else
	skip 'a store of before' 'sqlite3 is not installed'
fi
! "$pdtool" store rename nothing.db >out 2>err && grep -q 'expected a store' err && [ ! -e nothing.db ]
result 'no store: none is made' $?
! "$pdtool" store rename "$one" >out 2>err && grep -q 'expected a store' err
result 'a capture' $?
"$pdtool" store rename old.db "$one" >out 2>err
equal 'more operands' 2 $?
! "$pdtool" store rename clickhouse://127.0.0.1:1/x >out 2>err && grep -q 'on ClickHouse are not renamed' err && [ "$(wc -l <err)" = 1 ]
result 'ClickHouse: a line' $? "$(cat err)"
