# The small captures that the sweeps damage, made in the working directory. A name with "plain" in it: whole,
# little-endian, not compressed, so that the sweep can count its samples itself.
keep=$build/fuzz
mkdir -p "$keep"

describe() { echo "$data/synthetic/$1.mkperf"; }

"$mkperf" -o order.file.plain.data "$(describe order)" &&
	"$mkperf" --mode pipe -o order.pipe.plain.data "$(describe order)" &&
	"$mkperf" -o sched.file.plain.data "$(describe sched)" &&
	"$mkperf" --mode pipe -o sched.pipe.plain.data "$(describe sched)" &&
	"$mkperf" --mode pipe -o offcpu.pipe.data "$(describe offcpu)" &&
	"$mkperf" -o tracepoints.file.plain.data "$(describe tracepoints)" &&
	"$mkperf" -o basic.file.data "$(describe basic)" &&
	"$mkperf" --mode pipe --zstd -o basic.pipe.zstd.data "$(describe basic)" &&
	"$mkperf" --zstd2 -o basic.file.zstd2.data "$(describe basic)" &&
	"$mkperf" --endian big -o ids.file.big.data "$(describe ids)" &&
	"$mkperf" -o allrecords.file.data "$(describe allrecords)" &&
	"$mkperf" --mode pipe --zstd -o allrecords.pipe.zstd.data "$(describe allrecords)" &&
	"$mkperf" --mode pipe -o deferred.pipe.data "$(describe deferred)" &&
	"$mkperf" --mode pipe -o allfields.pipe.data "$(describe allfields)" || exit 1

. "$top/tests/lib/blockcap.sh"
# block_captures DIR: block I/O that goes wrong in each way.
block_captures() {
	mkdir -p "$1"
	for mode in file pipe; do
		blockcap "$1/block.$mode.data" --mode $mode <<-END
		100 bio_queue   254:0 2048 16 W comm=writer
		110 io_start    254:0 2048 16 W comm=writer
		120 rq_insert   254:0 2048 16 W comm=writer
		130 bio_frontmerge 254:0 2040 8 W
		200 rq_issue    254:0 2040 24 W comm=kworker
		210 rq_requeue  254:0 2040 24 W
		300 rq_issue    254:0 2040 24 W
		400 rq_complete 254:0 2040 8 W
		500 rq_complete 254:0 2048 16 W error=-5
		600 rq_issue    254:0 0 0 FF
		700 rq_complete 254:0 18446744073709551615 0 FF
		800 rq_issue    7:0 64 8 R
		900 rq_issue    7:0 64 8 R
		950 rq_complete 7:0 64 8 R
		END
	done
}
