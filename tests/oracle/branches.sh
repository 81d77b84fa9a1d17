#!/bin/sh
# `branches` against the truth: a program that was run step by step, so that each branch, block and turn of a loop is known; and
# against the branches that `script` lists of recorded captures, put together here.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

# ---- a program, step by step ----

cat >prog.c <<'END2'
#include "walked.h"
void _start(void)
{
	for (unsigned i = 0; i < 40; i++)
		sink += i % 3 ? leaf(i) : chosen[i % 2](i % 9);
#ifdef __x86_64__
	__asm__ volatile("syscall" : : "a"(60), "D"(0));
#else
	register long nr __asm__("x8") = 93, status __asm__("x0") = 0;
	__asm__ volatile("svc 0" : : "r"(nr), "r"(status));
#endif
}
END2
cc -O1 -static -nostdlib -fno-pie -no-pie -fno-stack-protector -I "$top/tests/lib" -o prog prog.c || exit 1
cc -O1 -o stepper "$top/tests/lib/stepper.c" || exit 1
./stepper ./prog >steps
status=$?

# branches: of the steps those that did not go on with the next instruction: "FROM TO CYCLES TYPE MISPREDICTED". The cycles are
# the steps since the one before, every seventh is mispredicted. Type: PERF_BR_*, by what objdump calls the instruction.
objdump -d --no-show-raw-insn prog | sed -n 's/^ *\([0-9a-f]*\):[ 	]*/\1 /p' >code
taken() {
	awk 'NR == FNR { if (before) after[before] = $1; before = $1; what[$1] = $2 ($3 ~ /^\*/ ? "*" : ""); next }
	function type(w) {
		return w ~ /^(call|bl)$/ ? 4 : w ~ /^(call\*|blr)$/ ? 5 : w ~ /^ret/ ? 6 : w ~ /^(jmp|b)$/ ? 2 : w ~ /^(jmp\*|br)$/ ? 3 : 1
	}
	at && $1 "" != after[at] "" { print at, $1, FNR - 1 - last, type(what[at]), ++n % 7 == 0; last = FNR - 1 }
	{ at = $1 }' code steps
}
taken >branches

# sampled EVERY: a capture with a sample at each EVERYth branch, of the 32 before it.
sampled() {
	cat <<-END2
	event cycles type=hardware config=0 period=1 ids=1 sample_id_all mmap comm task branch_sample_type=ANY \\
		sample_type=IP|TID|TIME|BRANCH_STACK
	comm pid=7 tid=7 comm=prog time=10
	$(readelf -lW prog | awk -v file="$tmp/prog" '$1 == "LOAD" && /R E/ {
		print "mmap pid=7 tid=7 addr=" $3 " len=0x1000 pgoff=" $2 " file=\"" file "\" time=11" }')
	END2
	awk -v every="$1" '{ list[NR] = "0x" $1 ":0x" $2 ":" ($5 ? "M" : "P") "|" $3 "<<4|" $4 "<<20" }
	NR >= 32 && (NR - 32) % every == 0 {
		printf "sample pid=7 tid=7 time=%d ip=0x%s branch=[", 20 + NR, $2
		for (i = 0; i < 32; i++)
			printf "%s%s", i ? "," : "", list[NR - i]
		print "]"
	}' branches
}
# cells COLUMN...: these of the table in the file csv, sorted.
cells() {
	records <csv | awk -F '\t' -v names="$(head -n 1 csv)" -v wanted="$*" 'BEGIN {
		n = split(names, name, ",")
		for (i = 1; i <= n; i++)
			at[name[i]] = i
		n = split(wanted, name, " ")
	}
	{ for (i = 1; i <= n; i++) printf "%s%s", $at[name[i]], i < n ? " " : "\n" }' | sort
}
# rows BY FILE: "FROM TO COUNT MISPREDICTED CYCLES", of functions with names.
rows() {
	"$pdtool" branches -q --by "$1" --allow-unverified --symfs / --format csv "$2" >csv 2>err
	cells from to count mispredicted cycles_sum
}
# Addresses as FUNCTION+0xOFFSET.
nm -n prog | awk '$2 ~ /[tT]/ { print $1, $3 }' >functions
named() {
	awk 'function number(hex,  v, i) { for (i = 1; i <= length(hex); i++) v = v * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1; return v }
	function place(hex,  v, i) {
		v = number(hex)
		for (i = n; i > 1 && start[i] > v; i--)
			;
		return name[i] sprintf("+0x%x", v - start[i])
	}
	NR == FNR { start[++n] = number($1); name[n] = $2; next }
	{ $1 = place($1); $2 = place($2); print }' functions -
}
totals() { awk '{ key = $1 " " $2; n[key]++; m[key] += $5; c[key] += $3 } END { for (k in n) print k, n[k], m[k], c[k] }' | sort; }

