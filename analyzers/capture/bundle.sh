#!/bin/sh
# Collects, on the machine that recorded it, the files that name a capture: also debug files that
# only the binaries know of, and files of containers. Made by "pdtool bundle-list --script".
#
#     sh THIS [-l] [-o ARCHIVE] [-r DIR]...
#
# -l  print the list of files, for tar -T, and make no archive
# -o  the archive (syms.tgz)
# -r  a root directory more, of a container, a chroot or an unpacked image
#
# Needs a POSIX shell, its usual tools and tar, no binutils: readelf only helps with debug
# information that is packed. Needs root for containers and for the symbols of the kernel.
# The list of files at the end comes from the capture. It is data: no word of it is run, and only
# what is an ELF file, a kernel module, a perf map or a jitdump by its contents is packed.
set -uf
LC_ALL=C
export LC_ALL
umask 077
unset CDPATH
list= archive=syms.tgz roots=
nl='
'
while getopts lo:r: option; do
	case $option in
	l) list=1 ;;
	o) archive=$OPTARG ;;
	r) roots=$roots${OPTARG%/}$nl ;;
	*) exit 2 ;;
	esac
done
case $archive in /*) ;; *) archive=$PWD/$archive ;; esac

say() { printf '%s\n' "$*" | tr -c '\n\040-\176' '?' >&2; }

# ---- ELF, by od: a recorder's files have the byte order of its machine ----

case $(printf '\001\000' | od -An -v -tu2) in *256*) low=1 ;; *) low=0 ;; esac

# words FILE OFFSET COUNT: the u32 there, in $words.
words() { words=$(od -An -v -tu4 -j "$2" -N $((4 * $3)) "$1" 2>/dev/null || :); }
# head_of FILE: its first 6 bytes, in $head.
head_of() { head=$(od -An -v -tx1 -N 6 "$1" 2>/dev/null | tr -d ' \n'); }
# join LOW HIGH, which stand in the order of this machine.
join() { [ $low = 0 ] && joined=$(($1 | $2 << 32)) || joined=$(($2 | $1 << 32)); }

# elf FILE: sets id, debuglink, altlink, alt_id, strings ("OFFSET SIZE" of what may name .dwo files), packed.
elf() {
	id= debuglink= altlink= alt_id= strings= packed=
	head_of "$1"
	case $head in
	7f454c4602*) wide=1 at=40 size=16 ;;
	7f454c4601*) wide= at=32 size=10 ;;
	*) return 1 ;;
	esac
	case $head$low in 7f454c46??010 | 7f454c46??021) ;; *) return 0 ;; esac # of another byte order
	words "$1" $at $((wide ? 6 : 5))
	# shellcheck disable=SC2086
	set -- "$1" $words
	if [ -n "$wide" ]; then
		[ $# = 7 ] || return 0
		join "$2" "$3"
		last=$7
	else
		[ $# = 6 ] || return 0
		joined=$2 last=$6
	fi
	table=$joined
	# e_shnum and e_shstrndx are the last two u16
	[ $low = 0 ] && count=$((last & 65535)) index=$((last >> 16)) || count=$((last >> 16)) index=$((last & 65535))
	[ "$count" -gt 0 ] && [ "$count" -le 2000 ] && [ "$index" -lt "$count" ] || return 0
	read_sections "$1"
}

# section_of WORD...: kind, offset, length of a section header, and whether it is packed.
section_of() {
	name=$1 kind=$2
	if [ -n "$wide" ]; then
		[ $low = 0 ] && flags=$3 || flags=$4
		join "$7" "$8"
		offset=$joined
		join "$9" "${10}"
		length=$joined
	else
		flags=$3 offset=$5 length=$6
	fi
	[ $((flags & 2048)) = 0 ] && is_packed= || is_packed=1
}

# find_names: the offsets of the section names that matter, in $at_NAME. The names are one text of names, each with a slash behind.
find_names() {
	at_link=-1 at_alt=-1 at_str=-1 at_line=-1 at_addr=-1 position=0
	IFS=/
	for word in $1; do
		case $word in
		.gnu_debuglink) at_link=$position ;;
		.gnu_debugaltlink) at_alt=$position ;;
		.debug_str) at_str=$position ;;
		.debug_line_str) at_line=$position ;;
		.debug_addr) at_addr=$position ;;
		esac
		position=$((position + ${#word} + 1))
	done
	unset IFS
}

# piece FILE OFFSET LENGTH: these bytes, and some behind them.
piece() {
	dd "if=$1" bs=4096 skip=$(($2 / 4096)) count=$((($2 % 4096 + $3) / 4096 + 1)) 2>/dev/null | tail -c +$(($2 % 4096 + 1))
}
# exactly FILE OFFSET LENGTH: these bytes.
exactly() { dd "if=$1" bs=1 "skip=$2" "count=$3" 2>/dev/null; }

read_sections() {
	file=$1
	words "$file" $((table + index * size * 4)) $size
	# shellcheck disable=SC2086
	set -- $words
	[ $# = $size ] || return 0
	section_of "$@"
	[ $length -le 65536 ] || return 0
	find_names "$(exactly "$file" "$offset" "$length" | tr '\000\n/' '/??')"
	words "$file" "$table" $((count * size))
	# shellcheck disable=SC2086
	set -- $words
	found= uses_addr=
	while [ $# -ge $size ]; do
		section_of "$@"
		shift $size
		[ "$kind" != 7 ] || [ -n "$id" ] || note "$file" "$offset" "$length"
		case $name in
		"$at_link") debuglink=$(exactly "$file" "$offset" $((length < 4096 ? length : 4096)) | tr '\n\000' '?\n' | sed -n 1p) ;;
		"$at_alt") alternate "$file" "$offset" "$length" ;;
		"$at_str" | "$at_line")
			found="$found $offset $length"
			packed=$packed$is_packed ;;
		"$at_addr") uses_addr=1 ;;
		esac
	done
	[ -z "$uses_addr" ] || strings=$found
}

# note FILE OFFSET LENGTH: $id of the notes there.
note() {
	[ "$3" -le 4096 ] || return 0
	note_file=$1 note_at=$2
	words "$1" "$2" $(($3 / 4))
	# shellcheck disable=SC2086
	set -- $words
	while [ $# -ge 4 ]; do
		skip=$(((($1 + 3) / 4 + ($2 + 3) / 4) + 3))
		case $1:$3:$4 in
		4:3:5590599 | 4:3:1196315904)
			[ "$2" -gt 64 ] || id=$(od -An -v -tx1 -j $((note_at + 16)) -N "$2" "$note_file" | tr -d ' \n')
			return ;;
		esac
		[ $skip -le $# ] && [ $skip -ge 3 ] || return 0
		shift $skip
		note_at=$((note_at + 4 * skip))
	done
}

# alternate FILE OFFSET LENGTH: a name and a build-id.
alternate() {
	[ "$3" -le 4096 ] || return 0
	altlink=$(exactly "$1" "$2" "$3" | tr '\n\000' '?\n' | sed -n 1p)
	alt_id=$(od -An -v -tx1 -j $(($2 + ${#altlink} + 1)) -N $(($3 - ${#altlink} - 1)) "$1" | tr -d ' \n')
}

# ---- what is taken ----

taken=0 missing=0
stage=$(mktemp -d) || exit 1
trap 'rm -rf "$stage"' EXIT
trap 'exit 1' HUP INT TERM
work=$stage/names packing=$stage/root
mkdir "$packing" || exit 1

# line PATH: as tar -T reads it.
line() {
	case $1 in
	*\\* | *"$nl"*) ;;
	*) printf '%s\n' "$1" && return ;;
	esac
	for byte in $(printf '%s' "$1" | od -An -v -to1); do
		printf '\\%s' "$byte"
	done
	echo
}

# keep FILE AS: into the archive, under the name AS, or where no other file has its place.
keep() {
	taken=$((taken + 1))
	if [ -n "$list" ]; then
		line "$1"
		return
	fi
	as=$packing$2
	case $2 in */../*) as=$packing/more/$taken/${2##*/} ;; esac
	if [ -h "$as" ]; then
		[ ! "$1" -ef "$as" ] || return 0
		as=$packing/more/$taken/${2##*/}
	fi
	mkdir -p "${as%/*}" && ln -s "$1" "$as"
}

