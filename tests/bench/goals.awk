# What became of the goals in goals.txt, by the CSV of bench.sh, which is the second file: a line for each.
# -v facts='NAME=NUMBER ...': numbers that the lines of goals.txt may name, too.
BEGIN {
	n = split(facts, pairs, " ")
	for (i = 1; i <= n; i++) {
		split(pairs[i], pair, "=")
		cell[pair[1]] = pair[2]
	}
}
# A number, a fact, or WORKLOAD/COMMAND/COLUMN; two of them with " - " between.
function value(text,    two, n, i, sum, v) {
	n = split(text, two, " - ")
	for (i = 1; i <= n; i++) {
		if (!(two[i] in cell) && two[i] !~ /^[0-9.]+$/) {
			missing = 1
			return 0
		}
		v = two[i] in cell ? cell[two[i]] : two[i]
		sum = i == 1 ? v + 0 : sum - v
	}
	return sum
}
FNR == 1 { file++ }
file == 1 { if (!/^(#|$)/) goal[++goals] = $0; next }
FNR == 1 { columns = split($0, column, ","); next }
{
	split($0, field, ",")
	if (field[columns] == 0)
		for (i = 3; i <= columns; i++)
			cell[field[1] "/" field[2] "/" column[i]] = field[i]
}
END {
	printf "\n%-4s %-66s %9s %9s\n", "", "goal", "measured", "wanted"
	for (p = 1; p <= goals; p++) {
		split(goal[p], f, "\t")
		missing = 0
		a = value(f[3])
		b = value(f[4])
		printf "%-4s %-66s ", f[1], f[2]
		wanted = value(f[6])
		if (missing || b == 0) {
			printf "%9s %2s %6s\n", "-", f[5], f[6]
			continue
		}
		r = a / b
		printf "%9.2f %2s %6.4g  %s\n", r, f[5], wanted, (f[5] == "<=" ? r <= wanted : r >= wanted) ? "yes" : "NO"
	}
}