if [ $status = 0 ] && [ "$(wc -l <branches)" -gt 400 ]; then
	ok "$(wc -l <steps) steps, $(wc -l <branches) branches"
	# windows side by side: each branch once
	sampled 32 >prog.mkperf && "$mkperf" -o prog.data prog.mkperf || exit 1
	head -n $(($(wc -l <branches) / 32 * 32)) branches >seen
	named <seen | totals >want
	rows branch prog.data >got
	same 'each branch' want got
	named <seen | awk '{ sub(/\+.*/, "", $1); sub(/\+.*/, "", $2); print }' | totals >want
	rows function prog.data >got
	same 'between functions' want got
	equal 'and each type' "$(awk '$4 == 4' seen | wc -l) calls, $(awk '$4 == 6' seen | wc -l) returns" \
		"$("$pdtool" branches -q --allow-unverified --symfs / --format csv prog.data 2>/dev/null | awk -F, '$5 == "CALL" { c += $1 } $5 == "RET" { r += $1 } END { print c " calls, " r " returns" }')"
	# windows with one branch in common: each block once
	sampled 31 >prog.mkperf && "$mkperf" -o prog.data prog.mkperf || exit 1
	head -n $((($(wc -l <branches) - 32) / 31 * 31 + 32)) branches >seen
	awk 'NR > 1 { print to, $1, $3, $4, $5 } { to = $2 }' seen | named | totals >want
	rows block prog.data >got
	same 'each block, and its cycles' want got
	# turns: from a branch backwards, which is no call, to the same one before it in one window
	awk '{ from[NR] = $1; to[NR] = $2; cycles[NR] = $3; type[NR] = $4; bad[NR] = $5 }
	END {
		for (end = 32; end <= NR; end += 31) {
			for (i = end; i > end - 32; i--) {
				if (type[i] > 3 || to[i] "" > from[i] "")
					continue
				sum = 0
				for (k = i; k > end - 32 && (k == i || from[k] != from[i] || to[k] != to[i]); k--)
					sum += cycles[k]
				print from[i], to[i], (k > end - 32 ? sum : 0), type[i], bad[i]
			}
		}
	}' seen | named | totals >want
	rows loop prog.data >got
	same 'each loop, and the cycles of its turns' want got

	# instructions: how often each was stepped between the first branch and the last
	"$pdtool" branches -q --by block --instructions --limit 0 --allow-unverified --symfs / --format csv prog.data >csv 2>err
	awk -v count="$(wc -l <seen)" 'NR == FNR { after[before] = $1; before = $1; next }
		at && $1 "" != after[at] "" { n++ }
		n >= 1 && n < count || n == count && !ended { runs["0x" $1] += !(n == count) }
		{ at = $1 }
		END { for (a in runs) if (runs[a]) print a, runs[a] }' code steps | sort >want
	cells address executed | sort -u >got
	same 'each instruction, how often' want got
	# a step is a cycle here: each block has as many instructions as cycles, and they are those that objdump sees
	cells rank instructions cycles ipc | awk '{ print ($2 + 0 == $3 + 0 && $4 == "1.00" ? "as many" : $0) }' | sort -u >got
	equal 'their number, and IPC' 'as many' "$(cat got)"
	cells address size | sort -u >got
	awk 'before { print "0x" before, size($1, before) } { before = $1 }
		function number(hex,  v, i) { for (i = 1; i <= length(hex); i++) v = v * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1; return v }
		function size(a, b) { return number(a) - number(b) }' code | sort -u >want
	equal 'where each begins and ends' '' "$(comm -13 want got)"
	"$pdtool" branches -q --by loop --instructions --allow-unverified --symfs / --format csv prog.data >csv 2>err
	cells address executed | sort -u >loops
	"$pdtool" branches -q --by block --instructions --limit 0 --allow-unverified --symfs / --format csv prog.data >csv 2>err
	cells address executed | sort -u >got
	equal 'those of loops are among them' '' "$(comm -13 got loops)"
	equal 'of loops there are some' yes "$([ -s loops ] && echo yes)"

	# Stacks by branches. Of the true stack at a branch, those callers are known whose call is among the branches before it in
	# the window, or whose return is among it and those after it: as many of the innermost as the depth of calls falls below
	# what it is at the branch, before it or after it.
	cat >truth.awk <<-'END2'
	function place(hex,  v, i) {
		for (i = 1; i <= length(hex); i++)
			v = v * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
		for (i = names; i > 1 && start[i] > v; i--)
			;
		return name[i]
	}
	function number(hex,  v, i) { for (i = 1; i <= length(hex); i++) v = v * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1; return v }
	# the WANTED innermost callers of the stack before branch I, "a;b;"
	function callers(i, wanted,  text, d) {
		for (d = depth[i] - wanted + 1; d <= depth[i]; d++)
			text = text of[i, d] ";"
		return text
	}
	FNR == NR { start[++names] = number($1); name[names] = $2; next }
	{
		n++
		from[n] = place($1)
		depth[n] = now
		for (d = 1; d <= now; d++)
			of[n, d] = stack[d]
		if ($4 == 4 || $4 == 5)
			stack[++now] = from[n]
		else if ($4 == 6 && now > 0)
			now--
		to[n] = place($2)
	}
	END {
		depth[n + 1] = now
		for (end = 32; end <= n; end += every) {
			if (!samples) {
				for (i = end - 31; i <= end; i++) {
					past = future = depth[i]
					for (k = end - 31; k <= i; k++)
						past = depth[k] < past ? depth[k] : past
					for (k = i + 1; k <= end + 1; k++)
						future = depth[k] < future ? depth[k] : future
					lowest = past < future ? past : future
					count["prog;" callers(i, depth[i] - lowest) from[i]]++
				}
				continue
			}
			lowest = depth[end + 1]
			for (k = end - 31; k <= end; k++)
				lowest = depth[k] < lowest ? depth[k] : lowest
			text = "prog;"
			for (d = lowest + 1; d <= depth[end + 1]; d++)
				text = text ((d <= depth[end]) ? of[end, d] : from[end]) ";"
			count[text to[end]]++
		}
		for (c in count)
			print c, count[c]
	}
	END2
	for every in 31 32; do
		sampled $every >prog.mkperf && "$mkperf" -o prog.data prog.mkperf || exit 1
		awk -v every=$every -f truth.awk functions branches | sort >want
		"$pdtool" collapse -q --weight branch --allow-unverified --symfs / prog.data 2>err | sort >got
		same "the callers of each branch, every $every" want got
		awk -v every=$every -v samples=1 -f truth.awk functions branches | sort >want
		"$pdtool" collapse -q --branch-callers --weight samples --allow-unverified --symfs / prog.data 2>err | grep -v '^#' | sort >got
		same "the callers of each sample, every $every" want got
	done
	# the report has the same, and what is not special stays as it is
	"$pdtool" collapse -q --weight branch --allow-unverified --symfs / prog.data 2>err >folded
	awk '{ w = $NF; sub(/ [0-9]+$/, ""); sub(/.*;/, ""); self[$0] += w } END { for (f in self) print f, self[f] }' folded | sort >want
	"$pdtool" report -q --weight branch --no-children -s sym --allow-unverified --symfs / --format csv prog.data >csv 2>err
	cells sym self_weight >got
	same 'report: the branches of each function' want got
	"$pdtool" collapse -q --weight samples --allow-unverified --symfs / prog.data 2>err | grep -v '^#' | grep -c ';.*;' | sed 's/^/with callers: /' >got
	equal 'without the option samples stay alone' 'with callers: 0' "$(cat got)"
	# where types are not recorded, nothing is known of callers, and that is said
	sed 's/|[0-9]*<<4|[0-9]*<<20/|1<<4/g' prog.mkperf >bare.mkperf && "$mkperf" -o bare.data bare.mkperf || exit 1
	"$pdtool" collapse -q --weight branch --allow-unverified --symfs / bare.data 2>err | grep -c ';.*;' >got
	equal 'without types' 0 "$(cat got)"
	"$pdtool" report --weight branch --allow-unverified --symfs / bare.data 2>err | grep '^no callers' >got
	equal 'and it says so' 1 "$(grep -c "$(grep -c ^sample\  prog.mkperf) samples have branches without types" got)"