# ---- debug files ----

# debug_file ROOT PATH ID: the file there, if it is ELF and has the id; sets $debug.
debug_file() {
	[ -f "$1$2" ] || return 1
	elf "$1$2" || return 1
	[ -z "$3" ] || [ "$id" = "$3" ] || return 1
	debug_root=$1 debug=$2
	keep "$1$2" "$2"
}

# filed ID: the path that a debug file with this build-id has.
filed() { rest=${1#??} && filed=/usr/lib/debug/.build-id/${1%"$rest"}/$rest.debug; }

# in_roots ROOT PATH ID: debug_file in that root, else on the machine itself.
in_roots() { debug_file "$1" "$2" "$3" || { [ -n "$1" ] && debug_file "" "$2" "$3"; }; }

# called ROOT PATH: what the file there that elf() has looked at calls for: its alternate file, its .dwo files, its package.
called() {
	call_root=$1 call_path=$2 call_alt=$altlink call_id=$alt_id call_strings=$strings call_packed=$packed
	in_roots "$1" "$2.dwp" '' || :
	if [ -n "$call_alt" ]; then
		filed "$call_id"
		case $call_alt in /*) ;; *) call_alt=${call_path%/*}/$call_alt ;; esac
		in_roots "$1" "$call_alt" "$call_id" || in_roots "$1" "$filed" "$call_id" ||
			say "$call_path: no alternate file $call_alt"
	fi
	# shellcheck disable=SC2086
	[ -z "$call_strings" ] || split_files "$1$2" $call_strings
}

# strings_of FILE OFFSET LENGTH...: those of its debug information, a line each.
strings_of() {
	if [ -n "$call_packed" ]; then
		readelf -z -p .debug_str -p .debug_line_str "$1" 2>/dev/null | sed -n 's/^ *\[ *[0-9a-f]*\] *//p'
		return
	fi
	strings_file=$1
	shift
	while [ $# -ge 2 ]; do
		piece "$strings_file" "$1" "$2" | tr '\n\000' '?\n'
		echo
		shift 2
	done
}

# split_files FILE OFFSET LENGTH...: the .dwo files that strings of the file name: absolute, or in a directory that they name.
split_files() {
	all=$(strings_of "$@" | sed -n '/\.dwo$/p; /^\//p')
	[ -n "$all" ] || [ -z "$call_packed" ] ||
		say "$call_path: its debug information is packed, so that without readelf its .dwo files are not known"
	dirs=$(printf '%s\n' "$all" | sed -n '/\.dwo$/d; /^\//p' | sort -u)
	printf '%s\n' "$all" | sed -n '/\.dwo$/p' | sort -u >"$work"
	while IFS= read -r dwo; do
		split_file "$dwo" || say "$call_path: no split file $dwo"
	done <"$work"
}

# split_file NAME
split_file() {
	case $1 in
	/*)
		in_roots "$call_root" "$1" ''
		return ;;
	esac
	IFS=$nl
	for dir in $dirs; do
		unset IFS
		in_roots "$call_root" "$dir/$1" '' && return
	done
	unset IFS
	return 1
}

# extras ROOT PATH: the debug files of the binary there.
extras() {
	elf "$1$2" || return 0
	own_id=$id own_link=$debuglink debug=
	called "$1" "$2"
	{ [ -n "$own_id" ] && filed "$own_id" && in_roots "$1" "$filed" "$own_id"; } ||
		{ [ -n "$own_link" ] && linked "$1" "${2%/*}" "$own_link" "$own_id"; } ||
		in_roots "$1" "/usr/lib/debug$2.debug" "$own_id" || return 0
	called "$debug_root" "$debug"
}

# linked ROOT DIR NAME ID: where a debug file of this name may be.
linked() {
	case $3 in */* | '') return 1 ;; esac
	in_roots "$1" "$2/$3" "$4" || in_roots "$1" "$2/.debug/$3" "$4" || in_roots "$1" "/usr/lib/debug$2/$3" "$4"
}

# ---- is it the recorded one? ----

# Where a file system gives stat() another inode than a mapping has, inodes tell nothing.
inode_of() { set -- $(ls -diL "$1" 2>/dev/null) && inode=${1-}; }
own=$(sed -n '1p' /proc/$$/maps 2>/dev/null)
by_inode=
# shellcheck disable=SC2086
set -- $own
if [ $# = 6 ]; then
	inode_of "$6"
	[ "$inode" != "$5" ] || by_inode=1
fi

# fits FILE PLAIN: $why is empty, if that is the recorded file, or, with PLAIN, if nothing tells that it is not.
fits() {
	why='no such file'
	[ -f "$1" ] || return 1
	why='the file there is no ELF file'
	elf "$1" || { head_of "$1" && case $want_path:$head in *.ko.*:1f8b* | *.ko.*:fd377a* | *.ko.*:28b52f* | *.dump:4a695444* | *.dump:4454694a*) ;; *) return 1 ;; esac; }
	why=
	if [ "$want_id" != - ]; then
		[ "$id" = "$want_id" ] && return
		case $want_path in *.ko.*) return ;; esac # packed: not read here
		why='the file there has another build-id'
	elif [ "$want_inode" != 0 ] && [ -n "$by_inode" ]; then
		inode_of "$1"
		[ "$inode" = "$want_inode" ] && return
		why='the file there is another one than the recorded one'
	else
		[ -n "$2" ] && return
		why='nothing tells whether the file there is the recorded one'
	fi
	return 1
}

