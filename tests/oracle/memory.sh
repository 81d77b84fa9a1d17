#!/bin/sh
# Where stacks take more memory than they may, the rarest count as [others]: sums stay, the frequent ones too, and what
# is used stays within bounds.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

# In each round one stack has a hundred samples, two hundred others have one each.
many() { # ROUNDS
	cat >many.mkperf <<-END
	event cpu-clock type=software config=0 period=1 ids=5 sample_id_all mmap comm task sample_type=IP|TID|TIME|PERIOD|CALLCHAIN
	comm pid=10 comm=app time=1
	mmap pid=10 addr=0x400000 len=0x80000000 file=/bin/app time=2
	repeat $1 round {
	repeat 300 {
	sample pid=10 time=10+\$round*1000+\$i ip=0x400000 period=7 \
		chain=[user:0x400000,0x400100+((\$i%3)*(\$i+\$round*300))*16,0x400200+\$round*16,0x500000]
	}
	finished_round
	}
	END
	"$mkperf" -o many.data many.mkperf
}

# total FILE, others FILE: weights of folded stacks.
total() { awk '{ sum += $NF } END { print sum + 0 }' "$1"; }
others() { awk '/;\[others\] / { sum += $NF } END { print sum + 0 }' "$1"; }

many 200
collapse="collapse --compat stackcollapse --addrs"
# shellcheck disable=SC2086 # a command and its options
"$pdtool" $collapse many.data 2>err | stacks | sort >whole
equal 'nothing is left out where there is room' '420000 0 40150' "$(total whole) $(others whole) $(grep -c . whole)"
! grep -q 'others' err
result 'and nothing is said' $?
for size in 2M 1M; do
	# shellcheck disable=SC2086
	"$san" $collapse --max-memory $size many.data 2>err | stacks | sort >some
	equal "$size: the sum" 420000 "$(total some)"
	stays=$(grep -c ' 700$' some)
	[ "$stays" -ge 100 ]
	result "$size: most of 200 frequent stacks stay whole ($stays)" $?
	grep -v others some | comm -23 - whole >more
	equal "$size: what stays is as it was" 0 "$(awk '$NF > 700' more | wc -l)"
	grep -q "^pdtool: [0-9]* rare stacks made room, and 0 samples found none: they count as \[others\]" err
	result "$size: it is said" $?
done
"$pdtool" info --max-memory 1M many.data 2>err | grep -q 'others.* rare stacks made room'
result 'info says it' $?

# Every command keeps its sums: those that follow new ids, and those that cannot.
"$san" report -q --no-children --format csv -s sym --max-memory 1M many.data >got 2>err
equal 'report: the sum' 420000 "$(records <got | awk -F '\t' '{ sum += $4 } END { print sum }')"
for command in flamegraph 'flamegraph --flamechart' 'abstime --step 1ms' 'diff many.data' doctor summary info \
	'annotate app' bundle-list 'heatmap --events cpu-clock --value symbol'; do
	# shellcheck disable=SC2086
	"$san" $command -q --max-memory 1M many.data >got 2>err
	status=$?
	[ $status -le 1 ] && ! grep -q 'ERROR\|runtime error' err
	result "$command" $?
done

# User stacks to be unwound, and deep chains that all wait for their turn.
for file in "$data"/unwind/*/*.data* "$data/recorded/state/deep-chains.data"; do
	"$pdtool" collapse -q "$file" 2>err | stacks >whole
	"$san" collapse -q --max-memory 1M "$file" 2>err | stacks >some
	[ -s some ] && [ "$(total whole)" = "$(total some)" ]
	result "$(basename "$file"): the sum of all that there is" $?
done

# 450,000 samples with 300,000 stacks; ulimit -v counts the program and its libraries, too.
many 1500
for command in collapse report doctor; do
	( ulimit -v 150000; "$pdtool" $command -q --max-memory 8M many.data >got 2>err )
	equal "$command in 150 MB" 0 $?
done
for round in 1 2 3 4 5 6 7 8 9 10; do
	( ulimit -v 150000; exec "$pdtool" collapse -q -j 16 --max-memory 8M many.data >got.$round 2>err.$round ) ||
		echo $round
done >failed
equal 'collapse -j 16 in 150 MB, ten times' '' "$(cat failed)"
