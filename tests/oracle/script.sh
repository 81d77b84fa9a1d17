#!/bin/sh
# `script` against what perf 6.12 `perf script` printed of the same captures, with many sets of options, byte for byte
# (testdata/recorded/script/oracle.tar.zst: for each capture "commands": set, exit status, options; and SET.txt).
# Where the two differ on purpose the lines are counted; the manual says why.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

from=$data/recorded/script
zstd -dcq "$from/oracle.tar.zst" | tar -xf - || fail 'the oracles' 'cannot be unpacked'
zstd -dcq "$from/symfs.tar.zst" | tar -xf -
gzip -dc "$from/kallsyms.gz" >kallsyms

# In the format of this event perf does not see parentheses, and shows flags that were not set.
without_timer_flags() { sed '/ timer=0x.* idx=[0-9]* flags=/s/ flags=.*//' "$1"; }

sets=0
# compare CAPTURE SET STATUS OPTION...
compare() {
	capture=$1 set=$2 status=$3
	shift 3
	"$pdtool" script -q --compat perf --symfs . --kallsyms kallsyms --allow-unverified "$@" "$from/$capture.data.zst" >got 2>err
	got=$?
	sets=$((sets + 1))
	if [ "$status" != rc=0 ]; then
		[ $got != 0 ] || fail "$capture $set" 'no error where perf has one'
		return
	fi
	without_timer_flags got >ours
	without_timer_flags "$capture/$set.txt" >perfs
	if ! cmp -s perfs ours; then
		fail "$capture $set" "$(diff perfs ours | grep -c '^[<>]') lines differ: $(head -n 1 err)"
		diff perfs ours | head -n 4 | sed 's/^/  /'
	fi
}

for capture in */commands; do
	capture=${capture%/commands}
	while read -r set status options; do
		[ "$capture:$set" != lock:all-events ] || continue # there is no sample, which is said instead
		compare "$capture" "$set" "$status" $options
	done <"$capture/commands"
done >failures
cat failures
[ "$sets" -gt 0 ] || sets=$(cat */commands | grep -c .)
[ "$sets" -gt 300 ] && ok "$sets texts of perf script" || fail 'the texts of perf script' "only $sets"

# FlameGraph reads it: the same stacks as collapse makes of the capture.
fold=${FLAMEGRAPH_DIR:+$FLAMEGRAPH_DIR/stackcollapse-perf.pl}
[ -n "$fold" ] || fold=$(command -v stackcollapse-perf.pl)
if [ -n "$fold" ] && [ -f "$fold" ]; then
	"$pdtool" script -q --symfs . --kallsyms kallsyms --allow-unverified "$from/cpu-g.data.zst" | perl "$fold" | sort >want
	"$pdtool" collapse -q --compat stackcollapse --symfs . --kallsyms kallsyms --allow-unverified "$from/cpu-g.data.zst" | sort >got
	same 'stackcollapse-perf.pl reads it' want got
else
	skip 'stackcollapse-perf.pl reads it' 'it is not in FLAMEGRAPH_DIR or PATH'
fi

# The whole in order of time, from a pipe too, whatever the number of threads.
"$pdtool" script -q "$from/mixed2.data.zst" >want
zstd -dcq "$from/mixed2.data.zst" | "$pdtool" script -q -j 4 - >got
same 'from a pipe' want got
"$san" script -q "$from/mixed2.data.zst" >got 2>err
same 'under sanitizers' want got
"$pdtool" script -q "$from/mixed2.data.zst" --limit 7 >got
head -n 7 want | cmp -s - got && ok '--limit' || fail '--limit' "$(wc -l <got) lines"
"$pdtool" script -q --comms sample -e page-faults -F comm,event "$from/mixed2.data.zst" >got
equal 'filters' "$(grep -c 'sample .*page-faults' want)" "$(grep -c 'sample .*page-faults' got)"
grep -q 'page-faults' got || fail 'filters' 'nothing is left'

# Samples without chains are located by their address alone (tests/oracle/places.mkperf): as with chains of nothing else, and
# where it was worked out by hand.
awk '/^sample / { at = $0; sub(/.* ip=/, "", at); sub(/ .*/, "", at); mode = /mode=/ ? $0 : "mode=user"; sub(/.*mode=/, "", mode)
		sub(/ .*/, "", mode); $0 = $0 " chain=[" (mode == "unknown" ? "user" : mode) (at ~ /^(-4095|0xfff*80)$/ ? "]" : ":" at "]") }
	{ sub(/TIME\|CPU/, "TIME|CALLCHAIN|CPU"); print }' "$top/tests/oracle/places.mkperf" >chained.mkperf