# alive PID: is it a process that began before the recording ended? Sets $proc.
alive() {
	proc=/proc/$1
	stat=$(cat "$proc/stat" 2>/dev/null) || return 1
	# shellcheck disable=SC2086
	set -- ${stat##*)}
	[ $# -ge 20 ] || return 1
	[ "$end" = 0 ] || [ $((${20} / ticks)) -le "$end" ]
}

# module ID INODE PID PATH
module() {
	want_id=$1 want_inode=$2 want_path=$4 reason=
	if alive "$3" && fits "$proc/root$4" 1; then
		# mostly the same root
		[ "$proc/root$4" -ef "$4" ] && take "" || take "$proc/root"
		return
	fi
	fits "$4" 1 && take "" && return
	reason=$why
	still_mapped "$3" && return
	elsewhere && return
	missing=$((missing + 1))
	say "$4: $reason"
}

# take ROOT: the module's file there. Where two are wanted under one path and no build-id was recorded, no one could tell
# later which is whose.
take() {
	if [ "$want_id" = - ] && [ -h "$packing$want_path" ] && [ ! "$1$want_path" -ef "$packing$want_path" ]; then
		say "$want_path: several files of this path were recorded, and no build-id tells which is whose"
		mkdir -p "$packing/more/$taken" && mv "$packing$want_path" "$packing/more/$taken"
		return 0
	fi
	keep "$1$want_path" "$want_path"
	case $want_path in *.ko | *.ko.* | *.dump) ;; *) extras "$1" "$want_path" ;; esac
}

