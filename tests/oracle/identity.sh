#!/bin/sh
# The recorded machine is not this machine: this host's kernel names only a capture of this very kernel, its files only
# captures that recorded their build-id, and a file of another build is never used; with --no-host, not even these.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"
pdtool=$host_pdtool # what it takes from this machine is the matter here

# ---- the kernel ----

# Addresses that this host's kernel has names for: those of /proc/kallsyms, when it shows them.
awk '$1 !~ /^0+$/ && $2 ~ /[tT]/ && $1 ~ /^ffff/ && !$4 { print $1, $3 }' /proc/kallsyms 2>/dev/null | sed -n '1,2000p' >host
hosts_id=
if [ -r /sys/kernel/notes ]; then
	# ELF notes: sizes of name and contents, type 3 is the build-id, name "GNU"
	hosts_id=$(perl -e 'local $/; open F, "<", "/sys/kernel/notes" or exit; $_ = <F>;
		for ($i = 0; $i + 12 <= length; $i += 12 + ($n + 3 & ~3) + ($d + 3 & ~3)) {
			($n, $d, $t) = unpack "L3", substr $_, $i, 12;
			print unpack("H*", substr $_, $i + 12 + ($n + 3 & ~3), $d), "\n" and last if $t == 3 && $n == 4;
		}')
fi
text=$(awk '$2 ~ /[tT]/ && $3 == "_text" { print $1; exit }' /proc/kallsyms 2>/dev/null)

# kernel_capture OUT LINE...: 20 samples in the kernel; the LINEs say which kernel.
kernel_capture() {
	out=$1
	shift
	{
		printf '%s\n' "$@"
		cat <<-END
		event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task \\
			sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD
		mmap pid=-1 tid=0 addr=0x${text:-ffffffff81000000} len=0x10000000 pgoff=0x${text:-ffffffff81000000} \\
			file="[kernel.kallsyms]_text"
		comm pid=5 comm=visitor time=1
		END
		awk 'NR % 100 == 1 { print "sample pid=5 mode=kernel time=" 10 + NR " ip=0x" $1 " chain=[kernel:0x" $1 "]" }' host
	} >kernel.mkperf
	"$mkperf" -o "$out" kernel.mkperf
}

# named OPTION-OR-CAPTURE...: the frames that are no [module].
named() {
	"$pdtool" collapse "$@" 2>err | stacks | sed 's/ [0-9]*$//; s/^[^;]*;//' | tr ';' '\n' | grep -v '^\['
}

if [ ! -s host ] || [ -z "$hosts_id" ]; then
	skip "this host's kernel" 'it does not show its symbols or its build-id'
else
	other=00112233445566778899aabbccddeeff00112233
	us="host $(uname -n)
release $(uname -r)
arch $(uname -m)"
	kernel_capture ours.data "$us" "build_id $hosts_id [kernel.kallsyms] mode=kernel"
	kernel_capture other.data "$us" "build_id $other [kernel.kallsyms] mode=kernel"
	kernel_capture none.data "$us"
	kernel_capture module.data "$us" "build_id $hosts_id /bin/visitor"
	# nameless NAME CAPTURE OPTION...: all samples are there, none of them with a name.
	nameless() {
		label=$1
		shift
		equal "$label: no names" '' "$(named "$@")"
		equal "$label: all frames" "$(grep -c '^sample pid' kernel.mkperf)" "$("$pdtool" collapse -q "$@" |
			awk '/;\[\[kernel\.kallsyms\]\] / { n += $NF } END { print n + 0 }')"
	}
	[ "$(named ours.data | grep -c .)" -ge 10 ] && ok "this very kernel is named" ||
		fail "this very kernel is named" "$(named ours.data | grep -c .) frames"
	nameless 'this very kernel, --no-host' ours.data --no-host
	nameless "another kernel's build-id" other.data
	nameless 'no kernel build-id' none.data
	nameless "this kernel's build-id, but of another file" module.data
	nameless 'no kernel build-id, files of this host allowed' none.data --allow-unverified
	nameless 'another kernel, files of this host allowed' other.data --allow-unverified
	cat other.data | "$pdtool" collapse -q - | grep -q ';\[\[kernel' && ok 'another kernel, by a pipe: no names' ||
		fail 'another kernel, by a pipe: no names' 'there are'
	"$pdtool" info --names other.data 2>err | grep -q "^no symbols.*kernel.*$other" && ok 'info tells which kernel is missing' ||
		fail 'info tells which kernel is missing' 'it does not'
	# One byte of the recorded build-id changed in a copy.
	perl -e 'local $/; open F, "<", "ours.data"; $_ = <F>; $id = pack "H*", $ARGV[0]; $new = $id;
		substr($new, 7, 1) ^= "\1"; s/\Q$id/$new/g or die; open O, ">", "patched.data"; print O' "$hosts_id"
	nameless 'one bit of the build-id changed' patched.data
