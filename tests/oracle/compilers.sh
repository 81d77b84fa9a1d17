#!/bin/sh
# `export --to bolt|profgen|autofdo`: against the branches of a C++ program and its library that was run step by step, put
# together here; and where BOLT, llvm-profgen, AutoFDO and perf are installed, against what they make of the capture themselves.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"
parts=$top/tests/oracle/compilers
functions=${FUNCTIONS:-60}

# The tools that are there: by version of LLVM.
bolts=$(for v in 16 17 18 19 20 21 22; do [ -x /usr/lib/llvm-$v/bin/perf2bolt ] && echo $v; done)
profgens=$(for v in 16 17 18 19 20 21 22; do [ -x /usr/lib/llvm-$v/bin/llvm-profgen ] && echo $v; done)
[ "$(uname -m)" = x86_64 ] || { skip compilers 'the program is for x86-64'; exit; }
command -v c++ >/dev/null || { skip compilers 'there is no c++'; exit; }

printf 'unsigned shared_leaf(unsigned n);\nunsigned shared_tree(unsigned n);\n' >shared.h
cc -O1 -o stepper "$top/tests/lib/stepper.c" || exit 1

# build NAME FLAG...: the program NAME and lib.so
build_all() {
	name=$1
	shift
	awk -v n="$functions" -f "$parts/program.awk" >$name.cc
	c++ -O2 -g -gdwarf-4 -fPIC -shared -I. -Wl,-q -Wl,--build-id -o lib.so "$parts/shared.cc" "$parts/other.cc" &&
		c++ -O2 -g -gdwarf-4 -I. -Wl,-q -Wl,--build-id "$@" -o $name $name.cc lib.so -Wl,-rpath,"$tmp" 2>err
}

# base FILE: the address at which it lies in memory, by the maps of the program. Without 0x.
base() {
	awk -v file="$tmp/$1" '$6 == file { sub(/-.*/, "", $1); print $1; exit }' maps
}
# relative FILE: is its code told relative to that address?
relative() { readelf -hW "$1" | grep -q 'Type: *DYN'; }

# stepped NAME: its branches, "FROM TO MISPREDICTED", of which every seventh is. What follows an instruction is known of the
# program and the library; elsewhere it is what lies less than 16 bytes ahead.
stepped() {
	./stepper -t ./$1 maps >steps || return 1
	for file in $1 lib.so; do
		shift=0
		relative $file && shift=$(base $file)
		objdump -d --no-show-raw-insn --adjust-vma=0x$shift $file | sed -n 's/^ *\([0-9a-f]*\):[ 	].*/\1/p' |
			awk 'before { print before, $1 } { before = $1 }'
	done >after
	awk 'function number(hex,  v, i) { for (i = 1; i <= length(hex); i++) v = v * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1; return v }
	NR == FNR { after[$1] = $2; next }
	at != "" && (at in after ? $1 "" != after[at] "" : number($1) <= number(at) || number($1) > number(at) + 15) { print at, $1, ++n % 7 == 0 }
	{ at = $1 }' after steps >branches
}

# sampled EVERY: "IP FROM TO BAD ...", a sample at each EVERYth branch of the 32 before it, the newest first. In every fifth an
# interrupt came at the ninth: it went to the kernel and came back.
sampled() {
	awk -v every="$1" '{ list[NR % 32] = $0 }
	NR >= 32 && (NR - 32) % every == 0 {
		split($0, p, " ")
		printf "%s", p[2]
		for (i = 0; i < 32; i++) {
			printf " %s", list[(NR - i) % 32]
			split(list[(NR - i) % 32], p, " ")
			if (i == 8 && NR % 5 == 0)
				printf " ffffffff81000010 %s 0 %s ffffffff81000000 0", p[1], p[1]
		}
		print ""
	}' branches
}

