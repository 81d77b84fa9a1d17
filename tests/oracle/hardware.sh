#!/bin/sh
# What hardware wrote into samples (branches, sources of data, registers) against what perf 6.12 `perf script` printed of it,
# byte for byte (testdata/recorded/hardware/oracle.tar.zst: as in script.sh).
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

zstd -dcq "$data/recorded/hardware/oracle.tar.zst" | tar -xf - || fail 'the oracles' 'cannot be unpacked'
mkdir empty
sets=0
for capture in */commands; do
	capture=${capture%/commands}
	for file in "$data"/recorded/*/"$capture".data.zst "$data"/recorded/*/"$capture".perf.data.zst; do
		[ -f "$file" ] && break
	done
	while read -r set status options; do
		# shellcheck disable=SC2086 # words
		"$pdtool" script -q --compat perf --symfs empty $options "$file" >got 2>err
		same "$capture $set ($status)" "$capture/$set.txt" got
		sets=$((sets + 1))
	done <"$capture/commands"
done
equal 'all of them' 17 "$sets"

# The same whatever the order of bytes: in a file of a big-endian machine bit fields begin with the highest bit.
cat >order.mkperf <<'END'
event cycles type=hardware config=0 period=1 ids=1 sample_id_all mmap comm branch_sample_type=ANY \
	sample_type=IP|TID|TIME|BRANCH_STACK
comm pid=7 tid=7 comm=prog time=10
mmap pid=7 tid=7 addr=0x400000 len=0x10000 file=/bin/prog time=11
sample pid=7 tid=7 time=20 ip=0x400100 \
	branch=[0x400010:0x400020:M|9<<4|4<<20,0x400030:0x400040:P|X|65535<<4|6<<20,0x400050:0xffffffff80000060:A|7<<20|2<<24,0x1:0x2:0]
END
for order in little big; do
	"$mkperf" --endian $order -o $order.data order.mkperf || exit 1
	"$pdtool" script -q --symfs empty -F brstack $order.data >$order.txt
done
echo ' 0x400010/0x400020/M/-/-/9/CALL/-  0x400030/0x400040/P/X/-/65535/RET/-  0x400050/0xffffffff80000060/-/-/A/0/SYSCALL/NON_SPEC_CORRECT_PATH  0x1/0x2/-/-/-/0//- ' >want
same 'the fields of a branch' want little.txt
same 'of a big-endian machine' want big.txt
