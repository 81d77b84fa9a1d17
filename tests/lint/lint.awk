# The rules of the house on C files, one "FILE:LINE: what" for each breach. Arguments: the files, named from the root.
# Works on the text: it knows comments, strings, braces at file scope and the project's own layout, not the C grammar.

BEGIN {
	# Who may include whom: a layer's folder, then folders (their own files, not those below) and single headers.
	names = "parser/names parser/names/elf parser/names/dwarf parser/names/jit parser/names/kernel " \
		"parser/names/sources parser/names/disasm"
	below = "parser/base parser/file parser/record parser/state parser/stacks parser/feed parser/unwind parser/trace " names
	public = "parser/pdtool.h parser/pdtool_capture.h parser/pdtool_columns.h parser/pdtool_cut.h parser/pdtool_module.h " \
		"parser/pdtool_record.h parser/pdtool_binary.h"
	front = "formats/model parser/base parser/ahead.h parser/eventname.h parser/filter.h parser/folded.h parser/kept.h parser/seen.h parser/store.h parser/store_latency.h parser/store_rename.h parser/store_sql.h parser/store_steps.h parser/shares.h " public
	allow["cli"] = "cli analyzers/analyzer.h formats/format.h parser/session.h parser/library/door.h " front
	allow["analyzers"] = "analyzers/analyzer.h " front
	allow["analyzers/count"] = "analyzers/analyzer.h analyzers/count " front
	allow["analyzers/count/rows"] = allow["analyzers/count"] " analyzers/count/rows"
	allow["analyzers/count/fold"] = allow["analyzers/count"] " analyzers/count/fold"
	allow["analyzers/lanes"] = allow["analyzers/count/rows"] " analyzers/count/fold analyzers/lanes"
	allow["analyzers/heat"] = allow["analyzers/count"] " analyzers/heat"
	allow["analyzers/compat"] = allow["analyzers/lanes"] " analyzers/compat"
	allow["analyzers/hardware"] = "analyzers/hardware parser/base " public
	allow["analyzers/perfstat"] = "analyzers/perfstat parser/base"
	allow["analyzers/chance"] = "analyzers/chance"
	shared = allow["analyzers/lanes"] " analyzers/heat analyzers/hardware analyzers/compat analyzers/perfstat analyzers/chance"
	allow["analyzers/profile"] = shared " analyzers/profile analyzers/profile/cputime"
	allow["analyzers/profile/cputime"] = shared " analyzers/profile/cputime"
	allow["analyzers/sched"] = shared " analyzers/sched"
	allow["analyzers/io"] = shared " analyzers/io"
	allow["analyzers/cut"] = shared
	allow["analyzers/capture"] = shared " analyzers/capture"
	allow["analyzers/branch"] = shared " analyzers/branch"
	allow["analyzers/calls"] = shared " analyzers/calls"
	allow["analyzers/counters"] = shared " analyzers/counters"
	allow["analyzers/export"] = shared " analyzers/export"
	allow["analyzers/page"] = shared " analyzers/page"
	allow["analyzers/memory"] = shared " analyzers/memory"
	allow["analyzers/store"] = shared " analyzers/store"
	allow["analyzers/script"] = shared " analyzers/script"
	allow["formats"] = "formats/format.h formats formats/model parser/base"
	allow["formats/text"] = allow["formats"] " formats/text"
	allow["formats/flame"] = allow["formats"] " formats/flame formats/svg"
	allow["formats/export"] = allow["formats"] " formats/export"
	allow["formats/page"] = allow["formats"] " formats/page"
	allow["formats/svg"] = allow["formats/flame"]
	allow["formats/model"] = "formats/model parser/base"
	allow["parser"] = allow["parser/session"] = "parser parser/session " below
	allow["parser/store"] = "parser/store parser/store/address parser/store/latency parser/store/questions parser/store/steps parser/kept.h parser/store_latency.h parser/store.h parser/store_rename.h parser/store_sql.h parser/store_steps.h parser/base parser/filter.h parser/folded.h"
	allow["parser/store/address"] = allow["parser/store/latency"] = allow["parser/store/questions"] = allow["parser/store/steps"] = allow["parser/store"]
	allow["parser/pack"] = "parser/pack parser/file parser/record parser/stacks parser/state parser/base " names " " public
	allow["parser/cut"] = "parser/cut parser/pack parser/feed parser/file parser/record parser/state parser/base parser/eventname.h parser/filter.h " names " " public
	allow["parser/library"] = "parser/library parser/cut parser/pack " allow["parser"]
	allow["parser/unwind"] = "parser/unwind parser/stacks parser/feed parser/state parser/record parser/base " names " " public
	allow["parser/trace"] = "parser/trace parser/state parser/record parser/file parser/base " names " " public
	allow["parser/names"] = "parser/state parser/base " names " " public
	allow["parser/names/elf"] = allow["parser/names/dwarf"] = allow["parser/names/kernel"] = allow["parser/names"]
	allow["parser/names/sources"] = allow["parser/names/disasm"] = allow["parser/names"]
	allow["parser/names/jit"] = allow["parser/names"] " parser/record"
	allow["parser/feed"] = "parser/feed parser/stacks parser/state parser/record parser/file parser/base " public
	allow["parser/stacks"] = "parser/stacks parser/state parser/record parser/base " public
	allow["parser/state"] = "parser/state parser/record parser/base " public
	allow["parser/record"] = "parser/record parser/file parser/base " public
	allow["parser/file"] = "parser/file parser/base"
	allow["parser/base"] = "parser/base"

	# How many headers of the rooms behind it each header of the front door opens. May only shrink, to none without
	# a row. And the functions of those rooms that are called from before the door.
	opens["parser/session.h"] = 14
	split("debuginfod_free debuginfod_new debuginfod_report sources_add sources_free sources_new sources_report", words)
	for (i in words)
		owed[words[i]] = 0

	# Where a library stops: a pattern of its headers, then the layers that may include them.
	lib["^(traceevent/.*|event-parse|event-utils|trace-seq|kbuffer)\\.h$"] = "parser/record"
	lib["^(zstd|zstd_errors|zdict)\\.h$"] = "parser/file parser/library parser/names/elf parser/store parser/store/address"
	lib["^libdeflate\\.h$"] = "parser/names/elf parser/library"
	lib["^(gelf|libelf)\\.h$"] = names " parser/pack"
	lib["^(capstone/.*|capstone)\\.h$"] = "parser/names/disasm"
	lib["^(elfutils/.*|libdw|libdwfl|dwarf)\\.h$"] = names " parser/unwind parser/library"
	lib["^archive(_entry)?\\.h$"] = "parser/pack parser/file parser/names/sources parser/names/elf parser/library"
	lib["^protobuf-c/.*\\.h$"] = "formats/export"
	lib["^zlib\\.h$"] = "formats/export formats/page"
	lib["^sqlite3\\.h$"] = "parser/store"
	lib["^curl/curl\\.h$"] = "parser/store"
	lib["^xxhash\\.h$"] = "parser/store"
	lib["^jansson\\.h$"] = "analyzers/perfstat"
	lib["^intel-pt\\.h$"] = "parser/trace"
	lib["^(libiberty/)?demangle\\.h$"] = "parser/names"
	# A path of the input leads to a file by parser/names/reach.c alone. Who opens another one near there, and which.
	opens_own["parser/names/reach.c"] = "open"                   # what the user named; all else goes through walk.c
	opens_own["parser/names/sources/walk.c"] = "open openat"     # for reach.c
	opens_own["parser/names/sources/archive.c"] = "open"         # --symbols ARCHIVE
	opens_own["parser/names/sources/loose.c"] = "opendir"        # --symbols DIRECTORY
	opens_own["parser/names/jit/jitmaps.c"] = "opendir"          # --perf-map-dir
	opens_own["parser/names/kernel/procmodules.c"] = "fopen"     # --guest-modules
	opens_own["parser/names/kernel/kernelmatch.c"] = "open"      # /sys/kernel/notes, /proc/kallsyms
	opens_own["parser/names/hostclock.c"] = "fopen"              # /proc/kallsyms
	opens_own["parser/names/hostfile.c"] = "fopen"               # /proc/self/maps
	opens_own["parser/names/hostproc.c"] = "fopen"               # /proc/PID/stat and status, PID a number
	opens_own["parser/names/disasm/capstone.c"] = "dlopen"       # the library's own name
	opens_own["parser/names/sources/debuginfod.c"] = "dlopen"    # the library's own name
	open_names = "^(open|openat|creat|fopen|freopen|opendir|scandir|nftw|ftw|popen|dlopen)$"

	libc = "^(sys|linux|asm|asm-generic|arpa|netinet|net|bits)/|^(assert|byteswap|complex|ctype|" \
		"dirent|dlfcn|elf|endian|errno|fcntl|fenv|float|fnmatch|ftw|getopt|glob|grp|inttypes|" \
		"iso646|langinfo|libgen|limits|link|locale|malloc|math|poll|pthread|pwd|regex|sched|" \
		"search|setjmp|signal|spawn|stdalign|stdarg|stdatomic|stdbool|stddef|stdint|stdio|" \
		"stdlib|stdnoreturn|string|strings|syslog|termios|threads|time|uchar|ucontext|" \
		"unistd|utime|wchar|wctype|wordexp)\\.h$"

	MAX_FILE = 800; MAX_HEADER = 200; MAX_FUNCTION = 70; MAX_PARAMETERS = 5; MAX_COLUMNS = 100
	MAX_ROOM = 16
	out_names = "(v?printf|puts|putchar|perror|psignal|exit|_exit|_Exit|quick_exit|abort)"
	marks = "(^|[^A-Za-z0-9_])(TO" "DO|FIX" "ME|X" "XX)([^A-Za-z0-9_]|$)"
	for (i = 1; i < ARGC; i++)
		known[ARGV[i]] = 1
}

