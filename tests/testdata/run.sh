#!/bin/sh
# testdata/README.md names each file with its checksum, and nothing else is there.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

awk -F ' *[|] *' '$6 ~ /^[0-9a-f]+$/ && length($6) == 64 { print $6 "  " $2 }' "$data/README.md" >sums
[ "$(grep -c . sums)" -gt 100 ] && ok 'the table is there' || fail 'the table is there' "$(grep -c . sums) rows"
if (cd "$data" && sha256sum -c --quiet "$tmp/sums") >wrong 2>&1; then
	ok "$(grep -c . sums) files are as the table says"
else
	fail 'files are as the table says' "$(grep -c FAILED wrong) are not"
	show wrong
fi
(cd "$data" && find . -type f ! -path './synthetic/*' ! -name README.md) | sed 's/^\.\///' | sort >have
cut -c 67- sums | sort >named
same 'each file is in the table' have named
awk -F ' *[|] *' '$6 ~ /^[0-9a-f]+$/ && ($3 == "" || $4 == "" || $5 == "") { print $2 }' "$data/README.md" >bare
[ ! -s bare ] && ok 'each row tells origin and licence' || fail 'each row tells origin and licence' "$(head -n 3 bare | tr '\n' ' ')"