# capture NAME: of the samples in the file samples, with branches; -n: without.
capture() {
	printf 'arch x86_64\nevent cycles:u type=hardware config=0 period=1000 ids=1 sample_id_all mmap mmap2 comm task %s\n' \
		"$([ "$1" = -n ] && echo 'sample_type=IP|TID|TIME' || echo 'branch_sample_type=ANY sample_type=IP|TID|TIME|BRANCH_STACK')"
	echo 'mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x1000000 pgoff=0xffffffff81000000 file=[kernel.kallsyms]_text time=1'
	echo 'comm pid=7 tid=7 comm=prog time=10'
	awk 'function number(hex,  v, i) { for (i = 1; i <= length(hex); i++) v = v * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1; return v }
	$2 ~ /x/ && $6 ~ /^\// {
		split($1, a, "-")
		printf "mmap2 pid=7 tid=7 addr=0x%s len=0x%x pgoff=0x%s maj=8 min=1 ino=%s ino_generation=1 prot=5 flags=2 file=\"%s\" time=11\n", \
			a[1], number(a[2]) - number(a[1]), $3, $5, $6
	}' maps
	awk -v bare="$1" '{
		printf "sample pid=7 tid=7 time=%d ip=0x%s", 20 + NR, $1
		for (i = 2; bare != "-n" && i < NF; i += 3)
			printf "%s0x%s:0x%s:%s", (i > 2 ? "," : " branch=["), $i, $(i + 1), $(i + 2) ? "M" : "P"
		print (bare != "-n" ? "]" : "")
	}' samples
}

# truth TO FILE
truth() {
	awk -v file="$tmp/$2" '$6 == file && $2 ~ /x/ { split($1, a, "-"); print a[1], a[2], $3 }' maps >span
	readelf -lW "$2" | awk '$1 == "LOAD" && / R E /' | head -n 1 | awk '{ print $2, $3 }' >segment
	readelf -SW "$2" | sed 's/^ *\[ *[0-9]*\] *//' | awk '$1 ~ /^\.plt/ { print $3, $5, $6 }' >stubs
	nm -S --defined-only "$2" | awk '$(NF - 1) ~ /^[tTwWi]$/ { print $1, (NF == 4 ? $2 : 0) }' | sort -u >functions
	low=$((0x$(cut -d ' ' -f 1 span))) high=$((0x$(cut -d ' ' -f 2 span)))
	code=$(($(cut -d ' ' -f 2 segment)))
	base=0
	relative "$2" && base=$((0x$(base "$2")))
	awk -v to="$1" -v low=$low -v high=$high -v base=$base -v code=$code -v shift=$((code - $(cut -d ' ' -f 1 segment))) \
		-v outside="$(printf %x $((1 - code)))" -f "$parts/truth.awk" functions stubs samples | sort
}

# exported TO FILE CAPTURE
exported() { "$pdtool" export -q --to "$1" --binary "$2" --allow-unverified --symfs / -o "$2.$1" "$3" 2>err; }

# compared NAME: each file of it, for each reader
compared() {
	for file in $1 lib.so; do
		for to in bolt profgen autofdo; do
			truth $to $file >want
			exported $to $file $1.data || fail "$1: $file, $to" "status $?: $(cat err)"
			sort $file.$to >got
			same "$1: $file, $to: $(wc -l <want) rows" want got
		done
	done
}

# AutoFDO's text but for the heads of inlined functions: version 0.19 prints bytes there that are not theirs.
sound() { tr -d '\000' <"$1" | grep -aE '^ *[0-9.]+: [0-9]+$|^[A-Za-z_][A-Za-z0-9_.]*:[0-9]+:[0-9]+$'; }