function bad(file, line, what) { print file ":" line ": " what; breaches++ }

function has(list, word) { return index(" " list " ", " " word " ") > 0 }

# The deepest folder of the table that holds the file; nothing for tests and the like.
function layer(path) {
	while (sub(/\/[^\/]*$/, "", path))
		if (path in allow)
			return path
	return ""
}

function folder(path) { return sub(/\/[^\/]*$/, "", path) ? path : "" }

# "a/b/../c/./d" -> "a/c/d"
function plain(path) {
	gsub(/\/\.\//, "/", path)
	sub(/^\.\//, "", path)
	while (sub(/[^\/.]+\/\.\.\//, "", path))
		;
	return path
}

function end_of_file() {
	if (last == "")
		return
	if (lines > MAX_FILE)
		bad(last, lines, "a file of " lines " lines, more than " MAX_FILE)
	if (header && lines > MAX_HEADER)
		bad(last, lines, "a header of " lines " lines, more than " MAX_HEADER)
	if (header && !code && includes > 1)
		bad(last, 1, "an umbrella header")
}

FNR == 1 {
	end_of_file()
	last = FILENAME; mine = layer(FILENAME); header = FILENAME ~ /\.h$/
	quiet = mine != "" && mine != "cli"      # never prints, never exits, keeps no state of its own
	source = mine != "" && FILENAME ~ /\.c$/
	if (source)
		room[folder(FILENAME)]++
	if ($0 !~ /^[ \t]*\/[*\/]/)
		bad(FILENAME, 1, "does not begin with a comment that says what it is")
	mem = FILENAME == "parser/base/die.c"    # reports that memory is out, and aborts
	comment = macro = depth = start = code = includes = 0
	stmt = ""
}

{
	lines = FNR
	was_comment = comment
	text = bare($0)
	shape()
	if (macro || $0 ~ /^[ \t]*#/) {
		if ($0 ~ /^[ \t]*#[ \t]*include/)
			include()
		macro = $0 ~ /\\$/
		next
	}
	if (text ~ /[^ \t]/)
		code++
	if (quiet)
		loud()
	was_inside = depth
	scope()
	if (source && (was_inside || depth))
		uses(text)
	if (source && was_inside && FILENAME ~ /^parser\/(names|pack|unwind)\//)
		opening(text)
}

# Every word within braces that could name something of another file: not a tag, nor the member of a structure.
function uses(s,    at) {
	gsub(/(struct|union|enum) [A-Za-z0-9_]+/, "", s)
	while (match(s, /[A-Za-z_][A-Za-z0-9_]*/)) {
		at = RSTART
		if (substr(s, at - 1, 1) != "." && substr(s, at - 2, 2) != "->" &&
		    !((FILENAME, substr(s, at, RLENGTH)) in used))
			used[FILENAME, substr(s, at, RLENGTH)] = FNR
		s = substr(s, at + RLENGTH)
	}
}

# What a file defines at file scope: for itself, or for others to link with.
function defines(s) {
	s = without_attributes(s)
	if (s ~ /^[ \t]*((extern|typedef)[ \t]|_Static_assert)/)
		return
	if (s ~ /=/) {
		sub(/[ \t]*(\[[^]]*\][ \t]*)*=.*/, "", s)
		match(s, /[A-Za-z_][A-Za-z0-9_]*$/)
	} else if (match(s, /[A-Za-z_][A-Za-z0-9_]*\(/))
		RLENGTH--
	if (RLENGTH <= 0)
		return
	if (s ~ /^[ \t]*static[ \t]/)
		own[FILENAME, substr(s, RSTART, RLENGTH)]
	else {
		own[FILENAME, substr(s, RSTART, RLENGTH)] # owner.c and unowned.c define the same
		home[substr(s, RSTART, RLENGTH)] = FILENAME
	}
}

# The line without comments, and with empty strings and character constants.
function bare(s,    done, at, c) {
	done = ""
	while (s != "") {
		if (comment) {
			at = index(s, "*/")
			if (!at)
				return done
			s = substr(s, at + 2)
			comment = 0
		} else if (match(s, /\/\/|\/\*|"|'/)) {
			c = substr(s, RSTART, RLENGTH)
			done = done substr(s, 1, RSTART - 1)
			s = substr(s, RSTART + RLENGTH)
			if (c == "//")
				return done
			if (c == "/*")
				comment = 1
			else if (c == "'" ? match(s, /^([^'\\]|\\.)*'/) : match(s, /^([^"\\]|\\.)*"/)) {
				s = substr(s, RLENGTH + 1)
				done = done c c
			}
		} else
			return done s
	}
	return done
}

# A call that opens a file by its name, where paths of the input are at hand.
function opening(s,    at, name) {
	while (match(s, /[A-Za-z_][A-Za-z0-9_]*[ \t]*\(/)) {
		at = RSTART
		name = substr(s, at, RLENGTH - 1)
		sub(/[ \t]+$/, "", name)
		if (name ~ open_names && substr(s, at - 1, 1) != "." && substr(s, at - 2, 2) != "->") {
			if (has(opens_own[FILENAME], name))
				opened_own[FILENAME, name]
			else
				bad(FILENAME, FNR, name "() of a path, which is parser/names/reach.c's to open")
		}
		s = substr(s, at + RLENGTH)
	}
}

function shape(    s, column, at) {
	s = $0
	gsub(/[\200-\277]/, "", s)
	while ((at = index(s, "\t")))
		s = substr(s, 1, at - 1) substr("        ", 1, 8 - (at - 1) % 8) substr(s, at + 1)
	if (length(s) > MAX_COLUMNS)
		bad(FILENAME, FNR, length(s) " columns, more than " MAX_COLUMNS)
	if ($0 ~ /[ \t]$/)
		bad(FILENAME, FNR, "blanks at the end")
	if ($0 ~ marks)
		bad(FILENAME, FNR, "a mark of unfinished work")
	# Up to seven spaces may align a continuation; they never begin a line within braces.
	if (!was_comment && !macro && ($0 ~ /^\t*        / || $0 ~ /^ +\t/ || (depth && $0 ~ /^ /)))
		bad(FILENAME, FNR, "spaces for indentation")
}

function include(    name, to, ok, pattern) {
	includes++
	name = $0
	sub(/^[^"<]*["<]/, "", name)
	sub(/[">].*/, "", name)
	if ($0 ~ /^[^"]*</) {
		if (mine == "" || name ~ libc)
			return
		for (pattern in lib)
			if (name ~ pattern) {
				if (!has(lib[pattern], mine))
					bad(FILENAME, FNR, "<" name "> stops at " lib[pattern])
				return
			}
		bad(FILENAME, FNR, "<" name "> is a library without a row in tests/lint/lint.awk")
		return
	}
	to = plain(folder(FILENAME) "/" name)
	if (!(to in known))
		to = plain(name)
	if (!(to in known)) {
		if (mine != "" && name !~ /\.pb-c\.h$/) # made by the build
			bad(FILENAME, FNR, "\"" name "\" is no file of the project")
		return
	}
	edge(FILENAME, to, FNR, "an include cycle, through " to)
	opened[FILENAME] = opened[FILENAME] " " to
	if (!may(mine, to))
		bad(FILENAME, FNR, mine " must not include " to)
}

function edge(from, to, line, what) {
	edges++
	edge_from[edges] = from; edge_to[edges] = to; edge_line[edges] = line; edge_what[edges] = what
}

function may(mine, to) {
	return mine == "" || has(allow[mine], to) || (has(allow[mine], layer(to)) && layer(to) == folder(to)) ||
		layer(to) == mine && has(allow[mine], mine)
}

function loud() {
	if (mem)
		return
	if (text ~ "(^|[^A-Za-z0-9_.>])" out_names "[ \t]*\\(")
		bad(FILENAME, FNR, "prints or ends the process below cli/")
	else if (text ~ /(^|[^A-Za-z0-9_])(stderr|stdout)([^A-Za-z0-9_]|$)/)
		bad(FILENAME, FNR, "uses stdout or stderr below cli/")
	if (depth && text ~ /^[ \t]*static[ \t]/)
		variable(text)
}

# Follow the braces; at file scope, gather each declaration and definition into stmt.
function scope(    c, s) {
	s = text
	if (!depth && stmt == "" && s ~ /[^ \t]/)
		start = FNR
	while (match(s, /[{};]/)) {
		c = substr(s, RSTART, 1)
		if (!depth)
			stmt = stmt substr(s, 1, RSTART - 1)
		s = substr(s, RSTART + 1)
		if (c == "{")
			depth++
		else if (c == "}" && depth) {
			depth--
			if (!depth) {
				stmt = stmt "{}"
				if (stmt ~ /\)[^=]*\{\}$/ && stmt !~ /=/)
					end_of_function()
			}
		} else if (c == ";" && !depth) {
			if (quiet)
				variable(stmt)
			if (source && stmt ~ /=/)
				defines(stmt)
			stmt = ""
		}
	}
	if (!depth)
		stmt = stmt s " "
	if (stmt ~ /^[ \t]*$/)
		stmt = ""
}

function end_of_function(    size) {
	size = FNR - start + 1
	if (size > MAX_FUNCTION)
		bad(FILENAME, start, "a function of " size " lines, more than " MAX_FUNCTION)
	size = parameters(stmt)
	if (size > MAX_PARAMETERS)
		bad(FILENAME, start, "a function of " size " parameters, more than " MAX_PARAMETERS)
	if (source)
		defines(stmt)
	stmt = ""
}

# The commas of the last pair of parentheses, attributes left out.
function parameters(s,    i, c, level, n) {
	s = without_attributes(s)
	n = 1
	for (i = length(s); i > 0; i--) {
		c = substr(s, i, 1)
		if (c == ")")
			level++
		else if (c == "(" && --level == 0)
			return n
		else if (c == "," && level == 1)
			n++
	}
	return 0
}

function without_attributes(s,    at, i, c, level) {
	while ((at = index(s, "__attribute__"))) {
		level = 0
		for (i = at + 13; i <= length(s); i++) {
			c = substr(s, i, 1)
			level += (c == "(") - (c == ")")
			if (c == ")" && !level)
				break
		}
		s = substr(s, 1, at - 1) substr(s, i + 1)
	}
	return s
}

# A declaration, without its semicolon: is it a variable that can change?
function variable(s) {
	s = without_attributes(s)
	sub(/[=;].*/, "", s)
	gsub(/\[[^]]*\]/, "", s)
	gsub(/[ \t]+/, " ", s)
	sub(/^ /, "", s)
	sub(/ $/, "", s)
	if (s ~ / __thread / && FILENAME == "parser/library/owner.c") # where this thread goes without memory
		return
	if (s ~ /^(typedef|_Static_assert|static_assert)/ || s ~ /^(struct|union|enum)( [A-Za-z0-9_]+)? ?(\{\})?$/)
		return
	if (s ~ /^[^(]*\(\*(const )?[A-Za-z0-9_]+\)/) {
		if (s ~ /^[^(]*\(\*const /)
			return
	} else if (s ~ /\(/ || s !~ /[A-Za-z0-9_}] ?\**[ ]?\**[A-Za-z0-9_]+$/)
		return
	else if (s ~ /\*/ ? s ~ /\* ?const [^*]*$/ : s ~ /(^| )const /)
		return
	bad(FILENAME, FNR, "a variable that can change, outside cli/")
}

# Take away, again and again, the files that lead to nothing left and those that nothing left leads to.
function cycles(    e, changed) {
	do {
		changed = 0
		split("", out)
		split("", in_)
		for (e = 1; e <= edges; e++)
			if (!gone[e]) {
				out[edge_from[e]]++
				in_[edge_to[e]]++
			}
		for (e = 1; e <= edges; e++)
			if (!gone[e] && (!(edge_to[e] in out) || !(edge_from[e] in in_)))
				gone[e] = changed = 1
	} while (changed)
	for (e = 1; e <= edges; e++)
		if (!gone[e])
			bad(edge_from[e], edge_line[e], edge_what[e])
}

# What each file takes of others when they are linked: no circle, and from before the front door nothing behind it.
function links(    pair, at, name, to) {
	edges = 0
	split("", gone)
	for (pair in used) {
		split(pair, at, SUBSEP)
		name = at[2]
		to = home[name]
		if (to == "" || to == at[1] || pair in own || to ~ /^cli/ && at[1] !~ /^cli/)
			continue
		edge(at[1], to, used[pair], "a link cycle, through " name " of " to)
		if (at[1] !~ /^parser/ && to ~ /^parser\/[^\/]*\// && to !~ /^parser\/(base|library|store)\//) {
			if (name in owed)
				owed[name]++
			else
				bad(at[1], used[pair], name " of " to " lies behind the front door")
		}
	}
	cycles()
	for (name in owed)
		if (!owed[name])
			bad("tests/lint/lint.awk", 1, "no row is needed for " name)
}

# How many headers of the rooms behind it a header of the front door opens, and those that these open.
function behind(header,    queue, head, tail, list, n, i, seen) {
	tail = 1
	queue[1] = header
	for (head = 1; head <= tail; head++) {
		n = split(opened[queue[head]], list, " ")
		for (i = 1; i <= n; i++)
			if (!(list[i] in seen)) {
				seen[list[i]]
				queue[++tail] = list[i]
			}
	}
	n = 0
	for (i in seen)
		n += layer(i) != "parser" && layer(i) != "parser/base"
	return n
}

function front_door(    header, n) {
	for (header in known)
		if (header ~ /^parser\/[^\/]*\.h$/) {
			n = behind(header)
			if (n > opens[header] + 0)
				bad(header, 1, "opens " n " headers behind the front door, more than " opens[header] + 0)
		}
}

# Each room has room, and a README that says what lives there: its own, or one above that names it.
function rooms(    r, up, name, told, text) {
	for (r in room) {
		if (room[r] > MAX_ROOM)
			bad(r, 1, "a room of " room[r] " .c files, more than " MAX_ROOM)
		told = 0
		for (up = r; up != "" && !told; up = folder(up)) {
			name = "`" substr(r, length(up) + 2) "/`"
			while ((getline text < (up "/README.md")) > 0)
				told += up == r || index(text, name)
			close(up "/README.md")
			if (up !~ /\//)
				break
		}
		if (!told)
			bad(r, 1, "no README says what lives here")
	}
}

# What no longer opens anything has no row.
function rows_of_openings(    file, list, n, i) {
	for (file in opens_own) {
		n = split(opens_own[file], list, " ")
		for (i = 1; i <= n; i++)
			if (!((file, list[i]) in opened_own))
				bad("tests/lint/lint.awk", 1, "no row is needed for " list[i] "() of " file)
	}
}

END {
	end_of_file()
	rows_of_openings()
	cycles()
	links()
	front_door()
	rooms()
	exit breaches > 0
}
