#!/bin/sh
# `script` against what perf 6.12 `perf script` printed of the same captures, with many sets of options, byte for byte
# (testdata/recorded/script/oracle.tar.zst: for each capture "commands": set, exit status, options; and SET.txt).
# Where the two differ on purpose the lines are counted; the manual says why.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

from=$data/recorded/script
zstd -dcq "$from/oracle.tar.zst" | tar -xf - || fail 'the oracles' 'cannot be unpacked'
zstd -dcq "$from/symfs.tar.zst" | tar -xf -
gzip -dc "$from/kallsyms.gz" >kallsyms

# on_purpose CAPTURE SET: how many lines differ, and why.
on_purpose() {
	case $1:$2 in
	# perf gives the line behind the call, and "??:0" where addr2line has no line
	uprobe-g:srcline) echo 40 ;;
	addr:srcline | notime:srcline) echo 1 ;;
	addr-all:srcline | mixed:srcline | mixed2:srcline) echo 2 ;;
	# perf calls an address on the stack an offset in it
	addr-all:symoff) echo 1 ;;
	*) echo 0 ;;
	esac
}

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
	lines=$(diff perfs ours | grep -c '^>')
	if [ "$lines" != "$(on_purpose "$capture" "$set")" ] || { [ "$lines" = 0 ] && ! cmp -s perfs ours; }; then
		fail "$capture $set" "$lines lines differ, not $(on_purpose "$capture" "$set"): $(head -n 1 err)"
		diff perfs ours | head -n 4 | sed 's/^/  /'
	fi
}

# Sets that are of no concern here yet.
left_out='callindent'

for capture in */commands; do
	capture=${capture%/commands}
	while read -r set status options; do
		[ "$capture:$set" != lock:all-events ] || continue # there is no sample, which is said instead
		eval "case $set in $left_out) continue ;; esac"
		compare "$capture" "$set" "$status" $options
	done <"$capture/commands"
done >failures
cat failures
[ "$sets" -gt 0 ] || sets=$(cat */commands | grep -vcE "^($left_out) ")
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
equal 'fields of a probe' '{"comm":"wrk 1","tid":25733,"cpu":0,"time_ns":7614907936571,"event":"pdt:take_args","__probe_ip":94583464260364,"name":"with \"quote\" and é","n":0,"big":1,"c":-8,"ubig":1,"bits":0,"arr":"77697468"}' \
	"$("$pdtool" script -q --format json "$data/recorded/script/uprobe.data.zst" | sed -n 3p)"
equal 'only what was asked for' 'comm,event' "$("$pdtool" script -q --format csv -F comm,event "$data/recorded/script/uprobe.data.zst" | head -n 1)"