tools() {
	command -v perf >/dev/null || { skip "$1: what the tools make" 'there is no perf'; return; }
	for file in $1 lib.so; do
		for v in $bolts; do
			for way in "-p $1.data" "-pa -p $file.bolt"; do
				# shellcheck disable=SC2086
				/usr/lib/llvm-$v/bin/perf2bolt ./$file $way -o fdata >log 2>&1 || fail "$1: $file, BOLT $v" "$way: $(tail -n 1 log)"
				sort fdata >"fdata.${way%% *}"
			done
			same "$1: $file, BOLT $v: $(wc -l <fdata.-p) lines of fdata" fdata.-p fdata.-pa
		done
		for v in $profgens; do
			profgen="/usr/lib/llvm-$v/bin/llvm-profgen --binary=./$file --format=text"
			$profgen --perfdata=$1.data --output=want >log 2>&1 || fail "$1: $file, llvm-profgen $v" "$(tail -n 1 log)"
			$profgen --unsymbolized-profile=$file.profgen --output=got >log 2>&1
			same "$1: $file, llvm-profgen $v: $(wc -l <want) lines" want got
		done
		if command -v create_llvm_prof >/dev/null; then
			for profiler in perf:$1.data text:$file.autofdo; do
				create_llvm_prof --profiler=${profiler%:*} --profile=${profiler#*:} --binary=./$file --out=afdo --format=text >log 2>&1 ||
					fail "$1: $file, AutoFDO" "$(tail -n 1 log)"
				sound afdo >afdo.${profiler%:*}
			done
			same "$1: $file, AutoFDO: $(wc -l <afdo.perf) lines" afdo.perf afdo.text
		fi
	done
}

# ---- samples without branches: BOLT's profile of functions ----

# functions_of FILE: "START NAME" as BOLT calls them: local ones of a name are numbered by address. Of several names at one
# address the global one.
functions_of() {
	nm --defined-only "$1" | awk '$2 ~ /^[tTwWi]$/' | sort -k 1,1 -k 2,2r |
		awk '{ name = $2 == "t" ? $3 "/" ++n[$3] : $3 } $1 "" != last || $2 != "t" { at[$1] = name } { last = $1 "" } END { for (a in at) print a, at[a] }' | sort
}

unbranched() {
	awk 'NR % 7 == 0' steps >samples
	capture -n >bare.mkperf && "$mkperf" -o bare.data bare.mkperf || fail "$1: samples" mkperf
	for file in $1 lib.so; do
		functions_of $file >functions
		from=0
		relative $file && from=$((0x$(base $file)))
		awk -v file="$tmp/$file" '$6 == file && $2 ~ /x/ { split($1, a, "-"); print a[1], a[2] }' maps >span
		awk -v base=$from -v low=$((0x$(cut -d ' ' -f 1 span))) -v high=$((0x$(cut -d ' ' -f 2 span))) '
			function number(hex,  v, i) { for (i = 1; i <= length(hex); i++) v = v * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1; return v }
			NR == FNR { start[++n] = number($1); name[n] = $2; next }
			{ v = number($1) }
			v >= low && v < high {
				for (i = n; i > 1 && start[i] > v - base; i--)
					;
				count[name[i] " " sprintf("%x", v - base - start[i])]++
			}
			END { for (c in count) print "1", c, count[c] }' functions samples | grep -v ' _init[ /]' | sort >want
		exported bolt $file bare.data || fail "$1: $file, samples" "status $?: $(cat err)"
		grep -vE '@PLT|__BOLT_PSEUDO_|^no_lbr| _init[ /]' $file.bolt | sort >got
		same "$1: $file, samples at $(wc -l <want) places" want got
		for v in $bolts; do
			/usr/lib/llvm-$v/bin/perf2bolt ./$file -nl -p bare.data -o fdata >log 2>&1 || fail "$1: $file, BOLT $v" "$(tail -n 1 log)"
			# at one address it may choose another name
			awk '{ print $3, $4 }' fdata | sort >want
			awk '{ print $3, $4 }' $file.bolt | sort >got
			sed -n '1s/:$//p' fdata >want.head
			head -n 1 $file.bolt >got.head
			same "$1: $file, BOLT $v: $(wc -l <want) samples" want got
			same "$1: $file, BOLT $v: the event" want.head got.head
			equal "$1: $file, BOLT $v: names" '' \
				"$(tail -n +2 $file.bolt | cut -d ' ' -f 2 | sort -u >names; tail -n +2 fdata | cut -d ' ' -f 2 | sort -u | comm -13 - names | grep -v shared_tree)"
		done
	done
}

for kind in pie:-pie fixed:-no-pie; do
	name=${kind%:*}
	build_all $name "${kind#*:}" || { fail "$name" "$(head -n 1 err)"; continue; }
	stepped $name || { skip "$name" 'it cannot be traced'; continue; }
	ok "$name: $(wc -l <steps) steps, $(wc -l <branches) branches, $(objdump -d --no-show-raw-insn $name | grep -c '	\(j[a-z]*\|ret\) ') jumps and returns in its code"
	sampled 31 >samples
	capture >$name.mkperf && "$mkperf" -o $name.data $name.mkperf || fail "$name" mkperf
	compared $name
	if [ -n "$bolts$profgens" ]; then tools $name; else skip "$name: what the tools make" 'neither BOLT nor llvm-profgen is installed'; fi
	unbranched $name
done

# ---- which file, and what is said of the rest ----

cat >two.mkperf <<'END'
arch x86_64
event cycles:u type=hardware config=0 period=1 ids=1 sample_id_all mmap comm task branch_sample_type=ANY sample_type=IDENTIFIER|IP|TID|TIME|BRANCH_STACK
event branches:u type=hardware config=4 period=1 ids=2 sample_id_all mmap comm task branch_sample_type=ANY_CALL sample_type=IDENTIFIER|IP|TID|TIME|BRANCH_STACK
mmap pid=-1 tid=0 addr=0xffffffff81000000 len=0x1000000 pgoff=0xffffffff81000000 file=[kernel.kallsyms]_text time=1
comm pid=7 tid=7 comm=app time=1
mmap pid=7 tid=7 addr=0x500000 len=0x10000 file="/lib/one\x1b[2J.so" time=2
mmap pid=7 tid=7 addr=0x600000 len=0x10000 file=/lib/two.so time=2
sample event=cycles:u pid=7 tid=7 time=1000 ip=0x500100 branch=[0x500100:0x600200:P,0x500050:0x5000f0:M]
sample event=cycles:u pid=7 tid=7 time=2000 ip=0x600300 branch=[0x600300:0x900000:P,0xffffffff81000000:0x600280:P,0x600210:0xffffffff81000100:P,0x900100:0x900200:P]
sample event=branches:u pid=7 tid=7 time=3000 ip=0x600300 branch=[0x600300:0x600100:P,0x600080:0x6000f0:M,0x0:0x0:]
END
"$mkperf" -o two.data two.mkperf || fail 'two libraries' mkperf
sed '/^sample event=branches:u/d; /0xffffffff81000000:/d; s/,0x500050:0x5000f0:M//' two.mkperf >even.mkperf && "$mkperf" -o even.data even.mkperf || fail 'two libraries' mkperf
"$pdtool" export --to autofdo -o none even.data 2>err
equal 'none has most of it' '2 pdtool: a profile is of one file, and none has most of the branches: --binary names it; there are one?[2J.so (1), two.so (1)' "$? $(cat err)"
"$pdtool" export --to autofdo -o got two.data 2>err
equal 'what is said of the rest' '0 pdtool: the profile of /lib/two.so has 6 of 8 branches; elsewhere are one?[2J.so (2), no file (1)
pdtool: 2 times no code in a line lies between two branches
pdtool: 1 samples were recorded with some kinds of branches alone: others may lie between two (perf record -b has all)' "$? $(grep -v addresses err)"
printf '%s\n' 2 f0-300:1 280-300:1 1 300:2 2 '80->f0:1' '300->100:1' >want
same 'and the profile' want got
"$pdtool" export --to autofdo --binary three.so -o none two.data 2>err
equal 'no such file' '2 pdtool: --binary three.so: no file of this name has branches; there are two.so (6), one?[2J.so (2)' "$? $(cat err)"
"$pdtool" export --to bolt --binary two.so -o none two.data 2>err
equal 'the file is not at hand' 2 $?
lbr=$data/recorded/foreign/23-x86_64-k6.12-lbr-callgraph.perf.data.zst
"$pdtool" export --to profgen -o none "$lbr" 2>err
equal 'call stacks are no branches' "2 pdtool: $lbr: no sample has a branch stack. Record with: perf record -b -- COMMAND" "$? $(cat err)"
"$pdtool" export --to autofdo -o got "$lbr" 2>err
equal 'but samples' '0 pdtool: the profile of /home/fn/opt/sqlite-bench/sqlite-bench has 852 of 856 samples; elsewhere are the kernel (4)
pdtool: 856 samples have call stacks, which are no branches: left out' "$? $(grep -v addresses err)"
equal 'these alone' '0 852 0' "$(awk -F : 'NR == 1 { lines = $1 } NR > 1 && NF == 2 { n += $2 } END { print lines, n, $1 }' got)"
equal 'nothing was written' '' "$(ls none 2>/dev/null)"
