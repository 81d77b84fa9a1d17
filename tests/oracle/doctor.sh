#!/bin/sh
# doctor and bundle-list: shares that add up, what is missing, and that following what they say brings every name.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

# columns NAME...: of the CSV on standard input, tab-separated, without its first row.
columns() {
	perl -e 'sub row { my @f; my $l = <STDIN>; defined $l or return; chomp $l;
			push @f, defined $1 ? do { (my $q = $1) =~ s/""/"/g; $q } : $2
				while $l =~ /\G(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/g and $#f < 40 and ($-[0] < length $l or !@f or $l =~ /,$/);
			return \@f }
		my $head = row(); my %at; @at{@$head} = 0 .. $#$head;
		exists $at{$_} or die "no column $_\n" for @ARGV;
		while (my $r = row()) { print join("\t", map { $r->[$at{$_}] // "" } @ARGV), "\n" }' "$@"
}

event='event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm task
	sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD'
event=$(echo "$event" | tr '\n\t' '  ')

# ---- a capture that one can count by hand ----

# 4 samples: leaf in app, in app, in no mapping, none at all (the chain holds a marker alone); lib only calls.
cat >hand.mkperf <<END
host there
release 6.1.0-18-amd64
arch x86_64
build_id 00112233445566778899aabbccddeeff00112233 /opt/app
$event
comm pid=5 comm=app time=1
mmap pid=5 addr=0x1000 len=0x1000 file=/opt/app time=2
mmap pid=5 addr=0x8000 len=0x1000 file=/opt/lib.so time=2
mmap pid=5 addr=0x9000 len=0x1000 file=//anon time=2
sample pid=5 time=3 ip=0x1010 chain=[user:0x1010,0x8010,0x1020,0x8020]
sample pid=5 time=4 ip=0x1010 chain=[user:0x1010,0x8010,0x1020,0x8020]
sample pid=5 time=5 ip=0x20 chain=[user:0x20,0x9010]
sample pid=5 time=6 ip=0x9010 chain=[user:0x9010]
END
"$mkperf" -o hand.data hand.mkperf || exit 1
"$pdtool" doctor -q --format csv hand.data >hand.csv
columns module build_id arch leaf_percent stack_percent leaf_samples stack_samples frames named_frames addresses \
	only_calls missing <hand.csv >got
tr '|' '\t' >want <<'END'
/opt/app|00112233445566778899aabbccddeeff00112233|x86_64|50.00|50.00|2|2|4|0|2||symbols, line info
/opt/lib.so|none recorded|x86_64|0.00|50.00|0|2|4|0|2|yes|symbols, line info
/tmp/perf-5.map||x86_64|25.00|50.00|1|2|2|0|1||perf map
[no mapping]|||25.00|25.00|1|1|1|0|1||
END
same 'a table counted by hand' want got
"$pdtool" doctor -q hand.data >text
grep -q '^unresolved  *100.00% of frames (10 of 10: .*), 100.00% of leaves$' text && ok 'the unresolved share' ||
	fail 'the unresolved share' "$(grep '^unres' text)"
grep -q '^unnameable  *9.09% of all frames, 25.00% of leaves: .*: 1 sampled in no mapping that was recorded$' text &&
	ok 'what no file can name is a class of its own' || fail 'what no file can name is a class of its own' "$(grep '^unname' text)"
grep -q '^only callers  *1 modules, which perf archive omits: lib.so$' text && ok 'what perf archive forgets is said' ||
	fail 'what perf archive forgets is said' "$(grep '^only' text)"
grep -q '^no build-id  *1 modules, with 0.00% of the leaves: perf record --buildid-all' text && ok 'modules without a build-id' ||
	fail 'modules without a build-id' "$(grep '^no build' text)"
mkdir maps && printf '9000 100 jitted\n' >maps/perf-5.map
"$pdtool" doctor -q --perf-map-dir maps --format csv hand.data | columns module named_frames source trust missing >got
grep -qx "/tmp/perf-5.map	2	maps/perf-5.map	unverified	" got && ok 'a source without a build-id is unverified' ||
	fail 'a source without a build-id is unverified' "$(grep perf-5 got)"

# The capture's name in the commands.
cp hand.data "it's -x.data" && cp hand.data ./-x.data && cp hand.data "$(printf 'bad\033.data')"
said() { "$pdtool" doctor -q "$@" | sed -n 's/^get  *here: pdtool bundle-list \(.*\) >list$/\1/p'; }
equal 'a name with a quote' "'it'\\''s -x.data'" "$(said "it's -x.data")"
equal 'a name like an option' ./-x.data "$(said -- -x.data)"
equal 'a name that cannot be shown' perf.data "$(said "$(printf 'bad\033.data')")"
equal 'standard input' perf.data "$(said - <hand.data)"
rm -f -- "it's -x.data" -x.data "$(printf 'bad\033.data')"

# ---- the threshold ----

# status PERCENT: the exit status, 2 of the 10 frames that files can name being named
status() { "$pdtool" doctor --perf-map-dir maps "--max-unresolved=$1" hand.data >out 2>err; echo $?; }
equal 'below the threshold' 0 "$(status 80)"
equal 'above it' 4 "$(status 79)"
grep -q '^pdtool: 80.00% of frames have no name (limit 79.00%); of leaves 66.67%$' err && ok 'and both shares are said' ||
	fail 'and both shares are said' "$(cat err)"
equal 'a percent sign' 4 "$(status 79%)"
equal 'no threshold: 0' 0 "$("$pdtool" doctor hand.data >out 2>err; echo $?)"
for bad in x -1 '' nan 5x; do
	equal "--max-unresolved '$bad'" 2 "$(status "$bad")"
done

# ---- frames that no file can name, by cause; only they are left ----

# 4 of 12 frames are the jitted function's.
cat >junk.mkperf <<END
$event
comm pid=5 comm=app time=1
mmap pid=5 addr=0x9000 len=0x1000 file=//anon time=2
sample pid=5 time=3 ip=0x9010 chain=[user:0x9010,0x1,0x7fff0000]
sample pid=5 time=4 ip=0x9020 chain=[user:0x9020,0x3,0x9020,0x7ffe0000]
sample pid=5 time=5 ip=0x20 chain=[user:0x20]
sample pid=5 time=6 mode=kernel ip=0xffffffff81000000 chain=[kernel:0xffffffff81000000]
sample pid=5 time=7 mode=hv ip=0x40 chain=[hv:0x40,0x44]
sample pid=5 time=8 ip=0x9010 chain=[]
END
"$mkperf" -o junk.data junk.mkperf || exit 1
"$pdtool" doctor -q --perf-map-dir maps --max-unresolved 0 junk.data >text 2>err
equal 'only frames that no file can name are left: no threshold is passed' 0 $?
grep -q '^unresolved  *0.00% of frames (0 of 4: ' text && ok 'nothing is unresolved' || fail 'nothing is unresolved' "$(grep '^unres' text)"
equal 'each cause is told' '4 of call chains in no mapping (junk that frame pointers give), 1 sampled in no mapping that was recorded, 1 of the kernel in no part of it that was recorded, 2 of a hypervisor or of programs of a guest' \
	"$(sed -n 's/^unnameable  *66.67% of all frames, 50.00% of leaves: .* as unresolved: //p' text)"
"$pdtool" doctor -q --max-unresolved 0 junk.data >text 2>err
equal 'and without the perf map there is' 4 $?

# ---- what is advised where build-ids are missing ----

# advice LINES [CMDLINE]: of the line on build-ids, what follows the count
advice() {
	{ [ -z "$2" ] || echo "cmdline $2"; printf '%s\n' "$1"; grep -v '^build_id' hand.mkperf; } >advice.mkperf
	"$mkperf" -o advice.data advice.mkperf || exit 1
	"$pdtool" doctor -q advice.data | sed -n 's/^no build-id  *[0-9]* modules, with [0-9.]*% of the leaves[:;]* *//p'
}
app_id='build_id 00112233445566778899aabbccddeeff00112233 /opt/app' lib_id='build_id 00112233445566778899aabbccddeeff00112244 /opt/lib.so'
all='perf record --buildid-all keeps those of all modules, and perf inject -b on the recording machine adds them'
kept='the recorder kept those of all modules, so these files have none; --symbols and --symfs take a file by its path'
equal 'no build-id: record them' "$all" "$(advice "$app_id")"
equal 'and where perf says that it was told to' "$kept" "$(advice "$app_id" 'perf record -g --buildid-all -- app')"
equal 'with MMAP2 build-ids, too' "$kept" "$(advice "$app_id" 'perf record --buildid-mmap -a')"
equal 'a word of the program is none for perf' "$all" "$(advice "$app_id" 'perf record -g -- app --buildid-all')"
equal 'a build-id of a module that only calls tells the same' "$kept" "$(advice "$lib_id")"

# simpleperf has neither that option nor perf archive
"$pdtool" doctor -q "$data"/recorded/foreign/21-simpleperf-*.zst >text 2>err || fail 'a capture of simpleperf' "$(cat err)"
equal 'no advice of perf for a capture of simpleperf' 0 "$(grep -c 'perf record\|perf archive' text)"

# ---- containers, by their namespaces; a path of two files ----

ns() { echo "namespaces pid=$1 ns=[4:4026531833,4:4026531838,4:4026531839,4:$2,4:4026531837,4:$3,4:4026531835]"; }
contained() {
	printf '%s\n' "$event" "$@"
	cat <<-END
	comm pid=5 comm=app time=1
	comm pid=6 comm=jit time=1
	mmap2 pid=5 addr=0x1000 len=0x1000 file=/opt/app maj=8 min=1 ino=100 prot=5 time=2
	mmap2 pid=6 addr=0x1000 len=0x1000 file=/opt/app maj=8 min=1 ino=200 prot=5 time=2
	mmap pid=6 addr=0x9000 len=0x1000 file=//anon time=2
	sample pid=5 time=3 ip=0x1010 chain=[user:0x1010]
	sample pid=6 time=3 ip=0x1010 chain=[user:0x1010]
	sample pid=6 time=4 ip=0x9010 chain=[user:0x9010]
	END
}
contained "$(ns 1 4026531836 4026531841)" "$(ns 5 4026531836 4026531841)" "$(ns 6 4026532500 4026532501)" >ns.mkperf
"$mkperf" -o ns.data ns.mkperf || exit 1
"$pdtool" doctor -q --format csv ns.data | columns module root | sort >got
printf '%s\t%s\n' /opt/app '' /opt/app /proc/6/root /tmp/perf-6.map /proc/6/root >want
same 'modules of containers have their root' want got
"$pdtool" doctor -q ns.data >text
equal 'and are named' '2 modules have paths of another mount namespace (of a container, or of a service with directories of its own): /proc/6/root/opt/app, /proc/6/root/tmp/perf-6.map' "$(sed -n 's/^namespaces  *//p' text)"
equal 'a path of two files' '1 modules have the path of another file (in a container, a chroot, or replaced): /opt/app' "$(sed -n 's/^same path  *//p' text)"
grep -q '^get  *on the recording machine, as root: sh bundle.sh$' text && ok 'the script is advised for them' || fail 'the script is advised for them' "$(grep '^get' text)"
printf '%s\n' /opt/app /proc/6/root/opt/app /proc/6/root/tmp/perf-6.map | sort >want
"$pdtool" bundle-list -q ns.data | sort >got
same 'their paths are listed' want got
{ echo "build_id 00112233445566778899aabbccddeeff00112233 /opt/app"; cat ns.mkperf; } >id.mkperf && "$mkperf" -o id.data id.mkperf
equal 'with a build-id also as they stand' 1 "$("$pdtool" bundle-list -q id.data | grep -cx /opt/app)"
contained "$(ns 6 4026532500 4026532501)" >ns.mkperf && "$mkperf" -o ns.data ns.mkperf
equal 'without pid 1, by the pid namespace' 2 "$("$pdtool" doctor -q --format csv ns.data | columns root | grep -c /proc/6/root)"
contained "$(ns 6 4026531836 4026532501)" >ns.mkperf && "$mkperf" -o ns.data ns.mkperf
equal 'which may be the first one: not told' 0 "$("$pdtool" doctor -q --format csv ns.data | columns root | grep -c /proc/6/root)"

# ---- one line for many modules with another build-id ----

{
	i=0
	while [ $i -lt 100 ]; do
		i=$((i + 1))
		printf 'build_id 00112233445566778899aabbccddeeff0011%04d /opt/many%d\n' $i $i
	done
	printf '%s\n' "$event" 'comm pid=5 comm=app time=1'
	i=0
	while [ $i -lt 100 ]; do
		i=$((i + 1))
		printf 'mmap pid=5 addr=0x%x00000 len=0x100000 file=/opt/many%d time=2\n' $i $i
		printf 'sample pid=5 time=3 ip=0x%x00010 chain=[user:0x%x00010]\n' $i $i
	done
} >many.mkperf
"$mkperf" -o many.data many.mkperf || exit 1
mkdir -p many/opt
i=0
while [ $i -lt 100 ]; do
	i=$((i + 1))
	ln -s "$host_pdtool" many/opt/many$i
done
for command in doctor "info --names"; do
	# shellcheck disable=SC2086 # an option
	"$pdtool" $command -q --symfs many many.data >text
	equal "$command: one line for 100 modules with another build-id" 1 "$(grep -c '^refused' text)"
	grep -q '^refused .*: many/opt/many[0-9]* has build-id .*, recorded was [0-9a-f]*; the same with 99 more modules$' text &&
		ok "$command: and it counts them" || fail "$command: and it counts them" "$(grep '^refused' text | head -n 1)"
done

# ---- every capture there is, without a symbol: it works, and the shares add up ----

count=0
for source in "$data"/synthetic/*.mkperf; do
	"$mkperf" -o "$(basename "$source" .mkperf).data" "$source" || exit 1
done
for capture in *.data "$data"/recorded/*/*.data* "$data"/recorded/*/*/*.data* "$data"/broken/*; do
	[ -f "$capture" ] || continue
	"$pdtool" report -q --header --format csv "$capture" >report 2>/dev/null || continue
	name=$(basename "$capture")
	if ! "$pdtool" doctor -q --buildid-dir none --format csv "$capture" >csv 2>err; then
		fail "shares of $name" "$(head -n 1 err)"
		continue
	fi
	columns leaf_samples leaf_percent stack_samples frames named_frames <csv |
		awk -v want="$(sed -n 's/^# samples: \([0-9]*\) used.*/\1/p' report)" '
			{ n += $1; p += $2; if ($3 < $1 || $4 < $3 || $5 > $4) bad = $0 }
			END { if (bad) print "a row: " bad
				if (n != want) print n " samples, not " want
				if (n && sprintf("%.6f", p) != "100.000000") print p " %" }' >off
	if [ -s off ]; then
		fail "shares of $name" "$(tr '\n' ' ' <off)"
	else
		count=$((count + 1))
	fi
done
[ $count -ge 40 ] && ok "shares of $count captures add up" || fail 'shares of captures' "only $count"

# ---- what was refused, and the one that is right ----

bin=$data/symfs/tmp/bw/pub/binaries/bin
replaced=$data/recorded/x86_64/binaries/replaced.data
recorded=2ba9ba2ac31439ae5e26888b1398bd772f59cd5c rebuilt=f203a04f7a7e44cb54d2bc287dbe25d2e2676a80
mkdir -p root/tmp/bw/pub/binaries/bin "cache/.build-id/2b/${recorded#2b}"
cp "$bin/app.rebuilt" root/tmp/bw/pub/binaries/bin/app
cp "$bin/app.rebuilt" "cache/.build-id/2b/${recorded#2b}/elf"
"$pdtool" doctor -q --symfs root --buildid-dir cache "$replaced" >text
equal 'both refused files, with both build-ids' 2 "$(grep -c "^refused .* has build-id $rebuilt, recorded was $recorded$" text)"
cp "$bin/app" "cache/.build-id/2b/${recorded#2b}/elf"
"$pdtool" doctor -q --symfs root --buildid-dir cache --format csv "$replaced" |
	columns module source trust refused | grep '/app	' >got
printf '%s\t%s\tbuild-id\t%s\n' /tmp/bw/pub/binaries/bin/app "cache/.build-id/2b/${recorded#2b}/elf" \
	"root/tmp/bw/pub/binaries/bin/app ($rebuilt)" >want
same 'the source that was used beside the refused one' want got

# ---- packages by the kernel's release ----

while read -r release want; do
	sed "s/^release .*/release $release/" hand.mkperf >other.mkperf
	"$mkperf" -o other.data other.mkperf
	got=$("$pdtool" doctor -q --format csv other.data | columns module package | sed -n 's|^/opt/app	||p')
	equal "packages for $release" "$want" "$got"
done <<'END'
6.1.0-18-amd64 grep-aptavail -n -s Package -F Build-IDs 00112233445566778899aabbccddeeff00112233
6.12.74+deb13+1-arm64 grep-aptavail -n -s Package -F Build-IDs 00112233445566778899aabbccddeeff00112233
5.15.0-91-generic grep-aptavail -n -s Package -F Build-IDs 00112233445566778899aabbccddeeff00112233
6.5.6-300.fc39.x86_64 dnf --enablerepo='*debug*' install /usr/lib/debug/.build-id/00/112233445566778899aabbccddeeff00112233.debug
5.14.0-362.el9.x86_64 dnf --enablerepo='*debug*' install /usr/lib/debug/.build-id/00/112233445566778899aabbccddeeff00112233.debug
5.14.21-150500.55.19-default zypper install -C 'debuginfo(build-id)=00112233445566778899aabbccddeeff00112233'
6.6.1-arch1-1
6.1.55
6.1;id;-amd64
-x-amd64
END
equal 'an unknown distribution is said once' 1 "$("$pdtool" doctor -q other.data | grep -c '^distribution')"

# ---- paths ----

# A file of each name, in a directory to be packed, and in a capture. tar reads the list as it is.
mkdir -p "$tmp/names/-dir"
: >names.mkperf
printf '%s\n' "$event" 'comm pid=5 comm=app time=1' >names.mkperf
n=0
name() { # name AS-MKPERF-WRITES-IT AS-PRINTF-WRITES-IT
	n=$((n + 1))
	# shellcheck disable=SC2059
	file=$(printf -- "$2x")
	printf 'contents %s' $n >"$tmp/names/${file%x}"
	printf 'mmap pid=5 addr=0x%x000 len=0x1000 file="%s/names/%s" time=2\nsample pid=5 time=3 ip=0x%x010 chain=[user:0x%x010]\n' \
		$n "$tmp" "$1" $n $n >>names.mkperf
}
name plain plain
name 'two words ' 'two words '
name '-C' '-C'
name '--checkpoint-action=exec=false' '--checkpoint-action=exec=false'
name '\"quoted\"' '"quoted"'
name "it's" "it's"
name 'new\nline' 'new\nline'
name '\n' '\n'
name 'esc\x1b[31m' 'esc\033[31m'
name 'back\\slash' 'back\\slash'
name 'back\\nslash' 'back\\nslash'
name '\\' '\\'
name 'bad\xff\xfe1' 'bad\377\3761'
name 'star*[a]?' 'star*[a]?'
name 'tab\t' 'tab\t'
name '#comment' '#comment'
name 'uml\xc3\xa4ut' 'uml\303\244ut'
name '$$(id)' '$(id)'
for path in /dev/zero '/memfd:x (deleted)' "$tmp/names/plain (deleted)" '[vdso]' '[stack]' relative ../names/plain / //anon \
	/SYSV00000000 "$tmp/names/-dir/" "$tmp/names/../plain" /proc/self/exe /sys/kernel/notes; do
	n=$((n + 1))
	printf 'mmap pid=5 addr=0x%x000 len=0x1000 file="%s" time=2\nsample pid=5 time=3 ip=0x%x010 chain=[user:0x%x010]\n' \
		$n "$path" $n $n >>names.mkperf
done
"$mkperf" -o names.data names.mkperf || exit 1
"$pdtool" bundle-list -q names.data | grep -v '^/tmp/perf-5.map$' >list
equal 'a line for each file, none for what is none' 18 "$(grep -c '' list)"
grep -qv "^$tmp/names/" list && fail 'lines begin with the path' "$(grep -v "^$tmp/names/" list)" || ok 'lines begin with the path'
LC_ALL=C grep -q '[[:cntrl:]]' list && fail 'no control bytes' "$(LC_ALL=C grep -c '[[:cntrl:]]' list) lines" || ok 'no control bytes'
if tar --version 2>/dev/null | grep -q GNU; then
	tar czf plain.tgz -T list 2>err
	equal "tar takes the list as it is" 0 $?
	tar czhf syms.tgz --no-recursion --ignore-failed-read -T list 2>err
	equal 'and with the options of the recipe' 0 $?
	rm -rf unpacked && mkdir unpacked && tar xzf syms.tgz -C unpacked
	diff -r "$tmp/names" "unpacked/$tmp/names" >difference
	grep -v 'Only in .*: -dir$' difference >left
	[ ! -s left ] && ok 'every file is there, byte by byte' || { fail 'every file is there, byte by byte' ''; show left; }
	# A capture may claim anything: directories are not entered, what is absent is passed over.
	{ cat list; echo /nowhere/at/all; echo "$top"; } >longer
	tar czhf syms.tgz --no-recursion --ignore-failed-read -T longer 2>err
	equal 'an absent file is no failure' 0 $?
	equal 'a directory is not entered' 19 "$(tar tzf syms.tgz | grep -c '')"
else
	skip 'tar takes the list' 'tar is not GNU tar'
fi
# The line for one module alone, run as it stands.
"$pdtool" doctor -q --format csv names.data | columns tar | grep "$tmp/names/" >lines
equal 'modules with a line of their own' 18 "$(grep -c '' lines)"
if tar --version 2>/dev/null | grep -q GNU; then
	rm -rf alone && mkdir alone
	while IFS= read -r line; do
		rm -f syms.tgz
		sh -c "$line" 2>/dev/null </dev/null && tar xzf syms.tgz -C alone || fail 'the line of a module' "$line"
	done <lines
	equal 'each of them packs its file' 18 "$(find "alone/$tmp/names" -type f -exec echo x ';' | grep -c x)"
	diff -r "$tmp/names" "alone/$tmp/names" | grep -v 'Only in .*: -dir$' >left
	[ ! -s left ] && ok 'byte by byte' || { fail 'byte by byte' ''; show left; }
fi
for command in doctor bundle-list; do
	hostile=
	for format in text csv json; do
		for program in "$pdtool" "$san"; do
			[ -x "$program" ] || continue
			"$program" $command -v --format $format names.data >out 2>err
			code=$?
			if [ $code != 0 ]; then
				hostile=1
				fail "hostile paths: $command as $format" "status $code"
			elif LC_ALL=C tr -d '\n' <out | LC_ALL=C grep -q '[[:cntrl:]]'; then
				hostile=1
				fail "hostile paths: $command as $format" 'control bytes'
			fi
		done
	done
	[ -n "$hostile" ] || ok "hostile paths: $command"
	if command -v python3 >/dev/null && python3 -c 1 2>/dev/null; then
		"$pdtool" $command -q --format json names.data | python3 -c 'import json, sys; json.load(sys.stdin)' 2>err &&
			ok "$command: JSON" || fail "$command: JSON" "$(tail -n 1 err)"
	elif perl -MJSON::PP -e 1 2>/dev/null; then
		"$pdtool" $command -q --format json names.data | perl -MJSON::PP -e 'local $/; decode_json(<STDIN>)' 2>err &&
			ok "$command: JSON" || fail "$command: JSON" "$(tail -n 1 err)"
	else
		skip "$command: JSON" 'there is neither python3 nor JSON::PP'
	fi
done
"$pdtool" bundle-list -q --cache relative hand.data >out 2>err
equal 'a cache that is no absolute path' 2 $?

# What the kernel makes up when it is read is stored as empty: the reason for the copy in the recipe.
if tar czf proc.tgz /proc/kallsyms 2>/dev/null; then
	equal 'tar stores /proc/kallsyms as 0 bytes' 0 "$(tar xzOf proc.tgz | wc -c | tr -d ' ')"
fi

# What can only come from perf's cache, and what a just-in-time compiler leaves.
id=aabbccddeeff00112233445566778899aabbccdd
cat >jit.mkperf <<END
build_id $id "[vdso]"
build_id ${id%dd}ee "/opt/old.so (deleted)"
build_id ${id%dd}ff /opt/app
$event
comm pid=5 comm=app time=1
mmap pid=5 addr=0x1000 len=0x1000 file=/opt/app time=2
mmap pid=5 addr=0x2000 len=0x1000 file="/opt/old.so (deleted)" time=2
mmap pid=5 addr=0x3000 len=0x1000 file="[vdso]" time=2
mmap pid=5 addr=0x4000 len=0x1000 file=//anon time=2
mmap pid=5 addr=0x5000 len=0x1000 file=/var/x/jit-5.dump time=2
mmap pid=5 addr=0x6000 len=0x1000 file=/opt/unused.so time=2
sample pid=5 time=3 ip=0x1010 chain=[user:0x1010,0x2010,0x3010,0x4010]
END
"$mkperf" -o jit.data jit.mkperf || exit 1
"$pdtool" bundle-list -q jit.data | sort >got
sort >want <<END
/opt/app
/usr/lib/debug/.build-id/aa/${id#aa}
/usr/lib/debug/.build-id/aa/bbccddeeff00112233445566778899aabbccee.debug
/usr/lib/debug/.build-id/aa/bbccddeeff00112233445566778899aabbccff.debug
/root/.debug/.build-id/aa/bbccddeeff00112233445566778899aabbccee/elf
/root/.debug/.build-id/aa/bbccddeeff00112233445566778899aabbccdd/vdso
/tmp/perf-5.map
/var/x/jit-5.dump
END
grep -v "/aa/${id#aa}$" want >w && mv w want
same 'the list of a capture' want got
"$pdtool" bundle-list -q --cache /home/x/.debug jit.data | grep -c '^/home/x/.debug/' >got
equal "with the recorder's cache" 5 "$(cat got)"