fi

# ---- files ----

bin=$data/symfs/tmp/bw/pub/binaries/bin
replaced=$data/recorded/x86_64/binaries/replaced.data
recorded_id=2ba9ba2ac31439ae5e26888b1398bd772f59cd5c
rebuilt_id=f203a04f7a7e44cb54d2bc287dbe25d2e2676a80
mkdir -p root/tmp/bw/pub/binaries/bin
app=root/tmp/bw/pub/binaries/bin/app
frames() { "$pdtool" collapse -q "$@" "$replaced" | tr ' ;' '\n\n' | sort -u; }
# unused NAME OPTION...: no name of either build is shown, but the frames are.
unused() {
	label=$1
	shift
	frames "$@" >shown
	if grep -qE '^(alpha_fn|beta_fn|gamma_fn|main|local_static.*|extra_one)$' shown; then
		fail "$label" 'it is'
	elif ! grep -qxF '[app]' shown; then
		fail "$label" 'there is no frame of it at all'
	else
		ok "$label"
	fi
}

cp "$bin/app" "$app"
frames --symfs root | grep -qx alpha_fn && ok 'the recorded file is used' || fail 'the recorded file is used' 'it is not'
cp "$bin/app.rebuilt" "$app"
unused 'another build is not used' --symfs root
unused 'another build is not used when unverified files are allowed' --symfs root --allow-unverified
"$pdtool" info --names --symfs root "$replaced" >out 2>err
line=$(grep '^refused' out)
case $line in
*/app*$rebuilt_id*$recorded_id*) ok 'info tells both build-ids' ;;
*) fail 'info tells both build-ids' "it says: $line" ;;
esac
"$pdtool" collapse --symfs root "$replaced" 2>err >out
grep -q 'another build-id' err && ok 'collapse tells that a file was refused' ||
	fail 'collapse tells that a file was refused' 'it does not'

# A build-id cache whose link leads to another build: the name of the directory is not believed.
mkdir -p cache/.build-id/2b/a9ba2ac31439ae5e26888b1398bd772f59cd5c
cp "$bin/app.rebuilt" cache/.build-id/2b/a9ba2ac31439ae5e26888b1398bd772f59cd5c/elf
unused 'another build in the cache is not used' --buildid-dir cache
cp "$bin/app" cache/.build-id/2b/a9ba2ac31439ae5e26888b1398bd772f59cd5c/elf
frames --buildid-dir cache | grep -qx alpha_fn && ok 'the recorded file in the cache is used' ||
	fail 'the recorded file in the cache is used' 'it is not'
