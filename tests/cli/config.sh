#!/bin/sh
# The settings of the user: what counts more, the forms of the file, what is refused and what is only reported.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

"$mkperf" -o basic.data "$data/synthetic/basic.mkperf" || exit 1
file=$HOME/.config/pdtool/config
mkdir -p "$HOME/.config/pdtool" xdg/pdtool

# settings: standard input becomes the file.
settings() { cat >"$file"; }

# given NAME WANTED ARGUMENT...: the first line of the CSV is WANTED: its keys tell which option held.
given() {
	name=$1 want=$2
	shift 2
	"$pdtool" report --format csv "$@" basic.data >out 2>err
	status=$?
	if [ $status != 0 ]; then
		fail "$name" "exit status $status: $(head -n 1 err)"
	else
		equal "$name" "$want" "$(head -n 1 out | sed 's/.*samples,//')"
	fi
}

given 'without a file: the default' comm,dso,sym

settings <<-'END'
	; the order of the keys tells what counts
	[core]
	    sort = pid   # for all
	[report]
	    sort = "dso"
END
given 'the command counts more than all commands' dso
given 'an option counts more' sym --sort sym
given '--no-config' comm,dso,sym --no-config
(PDTOOL_NO_CONFIG=1 && export PDTOOL_NO_CONFIG && given 'PDTOOL_NO_CONFIG' comm,dso,sym)
(PDTOOL_CONFIG= && export PDTOOL_CONFIG && given 'no file by PDTOOL_CONFIG' comm,dso,sym)
(PDTOOL_CONFIG=/dev/null && export PDTOOL_CONFIG && given 'nor by /dev/null' comm,dso,sym)
printf '[report]\nsort=cpu\n' >other
(PDTOOL_CONFIG=other && export PDTOOL_CONFIG && given 'another file by PDTOOL_CONFIG' cpu)
printf '[report]\nsort=tid\n' >xdg/pdtool/config
(XDG_CONFIG_HOME=$tmp/xdg && export XDG_CONFIG_HOME && given 'a file below XDG_CONFIG_HOME' tid)
(XDG_CONFIG_HOME=xdg && export XDG_CONFIG_HOME && given 'which is absolute' dso)
settings <<-END
	[core]
	sort = pid
	[sched "latency"]
	by = comm
END
given 'for all commands' pid

# the forms of a value
settings <<-'END'
	[REPORT]
	Sort = d\
	so,\
	pid
END
given 'a line that goes on, capitals in names' dso,pid
printf '\357\273\277[report]\r\nsort = dso\r\n' | settings
given 'lines as of other systems' dso
printf '[report]\nsort = "dso"",pid" ; end' | settings
given 'quotes, and no end of line' dso,pid

# variables, of common options
settings <<-'END'
	[report]
	format = json
END
"$pdtool" report -q basic.data | head -c 1 >out
equal 'a common option' '{' "$(cat out)"
PDTOOL_FORMAT=csv "$pdtool" report -q basic.data >out
equal 'a variable counts more than the settings' children_percent "$(head -n 1 out | sed 's/,.*//')"
PDTOOL_FORMAT=csv "$pdtool" report -q --format json basic.data | head -c 1 >out
equal 'and less than an option' '{' "$(cat out)"
PDTOOL_FORMAT= "$pdtool" report -q basic.data | head -c 1 >out
equal 'an empty one does not count' '{' "$(cat out)"

# flags, and taking them back
rows() { "$pdtool" report --sort sym "$@" basic.data 2>err | sed -n 's/^order *//p'; }
settings <<-'END'
	[report]
	no-children
END
equal 'a flag alone is true' 'by self weight' "$(rows)"
equal 'an option that excludes it counts more' 'by inclusive (children) weight' "$(rows --children)"
printf '[report]\nno-children = off\n' | settings
equal 'a flag that is off' 'by inclusive (children) weight' "$(rows)"
printf '[collapse]\nall = yes\n' | settings
"$pdtool" collapse -q basic.data >marked
"$pdtool" collapse -q --no-all basic.data >plain
"$pdtool" collapse -q --no-config basic.data >want
same '--no-FLAG takes a flag back' want plain
cmp -s marked plain
equal 'which was set' 1 $?
printf '[core]\nno-inline\n' | settings
"$pdtool" collapse -q --inline basic.data >/dev/null 2>err
result '--inline is its own option where there is one' $?
"$pdtool" diff --inline basic.data basic.data >/dev/null 2>err
result 'and takes back --no-inline elsewhere' $(($? == 2)) "$(head -n 1 err)"

# a list that comes twice
printf '[report]\ncomms = nobody\ncomms = *\n' | settings
given 'a list holds what both lines give' comm,dso,sym
printf '[report]\ncomms = nobody\n' | settings
"$pdtool" report basic.data >out 2>err
equal 'a filter counts' 1 $?

