#!/bin/sh
# The static program with musl: alone in an empty root it prints what the installed one with glibc prints, and a second
# build, of a copy of the source and with libraries of its own, is the same file.
#   packaging/check-musl.sh BUILD      (make check-packages); needs what static-musl.sh needs
set -eu
cd "$(dirname "$0")/.."
build=$1
command -v musl-gcc >/dev/null || { echo 'skip musl: musl-gcc is not installed'; exit 0; }
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
failed=0
# result WHAT STATUS
result() { if [ "$2" = 0 ]; then echo "ok musl: $1"; else echo "FAIL musl: $1" && failed=1; fi; }

packaging/static-musl.sh "$build" >"$build/musl.log" 2>&1 || {
	tail -n 20 "$build/musl.log"
	result 'the static program is built' 1
	exit 1
}
sed -n 's/^static-musl: //p' "$build/musl.log"
! grep -q 'GNU C Library' "$build/musl/pdtool"
result 'there is no other libc in it' $?
packaging/check-static.sh "$build/musl/pdtool" "$build/pdtool" && rc=0 || rc=$?
result 'it runs in an empty root' $rc

tar cf - Makefile NEWS.md analyzers cli formats parser packaging | tar xf - -C "$copy"
"$copy/packaging/static-musl.sh" build >"$copy/log" 2>&1 && cmp "$build/musl/pdtool" "$copy/build/musl/pdtool" && rc=0 || rc=$?
[ $rc = 0 ] || tail -n 5 "$copy/log"
result 'a second build elsewhere is the same file' $rc
exit $failed
