#!/bin/sh
# `mem` against the rows of `perf mem report` (6.12) on samples of loads and stores (mem.mkperf) in a program with symbols:
# overhead, samples and each key.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

zstd -dcq "$data/recorded/memory/oracle.tar.zst" | tar -xf - || fail 'the oracles' 'cannot be unpacked'
"$mkperf" -o mem.data "$top/tests/oracle/mem.mkperf" || fail mkperf 'cannot write'
mem() { "$pdtool" mem -q --format csv --symfs symfs --allow-unverified "$@"; }

# perf has a table for each event, the level of code before each name, and for each symbol_daddr a column of IPC that is empty.
while read -r set keys; do
	awk -F'|' '/^# Samples:/ { sub(/.* of event ./, ""); sub(/.$/, ""); event = $0 }
		/^#/ || NF < 3 { next }
		{
			line = event
			for (i = 1; i <= NF; i++) {
				gsub(/^ +| +$/, "", $i)
				sub(/%$/, "", $i)
				sub(/^\[[.k]\] /, "", $i)
				if ($i == "0x0000000000999999") # an address outside any file
					$i = "[unknown]"
				if ($i !~ /^- +-$/)
					line = line "|" $i
			}
			print line
		}' "$set.txt" | sort >want
	for event in 'cpu/mem-loads,ldlat=30/P' cpu/mem-stores/P; do
		mem -e "$event" -s "$keys" mem.data 2>err | sed 1d | awk -F, -v event="$event" '{
			line = event "|" $1 "|" $2
			for (i = 6; i <= NF; i++)
				line = line "|" $i
			print line }'
	done | sort >got
	same "-s $keys: $(wc -l <want) rows" want got
done <sets

# What rows are by changes nothing of what they come to.
for keys in op mem,comm sym dso,event dcacheline symbol_daddr,local_weight; do
	mem -s $keys mem.data 2>err | awk -F, 'NR > 1 { samples += $2; weight += $3 } END { print samples, weight }'
done | sort -u >got
equal 'sums by any key' '541 34324' "$(cat got)"
mem --lines mem.data 2>err | awk -F, 'NR > 1 { n += $7; h += $2; r += $3; l += $9; s += $10; w += $22 } END { print n, h, r, l, s, w }' >got
equal 'sums of lines' '541 60 12 491 50 34324' "$(cat got)"
equal 'the line that cores take from each other' '83.33,60,0,110,60,50,21440,356.5,0x0000000000404040' "$(mem --lines mem.data 2>err | sed -n 2p | cut -d, -f1-3,7,9,10,22,23,29)"
mem --histogram mem.data 2>err | awk -F, 'NR > 1 { n += $4; bad += $3 != 2 * $2 } END { print n, bad + 0 }' >got
equal 'the histogram: loads that took time' '479 0' "$(cat got)"
mem --histogram mem.data 2>err | sed -n 's/^L3 hit,//p' >got
printf '%s\n' 128,256,16,26.67 256,512,36,60.00 512,1024,8,13.33 >want
same 'the histogram of a level' want got

equal 'loads that do not tell their time' '12' "$("$pdtool" mem -q --histogram mem.data 2>err | sed -n 's/^no time *\([0-9]*\) loads.*/\1/p')"
equal 'CPUs that were not recorded' '' "$(mem --lines mem.data 2>err | sed 1d | cut -d, -f24 | sort -u)"
sed 's/ weight=[0-9]*//g' "$top/tests/oracle/mem.mkperf" >timeless.mkperf && "$mkperf" -o timeless.data timeless.mkperf 2>err || fail mkperf "$(cat err)"
equal 'no load tells its time' "1 timeless.data: no load that passes the filters tells how long it took" \
	"$("$pdtool" mem --histogram timeless.data >got 2>err; echo $?) $(sed 's/^pdtool: //' err)"

