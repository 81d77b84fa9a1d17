#!/bin/sh
# The statically linked program alone in an empty root: what it prints there is what the installed one prints.
#   packaging/check-static.sh STATIC DYNAMIC      (make check-packages); needs root, or user namespaces
set -eu
cd "$(dirname "$0")/.."
static=$1 dynamic=$2
root=$(mktemp -d)
trap 'rm -rf "$root" "$root.want"' EXIT
mkdir "$root/tmp"
cp "$static" "$root/pdtool"
cp -a testdata/recorded "$root/"
if [ "$(id -u)" = 0 ]; then
	enter='chroot'
elif unshare -r true 2>/dev/null; then
	enter='unshare -r chroot'
else
	echo 'skip the static program in an empty root: it needs root or user namespaces'
	exit 0
fi

failed=0 passed=0
# both COMMAND...: the same bytes and status, here and there.
both() {
	status=0 there=0
	(cd testdata && env -i "../$dynamic" "$@" --no-host --no-config) >"$root.want" 2>&1 || status=$?
	env -i PATH= "$chroot" $rest "$root" /pdtool "$@" --no-host --no-config >"$root/got" 2>&1 || there=$?
	if [ $status != $there ] || ! cmp -s "$root.want" "$root/got"; then
		echo "FAIL pdtool $*: status $there for $status"
		diff "$root.want" "$root/got" | head -n 5
		failed=$((failed + 1))
	elif [ ! -s "$root/got" ]; then
		echo "FAIL pdtool $*: nothing is printed"
		failed=$((failed + 1))
	else
		passed=$((passed + 1))
	fi
	rm -f "$root.want"
}
# The program that enters, by its path: there is none to look it up in.
set -- $enter
chroot=$(command -v "$1")
shift
rest=$*

for file in testdata/recorded/foreign/* testdata/recorded/android/*; do
	case $file in *.tsv | *.folded) continue ;; esac
	both collapse "${file#testdata/}"
	both report "${file#testdata/}"
done
find testdata/recorded/x86_64/sched testdata/recorded/x86_64/block -name '*.data*' -o -name '*.perf*' | sort >"$root.list"
while read -r file; do
	case $file in *sched/*) both sched latency "${file#testdata/}" ;; *) both block "${file#testdata/}" ;; esac
done <"$root.list"
rm -f "$root.list"
both annotate -s do_work recorded/foreign/15-aarch64-k6.12-callchain-with-binary.perf.data.zst
echo "static: $passed passed, $failed failed"
[ $failed = 0 ]
