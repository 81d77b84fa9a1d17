#!/bin/sh
# The options of peers: each that is said to work does, by a command that is run with and without it; those that are left out
# stand in the manual with the reason, and are at most a quarter. See README.md here.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

here=$top/tests/parity
x86=$data/recorded/x86_64
# what the command lines of the tables name
# shellcheck disable=SC2034
{
	base=$x86/diff_pair/base1.data.zst base2=$x86/diff_pair/base2.data.zst slow=$x86/diff_pair/slow1.data.zst
	group=$x86/multi_event/group.data multi=$x86/multi_event/multi.data.zst clock=$x86/modes/clock.data
	sched=$x86/sched/nospin.data.zst loaded=$x86/sched/flat.data.zst woken=$x86/sched/sw_wakeup.data.zst
	mixed=$data/recorded/script/mixed2.data.zst chains=$data/recorded/script/cpu-g.data.zst
	switches=$data/recorded/script/switch.data.zst spaces=$data/recorded/script/ns.data.zst
	cgroups=$data/recorded/script/cgroup.data.zst losses=$data/recorded/script/lost.data.zst
	counters=$data/recorded/stat/stat.data.zst cpus=$data/recorded/stat/stat-a.data.zst
	accesses=accesses.data printed=text/612.all runs=text/612.append.txt
	shared_lines=shared_lines.data
	traced=$data/recorded/syscalls/sys1.data.zst lbr=$data/recorded/android/sp_lbr.data.zst
	block=$x86/block/q1.data.zst calls=$x86/calls/all.data.zst basic=basic.data
	names="--buildid-dir $data/buildid --kallsyms $x86/kallsyms" deep="--symfs deep/i386 deep.data" echo=21366
}
for source in basic offcpu tracepoints; do
	"$mkperf" -o $source.data "$data/synthetic/$source.mkperf"
done
"$mkperf" -o accesses.data "$top/tests/oracle/mem.mkperf"
"$mkperf" -o shared_lines.data "$top/tests/oracle/c2c.mkperf"
for file in "$here"/*.mkperf; do
	[ ! -f "$file" ] || "$mkperf" -o "$(basename "$file" .mkperf).data" "$file"
done
[ ! -d "$here/input" ] || cp "$here"/input/* .
zstd -dcq "$base" | gzip >packed.gz

mkdir -p deep maps java sources/tmp/bw/srcs "$HOME/.cache"
tar xJf "$data/annotate/deep.tar.xz" -C deep
printf '\n\n\n\n\n\nwhole path of line 7\n' >sources/tmp/bw/srcs/ab.c
printf '\n\n\n\n\n\nname of line 7\n' >sources/ab.c
printf '7e0020000000 100 jit one(int)\n7e0020000100 40 jit two\n' >maps/perf-101.map

printf '7e0020000000 100 Lorg/mozilla/javascript/MemberBox;.<init>(I)V\n' >java/perf-101.map
printf 'ffffffff81000000 T vfs_toy\nffffffff81001000 T end\n' >symbols
printf 'ffffffff81000000 T _ZN3foo3barEv\nffffffff81001000 T end\n' >mangled
printf 'ffffffff81000000 T _text\nffffffff81000400 t default_idle\nffffffff81000440 T _etext\n' >idle
printf '\t.globl vfs_toy\nvfs_toy:\t.skip 4096\n' >kernel.s
zstd -dcq "$data/recorded/script/symfs.tar.zst" | tar -xf -
mkdir -p src && seq -f 'line %g' 40 >src/sample.c # a stand-in for the source of its program
zstd -dcq "$data/recorded/stat/text.tar.zst" | tar -xf - text
gzip -dc "$data/recorded/script/kallsyms.gz" >kallsyms.script
printf '\t.globl _start\n_start:\t.skip 8, 0x90\n\tjmp _start\n' >branched.s
mkdir -p branched && gcc -nostdlib -static -Wl,--build-id=none -o branched/branched branched.s 2>err || fail branched "$(cat err)"
gcc -nostdlib -static -Wl,-e,vfs_toy,-Ttext=0xffffffff81000000,--build-id=none -o vmlinux kernel.s 2>err || fail vmlinux "$(cat err)"

# lines of all tables: section, options, command line, expectation, note, separated by tabs
awk -F ' [|] ' '
	/^#/ || /^$/ { next }
	/^== / { section = substr($1, 4); next }
	{ print section "\t" $1 "\t" $2 "\t" $3 "\t" $4 }' "$here"/*.txt >rows

# words of a command line: with | without | the option (between the brackets) | its first word
part() {
	printf '%s\n' "$2" | awk -v part="$1" -v first="${3:-}" '{
		for (i = 1; i <= NF; i++) {
			if ($i == "[") { inside = 1; begun = 0; continue }
			if ($i == "]") { inside = 0; continue }
			word = $i
			if (inside && !begun++) {
				if (part == "first") { print word; exit }
				if (first != "") word = first
			}
			if (!inside || part == "with") out = out " " word
		}
		print out
	}'
}
# what command lines pipe into: the sum of the last column; the frame of a drawing that is topmost
total() { awk -F '[ ,]' '!/^#/ { n += $NF } END { print n }'; }
topmost() { sed -n 's/^<g.*<title>\([a-z]*\) .* y="\([0-9.]*\)" .*/\2 \1/p' | sort -n | sed -n '1s/.* //p'; }
# run FILE COMMAND LINE
try() {
	(
		set -- "$1" "$2"
		eval "\"\$pdtool\" $2" >"$1" 2>"$1.err" </dev/null
	)
	echo $? >"$1.status"
}
found() { grep -qE -e "$1" "$2"; }