for form in '--mode file' '--mode pipe --zstd' '--endian big'; do
	# shellcheck disable=SC2086
	"$mkperf" $form -o places.data "$top/tests/oracle/places.mkperf" && "$mkperf" $form -o chained.data chained.mkperf
	for options in '-F comm,tid,time,event,ip,sym,dsoff --ns' '--compat perf -F +srcline' '--dsos old' '--no-idle --format json'; do
		# shellcheck disable=SC2086
		"$pdtool" script -q -G $options chained.data >want
		# shellcheck disable=SC2086
		"$pdtool" script -q $options places.data >got
		same "addresses alone, $form, $options" want got
	done
done
"$pdtool" script -q -F dsoff,ip places.data | sed 's/.*(\(.*\))/\1/' | uniq -c | sed 's/^ *//' >got
cat >want <<'END'
2 /bin/old+0x1010
1 /lib/some.so+0x10
1 /bin/old+0x1010
1 [kernel.kallsyms]
9 [unknown]
1 [guest.kernel.kallsyms]
1 [unknown]
1 /bin/old+0x1010
1 [kernel.kallsyms]
1 /bin/old+0x1010
1 [unknown]
1 /bin/new+0x10
1 [unknown]
1 /lib/late.so+0x10
1 /bin/new+0x9010
1 /bin/new+0x10
END
same 'where addresses alone are' want got

# What a capture says gets out as text only.
cat >bad.mkperf <<'END'
event cycles type=hardware config=0 period=1 ids=1 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|PERIOD
comm pid=7 tid=7 comm="a\x1b]0;x\x07\nb" time=10
sample event=cycles pid=7 tid=7 time=20 ip=0x1000
END
"$mkperf" -o bad bad.mkperf 2>err || fail mkperf "$(cat err)"
"$pdtool" script -q bad >got
equal 'control bytes are blanks' 'a ]0;x  b' "$(cut -c 8-16 got)"
equal 'in one line' 1 "$(wc -l <got)"

