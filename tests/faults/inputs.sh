# What the sweep reads besides captures, small, made in the current directory; to be sourced. And the cases of it, in "inputs".
bin=tmp/bw/pub/binaries/bin
capture=$recorded/binaries/replaced.data # its app is in the sources below

# ---- sources of symbols: a root, and archives of it ----

mkdir -p root/$bin loose && cp "$data/symfs/$bin/app" root/$bin && cp root/$bin/app loose/app
tar -C root -cf syms.tar tmp && zstd -q syms.tar -o syms.tar.zst
# Not every machine has a tool for this one; without compression.
perl -e '
	my ($name, $from) = @ARGV;
	open my $f, "<:raw", $from or die; local $/; my $bytes = <$f>;
	my @table = map { my $c = $_; $c = $c & 1 ? $c >> 1 ^ 0xedb88320 : $c >> 1 for 1 .. 8; $c } 0 .. 255;
	my $crc = 0xffffffff;
	$crc = $table[($crc ^ $_) & 255] ^ $crc >> 8 for unpack "C*", $bytes;
	my $what = pack "v5V3", 10, 0, 0, 0, 33, $crc ^ 0xffffffff, length $bytes, length $bytes;
	my $member = pack("V", 0x04034b50) . $what . pack("v2", length $name, 0) . $name . $bytes;
	my $list = pack("Vv", 0x02014b50, 10) . $what . pack("v5V2", length $name, 0, 0, 0, 0, 0, 0) . $name;
	open my $zip, ">:raw", "syms.zip" or die;
	print $zip $member, $list, pack "Vv4V2v", 0x06054b50, 0, 0, 1, 1, length $list, length $member, 0;
' $bin/app root/$bin/app
for pack in packed.tar packed.tar.zst; do "$pdtool" pack -q --symfs root -o $pack "$capture" >out || fail "$pack" "$(cat out)"; done

# ---- just-in-time compiled code ----

mkdir maps dumps
cat >jit.mkperf <<'END'
event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task use_clockid clockid=1 \
	sample_type=IP|TID|TIME|PERIOD
comm pid=5 comm=x time=1
mmap pid=5 addr=0x7000000 len=0x1000 file=/tmp/jit-5.dump time=2
mmap pid=5 addr=0x10000 len=0x1000 file=//anon time=2
sample pid=5 time=200 ip=0x10004 period=5
sample pid=5 time=201 ip=0x10009 period=6
END
"$mkperf" -o jit.data jit.mkperf
printf '10000 10 jitted\n' >maps/perf-5.map
printf 'line 0x10000 0x10008 7 /src/a.js\nload 100 0x10000 12 1 jitted\n' |
	"$build/tests/oracle/jitfile" little 62 5 0 >dumps/jit-5.dump
mkdir strange && cp maps/perf-5.map strange/perf-77.map

# ---- kernels ----

cat >guest.mkperf <<'END'
event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME|CALLCHAIN
mmap pid=-1 tid=0 mode=kernel addr=0xffffffff81000000 len=0x1000000 pgoff=0xffffffff81000000 file="[kernel.kallsyms]_text"
comm pid=7 comm=qemu
sample pid=7 time=3 mode=guest_kernel ip=0xffffffff82000110 chain=[guest_kernel:0xffffffff82000110,0xffffffff82000210]
sample pid=7 time=5 mode=guest_kernel ip=0xffffffffc1000020 chain=[guest_kernel:0xffffffffc1000020]
sample pid=7 time=8 mode=kernel ip=0xffffffff81000110 chain=[kernel:0xffffffff81000110]
END
"$mkperf" -o guest.data guest.mkperf
printf '%s\n' 'ffffffff82000000 T _text' 'ffffffff82000100 T guest_one' 'ffffffff82000200 t guest_two' \
	'ffffffff82001000 T _etext' 'ffffffffc1000000 t gmod_one	[gmod]' >guest.kallsyms
sed '/gmod/d; s/^ffffffff82/ffffffff81/; s/guest_/host_/' guest.kallsyms >host.kallsyms
printf '%s\n' 'gmod 16384 1 - Live 0xffffffffc1000000' 'moved 16384 1 - Live 0xffffffffc2000000 (OE)' >guest.modules

# ---- text ----

"$pdtool" collapse -q --symfs "$data/symfs" "$recorded/binaries/linked.data" >linked.folded
gzip -c linked.folded >linked.folded.gz
xz -c "$recorded/binaries/linked.data" >linked.data.xz
mkdir -p src/tmp/bw/srcs && seq -f 'line %g' 40 >src/tmp/bw/srcs/app13.c
printf 'linked\nother\n' >names
printf '     1,250.50 msec task-clock    #    0.500 CPUs utilized\n\n       2.501 seconds time elapsed\n' >stat.txt

# On this host alone nothing of it is looked for; one thread, or calls come in another order each time.
cat >inputs <<END
symbols: a root|collapse --symbols $tmp/root $capture
symbols: files|collapse --symbols $tmp/loose $capture
symbols: a file|collapse --symbols $tmp/loose/app $capture
symbols: tar|collapse --symbols $tmp/syms.tar $capture
symbols: tar.zst|collapse --symbols $tmp/syms.tar.zst $capture
symbols: zip|collapse --symbols $tmp/syms.zip $capture
a pack|collapse $tmp/packed.tar
a packed pack|info $tmp/packed.tar.zst
build-id directory|collapse --buildid-dir $data/buildid $recorded/diff_pair/base1.data.zst
perf map|collapse --perf-map-dir $tmp/maps $tmp/jit.data
perf map of another pid|collapse --perf-map-dir $tmp/strange $tmp/jit.data
jitdump|collapse --srcline --perf-map-dir $tmp/dumps $tmp/jit.data
a pack of it|pack -o out --perf-map 5=$tmp/dumps/jit-5.dump $tmp/jit.data
kallsyms, of a guest, too|collapse --kallsyms $tmp/host.kallsyms --guest-kallsyms $tmp/guest.kallsyms --guest-modules $tmp/guest.modules $tmp/guest.data
symbols: kallsyms|collapse --symbols $tmp/host.kallsyms $tmp/guest.data
folded|flamegraph -o out $tmp/linked.folded
folded and packed|report $tmp/linked.folded.gz
packed by xz|collapse --symfs $data/symfs $tmp/linked.data.xz
names of a file|collapse --dsos file://$tmp/names --exclude main $recorded/binaries/linked.data
two folded files|diff $tmp/linked.folded $tmp/linked.folded.gz
perf stat|abstime --stat $tmp/stat.txt $tmp/linked.folded
sched timeline|sched timeline -o out $recorded/sched/switchev.data.zst
script|script -F +srcline --symfs $tmp/root $capture
script, events|script $data/recorded/script/mixed.data.zst
summary|summary --symfs $tmp/root $capture
info|info --symfs $tmp/root $capture
lines|annotate --symfs $tmp/root --prefix $tmp/src alpha_fn $capture
a directory|collapse $recorded/modes/threads2.data
END
sed -i 's/$/ --no-host -j1/' inputs
