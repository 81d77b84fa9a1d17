#!/bin/sh
# One file that needs no other, as `make static` links it, but with musl: BUILD/musl/pdtool.
#   packaging/static-musl.sh BUILD      (make static-musl); needs the network or a mirror for apt, and a few minutes once
# Debian builds the libraries for glibc only. Here they are built for musl first, from the sources of this machine's
# release, which apt fetches and verifies, and of each only what pdtool calls. They stay in BUILD/musl/libraries.
# Neither the time nor a folder of this machine comes into the program: whoever builds it from the same sources has the
# same file.
set -eu
cd "$(dirname "$0")/.."
mkdir -p "$1/musl/libraries"
build=$1 dir=$(cd "$1/musl/libraries" && pwd)
include=$dir/include lib=$dir/lib sources=$dir/sources log=$dir/log
for tool in musl-gcc apt-get dpkg-source bzip2 xz; do
	command -v $tool >/dev/null || {
		echo "static-musl: $tool is missing: apt-get install musl-tools dpkg-dev bzip2 xz-utils (Debian and its kin)" >&2
		exit 1
	}
done
export LC_ALL=C CC=musl-gcc CFLAGS="-O2 -w -ffile-prefix-map=$dir=. -I$include" LDFLAGS="-static -L$lib"
jobs=$(nproc)

# The machine's own sources of packages, for sources: the lists that apt has are not touched.
fetch() {
	apt=$dir/apt
	mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/parts" "$sources"
	cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
		sed -n 's/^deb\(-src\)\{0,1\}[[:space:]]/deb-src /p' | sort -u >"$apt/parts/lines.list"
	for file in /etc/apt/sources.list.d/*.sources; do
		[ ! -f "$file" ] || sed 's/^Types:.*/Types: deb-src/' "$file" >"$apt/parts/${file##*/}"
	done
	set -- -qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$apt/parts" -o Dir::State::lists="$apt/lists" \
		-o Dir::Cache="$apt/cache" -o APT::Sandbox::User=root
	apt-get "$@" update
	cd "$sources"
	apt-get "$@" source --only-source zlib xz-utils bzip2 libzstd libdeflate jansson protobuf-c libarchive capstone libiberty elfutils
	rm -rf "$apt"
}

# enter NAME: the folder of its source.
enter() { cd "$sources/$1"-*/; }

