#!/bin/sh
# Damaged captures: cut at each length, one bit changed, under the sanitizers and within 64 MB and 5 s. A fixed part of
# what `make fuzz` does. A case that fails leaves its input in $build/fuzz.
# Of the changes at random, and of the bits and lengths where a sanitizer watches, some are taken; `make check-whole` takes
# them all.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

. "$top/tests/fuzz/captures.sh"
apart() { echo $(($1 * one_in)); }
plain=$build/tests/fuzz/sweep
sanitized=$build/san/tests/fuzz/sweep

# Every length, and samples must only become more: all forms without sanitizers, one of each with them.
"$plain" --keep "$keep" --cut 1 order.file.plain.data order.pipe.plain.data basic.pipe.zstd.data basic.file.zstd2.data
"$plain" --keep "$keep" --cut 1 --pipe order.pipe.plain.data
"$plain" --keep "$keep" --cut 3 sched.pipe.plain.data
"$plain" --keep "$keep" --cut 7 ids.file.big.data tracepoints.file.plain.data allrecords.file.data allrecords.pipe.zstd.data
"$sanitized" --keep "$keep" --cut $(apart 1) order.file.plain.data
"$sanitized" --keep "$keep" --cut $(apart 5) order.pipe.plain.data basic.pipe.zstd.data basic.file.zstd2.data
"$sanitized" --keep "$keep" --cut $(apart 13) --pipe basic.pipe.zstd.data allrecords.pipe.zstd.data

# Each bit of the header and the first attr, and some of the rest.
"$plain" --keep "$keep" --flip 200 --spread 1000 basic.file.data allrecords.file.data basic.pipe.zstd.data
"$sanitized" --keep "$keep" --flip 104 --spread $(some 900) basic.file.data allfields.pipe.data
"$plain" --keep "$keep" --flip 8 --spread 3000 sched.pipe.plain.data
"$sanitized" --keep "$keep" --flip 8 --spread $(some 500) sched.file.plain.data sched.pipe.plain.data
"$sanitized" --keep "$keep" --flip 16 --spread $(some 700) basic.pipe.zstd.data allrecords.file.data tracepoints.file.plain.data

# Captures and fixed bugs as they are.
"$plain" --keep "$keep" --whole "$data"/broken/*
"$sanitized" --keep "$keep" --whole "$data"/broken/*
"$sanitized" --keep "$keep" --count $(some 1500) --seed 1 ./*.data "$data"/broken/*

# Other commands, and folded text.
"$sanitized" --keep "$keep" --count $(some 1000) --seed 2 --command "diff --by stack --format csv @ @" ./*.data
"$sanitized" --keep "$keep" --count $(some 1000) --seed 3 --command "diff --format folded -n @ @" "$data"/recorded/x86_64/*/*.folded
"$sanitized" --keep "$keep" --count $(some 800) --seed 4 --command "flamegraph @" ./*.data "$data"/recorded/x86_64/*/*.folded
"$sanitized" --keep "$keep" --count $(some 800) --seed 5 --command "flamegraph --flamechart @" ./*.data
"$sanitized" --keep "$keep" --count $(some 800) --seed 6 --command "report -s comm,sym,time @" ./*.data
"$sanitized" --keep "$keep" --count $(some 800) --seed 7 --command "abstime --step 1ms --format csv @" ./*.data
"$sanitized" --keep "$keep" --count $(some 800) --seed 8 --command "doctor @" ./*.data
"$sanitized" --keep "$keep" --count $(some 800) --seed 9 --command "bundle-list @" ./*.data
"$sanitized" --keep "$keep" --count $(some 800) --seed 11 --command "library columns @" ./*.data
printf 'ffffffff81000000 T _text\nffffffff81000080 T do_syscall_64\nffffffff81000400 t default_idle\n' >kallsyms
"$sanitized" --keep "$keep" --count $(some 800) --seed 10 --command "annotate --kallsyms kallsyms --format csv -s default_idle @" ./*.data
"$sanitized" --keep "$keep" --flip 8 --spread $(some 300) --command "wakeup --depth 3 @" offcpu.pipe.data
"$sanitized" --keep "$keep" --count $(some 1000) --seed 4 --command "offcpu --strip-schedule @" offcpu.pipe.data

# What symbols, lines and rules for unwinding come from: 1500 damaged files of each kind.
. "$top/tests/fuzz/files.sh"
damaged "$plain" $(some 300) 1
damaged "$sanitized" $(some 40) 1000
# Archives of symbols: cut, with bits changed, with members of others, all forms. Their sizes and names are hostile, then.
. "$top/tests/fuzz/archives.sh"
report="report --symbols @ symbols.data"
"$plain" --keep "$keep" --cut 97 --command "$report" perf.tar
"$plain" --keep "$keep" --cut 7 --command "$report" perf.tar.bz2 perf.tar.zst
"$plain" --keep "$keep" --flip 1 --spread 700 --command "$report" perf.tar
"$plain" --keep "$keep" --flip 16 --spread 150 --command "$report" perf.tar.gz perf.tar.bz2 perf.tar.xz perf.tar.zst all.tar
"$sanitized" --keep "$keep" --flip 1 --spread $(some 40) --command "$report" perf.tar perf.tar.?z perf.tar.???
"$sanitized" --keep "$keep" --count $(some 400) --seed 8 --command "$report" perf.tar* all.tar
perl "$top/tests/fuzz/archives.pl" 300 1 "$bin/app" || exit 1
{
	"$plain" --keep "$keep" --whole --command "$report" hostile-*.tar
	"$sanitized" --keep "$keep" --whole --command "$report" hostile-?.tar hostile-1?.tar
} >log
grep -v '^ok' log
equal 'hostile archives' 320 "$(grep -c '^ok' log)"
ls /tmp/pdtool-escaped ../escaped ../../escaped 2>/dev/null | sed 's/^/FAIL hostile archives: they wrote /'

# Block I/O, and heat maps of anything.
block_captures .
"$sanitized" --keep "$keep" --count $(some 800) --seed 4 --command "block @" block.*.data
"$sanitized" --keep "$keep" --count $(some 800) --seed 5 --command "heatmap --by device --events block_rq_* @" block.*.data
"$sanitized" --keep "$keep" --count $(some 800) --seed 6 --command "heatmap --value period @" ./*.data

# Formats of tracepoints, of 61 kinds: in their section alone, as elsewhere few changes would meet one.
zstd -qdc "$data/recorded/script/tpmix.data.zst" >tpmix.data
"$plain" --keep "$keep" --count $(some 600) --seed 1 --feature 1 --tell 'FAILED TO PARSE' --command "script -F comm,trace @" tpmix.data
"$sanitized" --keep "$keep" --count $(some 40) --seed 2 --feature 1 --command "script -F comm,trace @" tpmix.data
