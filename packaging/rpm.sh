#!/bin/sh
# Write the spec and the archive of the source that rpmbuild needs, in BUILD/rpm, and build the packages where it is installed.
#   packaging/rpm.sh BUILD VERSION      (make rpm)
set -eu
cd "$(dirname "$0")/.."
version=$2
mkdir -p "$1/rpm/SPECS" "$1/rpm/SOURCES"
dir=$(cd "$1/rpm" && pwd)
sed "s/@VERSION@/$version/" packaging/rpm/pdtool.spec >"$dir/SPECS/pdtool.spec"
tar czf "$dir/SOURCES/pdtool-$version.tar.gz" --transform "s|^|pdtool-$version/|" \
	LICENSE Makefile NEWS.md README.md analyzers cli formats parser python/pdtool.py docs/python.md docs/python
echo "$1/rpm/SPECS/pdtool.spec"
command -v rpmbuild >/dev/null || { echo 'rpm: rpmbuild is not installed; it takes the spec above'; exit 0; }
# Where packages come from elsewhere (Debian), rpm does not know what is installed.
set --
rpm -q glibc >/dev/null 2>&1 || set -- --nodeps --define 'debug_package %{nil}'
rpmbuild -bb "$@" --define "_topdir $dir" "$dir/SPECS/pdtool.spec" >"$dir/log" 2>&1 || {
	tail -n 20 "$dir/log" >&2
	exit 1
}
rm -rf "$dir/BUILD" "$dir/BUILDROOT"
find "$dir/RPMS" -name '*.rpm'