# Filters by place look at the code; any order of bytes.
equal 'what a function does' '110' "$(mem --symbol writer -s op mem.data 2>err | awk -F, 'NR > 1 { n += $2 } END { print n }')"
"$mkperf" --endian big -o big.data "$top/tests/oracle/mem.mkperf"
mem -s mem,snoop,tlb,locked,blocked mem.data >want 2>err
mem -s mem,snoop,tlb,locked,blocked big.data >got 2>err
same 'big-endian' want got
"$pdtool" mem "$data/recorded/script/cpu-g.data.zst" >got 2>err
equal 'a capture without' '2 no sample has a data source. Record with: perf mem record -- COMMAND' "$? $(sed 's/.*: \(no sample.*\)/\1/' err)"
equal '--lines has its own rows' 2 "$("$pdtool" mem --lines -s mem mem.data >got 2>err; echo $?)"

# Traces of hardware are counted and said, also where they are all that there is.
cat >spe.mkperf <<'END'
arch aarch64
nrcpus 2 2
event arm_spe_0/load_filter=1/ type=8 config=0x300000001 period=1024 ids=1 sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|CPU
event dummy:u type=software config=9 period=1 ids=2 sample_id_all mmap comm task sample_type=IDENTIFIER|IP|TID|TIME|CPU
auxtrace_info type=4 priv=[8,1]
comm pid=7 tid=7 comm=prog time=1
aux offset=0 size=64 time=100 pid=7
auxtrace payload=[zero:64] size=64 idx=0 tid=7 cpu=0
aux offset=64 size=32 flags=1 time=200 pid=7
auxtrace payload=[zero:32] size=32 offset=64 idx=0 tid=7 cpu=0
END
"$mkperf" -o spe.data spe.mkperf
for command in mem 'mem --lines' report summary; do
	# shellcheck disable=SC2086 # a command and its options
	"$pdtool" $command spe.data >got 2>err
	equal "$command: a trace of Arm SPE alone" '1 1' "$? $(grep -c 'no samples; recorded: arm_spe_0/load_filter=1/, dummy:u; 96 B of hardware trace (AUX) hold none that is decoded' err)"
done
equal 'info counts it' '2 records, 96 B of trace, not decoded' "$("$pdtool" info --allow-empty spe.data 2>err | sed -n 's/^aux data  *//p')"
equal 'and what was cut' 'aux_truncated 1' "$("$pdtool" info --allow-empty --counts --format csv spe.data 2>err | awk -F, '$1 == "loss" { print $2, $3 }')"
{
	sed '/^comm /,$d' "$top/tests/oracle/mem.mkperf" && echo 'auxtrace_info type=4 priv=[8,1]'
	sed -n '/^comm /,$p' "$top/tests/oracle/mem.mkperf"
	grep '^aux' spe.mkperf | sed '1d; s/pid=7//'
} >both.mkperf
"$mkperf" -o both.data both.mkperf
for view in '-s mem' --lines; do
	# shellcheck disable=SC2086 # an option and its value
	equal "mem $view: beside samples" '96 B of hardware trace (AUX), as that of Arm SPE' "$("$pdtool" mem $view both.data 2>err | sed -n 's/^not decoded  *//p')"
done

# The latencies that come with weights, as `perf mem report` (6.12) has them of c2c.mkperf: share, accesses, latency.
"$mkperf" -o c2c.data "$top/tests/oracle/c2c.mkperf"
printf '%s\n' 73.31,340,0 6.82,18,4 6.72,18,3 6.62,18,2 6.52,18,1 >want
mem -e 'cpu/mem-loads,ldlat=30/P' -s local_ins_lat c2c.data 2>err | sed 1d | cut -d, -f1,2,6 >got
same 'local_ins_lat' want got
equal 'local_p_stage_cyc' '100.00,412,0' "$(mem -e 'cpu/mem-loads,ldlat=30/P' -s local_p_stage_cyc c2c.data 2>err | sed 1d | cut -d, -f1,2,6)"
equal 'which is local_retire_lat' local_retire_lat "$(mem -s local_retire_lat c2c.data 2>err | sed 's/.*,//;q')"
