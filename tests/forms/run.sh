#!/bin/sh
# One capture in all its forms must read the same: each description of testdata/synthetic as file, pipe and PERFFILE, in
# both byte orders, plain and with zstd records, with attrs of several sizes, and compressed as a whole; from a file,
# standard input and a pipe; with one thread and with eight. What a reader must find does not depend on the form.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

# What belongs to the form is left out of what is compared. Damage takes as many bytes as it does there.
form_only='^record,(COMPRESSED2?|HEADER_[A-Z_]*),|^warning_bytes,'
# How a capture is read: by the name of the output.
reading() {
	echo "$1.counts info --counts --format csv $1.data"
	echo "$1.folded collapse --format folded $1.data"
	echo "$1.compat collapse --compat stackcollapse $1.data"
	echo "$1.summary summary --format csv $1.data"
}

# form NAME OPTION...: the capture of $source in this form, to be made and read with the others of its byte order.
form() {
	label=$1
	shift
	forms=$((forms + 1))
	set -- "$@" -o f$forms.data
	also="$also${also:+ --also} $*"
	reading f$forms >>list
	echo "f$forms $label" >>labels
}

# All forms of one capture are read by one process; each output must be that of the plain little-endian file.
compare_forms() {
	"$many" <list >statuses 2>err || fail "$base" "the process that reads them all: $(tail -n 1 err)"
	awk -v form_only="$form_only" '
		FILENAME ~ /^f[0-9]+[.]counts$/ && $0 ~ form_only { next }
		FILENAME ~ /[.]summary$/ && /^next,/ { next } # with the name of the file
		{ text[FILENAME] = text[FILENAME] $0 "\n" }
		FILENAME == "labels" { name[++n] = $1 }
		END {
			split("counts folded compat summary", kind, " ")
			for (i = 1; i <= n; i++)
				for (k in kind)
					if (text["want." kind[k]] != text[name[i] "." kind[k]])
						print name[i], kind[k]
		}' labels want.* f*.counts f*.folded f*.compat f*.summary >differ
	while read -r name kind; do
		fail "$base: $(sed -n "s/^$name //p" labels)" "$kind: reads otherwise than the plain little-endian file"
		grep -vE "$form_only" "$name.$kind" | diff "want.$kind" - | show /dev/stdin
	done <differ
	forms=$((forms - $(cut -d ' ' -f 1 differ | sort -u | grep -c .)))
	rm -f f[0-9]*
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

forms_of_order() {
	for mode in file pipe; do
		for zstd in '' --zstd --zstd2; do
			form "$mode $endian $zstd" --mode $mode $zstd
		done
		for size in 64 72 96 112 120 136 144 160 256; do
			[ "$size" -lt "$least" ] || form "$mode $endian attr $size" --mode $mode --attr-size $size
		done
	done
	form "pipe $endian unaligned" --mode pipe --align none
	form "pipe $endian unaligned --zstd" --mode pipe --align none --zstd
	[ "$least" -gt 72 ] || form "v1 $endian" --mode v1
}

all_forms() {
	least=$(least_attr)
	: >list >labels
	for endian in little big; do
		also=
		forms_of_order
		# shellcheck disable=SC2086
		"$mkperf" --endian $endian $also "$source" 2>mkperf.err || fail "$base: $endian" "mkperf: $(cat mkperf.err)"
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
		"$mkperf" --mode $mode -o $mode.data "$source"
		gzip -c "$mode.data" >"$mode.gz"
		xz -1 -c "$mode.data" >"$mode.xz"
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
		read_as "$mode.data, clang, sanitized" "$san" collapse -j4 $mode.data
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
	if ! "$mkperf" -o plain.data "$source" 2>mkperf.err; then
		fail "$base" "mkperf: $(cat mkperf.err)"
		continue
	fi
	for kind in counts folded compat summary; do : >want.$kind; done
	reading plain | "$many" >statuses 2>err
	grep -vE "$form_only" plain.counts >want.counts
	mv plain.folded want.folded
	mv plain.compat want.compat
	mv plain.summary want.summary
	check_whole
	all_forms
	compare_forms
	all_roads
	[ "$forms" -gt 40 ] && ok "$base in $forms forms" || fail "$base" "only $forms forms were compared"
done
