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