# compile FLAG...: each C file here.
# shellcheck disable=SC2086 # CFLAGS are words
compile() { printf '%s\n' ./*.c | xargs -P "$jobs" -n 4 $CC $CFLAGS "$@" -c; }

compressors() {
	enter zlib
	./configure --static
	make -j"$jobs" libz.a
	cp zlib.h zconf.h "$include"
	cp libz.a "$lib"
	enter xz-utils
	./configure --disable-shared --disable-nls --disable-doc --disable-xz --disable-xzdec --disable-lzmadec --disable-lzmainfo \
		--disable-scripts --disable-lzma-links
	make -j"$jobs"
	cp -r src/liblzma/api/lzma.h src/liblzma/api/lzma "$include"
	cp src/liblzma/.libs/liblzma.a "$lib"
	enter bzip2
	make CC="$CC" CFLAGS="$CFLAGS -D_FILE_OFFSET_BITS=64" libbz2.a
	cp bzlib.h "$include"
	cp libbz2.a "$lib"
	enter libzstd
	make -j"$jobs" -C lib libzstd.a
	cp lib/zstd.h lib/zstd_errors.h "$include"
	cp lib/libzstd.a "$lib"
	enter libdeflate
	make -j"$jobs" libdeflate.a
	cp libdeflate.h "$include"
	cp libdeflate.a "$lib"
}

# Its header with the answers of configure, which its source does not bring, is the installed one's.
jansson() {
	enter jansson
	cd src
	cp /usr/include/jansson_config.h .
	: >jansson_private_config.h
	compile -I. -DHAVE_STDINT_H -DHAVE_UNISTD_H -DHAVE_FCNTL_H -DHAVE_SYS_TYPES_H -DHAVE_SYS_STAT_H -DHAVE_OPEN -DHAVE_CLOSE -DHAVE_READ
	ar rcsD "$lib/libjansson.a" ./*.o
	cp jansson.h jansson_config.h "$include"
}

# What packs messages alone: the compiler of their descriptions is the installed one.
protobuf() {
	enter protobuf-c
	cd protobuf-c
	# shellcheck disable=SC2086 # CFLAGS are words
	$CC $CFLAGS -DWORDS_LITTLEENDIAN -DPACKAGE_STRING='""' -I.. -c protobuf-c.c
	ar rcsD "$lib/libprotobuf-c.a" protobuf-c.o
	mkdir -p "$include/protobuf-c"
	cp protobuf-c.h "$include/protobuf-c"
}

# Of SQLite and libcurl the declarations: a program without other files loads no libraries. xxhash is its header alone.
declarations() {
	cp /usr/include/sqlite3.h /usr/include/xxhash.h "$include"
	mkdir -p "$include/curl"
	cp "$(pkg-config --variable=includedir libcurl)"/curl/*.h "$include/curl" 2>/dev/null || cp /usr/include/*/curl/*.h "$include/curl"
}

# Without encryption, other compressions and what a file system has beside modes: pdtool asks for none of it.
libarchive() {
	enter libarchive
	./configure --disable-shared --disable-bsdtar --disable-bsdcat --disable-bsdcpio --disable-acl --disable-xattr \
		--without-xml2 --without-expat --without-openssl --without-nettle --without-mbedtls --without-lz4 --without-libb2
	cd libarchive
	compile -DHAVE_CONFIG_H -I..
	ar rcsD "$lib/libarchive.a" ./*.o
	cp archive.h archive_entry.h "$include"
}

capstone() {
	enter capstone
	make -j"$jobs" libcapstone.a CAPSTONE_STATIC=yes CAPSTONE_SHARED=no
	cp -r include/capstone "$include"
	cp libcapstone.a "$lib"
}

libiberty() {
	enter libiberty
	mkdir -p "$include/libiberty"
	cp include/demangle.h include/ansidecl.h include/libiberty.h "$include/libiberty"
	cd libiberty
	./configure
	make -j"$jobs"
	cp libiberty.a "$lib"
}

# libelf, and libdw without libdwfl and without the tables of machines: what of elfutils needs argp, fts and obstack,
# which musl has not, are its programs and libdwfl. For error() it brings its own.
elfutils() {
	enter elfutils
	./configure --disable-nls --disable-debuginfod --disable-libdebuginfod --disable-symbol-versioning \
		--without-bzlib --without-lzma --without-zstd ac_cv_search_argp_parse='none required' \
		ac_cv_search_fts_close='none required' ac_cv_search__obstack_free='none required'
	make -C lib error.o
	make -j"$jobs" -C libelf libelf.a
	make -C libebl eblclosebackend.o
	make -j"$jobs" -C libdwelf libdwelf.a
	make -j"$jobs" -C libdw libdw.a libdwfl_objects= backends_objects= libcpu_objects= libebl_objects=eblclosebackend.o
	ar rsD libdw/libdw.a lib/error.o
	mkdir -p "$include/elfutils"
	cp libelf/libelf.h libelf/gelf.h libdw/dwarf.h "$include"
	cp libdw/libdw.h libdwelf/libdwelf.h libelf/elf-knowledge.h version.h "$include/elfutils"
	cp libelf/libelf.a libdw/libdw.a "$lib"
}

# The kernel's headers, without those of the other libc that stand beside them.
kernel_headers() {
	ln -s /usr/include/linux /usr/include/asm-generic "$include"
	ln -s "/usr/include/$(gcc -print-multiarch)/asm" "$include"
}

made=packaging/static-musl.sh
if ! cmp -s $made "$dir/made-by"; then
	rm -rf "$dir"
	mkdir -p "$include" "$lib"
	trap '[ $? = 0 ] || tail -n 20 "$log" >&2' EXIT
	for step in fetch kernel_headers compressors jansson protobuf declarations libarchive capstone libiberty elfutils; do
		echo "  $step"
		($step) >"$log" 2>&1
	done
	(cd "$sources" && for file in *.dsc; do echo "${file%.dsc}"; done) >"$dir/versions"
	cp $made "$dir/made-by"
	rm -f "$build/musl/pdtool"
fi
echo "static-musl: with $(tr '\n' ' ' <"$dir/versions")"
LDFLAGS='' make --no-print-directory -j"$jobs" STATIC=1 CC=musl-gcc BUILD="$build/musl" \
	CFLAGS="-O3 -g1 -ffile-prefix-map=$PWD=." LIB_CFLAGS="-isystem $include" \
	LIB_LDLIBS="-L$lib -ljansson -lprotobuf-c -ldw -lelf -larchive -llzma -lbz2 -lzstd -lz -ldeflate -lcapstone" "$build/musl/pdtool"
ls -l "$build/musl/pdtool"
