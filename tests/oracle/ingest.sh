#!/bin/sh
# What the session says of each sample, whichever way it was read. First where it was: a sample's own address and its
# chain (testdata/synthetic/apart.mkperf), which was worked out by hand.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

events=$build/tests/oracle/events

# where FILE: of each sample its time, "apart" or "-", and the location of its own address.
where() {
	"$events" stacks "$1" | awk '
		$1 == "kind" { n++; time[n] = $4; apart[n] = / apart ip / ? "apart" : "-"; stack[n] = $(NF - 2); next }
		$1 == "stack" { own[$2] = $5; next }
		END { for (i = 1; i <= n; i++) print time[i], apart[i], own[stack[i]] }'
}

cat >want <<'END'
1010 - 0:/bin/apart+10
1020 - 0:/bin/apart+10
1030 apart 0:/bin/apart+10
1040 apart 0:/bin/apart+10
1050 apart 0:/bin/apart+18
1060 apart 0:/bin/apart+10
1070 apart 0:/bin/apart+20
1080 apart 1:[kernel.kallsyms]+ffffffff81000020
1090 apart 1:[kernel.kallsyms]+ffffffff81000020
1100 - 0:/bin/apart+40
1110 apart 0:/bin/apart+40
1120 apart 1:[kernel.kallsyms]+400040
1130 - 0:/bin/apart+50
1140 apart 0:/bin/apart+50
1150 apart 3:+400060
1160 - 0:/bin/apart+60
1170 - 0:/bin/apart+70
1180 - 0:/bin/apart+70
1200 apart 0:/bin/apart+80
1210 apart 0:/bin/apart+84
1220 - 1:[kernel.kallsyms]+ffffffff81000080
1230 apart 1:[kernel.kallsyms]+ffffffff81000084
1250 apart 0:/bin/apart+90
END
apart=$data/synthetic/apart.mkperf
for form in '--mode file' '--mode pipe' '--endian big' '--mode pipe --endian big --zstd'; do
	# shellcheck disable=SC2086
	"$mkperf" $form -o apart.data "$apart" && where apart.data >got
	same "own addresses, $form" want got
done
# One event, whose samples are plain.
sed '/^event no-address/,/ids=32/d; /^sample event=no-address/d' "$apart" >plain.mkperf
"$mkperf" -o plain.data plain.mkperf && where plain.data >got
grep -v '^11[78]0' want >want.plain
same 'own addresses, plain samples' want.plain got

# The raw address of each sample, as the text says it, with stacks, and asked for alone.
sed -n 's/^sample .*/& /; s/.*time=\([0-9]*\) .*/\1 &/p' plain.mkperf | sed 's/^\([0-9]*\) .* ip=0x\([0-9a-f]*\) .*/\1 \2/' >want
for need in stacks ip 'stacks ip raw'; do
	# shellcheck disable=SC2086
	"$events" $need plain.data | sed -n 's/^kind .* time \([0-9]*\) .* ip \([0-9a-f]*\) .*/\1 \2/p' >got
	same "addresses asked for with $need" want got
done
