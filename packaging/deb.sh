#!/bin/sh
# Build Debian packages of the source in BUILD/deb, and look at them with lintian, where it is installed.
#   packaging/deb.sh BUILD VERSION      (make deb)
# $DEBFULLNAME and $DEBEMAIL are the maintainer, as for Debian's own tools.
set -eu
cd "$(dirname "$0")/.."
top=$PWD build=$1 version=$2
maintainer="${DEBFULLNAME:-The pdtool authors} <${DEBEMAIL:-pdtool@noreply.invalid}>"
command -v dpkg-buildpackage >/dev/null && [ -d /usr/share/doc/debhelper ] || {
	echo 'deb: install these first: apt-get install build-essential debhelper lintian' >&2
	exit 1
}
mkdir -p "$build/deb"
dir=$build/deb/pdtool-$version
rm -rf "$dir" "$build"/deb/*.deb
mkdir "$dir"
tar cf - LICENSE Makefile NEWS.md README.md analyzers cli formats parser python/pdtool.py docs/python.md docs/python | tar xf - -C "$dir"
cp -r packaging/deb "$dir/debian"
sed -i "s|@MAINTAINER@|$maintainer|" "$dir/debian/control"
{
	printf '%s\n' 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/' \
		'Upstream-Name: pdtool' '' 'Files: *'
	sed -n 's/^Copyright (c) /Copyright: /p' LICENSE
	echo 'License: MIT'
	sed '1,/^Copyright/d' LICENSE | sed '1d; s/^$/./; s/^/ /'
} >"$dir/debian/copyright"
# When the news were last written: the same source gives the same package.
date=$(date -R -d "@${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y NEWS.md)}")
cat >"$dir/debian/changelog" <<END
pdtool ($version) unstable; urgency=medium

  * See /usr/share/doc/pdtool/NEWS.md.gz.

 -- $maintainer  $date
END
(cd "$dir" && dpkg-buildpackage -us -uc -b) >"$build/deb/log" 2>&1 || {
	tail -n 20 "$build/deb/log" >&2
	exit 1
}
rm -rf "$dir"
ls "$top/$build"/deb/*.deb
command -v lintian >/dev/null || { echo 'deb: lintian is not installed'; exit 0; }
lintian --fail-on error,warning "$build"/deb/*.changes && echo 'lintian: nothing to say'
