#!/bin/sh
# `mem --lines`, `--offsets` and `--stats` against what `perf c2c report --stdio --show-all --no-source` (6.12) shows of samples
# of two processes on two nodes (c2c.mkperf): every figure, line and place, also by peers (`-d peer`).
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

"$mkperf" -o c2c.data "$top/tests/oracle/c2c.mkperf" || fail mkperf 'cannot write'
zstd -dcq "$data/recorded/memory/c2c.txt.zst" >tot && zstd -dcq "$data/recorded/memory/c2c-peer.txt.zst" >peer || fail 'the oracles' 'cannot be unpacked'
mem() { "$pdtool" mem -q --format csv "$@"; }
# named: CSV to NAME=VALUE of all columns, a row in a line; addresses without zeros before them.
named() {
	awk -F, 'NR == 1 { n = split($0, name); next }
		{ line = ""; for (i = 1; i <= n; i++) { sub(/^0x0+/, "0x", $i); if ($i == "0x") $i = "0x0"; line = line " " name[i] "=" $i }; print line }'
}

# ---- figures ----
mem --stats c2c.data >stats.csv 2>err
awk -F, '
	{ all[$1] = $2; shared[$1] = $3; part[$1] = $4 + 0 }
	function put(name, n) { print name "|" n }
	END {
		put("Total records", all["samples"]); put("Locked Load/Store Operations", all["locked"])
		put("Load Operations", all["loads"]); put("Loads - uncacheable", all["load_uncached"])
		put("Loads - IO", all["load_io"]); put("Loads - Miss", all["load_miss"])
		put("Loads - no mapping", all["load_no_address"]); put("Load Fill Buffer Hit", all["load_fill_buffer"])
		put("Load L1D hit", all["load_l1"]); put("Load L2D hit", all["load_l2"])
		put("Load LLC hit", all["load_llc"] + all["hitm_local"]); put("Load Local HITM", all["hitm_local"])
		put("Load Remote HITM", all["hitm_remote"]); put("Load Remote HIT", all["load_remote"])
		put("Load Local DRAM", all["dram_local"]); put("Load Remote DRAM", all["dram_remote"])
		put("Load MESI State Exclusive", all["dram_exclusive"]); put("Load MESI State Shared", all["dram_shared"])
		put("Load LLC Misses", all["llc_misses"]); put("Load access blocked by data", all["blocked_data"])
		put("Load access blocked by address", all["blocked_address"])
		put("Load HIT Local Peer", all["peer_local"]); put("Load HIT Remote Peer", all["peer_remote"])
		put("LLC Misses to Local DRAM", sprintf("%.1f%%", part["dram_local"]))
		put("LLC Misses to Remote DRAM", sprintf("%.1f%%", part["dram_remote"]))
		put("LLC Misses to Remote cache (HIT)", sprintf("%.1f%%", part["load_remote"]))
		put("LLC Misses to Remote cache (HITM)", sprintf("%.1f%%", part["hitm_remote"]))
		put("Store Operations", all["stores"]); put("Store - uncacheable", all["store_uncached"])
		put("Store - no mapping", all["store_no_address"]); put("Store L1D Hit", all["store_l1_hit"])
		put("Store L1D Miss", all["store_l1_miss"]); put("Store No available memory level", all["store_na"])
		put("No Page Map Rejects", all["unmapped"]); put("Unable to parse data source", all["unreadable"])
		put("Total Shared Cache Lines", shared["lines"]); put("Load HITs on shared lines", shared["loads"])
		put("Fill Buffer Hits on shared lines", shared["load_fill_buffer"])
		put("L1D hits on shared lines", shared["load_l1"]); put("L2D hits on shared lines", shared["load_l2"])
		put("LLC hits on shared lines", shared["load_llc"] + shared["hitm_local"])
		put("Load hits on peer cache or nodes", shared["peer_local"] + shared["peer_remote"])
		put("Locked Access on shared lines", shared["locked"])
		put("Blocked Access on shared lines", shared["blocked_data"] + shared["blocked_address"])
		put("Store HITs on shared lines", shared["stores"]); put("Store L1D hits on shared lines", shared["store_l1_hit"])
		put("Store No available memory level", shared["store_na"])
		put("Total Merged records", shared["hitm_local"] + shared["hitm_remote"] + shared["stores"])
	}' stats.csv >got
