# The page pdtool-peers(7) from the tables of this folder.
BEGIN {
	FS = " [|] "
	print ".TH PDTOOL\\-PEERS 7 2026-11-21 pdtool \"Miscellaneous\""
	print ".\\\" Made from tests/parity/*.txt by make docs."
	print ".SH NAME"
	print "pdtool\\-peers \\- the options of perf, FlameGraph and others in pdtool"
	print ".SH DESCRIPTION"
	print "Options of"
	print ".BR perf (1),"
	print "FlameGraph, inferno, cargo flamegraph, trace2heatmap.pl, FlameScope and jfrconv:"
	print "by which command of pdtool each is understood, and those that it does not have,"
	print "with the reason."
	print "An option that is understood under its own name is only listed; where it is called"
	print "otherwise here, or needs no effect, that is said."
	print "Names that are not those of pdtool's own options have to be written in full."
}
function roff(text) {
	gsub(/\\/, "\\e", text)
	gsub(/-/, "\\-", text)
	while (match(text, /`[^`]*`/))
		text = substr(text, 1, RSTART - 1) "\\fB" substr(text, RSTART + 1, RLENGTH - 2) "\\fR" substr(text, RSTART + RLENGTH)
	return text
}
function option(text) {
	gsub(/~/, " ", text)
	gsub(/\//, ", ", text)
	return roff(text)
}
function sentence(text) {
	text = toupper(substr(text, 1, 1)) substr(text, 2)
	return text ~ /[.]$/ ? text : text "."
}
function entry(name, text) {
	print ".TP\n\\fB" name "\\fR\n" (text ~ /^[.']/ ? "\\&" : "") roff(text)
}
# what the options of the section so far come to
function flush(   i) {
	if (plain)
		entry("Understood:", plain ".")
	for (i = 1; i <= notes; i++)
		entry(name[i], sentence(note[i]))
	if (gone) {
		print ".PP\nNot in pdtool:"
		for (i = 1; i <= gone; i++)
			entry(left[i], sentence(why[i]))
	}
	plain = ""
	notes = gone = 0
}
/^#/ || /^$/ { next }
/^== / {
	flush()
	$1 = substr($1, 4)
	title = toupper($1)
	print ".SH \"" roff(title) "\""
	print $2 == "-" ? "pdtool has no such command." : "Here:\n.BR \"" roff($2) "\" ."
	next
}
$2 == "out" {
	n = split($1, list, " ")
	left[++gone] = option(list[1])
	for (i = 2; i <= n; i++)
		left[gone] = left[gone] ", " option(list[i])
	why[gone] = $3
	next
}
$4 != "" {
	name[++notes] = option($1)
	note[notes] = $4
	next
}
# option() is roff already: marks that roff() leaves as they are
{
	text = $1
	gsub(/~/, " ", text)
	gsub(/\//, ", ", text)
	plain = plain (plain == "" ? "" : "; ") text
}
END {
	flush()
	print ".SH \"SEE ALSO\"\n.BR pdtool (1)"
}
