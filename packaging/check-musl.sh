#!/bin/sh
# Every source file compiles with musl's headers. What is linked there must be built with musl too (libelf, libdw, zstd,
# jansson, libarchive, capstone, libiberty), as Alpine's packages are; Debian has these for glibc only.
#   packaging/check-musl.sh      (make check-packages); needs musl-gcc: apt-get install musl-tools
set -eu
cd "$(dirname "$0")/.."
command -v musl-gcc >/dev/null || { echo 'skip musl: musl-gcc is not installed'; exit 0; }
headers=$(mktemp -d)
trap 'rm -rf "$headers"' EXIT
# The libraries' headers, without those of the other libc that stand beside them.
for name in gelf.h libelf.h dwarf.h elfutils zstd.h zstd_errors.h jansson.h jansson_config.h archive.h archive_entry.h \
	capstone libiberty linux asm-generic; do
	ln -s "/usr/include/$name" "$headers/$name"
done
ln -s "/usr/include/$(gcc -print-multiarch)/asm" "$headers/asm"
find parser analyzers formats cli -name '*.c' ! -path parser/library/owner.c ! -name pages.c |
	xargs -P "$(nproc)" -n 16 musl-gcc -std=gnu11 -w -Wno-psabi -D_GNU_SOURCE -DSTATIC -DPDTOOL_VERSION='"0"' -fsyntax-only -I. -isystem "$headers" -pthread || {
	echo 'FAIL musl: the sources do not compile'
	exit 1
}
echo 'ok musl: the sources compile'