sed -n '/c2c details/q; s/^  \([A-Z].*[^ ]\)  *: *\([0-9.%]*\)$/\1|\2/p' tot >want
same "figures: $(wc -l <want)" want got

# ---- lines ----
mem --lines c2c.data 2>err | named >lines
lines() { # hitm|peer: as perf has them
	awk -v by="$1" '{
		for (i = 1; i <= NF; i++) { split($i, v, "="); c[v[1]] = v[2] }
		stores = c["store_l1_hit"] + c["store_l1_miss"] + c["store_na"]
		local = c[by "_local"]; remote = c[by "_remote"]
		print c["dcacheline"], c["memory_nodes"] == "" ? "N/A" : c["memory_nodes"], c[by "_pct"] "%", local + remote, local, remote,
			c["records"], c["records"] - stores, c["stores"], c["store_l1_hit"], c["store_l1_miss"], c["store_na"],
			c["load_fill_buffer"], c["load_l1"], c["load_l2"], c["load_llc"], c["hitm_local"], c["load_remote"],
			c["hitm_remote"], c["dram_local"], c["dram_remote"]
	}' lines
}
for by in hitm:tot peer:peer; do
	sed -n '/Shared Data Cache Line Table/,/Pareto/p' ${by#*:} | awk '$1 ~ /^[0-9]+$/ { $1 = $4 = ""; print }' | awk '{ $1 = $1; print }' >table
	sort table >want
	lines ${by%:*} | sort >got
	same "lines by ${by%:*}: $(wc -l <want)" want got
done
lines hitm | awk '{ print $4 }' >got
sed -n '/Shared Data Cache Line Table/,/Pareto/p' tot | awk '$1 ~ /^[0-9]+$/ { print $6 }' >want
same 'the most first' want got

# ---- places: perf leaves out those that only read what nobody had changed ----
mem --offsets c2c.data 2>err | named >places
places() { # hitm|peer
	awk -v by="$1" '
		function value(line, i, v) { split("", c); n = split(line, w, " "); for (i = 1; i <= n; i++) { split(w[i], v, "="); c[v[1]] = v[2] } }
		function part(name) { return sprintf("%.2f%%", sum[c["dcacheline"] at[line], name] ? 100 * c[name] / sum[c["dcacheline"] at[line], name] : 0) }
		function mean(name) { return sprintf("%.0f", c[name]) }
		# the same address of another process is another line: its offset begins again
		{
			value($0)
			if (c["dcacheline"] != line || (c["offset"] == first && c["code"] == code)) { groups++; first = c["offset"]; code = c["code"] }
			line = c["dcacheline"]
			rows[NR] = $0; at[NR] = groups
			split(by "_local " by "_remote store_l1_hit store_l1_miss store_na", names, " ")
			for (i in names) sum[c["dcacheline"] groups, names[i]] += c[names[i]]
		}
		END {
			for (line = 1; line <= NR; line++) {
				value(rows[line])
				if (!(c[by "_local"] + c[by "_remote"] + c["stores"])) continue
				gsub("-", " ", c["nodes"]); gsub(",", " ", c["nodes"])
				print c["dcacheline"], part(by "_remote"), part(by "_local"), part("store_l1_hit"), part("store_l1_miss"), part("store_na"),
					c["offset"], c["memory_nodes"], c["code"], mean("mean_" by "_remote"), mean("mean_" by "_local"), mean("mean_load"),
					c["records"], c["cpus"], c["nodes"]
			}
		}' places
}
for by in hitm:tot peer:peer; do
	# of lines that are shared
	sed -n '/Cache Line Distribution Pareto/,$p' ${by#*:} | awk -v by=${by%:*} '
		NF == 7 && $1 ~ /^[0-9]+$/ { line = $7; shown = $2 + $3 > 0; next }
		/%/ && shown {
			nodes = $18; for (i = 19; i <= NF; i++) nodes = nodes " " $i
			print line, $1, $2, $3, $4, $5, $6, $7, $9, $10, $11, $12, $13, $14, nodes
		}' | sort >want
	awk '{ print $1 }' want | sort -u >shown
	places ${by%:*} | awk 'NR == FNR { shown[$1] = 1; next } $1 in shown && ($2 $3) != ""' shown - | sort >got
	same "places by ${by%:*}: $(wc -l <want)" want got
done

# ---- the median of a place is that of its loads; what people see; other sizes of lines; damage ----
"$pdtool" script -q -F addr,weight,data_src,ip c2c.data 2>err |
	awk '/OP LOAD/ && $1 == "404048" && $NF == "40112a" { print $(NF - 1) }' | sort -n >loads
equal 'a median, by the loads themselves' "$(sed -n "$((($(wc -l <loads) + 1) / 2))p" loads)" \
	"$(sed -n 's/.* offset=0x8 .* median_load=\([0-9]*\) .* symbol_daddr=[^ ]*404048 code=0x40112a .*/\1/p' places | head -n 1)"
# the histogram: loads that took time, no others; the header counts all, as with every view
"$pdtool" script -q -F weight,data_src c2c.data 2>err | awk '/OP LOAD/ && $NF > 0 && match($0, /LVL [^|]*/) { n[substr($0, RSTART + 4, RLENGTH - 4)]++ }
	END { for (l in n) print l "," n[l] }' | sort >want
mem --histogram c2c.data 2>err | records | awk -F '\t' '{ n[$1] += $4 } END { for (l in n) print l "," n[l] }' | sort >got
same "loads of the histogram: $(wc -l <want)" want got
for view in '-s op' --lines --offsets --stats --histogram; do
	"$pdtool" mem $view c2c.data 2>err | sed -n 's/^\(accesses\|HITM\) */\1 /p'
done | sort | uniq -c | awk '{ $1 = $1; print }' >got
printf '%s\n' '5 HITM 119 in caches of the same node, 100 of others' '5 accesses 676: 409 loads, 264 stores, 3 others' >want
same 'every view counts the same' want got
# a line is told from the one at the same address of another process
awk '{ print $(NF - 1), $NF }' lines | sort | uniq -d >got
equal 'lines of two processes' '0 2' "$(wc -l <got) $(grep -c 'dcacheline=0x1000100 pid=[78]$' lines)"
equal 'by places nothing is lost of shared lines' "$(awk -F, '$1 == "samples" { print $3 }' stats.csv)" \
	"$(sed 's/.* samples=\([0-9]*\) .*/\1/' places | awk '{ n += $1 } END { print n }')"
equal 'a line that nobody shares' 'offset=0x0 samples=32' \
	"$(mem --offsets --line 0x7f0000000240 c2c.data 2>err | named | sed 's/.* \(offset=[^ ]*\) .* \(samples=[^ ]*\) .*/\1 \2/')"
mem --lines --line-size 128 c2c.data 2>err | awk -F, 'NR == 2 { print $2, $3, $7, $29 }' >got
equal 'lines of 128 bytes' '90 75 442 0x0000000000404000' "$(cat got)"
for form in '--endian big' '--mode pipe' '--zstd'; do
	# shellcheck disable=SC2086 # options
	"$mkperf" $form -o form.data "$top/tests/oracle/c2c.mkperf"
	for view in --lines --offsets --stats; do
		mem $view c2c.data >want 2>err
		mem $view form.data >got 2>err
		same "$form: $view" want got
	done
done
for cpus in 0-x 3-1 5000000000 , 1-; do
	sed "s/^feature 14 .*/feature 14 u32:1 u32:0 u64:1 u64:1 str:$cpus/" "$top/tests/oracle/c2c.mkperf" | sed 's/^feature 22 .*/feature 22 u64:1 u64:4096 u64:9 u64:0 u64:99999 u64:99999 u64:0/' >bad.mkperf
	"$mkperf" -o bad.data bad.mkperf
	"$san" mem --lines --format csv bad.data >got 2>err
	equal "damaged nodes: $cpus" '0 19 2' "$? $(wc -l <got) $(grep -c 'NUMA_TOPOLOGY\|1 more of this kind' err)"
done
equal '--line without --offsets' 2 "$("$pdtool" mem --lines --line 0x40 c2c.data >got 2>err; echo $?)"
equal '--line-size that is no power of two' 2 "$("$pdtool" mem --lines --line-size 96 c2c.data >got 2>err; echo $?)"