# still_mapped PID: a file that was replaced or deleted, in a process that has it yet.
still_mapped() {
	[ "$want_id" != - ] && alive "$1" && [ -r "$proc/maps" ] || return 1
	cat "$proc/maps" >"$work" 2>/dev/null
	while read -r range a b c d name; do
		case $name in *"$want_path" | *"$want_path (deleted)") ;; *) continue ;; esac
		range=$(printf '%s\n' "$range" | sed 's/^0*//; s/-0*/-/') # as the files are called
		if fits "$proc/map_files/$range" ''; then
			keep "$proc/map_files/$range" "${want_path% (deleted)}"
			return
		fi
	done <"$work"
	return 1
}

# elsewhere: in the root of another process that maps a file of this name, or of an image.
elsewhere() {
	set +f
	set -- /proc/[0-9]*/root \
		/run/containerd/io.containerd.runtime.v2.task/*/*/rootfs \
		/var/lib/docker/overlay2/*/merged /var/lib/docker/overlay2/*/diff \
		/var/lib/containers/storage/overlay/*/merged /var/lib/containers/storage/overlay/*/diff \
		/home/*/.local/share/containers/storage/overlay/*/diff \
		/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/*/fs \
		/var/lib/rancher/k3s/agent/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/*/fs \
		/var/lib/lxc/*/rootfs /var/lib/machines/*
	set -f
	IFS=$nl
	for root in $roots "$@"; do
		unset IFS
		if [ -f "$root$want_path" ] && [ ! "$root$want_path" -ef "$want_path" ] && fits "$root$want_path" ''; then
			take "$root"
			return
		fi
	done
	unset IFS
	return 1
}

# ---- what processes and the kernel write ----

# map PID: the perf map of the process, which in a container has another number.
map() {
	if alive "$1"; then
		number=$(sed -n 's/^NSpid:.*[[:space:]]\([0-9][0-9]*\)$/\1/p' "$proc/status")
		is_map "$proc/root/tmp/perf-${number:-$1}.map" &&
			keep "$proc/root/tmp/perf-${number:-$1}.map" "/tmp/perf-$1.map" && return
	elif [ ! -d "$proc" ]; then
		is_map "/tmp/perf-$1.map" && keep "/tmp/perf-$1.map" "/tmp/perf-$1.map" && return
	fi
	missing=$((missing + 1))
	say "/tmp/perf-$1.map: no perf map of that process"
}

is_map() {
	[ -f "$1" ] && [ ! -h "$1" ] || return 1
	read -r a b c <"$1" || return 1
	case $a$b:$c in *[!0-9a-fA-Fx]*:* | *:) return 1 ;; esac # START SIZE NAME
}

kernel() {
	if [ -n "$list" ]; then
		say 'kallsyms: copy /proc/kallsyms as root, tar would store it as empty'
	elif cat /proc/kallsyms >"$packing/kallsyms" 2>/dev/null && grep -q '^0*[1-9a-f]' "$packing/kallsyms"; then
		taken=$((taken + 1))
	else
		rm -f "$packing/kallsyms"
		say 'kallsyms: root alone sees the addresses of the kernel'
	fi
}

# copy PATH: one that is under its build-id, or in a cache of them.
copy() {
	[ -f "$1" ] || return 0
	elf "$1" || is_map "$1" || return 0
	keep "$1" "$1"
}

ticks=$(getconf CLK_TCK 2>/dev/null || echo 100)
end=0

# ---- the list: a word for what it is, its numbers, and a path as printf %b reads it ----

while read -r what a b c path <&3; do
	name=$(printf '%b.' "$path") && name=${name%.}
	case $what in
	module) module "$a" "$b" "$c" "$name" ;;
	copy) copy "$name" ;;
	map) map "$a" ;;
	kernel) kernel ;;
	end) end=$a ;;
	esac
done 3<<'EndOfTheList'
EndOfTheList

[ "$missing" = 0 ] || say "$missing files were not found"
[ -z "$list" ] || exit 0
[ "$taken" != 0 ] || { say 'nothing was found to be packed' && exit 1; }
cd "$packing" && tar czhf "$archive" . || exit 1
say "$archive: $taken files"