# --format csv and json: the same samples as cells. What the columns say is what the text says, and each line of JSON holds the
# cells of the CSV's line that are not empty.
cat >rows.pl <<'END'
# flat objects, one a line: nothing else may be there
binmode STDOUT, ':utf8';
my %plain = (n => "\n", t => "\t", r => "\r", b => "\b", f => "\f");
sub text { my $t = shift; utf8::decode($t); $t =~ s/\\(?:u([0-9a-f]{4})|(.))/defined $1 ? chr hex $1 : $plain{$2} \/\/ $2/ge; $t }
open my $j, '<', $ARGV[0];
while (my $line = <$j>) {
	my %o;
	chomp $line;
	$line =~ s/^\{// or die "not an object: $line";
	while ($line =~ s/^"((?:[^"\\]|\\.)*)":(?:"((?:[^"\\]|\\.)*)"|(-?[0-9]+(?:\.[0-9]+)?))(,(?=")|\}$)//) {
		my ($key, $text, $number) = (text($1), $2, $3);
		$o{$key} = defined $number ? $number : text($text);
	}
	die "not an object: $line" if $line ne '';
	if ($ARGV[1]) {
		my $us = int($o{time_ns} / 1000);
		printf "%s %d %s %d.%06d\n", $o{comm}, $o{tid}, $o{event}, $us / 1000000, $us % 1000000;
	} else {
		print join('|', sort map { "$_=$o{$_}" } keys %o), "\n";
	}
}
END
cat >cells.pl <<'END'
# the cells of CSV that are not empty
binmode STDIN, ':utf8';
binmode STDOUT, ':utf8';
sub cells { my @c; my $l = shift; while ($l =~ /\G(?:"((?:[^"]|"")*)"|([^,]*))(,|$)/g) { my ($v, $end) = ($1 // $2, $3); $v =~ s/""/"/g; push @c, $v; last if $end eq ''; } @c }
chomp(my $h = <STDIN>);
my @h = cells($h);
while (<STDIN>) {
	chomp;
	my @c = cells($_);
	print join('|', sort map { "$h[$_]=$c[$_]" } grep { $c[$_] ne '' } 0 .. $#h), "\n";
}
END
for name in tpmix uprobe kmem sysc cpu-g dwarf addr-all regs; do
	file=$data/recorded/script/$name.data.zst
	"$pdtool" script -q --format csv "$file" >csv 2>err && "$pdtool" script -q --format json "$file" >json 2>err
	perl cells.pl <csv >want && perl rows.pl json >got 2>err
	# an empty text is a cell of JSON, and no cell of the CSV that could be told from none
	sed 's/|[^|=]*=\(|\|$\)/\1/g; s/|[^|=]*=\(|\|$\)/\1/g' got >got2
	same "$name: $(wc -l <json) objects" want got2
	"$pdtool" script -q -F comm,tid,time,event "$file" 2>err | sed 's/^ *//; s/: *$//' | awk '{ n = NF; t = $(n - 1); sub(/:$/, "", t); c = $1; for (i = 2; i < n - 2; i++) c = c " " $i; print c, $(n - 2), $n, t }' >want
	perl rows.pl json 1 >got
	same "$name: who, when and what" want got
done
if command -v node >/dev/null; then
	node -e 'require("fs").readFileSync("json", "utf8").trim().split("\n").forEach(JSON.parse)' 2>err
	result 'each line is JSON to another program' $? "$(head -n 1 err)"
else
	skip 'each line is JSON to another program' 'no node'
fi
# (a stand-in for the source of the oracles' program)
mkdir -p src && for i in $(seq 17); do echo "line $i"; done >src/sample.c
printf '\tint a;\033[2J\tb\n\nline 20' >>src/sample.c
# What is a cell only where it is asked for: the line's text of it.
alone() { # NAME FIELD FILE OPTION...
	name=$1 field=$2 file=$3
	shift 3
	"$pdtool" script -q -G -F "$field" "$@" "$file" 2>err | sed -E 's/^[[:blank:]]+//; s/[[:blank:]]+$//; s/^(ilen|insn): //' | grep . >want
	"$pdtool" script -q --format json -G -F "$field" "$@" "$file" 2>err | grep -vx '{}' | perl rows.pl /dev/stdin | sed "s/^$field=//" | grep . >got
	same "$name: $field, the cell and the line" want got
}
for field in misc iregs uregs; do alone regs $field "$data/recorded/script/regs.data.zst"; done
for field in brstack brstacksym brstackoff; do alone LBR $field "$data/recorded/android/sp_lbr.data.zst"; done
for field in data_page_size code_page_size; do alone addr-all $field "$data/recorded/script/addr-all.data.zst"; done
for field in insn insnlen disasm; do alone cpu-g $field "$data/recorded/script/cpu-g.data.zst" --symfs . --allow-unverified; done
"$pdtool" script -q -G -F ip,sym,symoff,dso,dsoff --symfs . --allow-unverified "$from/cpu-g.data.zst" 2>err |
	sed -n 's/^ *\([0-9a-f]*\) \(.*\)+0x\([0-9a-f]*\) (\(.*\)+0x\([0-9a-f]*\))$/\1 \2 \3 \4 \5/p' >want
"$pdtool" script -q --format json -F ip,sym,symoff,dso,dsoff -G --symfs . --allow-unverified "$from/cpu-g.data.zst" 2>err |
	perl -ne '/^\{"ip":"0x(\w+)","sym":"([^"]*)","dso":"([^"]*)","symoff":(\d+),"dsoff":(\d+)\}$/ and $3 !~ /^\[k/ and printf "%s %s %x %s %x\n", $1, $2, $4, $3, $5' >got
same 'cells of offsets' want got
"$pdtool" script -q --format json -F tid,srcline,srccode,ip -G --full-source-path --symfs . --allow-unverified "$from/cpu-g.data.zst" 2>err >got
equal 'cells of the source' "$(grep -c '"srcline":"/src/sample.c:\(18\|20\)"' got)" \
	"$(grep -c '"srcline":"/src/sample.c:18","srccode":" *int a; *\[2J *b"\|"srcline":"/src/sample.c:20","srccode":"line 20"' got)"
grep -q 'srccode":"line 20"' got || fail 'cells of the source' "$(head -n 3 got)"

equal 'fields of a probe' '{"comm":"wrk 1","tid":25733,"cpu":0,"time_ns":7614907936571,"event":"pdt:take_args","__probe_ip":94583464260364,"name":"with \"quote\" and é","n":0,"big":1,"c":-8,"ubig":1,"bits":0,"arr":"77697468"}' \
	"$("$pdtool" script -q --format json "$data/recorded/script/uprobe.data.zst" | sed -n 3p)"
equal 'only what was asked for' 'comm,event' "$("$pdtool" script -q --format csv -F comm,event "$data/recorded/script/uprobe.data.zst" | head -n 1)"

# --per-event-dump: each sample in the file of its event, beside the capture or -o; the rest on standard output.
mkdir dumps && zstd -dcq "$from/mixed2.data.zst" >dumps/m.data
"$pdtool" script -q --show-task-events "$from/mixed2.data.zst" >want
"$pdtool" script -q --show-task-events --per-event-dump dumps/m.data >said 2>err
equal 'files of events' 'm.data.cpu-clock_freq=2000_.dump m.data.page-faults_period=1_.dump m.data.raw_syscalls:sys_enter.dump m.data.sched:sched_switch.dump' \
	"$(cd dumps && echo ./*.dump | sed 's,\./,,g')"
grep -v '^\[ ' said | cat - dumps/*.dump | sort >got
sort want >want.sorted
same 'files of events: every line is in one' want.sorted got
equal 'files of events: what was written' "$(for f in cpu-clock page-faults sched_switch sys_enter; do grep -c " " dumps/*$f*; done | tr '\n' ' ')" \
	"$(sed -n 's/.*Wrote.*(\([0-9]*\) samples).*/\1/p' said | tr '\n' ' ')"
equal 'files of events: no other event in one' 0 "$(grep -vc sched:sched_switch: dumps/m.data.sched:sched_switch.dump)"
(cd dumps && rm ./*.dump && "$pdtool" script -q --per-event-dump -o other m.data >/dev/null 2>err)
equal 'files of events: -o' 4 "$(ls dumps/other.*.dump | wc -l)"
"$pdtool" script -q --per-event-dump - <dumps/m.data >got 2>err
equal 'files of events: standard input has no name' 2 $?
"$pdtool" script -q --per-event-dump --format json dumps/m.data >got 2>err
equal 'files of events: text only' 2 $?
ln dumps/m.data dumps/m.data.sched:sched_switch.dump
"$pdtool" script -q --per-event-dump dumps/m.data >got 2>err
result 'files of events: not over the capture' $((1 - $?)) "$(cat err)"
equal 'files of events: nothing else then' 1 "$(ls dumps/m.data.*.dump | wc -l)"
cat >paths.mkperf <<'END'
event ../../up type=hardware config=0 period=1 ids=1 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|PERIOD
comm pid=7 tid=7 comm=a time=10
sample event=../../up pid=7 tid=7 time=20 ip=0x1000
END
"$mkperf" -o dumps/p.data paths.mkperf 2>err || fail mkperf "$(cat err)"
"$pdtool" script -q --per-event-dump dumps/p.data >/dev/null 2>err
[ -s dumps/p.data..._.._up.dump ]
result 'files of events: names are no paths' $? "$(ls dumps)"

# What BPF programs write, branches as samples of their own, and fields that only traces have: as perf 6.12 printed the same files.
cat >bpf.mkperf <<'END'
event bpf-output type=software config=10 period=1 ids=1 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|RAW
comm pid=7 tid=7 comm=prog time=10
sample event=bpf-output pid=7 tid=7 cpu=0 time=20 ip=0x1000 raw=68656c6c6f00000000000000
sample event=bpf-output pid=7 tid=7 cpu=0 time=30 ip=0x1000 raw=0102616220c37f6162630000
END
sed 's/|$//' >want <<'END'
            prog       7 [000]     0.000000:          1 bpf-output:              1000 [unknown] ([unknown])
      BPF output: 0000: 68 65 6c 6c 6f 00 00 00  hello...
                  0008: 00 00 00 00              ....    |
      BPF string: "hello"

            prog       7 [000]     0.000000:          1 bpf-output:              1000 [unknown] ([unknown])
      BPF output: 0000: 01 02 61 62 20 c3 7f 61  ..ab  .a
                  0008: 62 63 00 00              bc..    |

END
"$mkperf" -o bpf.data bpf.mkperf 2>err || fail mkperf "$(cat err)"
"$pdtool" script -q --compat perf bpf.data >got 2>err
same 'what BPF programs write' want got
cat >bts.mkperf <<'END'
event branches type=hardware config=4 period=1 ids=1 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|ADDR
comm pid=7 tid=7 comm=prog time=10
sample event=branches pid=7 tid=7 cpu=0 time=20 ip=0x1000 addr=0x2000
END
"$mkperf" -o bts.data bts.mkperf 2>err || fail mkperf "$(cat err)"
equal 'branches as samples' '            prog       7 [000]     0.000000:          1 branches:              1000 [unknown] ([unknown]) =>             2000 [unknown] ([unknown])' \
	"$("$pdtool" script -q --compat perf bts.data 2>err)"
equal 'flags: none without a trace' '            prog branches:                         ' "$("$pdtool" script -q -F comm,event,flags bts.data 2>err)"
for field in metric synth brstackinsn machine_pid; do
	"$pdtool" script -q -F +$field bts.data >got 2>err
	equal "$field: refused" 2 $?
	grep -q "$field is not there: " err || fail "$field: refused" "$(cat err)"
done

# srccode: the line of the source, where a thread gets to another one; bytes as perf 6.12 printed them, but for the control
# characters of the source, which are blanks.
# coded OPTION...: who was where, and the source
coded() { "$pdtool" script -q -G -F tid,ip,srcline,srccode --full-source-path --allow-unverified "$@" "$from/cpu-g.data.zst" 2>err; }
coded --symfs . >got
coded --symfs . -F -srccode | awk '
	/^ +[0-9]+ +[0-9a-f]+$/ { tid = $1 }
	{ print }
	/sample.c:/ {
		split($1, at, ":")
		if (at[2] > 20 || at[2] == last[tid])
			next
		last[tid] = at[2]
		printf "|%-8s %s\n", at[2], at[2] == 18 ? "\tint a; [2J\tb" : at[2] == 19 ? "" : "line " at[2]
	}' >want
same 'srccode' want got
[ "$(grep -c '^|' got)" -gt 20 ] && grep -q "^|18 *$(printf '\t')int a" got && grep -q '^|20 *line 20$' got ||
	fail 'srccode' "only $(grep -c '^|' got) lines"
coded >got
equal 'srccode: no source at hand' 0 "$(grep -c '^|' got)"
"$pdtool" script -G -F ip,srccode --symfs . --allow-unverified "$from/cpu-g.data.zst" 2>err >got
grep -q 'the source is not at hand for [1-9][0-9]* of [1-9][0-9]* sampled lines' err && ok 'srccode: what is not at hand is said' ||
	fail 'srccode: what is not at hand is said' "$(cat err)"
"$pdtool" script -q -F tid,srccode "$from/cpu-g.data.zst" >got 2>err
equal 'srccode needs addresses' 2 $?
coded --symfs . >want && "$san" script -q -G -F tid,ip,srcline,srccode --full-source-path --allow-unverified --symfs . "$from/cpu-g.data.zst" >got 2>err
same 'srccode: under sanitizers' want got

# What a print format asks for in an order that printf() does not know is not asked for: fields are shown by name.
for spec in '%08+lx' '%5-d' '%.-3d' '%.*5d' '%-08.3lx' '% 5.1d'; do
	cat >spec.mkperf <<-END
	tracepoint a:b id=11 fields="int n" print="\"n $spec\", REC->n"
	event a:b type=tracepoint config=11 period=1 ids=1 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|RAW
	comm pid=7 tid=7 comm=prog time=1
	sample event=a:b pid=7 tid=7 time=20 raw=[u16:11,u8:0,u8:0,u32:7,u32:5]
	END
	"$mkperf" -o spec.data spec.mkperf 2>err || fail mkperf "$(cat err)"
	"$san" script -q --compat perf -F trace spec.data 2>err | sed "s/^/$spec: /; s/\$/|/"
	cat err
done >got
cat >want <<'END'
%08+lx: [FAILED TO PARSE] n=5|
%5-d: [FAILED TO PARSE] n=5|
%.-3d: [FAILED TO PARSE] n=5|
%.*5d: [FAILED TO PARSE] n=5|
%-08.3lx: n 005     |
% 5.1d: n     5|
END
same 'conversions in no order' want got

# Elements of arrays, and none of an array that is cut off.
cat >element.mkperf <<'END'
tracepoint a:b id=11 fields="int n;unsigned int l[3];short h[2]" print="\"%d %x %u %d\", REC->n, REC->l[0], REC->l[2], REC->h[1]"
event a:b type=tracepoint config=11 period=1 ids=1 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|RAW
comm pid=7 tid=7 comm=prog time=1
sample event=a:b pid=7 tid=7 time=20 raw=[u16:11,u8:0,u8:0,u32:7,u32:1,u32:0xabcd,u32:0x101,u32:6,u16:1,u16:0xffff]
sample event=a:b pid=7 tid=7 time=30 raw=[u16:11,u8:0,u8:0,u32:7,u32:1,u32:0xabcd,u32:0x101]
END
"$mkperf" -o element.data element.mkperf 2>err || fail mkperf "$(cat err)"
printf '%s\n' '1 abcd 6 65535' '1 0 0 0' >want
"$san" script -q --compat perf -F trace element.data >got 2>err
same 'elements of arrays' want got

# perf drops a chain with a value that is no address and no marker that it knows, as broken frame pointers make them.
cat >junk.mkperf <<'END'
event cycles type=hardware config=0 period=1 ids=1 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|CALLCHAIN
comm pid=7 tid=7 comm=prog time=10
sample event=cycles pid=7 tid=7 time=20 ip=0x1000 chain=[user:0x1000,0xffffffffffffffff]
sample event=cycles pid=7 tid=7 time=30 ip=0x2000 chain=[user:0x2000,0x3000]
END
"$mkperf" -o junk.data junk.mkperf 2>err || fail mkperf "$(cat err)"
equal 'a broken chain, as perf' '2000 3000' "$("$pdtool" script -q --compat perf -F ip junk.data | awk 'NF { print $1 }' | tr '\n' ' ' | sed 's/ $//')"
equal 'a broken chain' '1000 2000 3000' "$("$pdtool" script -q -F ip junk.data | awk 'NF { print $1 }' | tr '\n' ' ' | sed 's/ $//')"

# The first chain comes behind so many addresses without one that they are looked for ahead.
cat >alone.mkperf <<'END'
event page-faults type=software config=2 period=1 ids=1 sample_id_all sample_type=IP|TID|TIME|IDENTIFIER
event cycles type=hardware config=0 period=1 ids=2 sample_id_all sample_type=IP|TID|TIME|CALLCHAIN|IDENTIFIER
comm pid=1 comm=a time=1
mmap pid=1 addr=0x100000 len=0x10000000 file=/bin/program time=1
repeat 70000 {
sample event=page-faults pid=1 time=2+$i ip=0x100000+$i*16
}
repeat 100 {
sample event=cycles pid=1 time=90000+$i ip=0x100000+$i chain=[user:0x100000+$i,0x100010+$i*3]
}
END
"$mkperf" -o alone.data alone.mkperf 2>err || fail mkperf "$(cat err)"
"$pdtool" script -q alone.data >got 2>err
result 'many addresses before the first chain' $?
equal 'many addresses before the first chain: lines' 70400 "$(wc -l <got)"

# ---- captures recorded here and now: eleven sets of fields of each kind, byte for byte ----

# What prints them is $REFERENCE_PERF, or perf: 6.12's text is meant. Of 6.1 those sets count that it prints alike: no thread ids, which
# it has in five columns, no names of threads, which it keeps when they end, and no addresses of programs.
reference=${REFERENCE_PERF:-perf}
case $("$reference" --version 2>/dev/null) in
*' 6.12'*) alike= ;;
*' 6.1' | *' 6.1.'*) alike=1 ;;
*) reference= ;;
esac
cat >fresh.c <<'END'
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile unsigned sink;
__attribute__((noinline)) void work(unsigned n) { while (n--) sink += n * n; }
__attribute__((noinline)) int query(const char *text, long n) { work(300000); return (int)strlen(text) + (int)n; }
__attribute__((noinline)) int outer(int i) { char text[40]; snprintf(text, sizeof(text), "row %d of \"%s\"", i, i % 2 ? "a,b" : "é"); return query(text, -i) + 1; }
int main(void)
{
	for (int i = 0; i < 60; i++) {
		sink += outer(i);
		if (i % 20 == 7 && !fork())
			_exit(3);
		close(open(i % 3 ? "/etc/passwd" : "/nonexistent", O_RDONLY));
		usleep(200);
	}
	while (wait(NULL) > 0)
		;
	return 0;
}
END
cat >names.cc <<'END'
#include <string>
#include <vector>
static volatile unsigned sink;
namespace part {
struct Worker {
	unsigned state;
	unsigned struct_go(int n) { for (int i = 0; i < n; i++) state += i * state; return state; }
	__attribute__((noinline)) void run(const std::string &s, int n) { sink += struct_go(n) + s[0]; }
};
}
template <class T> __attribute__((noinline)) unsigned sum(const std::vector<T> &v, T start) { for (auto x : v) start += x * sink; return start; }
extern "C" __attribute__((noinline)) void f(unsigned n) { while (n--) sink += n * n; }
int main()
{
	std::vector<unsigned> v(20000, 3);
	part::Worker w{1};

	for (int i = 0; i < 40; i++) {
		sink += sum<unsigned>(v, i);
		w.run("text", 100000);
		f(100000);
	}
}
END
fresh_sets() {
	cat <<-'END'
	default	6.12
	when	6.1	-F cpu,time,event
	trace	6.1	-F time,event,trace
	ids	6.12	-F +pid,-cpu,+misc,+period --ns
	typed	6.12	-F comm,ip,sym,symoff -F TYPE:+tid,+event
	nochain	6.12	-G -F +symoff
	code	6.12	-F +insn,+insnlen,+disasm,+flags
	source	6.12	-F +srccode
	short	6.12	-F comm,tid,ip,sym,dso,dsoff --max-stack 3 --deltatime
	records	6.12	--show-task-events --show-mmap-events --show-switch-events --reltime
	latency	6.12	--Latency -F +dsoff,-period
	END
}
# fresh NAME TYPE COMMAND...: NAME.data is recorded by perf record with these arguments; -F TYPE: is that of its events.
fresh() {
	kind=$1 type=$2
	shift 2
	perf record -q -o "$kind.data" "$@" >rec.out 2>rec.err
	status=$?
	if ! "$host_pdtool" info --counts --format csv "$kind.data" 2>/dev/null | grep -q '^record,SAMPLE,'; then
		skip "fresh: $kind" "nothing was recorded: status $status, $(head -n 1 rec.err)"
		return
	fi
	bad='' count=0
	fresh_sets | sed "s/TYPE/$type/" >sets.fresh
	while IFS='	' read -r set since options; do
		[ -z "$alike" ] || [ "$since" = 6.1 ] || continue
		count=$((count + 1))
		# shellcheck disable=SC2086
		LC_ALL=C TZ=UTC "$reference" script --no-inline --no-demangle -i "$kind.data" $options >want 2>want.err
		wanted=$?
		# shellcheck disable=SC2086
		TZ=UTC "$host_pdtool" script -q --compat perf --no-inline --no-demangle --allow-unverified $options "$kind.data" >got 2>got.err
		is=$?
		if [ $wanted != 0 ]; then
			[ $is != 0 ] || bad="$bad $set: no error where perf has one;"
		elif ! cmp -s want got; then
			bad="$bad $set: $(diff want got | grep -c '^>') of $(wc -l <want) lines differ;"
			diff want got | head -n 4 | sed 's/^/    /'
		fi
	done <sets.fresh
	[ -z "$bad" ] && ok "fresh: $kind, $count sets of fields" || fail "fresh: $kind" "$bad"
}
if [ -z "$reference" ]; then
	skip 'fresh captures' 'neither $REFERENCE_PERF nor perf is perf 6.12 or 6.1'
elif ! perf record -q -e cpu-clock -o try.data true >/dev/null 2>&1; then
	skip 'fresh captures' 'perf record is not permitted'
elif ! cc -O1 -g -fno-omit-frame-pointer -o fresh.bin fresh.c 2>err; then
	skip 'fresh captures' "cc: $(head -n 1 err)"
else
	fresh cpu sw -e cpu-clock -F 2000 ./fresh.bin
	fresh frames sw -e cpu-clock,page-faults -F 2000 -g ./fresh.bin
	fresh dwarf sw -e cpu-clock -F 1000 --call-graph dwarf,4096 ./fresh.bin
	fresh switches sw -e cpu-clock -F 500 --switch-events -a ./fresh.bin
	fresh addresses sw -d -e page-faults -c 1 ./fresh.bin
	fresh sched trace -e 'sched:*' -a ./fresh.bin
	fresh sched-chains trace -e sched:sched_switch,sched:sched_wakeup -g ./fresh.bin
	fresh block trace -e 'block:*' -a sh -c 'dd if=/dev/zero of=block.file bs=64k count=4 conv=fsync 2>/dev/null'
	fresh syscalls trace -e 'raw_syscalls:*' -e syscalls:sys_enter_openat,syscalls:sys_exit_openat ./fresh.bin
	fresh mixed sw -e cpu-clock/freq=1000/ -e sched:sched_switch -e page-faults ./fresh.bin
	fresh programs sw -e cpu-clock -F 2000 -g sh -c 'for i in 1 2 3 4; do cc -O2 -c -o fresh.o fresh.c; done'
	# Where a function has another name in its debug information than in the table of symbols, perf takes the former, as for
	# one that was inlined: "(inlined)".
	cat >alias.c <<-'END'
	static volatile unsigned sink;
	static inline __attribute__((always_inline)) void inner(unsigned n) { while (n--) sink += n * n; }
	static __attribute__((noipa, used)) void impl(unsigned n) { inner(n); sink++; }
	void called_so(unsigned n) __attribute__((alias("impl")));
	int main(void) { for (int i = 0; i < 100; i++) called_so(500000); return 0; }
	END
	cc -O2 -g -o alias.bin alias.c && perf record -q -e cpu-clock -F 2000 --call-graph dwarf,4096 -o alias.data ./alias.bin >rec.out 2>rec.err
	# frames OPTION...: the two innermost ones of most samples in the program
	frames() {
		"$host_pdtool" script -q --allow-unverified -F ip,sym,dso "$@" alias.data 2>err | sed 's|(/.*/|(|; s/^[[:blank:]]*[0-9a-f]* //' |
			awk -v RS= -F '\n' '/alias.bin/ { n[$1 ";" $2]++ } END { for (f in n) if (n[f] > n[most]) most = f; print most }'
	}
	equal 'names of debug information' 'inner (inlined);impl (inlined)' "$(frames --compat perf)"
	equal 'names of debug information, --no-inline' 'called_so (alias.bin);main (alias.bin)' "$(frames --compat perf --no-inline)"
	"$host_pdtool" script -q --allow-unverified --compat perf --format csv -F ip,sym,dso alias.data 2>err | grep -o ';main;[^,"]*' |
		sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }' >got
	equal 'names of debug information, in cells' ';main;impl;inner' "$(cat got)"
	equal 'names of the table of symbols' 'inner (inlined);called_so (alias.bin)' "$(frames)"
	# Names of C++ and inlined functions, in programs that others start.
	if [ -n "$alike" ]; then
		skip 'fresh: names' 'for perf 6.12'
	elif c++ -O2 -g -o names.bin names.cc 2>err; then
		perf record -q -e cpu-clock -F 2000 --call-graph dwarf,16384 -o names.data sh -c \
			'for i in 1 2 3; do ./names.bin; cc -O2 -c -o fresh.o fresh.c; done' >rec.out 2>rec.err
		"$reference" script -F ip,sym,symoff -i names.data >want 2>/dev/null
		"$host_pdtool" script -q --compat perf --allow-unverified -F ip,sym,symoff names.data >got 2>err
		paste -d '|' want got | awk -F '|' '
			$1 == $2 { same++; next }
			{ print }
			END { print same + 0 >"counts" }' >other
		equal "fresh: names of $(cat counts) lines" '' "$(head -n 4 other)"
		grep -q 'part::Worker::struct_go(int)+0x[0-9a-f]* (inlined)$' got
		result 'fresh: names: functions that are inlined' $?
	else
		skip 'fresh: names' "c++: $(head -n 1 err)"
	fi
	# Code without lines beside some that has them: the file, and line 0, are what the table of symbols tells of it.
	cat >nolines.s <<-'END'
		.file "nolines.s"
		.text
		.globl outer
		.type outer, @function
	outer:	xor %eax, %eax
	1:	call inner
		inc %eax
		cmp $0x800000, %eax
		jne 1b
		ret
		.size outer, .-outer
		.type inner, @function
	inner:	nop
		nop
		ret
		.size inner, .-inner
		.section .note.GNU-stack,"",@progbits
	END
	printf '%s\n' 'int outer(void); int main(void) { for (int i = 0; i < 30; i++) outer(); return 0; }' >withlines.c
	if [ -n "$alike" ]; then
		skip 'fresh: code without lines' 'for perf 6.12'
	elif as -o nolines.o nolines.s 2>err && cc -O1 -g -no-pie -o nolines.bin withlines.c nolines.o 2>err; then
		perf record -q -e cpu-clock -F 2000 -g -o nolines.data ./nolines.bin >rec.out 2>rec.err
		# of that program: for DWARF 5 of the C library's, addr2line of binutils 2.40, which perf asks, says another file than
		# readelf and libdw
		"$reference" script -F ip,sym,dso,srcline -i nolines.data 2>/dev/null | grep -A 1 nolines.bin >want
		"$host_pdtool" script -q --compat perf --allow-unverified -F ip,sym,dso,srcline nolines.data 2>err | grep -A 1 nolines.bin >got
		same "fresh: code without lines ($(grep -c ':0$' want))" want got
		equal 'fresh: its files' 'nolines.s:0 ??:0' "$(grep -o 'nolines.s:0$' got | head -n 1) $(grep -o '??:0$' got | head -n 1)"
	else
		skip 'fresh: code without lines' "$(head -n 1 err)"
	fi
	probe=pdtool_$$
	if perf probe -q -x ./fresh.bin "$probe:query=query text=+0(%di):string n=%si:s64" >/dev/null 2>err &&
		perf probe -q -x ./fresh.bin "$probe:done=query%return ret=\$retval:s32" >/dev/null 2>err; then
		fresh uprobe trace -e "$probe:*" ./fresh.bin
		fresh uprobe-chains trace -e "$probe:query" -g ./fresh.bin
	else
		skip 'fresh: uprobe' 'perf probe can make none here'
	fi
	perf probe -q -d "$probe:*" >/dev/null 2>&1
	if perf probe -q "$probe:open=do_sys_openat2 dfd=%di:s32" >/dev/null 2>err; then
		fresh kprobe trace -e "$probe:open" ./fresh.bin
	else
		skip 'fresh: kprobe' 'perf probe can make none here'
	fi
	perf probe -q -d "$probe:*" >/dev/null 2>&1
fi
true
