#!/bin/sh
# One capture in all its forms must read the same: each description of testdata/synthetic as file, pipe and PERFFILE, in
# both byte orders, plain and with zstd records, with attrs of several sizes, and compressed as a whole; from a file,
# standard input and a pipe; with one thread and with eight. What a reader must find does not depend on the form.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

# counts FILE: what `info` counts, but for the records that belong to the form. Damage takes as many bytes as it does there.
counts() {
	"$pdtool" info --counts --format csv "$1" 2>>err |
		grep -vE '^record,(COMPRESSED2?|HEADER_[A-Z_]*),|^warning_bytes,'
}

# digest FILE: all that is compared, as three checksums.
digest() {
	counts "$1" | cksum
	"$pdtool" collapse --format folded "$1" 2>>err | cksum
	"$pdtool" collapse --compat stackcollapse "$1" 2>>err | cksum
}

# make OUT OPTION...: the capture of $source in a form.
make_form() {
	out=$1
	shift
	"$mkperf" "$@" -o "$out" "$source" 2>mkperf.err
}

# form NAME OPTION...: this form must read as $want says.
form() {
	label=$1
	shift
	if ! make_form form.data "$@"; then
		fail "$base: $label" "mkperf: $(cat mkperf.err)"
		return
	fi
	: >err
	digest form.data >got
	forms=$((forms + 1))
	cmp -s want got && return
	fail "$base: $label" "reads otherwise than the plain little-endian file"
	counts form.data >got.counts
	diff want.counts got.counts | show /dev/stdin
	"$pdtool" collapse form.data 2>/dev/null | diff want.folded - | show /dev/stdin
	"$pdtool" collapse --compat stackcollapse form.data 2>/dev/null | diff want.compat - | show /dev/stdin
}

# The attr must hold what the event uses: branch_sample_type ends at 80, regs_user at 96, regs_intr at 104.
least_attr() {
	case $(cat "$source") in
	*sig_data=*) echo 128 ;;
	*aux_sample_size=*) echo 120 ;;
	*regs_intr=*) echo 104 ;;
	*regs_user=* | *clockid=*) echo 96 ;;
	*branch_sample_type=*) echo 80 ;;
	*) echo 64 ;;
	esac
}

all_forms() {
	least=$(least_attr)
	for mode in file pipe; do
		for endian in little big; do
			for zstd in '' --zstd --zstd2; do
				form "$mode $endian $zstd" --mode $mode --endian $endian $zstd
			done
			for size in 64 72 96 112 120 136 144 160 256; do
				[ "$size" -lt "$least" ] ||
					form "$mode $endian attr $size" --mode $mode --endian $endian --attr-size $size
			done
		done
	done
	for endian in little big; do
		form "pipe $endian unaligned" --mode pipe --endian $endian --align none
		form "pipe $endian unaligned --zstd" --mode pipe --endian $endian --align none --zstd
		[ "$least" -gt 72 ] || form "v1 $endian" --mode v1 --endian $endian
	done
}

# read_as NAME COMMAND...: the output of COMMAND, which reads the capture in its own way.
read_as() {
	label=$1
	shift
	if ! "$@" >got.folded 2>err; then
		fail "$base: $label" "status $?: $(head -n 1 err)"
	elif cmp -s want.folded got.folded; then
		forms=$((forms + 1))
	else
		fail "$base: $label" 'folded otherwise'
		diff want.folded got.folded | show /dev/stdin
	fi
}

through_cat() { cat "$1" | "$pdtool" collapse -; }
through_stdin() { "$pdtool" collapse - <"$1"; }
through_fifo() {
	rm -f fifo && mkfifo fifo
	cat "$1" >fifo &
	"$pdtool" collapse fifo
}

all_roads() {
	for mode in file pipe; do
		make_form "$mode.data" --mode $mode
		gzip -c "$mode.data" >"$mode.gz"
		xz -c "$mode.data" >"$mode.xz"
		bzip2 -c "$mode.data" >"$mode.bz2"
		zstd -q -c "$mode.data" >"$mode.zst"
		for file in $mode.data $mode.gz $mode.xz $mode.bz2 $mode.zst; do
			read_as "$file" "$pdtool" collapse $file
			read_as "$file, standard input" through_stdin $file
			read_as "$file, a pipe" through_cat $file
		done
		read_as "$mode.data, a FIFO" through_fifo $mode.data
		read_as "$mode.data -j1" "$pdtool" collapse -j1 $mode.data
		read_as "$mode.data -j8" "$pdtool" collapse -j8 $mode.data
		read_as "$mode.data, clang" "$clang" collapse $mode.data
		read_as "$mode.data, sanitized" "$san" collapse -j4 $mode.data
		read_as "$mode.data, sanitized, a pipe" sh -c 'cat "$1" | "$2" collapse -' - $mode.data "$san"
	done
}

# The captures' own sums: what a reader that found nothing would not have.
check_whole() {
	samples=$("$pdtool" info --counts --format csv plain.data 2>/dev/null | awk -F , '$1 == "event" { n += $3 } END { print n + 0 }')
	folded=$("$pdtool" collapse --weight samples plain.data 2>/dev/null | awk '{ n += $NF } END { print n + 0 }')
	if [ "$samples" -gt 0 ] && [ "$folded" -gt 0 ] && [ -s want.compat ]; then
		return
	fi
	case $base in
	ids-id | badid | allrecords | damage | tracepoints | sched* | switches) [ "$samples" -gt 0 ] && return ;; # no chains: no compat text
	esac
	fail "$base: plain" "$samples samples, $folded of them folded"
}

for source in "$data"/synthetic/*.mkperf; do
	base=$(basename "$source" .mkperf)
	forms=0
	if ! make_form plain.data; then
		fail "$base" "mkperf: $(cat mkperf.err)"
		continue
	fi
	: >err
	digest plain.data >want
	counts plain.data >want.counts
	"$pdtool" collapse plain.data >want.folded 2>err
	"$pdtool" collapse --compat stackcollapse plain.data >want.compat 2>err
	check_whole
	all_forms
	all_roads
	[ "$forms" -gt 40 ] && ok "$base in $forms forms" || fail "$base" "only $forms forms were compared"
done