# the pager, on a terminal
cat >pager <<'END'
#!/bin/sh
echo "(pager $*)"
exec cat
END
chmod +x pager
paged() { limited 20 "$build/tests/lib/pty" 80x24 "$host_pdtool" report --no-host "$@" basic.data 2>&1 | sed -n '1s/\r*$//p'; }
printf '[core]\npager = %s/pager all\n[pager]\nreport = "%s/pager" one\n' "$tmp" "$tmp" | settings
equal 'a pager of the command' '(pager one)' "$(paged)"
printf '[core]\npager = %s/pager all\n[pager]\ncollapse = false' "$tmp" | settings
equal 'a pager of all commands' '(pager all)' "$(paged)"
equal 'PDTOOL_PAGER counts more' '(pager )' "$(PDTOOL_PAGER=$tmp/pager && export PDTOOL_PAGER && paged)"
equal 'PAGER less' '(pager all)' "$(PAGER=cat && export PAGER && paged)"
equal '--no-pager' 0 "$(paged --no-pager | grep -c '(pager')"
printf '[core]\npager = %s/pager all\n[pager]\nreport = false' "$tmp" | settings
equal 'no pager for the command' 0 "$(paged | grep -c '(pager')"
equal '--paginate counts more' '(pager all)' "$(paged --paginate)"
"$pdtool" report basic.data >out 2>&1
grep -q '(pager' out
equal 'and none where there is no terminal' 1 $?

# reported, and passed over
settings <<-'END'
	[report]
	srot = dso
	sort = dso
	[reprot]
	sort = dso
	[heatmap]
	whatever = 1
	[core]
	nonsense = 1
	by = comm
END
given 'what does not exist is passed over' dso
printf 'pdtool: %s\n' "$file:2: report has no setting srot" "$file:5: there is no command reprot" "$file:9: pdtool has no setting nonsense" >want
grep config err >got
same 'and reported with its line' want got
"$pdtool" report -q basic.data 2>&1 >/dev/null | grep -c config >got
equal 'but not with -q' 0 "$(cat got)"
for i in 1 2 3 4 5 6 7 8 9; do echo "[nothing]"; echo "x$i = 1"; done | settings
"$pdtool" report basic.data 2>&1 >/dev/null | grep config >got
equal 'not more than six lines' 6 "$(grep -c . got)"
tail -n 1 got | grep -q '4 more of these$'
result 'the last one tells how many there are' $?
printf '[report]\noutput = x\n' | settings
given 'an output is no setting' comm,dso,sym
[ ! -e x ]
result 'and is not written' $?

# refused NAME WORDS: one line with the words, status 2, no output.
refused() {
	for program in "$pdtool" "$san"; do
		"$program" report basic.data >out 2>err </dev/null
		status=$?
		if [ $status != 2 ] || [ "$(grep -c '' err)" != 1 ] || [ -s out ] || ! grep -qF -e "$2" err; then
			fail "$1" "exit status $status, $(grep -c '' err) lines: $(head -n 1 err)"
			return
		fi
	done
	ok "$1"
}
for text in 'sort = dso' '[report' '[]' '[report] [' '[report]\n= 1' '[report]\nsort "dso"' '[report]\nsort = "dso' \
	'[report]\nsort = \\q' '[report]\n9 = 1' '[sched "latency]\n' '\033[31m' '[report]\nsort = d\\'; do
	printf "$text" | settings
	refused "refused: $(echo "$text" | tr -cd '[:print:]')" 'expected [section] or name = value'
done
printf '\n[report]\npercentage = nonsense\n' | settings
refused 'a value that is none' 'config:3: percentage = nonsense: expected absolute or relative'
printf '[report]\nsort = \033[31mx\n' | settings
"$pdtool" report basic.data 2>&1 | grep -q "$(printf '\033')"
equal 'its bytes do not reach the terminal' 1 $?
printf '[report]\nsort\n' | settings
refused 'no value' 'config:2: sort: expected a value'
printf '[report]\nno-children = maybe\n' | settings
refused 'neither true nor false' 'expected true or false'
printf '[core]\njobs = many\n' | settings
refused 'no number' 'jobs = many: expected a number'
printf '[report]\nchildren\nno-children\n' | settings
refused 'settings that exclude each other' 'exclude each other'
printf '[report]\n\000' | settings
refused 'NUL bytes' 'not a text'
{ echo '[report]'; awk 'BEGIN { for (i = 0; i < 40000; i++) print "# ......" }'; } | settings
refused 'a huge file' 'too large'
rm "$file" && truncate -s 100G "$file" 2>/dev/null && refused 'a huge file with a hole' 'too large'
rm -f "$file" && mkfifo "$file" && refused 'a FIFO, at once' 'not a regular file'
rm -f "$file" && mkdir "$file" && refused 'a directory' 'not a regular file'
rmdir "$file" && ln -s /dev/zero "$file" && refused 'a device' 'not a regular file'
rm -f "$file" && ln -s "$file" "$file" && refused 'a link to itself' 'config: '
rm -f "$file"
if [ "$(id -u)" = 0 ]; then
	printf '[report]\nsort = dso\n' | settings
	chown 12345 "$file"
	refused "another user's" "neither yours nor root's"
	rm -f "$file"
else
	skip "another user's" 'needs root'
fi
(PDTOOL_CONFIG=missing && export PDTOOL_CONFIG && refused 'a missing file that was named' 'missing: No such file')
(PDTOOL_JOBS=many && export PDTOOL_JOBS && refused 'a variable that has no value of its option' 'PDTOOL_JOBS = many: expected a number')
printf '[report\n' | settings
"$pdtool" report --help >out 2>err
result 'the help does not need the settings' $?
rm "$file" && rmdir "$HOME/.config/pdtool" && printf 'x' >"$HOME/.config/pdtool"
given 'no directory: no settings' comm,dso,sym
(unset HOME && given 'no home: no settings' comm,dso,sym)
