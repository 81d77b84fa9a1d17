# awk -f numbers.awk WHOLE SHOWN: are the numbers of the rows of the table in SHOWN, which came on a terminal, those of the
# rows in WHOLE, in their order? Prints "table" when there was one. How many lines the heading has on the terminal is not
# known: with one number of them all rows must fit. In WHOLE the table follows the facts; in SHOWN it stands before those that
# name the capture, or behind them where they are the first.
function is_number(word) {
	return word ~ /^[-+]?[0-9][0-9,]*([.][0-9]+)?%?$/
}

# Is each number of A, in its order, a word of B?
function fits(a, b,    i, k, n, m, x, y) {
	n = split(a, x, " ")
	m = split(b, y, " ")
	k = 1
	for (i = 1; i <= n; i++) {
		if (!is_number(x[i]))
			continue
		while (k <= m && y[k] != x[i])
			k++
		if (k++ > m)
			return 0
	}
	return 1
}

FILENAME != ARGV[1] {
	if ($0 == "")
		part++
	if ($0 ~ /^capture /)
		at = part ? part - 1 : part + 1
}

{
	f = FILENAME == ARGV[1]
	if ($0 == "") {
		table = 1
		next
	}
	if ($0 ~ /^pdtool: / || $0 ~ /^        [^ ]/ || $0 ~ / more(:| columns?:) --/)
		next
	if (f && table)
		whole[n++] = $0
	if (!f)
		parts[part + 0, count[part + 0]++] = $0
}

END {
	for (m = 0; m < count[at + 0]; m++)
		shown[m] = parts[at + 0, m]
	if (n < 2 || m < 2)
		exit 0
	print "table"
	for (heading = 1; heading < 8 && heading < m; heading++) {
		for (row = 0; heading + row < m; row++) {
			if (!fits(shown[heading + row], whole[1 + row])) {
				why = shown[heading + row] " | " whole[1 + row]
				break
			}
		}
		if (heading + row == m)
			exit 0
	}
	print why
	exit 1
}