else
	skip 'a program step by step' "it cannot be traced (status $status)"
fi

# ---- recorded captures ----

for file in "$data"/recorded/hardware/quipper-branch*.data.zst "$data"/recorded/android/sp_lbr.data.zst \
	"$data"/recorded/foreign/23-x86_64-k6.12-lbr-callgraph.perf.data.zst; do
	"$pdtool" script -q -F brstackoff,dso "$file" 2>err | awk '{
		gsub(/ ?\(\[unknown\]\)/, " ()")
		text = $0
		while (match(text, / 0x[0-9a-f]+ \([^)]*\)\/0x[0-9a-f]+ \([^)]*\)\/[MP-]\/[X-]\/[A-]\/[0-9]+\//)) {
			entry = substr(text, RSTART + 1, RLENGTH - 1)
			text = substr(text, RSTART + RLENGTH)
			match(entry, /\)\/[MP-]\//)
			which = substr(entry, RSTART + 2, 1)
			where = substr(entry, 1, RSTART)
			cycles = entry
			sub(/\/$/, "", cycles)
			sub(/.*\//, "", cycles)
			if (where == "0x0 ()/0x0 ()")
				continue
			count[where]++
			bad[where] += which == "M"
			sum[where] += cycles
		}
	}
	END { for (w in count) print w, count[w], bad[w], sum[w] }' | sort >want
	"$pdtool" branches -q --format csv "$file" >csv 2>err
	cells from_offset from_module to_offset to_module count mispredicted cycles_sum |
		sed 's,^\(0x[0-9a-f]*\) \([^ ]*\) \(0x[0-9a-f]*\) \([^ ]*\) \(.*\)$,\1 (\2)/\3 (\4) \5,' | sort >got
	same "$(basename "$file"), $(wc -l <want) branches" want got
