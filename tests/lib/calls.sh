# Captures of tests/live/calls against its log.
# calls_of CAPTURE LOG: "told" is what calls.pl says of its pairs, "facts" what pdtool does
calls_of() {
	c_tids=$(cut -d ' ' -f 1 "$2" | sort -u | paste -sd ,)
	"$pdtool" heatmap -q --preset syscall --by id --tid "$c_tids" --format json "$1" >pairs.json || fail "heatmap of $1"
	"$pdtool" heatmap -q --preset syscall --by id --tid "$c_tids" --format csv --header "$1" >facts
	perl "$top/tests/oracle/calls.pl" pairs.json "$2" >told || fail "calls.pl of $1"
}
# lanes_add_up NAME: what the facts say of each lane is what its pairs come to; the cells of the lane are as many
lanes_add_up() {
	sed -n 's/^# values: id \([0-9]*\): \([0-9]*\) points,.* max \([0-9]*\) ns, sum \([0-9]*\) ns/id \1: \2 \4 \3/p' facts | sort >got.lanes
	sed 1d told | sort | comm -23 - got.lanes >missing.lanes
	equal "$1: lanes add up" '' "$(paste -sd ' ' missing.lanes)"
	grep -v '^#' facts | awk -F , 'NR > 1 { n[$5] += $4 } END { for (l in n) print l ": " n[l] }' | sort >cells.lanes
	cut -d ' ' -f 1-3 got.lanes | sort | comm -3 - cells.lanes >missing.lanes
	equal "$1: cells add up" '' "$(paste -sd ' ' missing.lanes)"
}