# check NAME COMMAND EXPECTATION NOTE: prints what is wrong
check() {
	try with "$(part with "$2")"
	case $(cat with.status) in 0 | 3 | 4 | 5) ;; *) echo "status $(cat with.status): $(head -c 300 with.err)" && return ;; esac
	case $2 in
	*' [ '*) try without "$(part without "$2")" ;;
	*) : >without ;;
	esac
	case $3 in
	same)
		[ -n "$4" ] || echo 'no note says why nothing has to happen'
		[ -s with ] || echo 'nothing was written'
		cmp -s with without || echo 'the output is not the same'
		;;
	+*)
		found "${3#+}" with || { echo 'not found with it:' && head -n 8 with | cut -c 1-160; }
		! found "${3#+}" without || echo 'found without it, too'
		;;
	-*)
		[ -s with ] || echo 'nothing was written'
		found "${3#-}" without || { echo 'not found without it:' && head -n 8 without | cut -c 1-160; }
		! found "${3#-}" with || echo 'found with it, too'
		;;
	*) echo "no expectation: $3" ;;
	esac
	given=$(part first "$2" | cut -d = -f 1) known=${1%%[~=]*}
	case /$known/ in
	*"/$given/"*) ;;
	*)
		[ -n "$4" ] || echo 'it is another name: no note says which'
		return
		;;
	esac
	for alias in $(echo "$known" | tr / ' '); do
		[ "$alias" = "$given" ] && continue
		try alias "$(part with "$2" "$alias")"
		cmp -s with alias || echo "$alias is not the same: $(head -c 300 alias.err)"
	done
}

: >counted
tab=$(printf '\t')
while IFS=$tab read -r section options line expectation note; do
	if [ "$line" = out ]; then
		# shellcheck disable=SC2086
		set -- $options
		echo "out $#" >>counted
		[ -n "$expectation" ] || fail "$section $options" 'no reason'
		continue
	fi
	wrong=$(check "$options" "$line" "$expectation" "$note")
	if [ -z "$wrong" ]; then
		ok "$section: $options"
	else
		fail "$section: $options" "$wrong"
	fi
	[ "$expectation" = same ] && echo 'same 1' >>counted || echo 'works 1' >>counted
done <rows

awk -f "$here/page.awk" "$here"/*.txt >page
same 'pdtool-peers(7) says the same (make docs writes it)' page "$top/cli/man/pdtool-peers.7"

awk '{ n[$1] += $2 }
	END {
		all = n["works"] + n["same"] + n["out"]
		printf "%d options: %d work, %d are accepted and need no effect, %d are left out (%.1f %%)\n", all, n["works"],
			n["same"], n["out"], all ? 100 * n["out"] / all : 100
		exit !(all > 100 && n["out"] * 4 <= all)
	}' counted >numbers
result "at most a quarter is left out" $? "$(cat numbers)"
sed 's/^/ /' numbers
