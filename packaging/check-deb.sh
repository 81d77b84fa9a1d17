#!/bin/sh
# The packages of `make deb` in a fresh root of this machine's release: they install with what they depend on, the program
# prints there what it prints here, a program is built with the library, and nothing stays when they are removed.
#   packaging/check-deb.sh BUILD      (make check-packages); needs root, and the network or a mirror for apt
# $FRESH_ROOT may be a directory with a minimal root, which is copied; without it debootstrap makes one.
set -eu
cd "$(dirname "$0")/.."
build=$1
[ "$(id -u)" = 0 ] || { echo 'skip the packages in a fresh root: it needs root'; exit 0; }
root=$(mktemp -d)
leave() {
	umount -l "$root/proc" "$root/dev" 2>/dev/null || :
	rm -rf --one-file-system "$root"
}
trap leave EXIT
. /etc/os-release
if [ -n "${FRESH_ROOT:-}" ]; then
	cp -a "$FRESH_ROOT/." "$root/"
elif command -v debootstrap >/dev/null; then
	debootstrap --variant=minbase --include=ca-certificates "$VERSION_CODENAME" "$root" >/dev/null
else
	echo 'skip the packages in a fresh root: debootstrap is not installed'
	exit 0
fi
# This machine's own sources of packages.
cp /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null || :
rm -f "$root"/etc/apt/sources.list "$root"/etc/apt/sources.list.d/*
cp /etc/apt/sources.list "$root/etc/apt/" 2>/dev/null || :
cp /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list "$root/etc/apt/sources.list.d/" 2>/dev/null || :
cp /etc/apt/apt.conf.d/*registry* "$root/etc/apt/apt.conf.d/" 2>/dev/null || :
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$root" "$@" </dev/null; }

failed=0
# result WHAT STATUS
result() { if [ "$2" = 0 ]; then echo "ok $1"; else echo "FAIL $1" && failed=1; fi; }

mkdir "$root/debs"
cp "$build"/deb/*.deb "$root/debs"
rm -f "$root"/debs/*-dbgsym_*
cp -a testdata "$root/"
inside sh -c 'dpkg-query -W | sort' >"$root/before"
inside apt-get -qq update
inside sh -c 'apt-get -qq install -y --no-install-recommends /debs/pdtool_*.deb' >"$root/log" 2>&1 && rc=0 || rc=$?
result 'the package installs' $rc
inside sh -c 'dpkg-query -W | sort' | comm -13 "$root/before" - | wc -l | sed 's/$/ packages came with it/'

for file in 15-aarch64-k6.12-callchain-with-binary.perf.data.zst 07-pipe-k6.10-perf6.12-features.perf.data; do
	for command in collapse report info; do
		inside pdtool $command --no-host "testdata/recorded/foreign/$file" >"$root/got" 2>"$root/err" && rc=0 || rc=$?
		"$build/pdtool" $command --no-host "testdata/recorded/foreign/$file" >"$root/want" 2>/dev/null
		[ $rc = 0 ] && cmp -s "$root/want" "$root/got" || rc=1
		result "$command $file" $rc
	done
done
inside pdtool annotate -s do_work testdata/recorded/foreign/15-*.zst >"$root/got" 2>&1 || :
! grep -q 'libcapstone' "$root/got"
result 'what is loaded when it is asked for is there' $?
for file in usr/share/man/man1/pdtool-report.1.gz usr/share/man/man5/pdtool-config.5.gz \
	usr/share/bash-completion/completions/pdtool usr/share/zsh/vendor-completions/_pdtool; do
	[ -s "$root/$file" ]
	result "$file" $?
done

inside sh -c 'apt-get -qq install -y --no-install-recommends gcc libc6-dev pkg-config /debs/libpdtool*.deb' >>"$root/log" 2>&1 && rc=0 || rc=$?
result 'the library installs' $rc
sed -n '/^\.EX/,/^\.EE/p' parser/pdtool.3 | awk '/^\.EX/ { n++ } n == 1' | sed '/^\./d; s/\\-/-/g; s/\\e/\\/g; s/\\(aq/'"'"'/g' >"$root/example.c"
inside sh -c 'gcc -o example example.c $(pkg-config --cflags --libs pdtool) && ./example testdata/recorded/foreign/07-*.data' >"$root/got" 2>&1 && rc=0 || rc=$?
[ -s "$root/got" ] || rc=1
result 'the example of pdtool(3) is built with it, and runs' $rc
[ $rc = 0 ] || head -n 5 "$root/got"

inside sh -c 'apt-get -qq install -y --no-install-recommends /debs/python3-pdtool_*.deb' >>"$root/log" 2>&1 && rc=0 || rc=$?
result 'the module for Python installs' $rc
cat >"$root/loop.py" <<'END'
import collections, pdtool, sys
events = collections.Counter()
with pdtool.open(sys.argv[1]) as capture:
    for e in capture:
        events[e.event] += 1
    print(len(capture.stack(e.stack)) > 0)
for name, count in sorted(events.items()):
    print(name, count)
print(len(pdtool.open(sys.argv[1]).columns().time))
END
inside python3 /loop.py testdata/recorded/foreign/15-aarch64-k6.12-callchain-with-binary.perf.data.zst >"$root/got" 2>&1 || :
[ "$(tr '\n' ' ' <"$root/got")" = 'True task-clock:ppp 1148 1148 ' ] && rc=0 || rc=$?
result 'it reads a capture, with python3 alone' $rc

inside sh -c 'apt-get -qq purge -y pdtool libpdtool0 libpdtool-dev python3-pdtool' >>"$root/log" 2>&1 && rc=0 || rc=$?
result 'they can be removed' $rc
find "$root/usr" "$root/etc" -name '*pdtool*' >"$root/left"
[ ! -s "$root/left" ] && rc=0 || rc=$?
result 'and nothing stays' $rc
[ $failed = 0 ] || tail -n 5 "$root/log"
exit $failed