mkdir -p home/.debug && cp -R cache/.build-id home/.debug
frames | grep -qx alpha_fn && ok '~/.debug is the cache if none is named' || fail '~/.debug is the cache if none is named' 'it is not'
unused '~/.debug, --no-host' --no-host
rm -rf home/.debug
PERF_BUILDID_DIR=$tmp/cache frames | grep -qx alpha_fn && ok 'PERF_BUILDID_DIR is' || fail 'PERF_BUILDID_DIR is' 'it is not'
PERF_BUILDID_DIR=$tmp/cache unused 'PERF_BUILDID_DIR, --no-host' --no-host
frames --no-host --buildid-dir cache | grep -qx alpha_fn
result 'a cache that is named, --no-host' $?
mkdir -p client/$recorded_id && cp "$bin/app" client/$recorded_id/executable
DEBUGINFOD_CACHE_PATH=$tmp/client frames | grep -qx alpha_fn
result "the cache of debuginfod's client is looked at" $?
DEBUGINFOD_CACHE_PATH=$tmp/client unused "the cache of debuginfod's client, --no-host" --no-host

# A good source is not spoiled by a bad one before it.
cp "$bin/app.rebuilt" "$app"
frames --symfs root --buildid-dir cache | grep -qx alpha_fn && ok 'sources add up' || fail 'sources add up' 'they do not'

# No build-id recorded: this host's file only when it is allowed, and marked.
cp "$bin/app" visible
cat >unverified.mkperf <<END
event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task \\
	sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD
comm pid=5 comm=visitor time=1
mmap pid=5 addr=0x1000 len=0x4000 pgoff=0x1000 file="$tmp/visible" time=2
END
perl -e 'local $/; open F, "<", "visible"; $_ = <F>; $sh = unpack "Q<", substr $_, 40, 8; ($es, $n) = unpack "v2", substr $_, 58, 4;
	for $i (0 .. $n - 1) {
		($name, $type, $flags, $addr, $off, $size, $link) = unpack "V2Q<4V", substr $_, $sh + $i * $es, 44;
		next if $type != 2;
		$str = unpack "Q<", substr $_, $sh + $link * $es + 24, 8;
		for ($s = $off; $s < $off + $size; $s += 24) {
			($nm, $info, $o, $sec, $value) = unpack "VCCvQ<", substr $_, $s, 16;
			printf "sample pid=5 time=3 ip=%d chain=[user:%d]\n", $value + 4, $value + 4
				if "alpha_fn" eq unpack "Z*", substr $_, $str + $nm, 40;
		}
	}' >>unverified.mkperf
"$mkperf" -o unverified.data unverified.mkperf || exit 1
equal 'no build-id recorded: this host is not asked' 'visitor;[visible] 1' "$("$pdtool" collapse -q unverified.data | stacks)"
equal 'no build-id recorded, allowed' 'visitor;alpha_fn 1' "$("$host_pdtool" collapse -q --allow-unverified unverified.data | stacks)"
"$host_pdtool" collapse --allow-unverified unverified.data 2>err >out
grep -q unverified err && ok 'and marked' || fail 'and marked' 'it is not'
"$host_pdtool" info --names --allow-unverified unverified.data 2>err | grep -q '^unverified.*visible' && ok 'and info tells it' ||
	fail 'and info tells it' 'it does not'
equal '--no-host is stronger than --allow-unverified' 'visitor;[visible] 1' \
	"$("$pdtool" collapse -q --allow-unverified --no-host unverified.data | stacks)"
mkdir -p "copy$tmp" && cp visible "copy$tmp"
equal '--no-host, but a directory that is named' 'visitor;alpha_fn 1' "$("$pdtool" collapse -q --no-host --symfs copy unverified.data | stacks)"

