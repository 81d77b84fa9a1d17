# The profile of the file whose code lies at [LOW, HIGH) in memory, mapped at BASE, from the branches of each sample, the newest
# first, as the three readers take it: -v to=bolt|profgen|autofdo -v code=0xADDRESS (of the first executable segment) -v
# shift=ADDRESSES-IN-THE-FILE less OFFSETS-IN-IT. Files: functions ("START SIZE", by address, size 0: up to the next), stubs
# (sections of the PLT: "START SIZE SIZE-OF-EACH"), samples ("IP FROM TO BAD FROM TO BAD ...", hexadecimal without 0x).
function number(hex,  v, i) { for (i = 1; i <= length(hex); i++) v = v * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1; return v }
# Address in the file; 0: it is not in it, or not what the reader takes.
function place(hex,  v, i) {
	if (length(hex) > 12 || hex == "0")
		return 0
	v = number(hex)
	if (v < low || v >= high)
		return 0
	v -= base
	if (to == "profgen") {
		for (i = 1; i <= stubs; i++)
			if (v >= stub[i] && v < stub_end[i])
				return 0
	}
	return v
}
# What stands for the function at V.
function owner(v,  i, l, h) {
	for (i = 1; i <= stubs; i++)
		if (v >= stub[i] && v < stub_end[i])
			return v - (v - stub[i]) % stub_size[i]
	l = 1
	h = functions
	while (l < h) {
		i = int((l + h + 1) / 2)
		if (start[i] <= v) l = i; else h = i - 1
	}
	return functions && start[l] <= v && v < end[l] ? start[l] : 0
}
function kernel(hex) { return length(hex) == 16 }
FNR == 1 { file++ }
file == 1 {
	if (functions && end[functions] == start[functions])
		end[functions] = number($1)
	start[++functions] = number($1)
	end[functions] = start[functions] + number($2)
	next
}
file == 2 { stub[++stubs] = number($1); stub_end[stubs] = stub[stubs] + number($2); stub_size[stubs] = number($3) ? number($3) : 16; next }
{
	n = 0
	for (i = 2; i + 2 <= NF; i += 3) {
		if (to == "bolt" && (kernel($i) || kernel($(i + 1))))
			continue
		from[++n] = place($i)
		into[n] = place($(i + 1))
		bad[n] = $(i + 2)
	}
	if (to == "autofdo" && (v = place($1)))
		samples[v]++
	for (i = 1; i <= n; i++) {
		if (from[i] || into[i]) {
			branch[from[i] " " into[i]]++
			missed[from[i] " " into[i]] += bad[i]
		}
		if (i < n && into[i + 1] && from[i])
			line[(to == "bolt" && (!from[i + 1] || owner(from[i + 1]) != owner(into[i + 1])) ? "f" : "F") " " into[i + 1] " " from[i]]++
	}
}
function hex(v) { return sprintf("%x", v) }
END {
	if (to == "bolt") {
		for (b in branch) {
			split(b, p, " ")
			print "B", p[1] ? hex(p[1]) : "X:0", p[2] ? hex(p[2]) : "X:0", branch[b], missed[b]
		}
		for (l in line) {
			split(l, p, " ")
			print p[1], hex(p[2]), hex(p[3]), line[l]
		}
		exit
	}
	less = to == "profgen" ? code : shift
	for (l in line) {
		split(l, p, " ")
		print hex(p[2] - less) "-" hex(p[3] - less) ":" line[l]
		lines++
	}
	for (b in branch) {
		split(b, p, " ")
		if (!p[2] || (!p[1] && to == "autofdo"))
			continue
		print (p[1] ? hex(p[1] - less) : outside) "->" hex(p[2] - less) ":" branch[b]
		branches++
	}
	for (s in samples) {
		print hex(s - less) ":" samples[s]
		places++
	}
	print lines
	print branches
	if (to == "autofdo")
		print places
}
