#!/bin/sh
# What `make demo` shows: the hottest stacks of a capture that ships with the source.
top=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
cd "$top" || exit 1
pdtool=${BUILD:-build}/pdtool
capture=testdata/recorded/x86_64/diff_pair/base1.data
[ -f $capture ] || capture=$capture.zst
symbols='--buildid-dir testdata/buildid --kallsyms testdata/recorded/x86_64/kallsyms'
say() {
	printf '\n\033[1m$ %s\033[0m\n' "$*"
}
[ -t 1 ] || say() { printf '\n$ %s\n' "$*"; }

say pdtool info --names $capture
# shellcheck disable=SC2086
"$pdtool" info --names -q $symbols $capture | sed -n '/^capture/p; /^kernel/p; /^arch/p; /^recorder/p; /^sampled/p; /^event/p; /^stacks/p; /^addresses/p' | sed '/^event *[^:]*$/d'
say "pdtool collapse $capture | sort by weight, the ten hottest"
# shellcheck disable=SC2086
"$pdtool" collapse -q $symbols $capture | awk '{
	n = $NF; sub(/ [0-9]+$/, ""); total += n; printf "%d\t%s\n", n, $0
} END { printf "total\t%d\n", total }' | sort -t "$(printf '\t')" -k 1,1nr | awk -F '\t' '
	$1 == "total" { next }
	{ sum += $1; if (++rows <= 10) { weight[rows] = $1; stack[rows] = $2 } }
	END {
		printf "%7s %10s  %s\n", "share", "ms", "stack"
		for (i = 1; i <= rows && i <= 10; i++) {
			gsub(/;/, " > ", stack[i])
			printf "%6.2f%% %10.1f  %s\n", 100 * weight[i] / sum, weight[i] / 1e6, stack[i]
		}
		printf "%d stacks in all, %.1f ms\n", rows, sum / 1e6
	}'