# With its build-id, this host's file under the recorded path, and what its debug link names.
{ echo "build_id $recorded_id $tmp/visible" && cat unverified.mkperf; } >verified.mkperf
"$mkperf" -o verified.data verified.mkperf || exit 1
equal "a build-id recorded: this host's file" 'visitor;alpha_fn 1' "$("$pdtool" collapse -q verified.data | stacks)"
equal "a build-id recorded: this host's file, --no-host" 'visitor;[visible] 1' "$("$pdtool" collapse -q --no-host verified.data | stacks)"
if command -v strace >/dev/null && strace -o trace true 2>/dev/null; then
	# opened OPTION...: of the places where this host may have symbols, those that are looked into.
	opened() {
		PERF_BUILDID_DIR=$tmp/cache DEBUGINFOD_CACHE_PATH=$tmp/client strace -f -o trace -e trace=%file \
			"$pdtool" collapse -q --srcline "$@" verified.data >out 2>err
		for place in "\"$tmp/visible" "\"$tmp/cache/" "\"$tmp/client/" '"/usr/lib/debug/'; do
			# a directory is opened to look from there
			{ grep -F "$place" trace; grep -F "${place%/}\", O_RDONLY|O_CLOEXEC|O_PATH" trace; } |
				grep -vE 'execve|statfs' | head -n 1
		done | grep -c .
	}
	rm -rf client/$recorded_id cache/.build-id && mv visible gone # so that the search goes on to the last place
	equal 'the places that are looked into' 4 "$(opened)"
	equal 'the places that are looked into, --no-host' 0 "$(opened --no-host)"
	mv gone visible
else
	skip 'the places that are looked into' 'there is no strace that works'
fi

# The vdso of this very kernel is in this process.
cat >vdso.pl <<'END'
open M, "<", "/proc/self/maps" or exit 1;
while (<M>) { ($from, $to) = (hex $1, hex $2) if /^(\w+)-(\w+) .*\[vdso\]$/ }
open V, "<", "/proc/self/mem" and $to and sysseek V, $from, 0 and sysread V, $image, $to - $from or exit 1;
$image =~ /\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0(.{20})/s or exit 1;
printf "build_id %s [vdso]\n", unpack "H*", $1;
print "event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME|PERIOD\n";
print "comm pid=5 comm=visitor time=1\n", "mmap pid=5 addr=0x10000 len=", $to - $from, " file=\"[vdso]\" time=2\n";
print "sample pid=5 time=3 ip=", 0x10000 + $_ * 16, "\n" for 0 .. ($to - $from) / 16 - 1;
END
if perl vdso.pl >vdso.mkperf 2>err && "$mkperf" -o vdso.data vdso.mkperf; then
	"$pdtool" collapse -q vdso.data | grep -q 'gettime'
	result "this very kernel's vdso is named" $?
	equal "this very kernel's vdso, --no-host" 'visitor;[[vdso]]' "$("$pdtool" collapse -q --no-host vdso.data | stacks | sed 's/ [0-9]*$//')"
else
	skip "this very kernel's vdso" 'it cannot be read, or has no build-id'
fi

# perf-PID.map files are taken from the directory that the user names, never from /tmp.
map=/tmp/perf-2147483000.map
if ( set -C; printf '1000 100 planted\n' >"$map" ) 2>/dev/null; then
	trap 'rm -rf "$tmp" "$map"' EXIT
	cat >jit.mkperf <<-END
	event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task \\
		sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD
	comm pid=2147483000 comm=jit time=1
	mmap pid=2147483000 addr=0x1000 len=0x1000 file=//anon time=2
	sample pid=2147483000 time=3 ip=0x1010 chain=[user:0x1010]
	END
	"$mkperf" -o jit.data jit.mkperf
	equal "/tmp's map is not used" 'jit;[perf-2147483000.map] 1' "$("$pdtool" collapse -q jit.data | stacks)"
	equal "/tmp's map is not used when unverified files are allowed" 'jit;[perf-2147483000.map] 1' \
		"$("$host_pdtool" collapse -q --allow-unverified jit.data | stacks)"
	equal 'but where it is named' 'jit;planted 1' "$("$pdtool" collapse -q --perf-map-dir /tmp jit.data | stacks)"
else
	skip "/tmp's map is not used" "/tmp cannot be written"
fi