done

# A damaged file can say that a sample has some 2,700 branches, each of which closes another loop: the work is that of the blocks.
{
	cat <<-'END2'
	event cycles type=hardware config=0 period=1 ids=1 sample_id_all mmap comm task branch_sample_type=ANY sample_type=IP|TID|TIME|BRANCH_STACK
	comm pid=7 tid=7 comm=prog time=10
	repeat 400 {
	END2
	awk 'BEGIN { printf "sample pid=7 tid=7 time=20+$i ip=0x500000 branch=["
		for (k = 0; k < 2700; k++) printf "%s0x%x:0x%x:P|1<<4|1<<20", k ? "," : "", 5242880 + 16 * k, 5242880 + 16 * k - 8
		print "]\n}" }'
} >many.mkperf
"$mkperf" -o many.data many.mkperf || exit 1
seconds() { perl -e 'system(@ARGV); printf "%.2f", (times)[2]' "$pdtool" branches -q -o many.txt --by "$1" many.data 2>err; }
block=$(seconds block) loop=$(seconds loop)
equal 'as many turns as branches' "$((400 * 2700))" "$("$pdtool" branches -q --by loop --format csv many.data 2>err | awk -F, 'NR > 1 { n += $1 } END { print n }')"
awk -v block="$block" -v loop="$loop" 'BEGIN { exit !(loop < 3 * block + 0.2) }'
result "loops of long branch stacks ($loop s, blocks $block s)" $?

# What holds none says so.
"$pdtool" branches "$data/recorded/x86_64/diff_pair/base1.data.zst" >got 2>err
equal 'a capture without' '2 branch stack. Record with: perf record -b -- COMMAND' "$? $(sed 's/.*has a //' err)"
