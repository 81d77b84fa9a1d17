#!/bin/sh
# Flame graphs. The place, width and title of every frame, against flame_layout.pl, which works them out from the
# folded text alone; the options; what is refused; hostile names; the same bytes each time.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

layout=$top/tests/oracle/flame_layout.pl
recorded=$data/recorded/x86_64

# graph OPTION...: to got.svg; says when it fails or is not well-formed.
graph() {
	"$pdtool" flamegraph -q "$@" >got.svg 2>err || { fail "flamegraph $*" "$(head -n 1 err)"; return 1; }
	command -v xmllint >/dev/null || return 0
	xmllint --noout --huge got.svg 2>err || { fail "flamegraph $* is well-formed" "$(head -n 1 err)"; return 1; }
}

# frames NAME TEXT WIDTH MINWIDTH ORDER HEIGHT WAY OPTION...
frames() {
	name=$1 text=$2 width=$3 minwidth=$4 order=$5 height=$6 way=$7
	shift 7
	graph "$@" "$text" || return
	perl "$layout" text "$text" "$width" "$minwidth" "$order" >want.frames
	perl "$layout" svg got.svg "$height" "$way" >got.frames
	perl "$layout" compare want.frames got.frames >wrong 2>&1
	[ ! -s wrong ]
	result "layout: $name ($(grep -c . want.frames) frames)" $? "$(grep -c . wrong) differ"
	show wrong
}

# ---- layout ----

for name in diff_pair/base1 diff_pair/base1.all binaries/plugins multi_event/multi namespaces/pivot damaged/whole; do
	frames $name "$recorded/$name.folded" 1200 0.1 sorted 16 up
done

# Names with blanks, brackets and points, prefixes of each other; frames that end stacks and hold others; the same
# function in several places; weights with decimals.
awk 'BEGIN {
	srand(3)
	split("a a.b a(b) a:b ab main main_[k] operator() operator*|std::x<y>|- -- $x \"q\" &amp _start lib/x.so", n, /[ |]/)
	n[length(n) + 1] = "two words"
	n[length(n) + 1] = "a (deleted)"
	for (i = 0; i < 2000; i++) {
		s = "root"
		for (d = int(rand() * 9); d > 0; d--)
			s = s ";" n[1 + int(rand() * rand() * length(n))]
		if (!seen[s]++)
			printf "%s %d%s\n", s, 1 + rand() * 99, rand() < 0.2 ? ".5" : ""
	}
}' >random.folded
frames 'random stacks' random.folded 1200 0.1 sorted 16 up
frames 'random stacks, nothing left out' random.folded 1200 0 sorted 16 up --minwidth 0
frames '--width 777 --minwidth 3' random.folded 777 3 sorted 16 up --width 777 --minwidth 3
frames '--minwidth 1%' random.folded 1200 1% sorted 16 up --minwidth 1%
frames '--inverted --height 20' random.folded 1200 0.1 sorted 20 down --inverted --height 20
frames '--flamechart of folded text' random.folded 1200 0.1 ordered 16 up --flamechart
perl -ne 'chomp; my ($s, $n) = /^(.*) (\S+)$/; print join(";", reverse split /;/, $s), " $n\n"' random.folded >reversed.folded
frames '--reverse, by itself' reversed.folded 1200 0.1 sorted 16 up
cp got.frames want.frames
graph --reverse random.folded && perl "$layout" svg got.svg 16 up >got.frames && same 'layout: --reverse' want.frames got.frames
printf 'a;b 1\na;c 2\na 3\nd 4' >small.folded
graph --inverted <small.folded - && perl "$layout" svg got.svg 16 down | sort >got.frames
printf '%s\n' '0	10	1180	all (10 samples, 100%)' '1	10	708	a (6 samples, 60.00%)' '1	718	472	d (4 samples, 40.00%)' \
	'2	364	118	b (1 samples, 10.00%)' '2	482	236	c (2 samples, 20.00%)' | sort >want.frames
same 'layout: a small graph, from standard input' want.frames got.frames

# ---- options ----

# shows NAME TEXT OPTION...: the drawing of small.folded holds TEXT.
shows() {
	name=$1 text=$2
	shift 2
	graph "$@" small.folded || return
	grep -qF -e "$text" got.svg
	result "option: $name" $? "no '$text'"
}
shows 'height of the picture' 'width="1200" height="147" viewBox="0 0 1200 147"'
shows '--fontsize and --height' 'height="168"' --fontsize 15 --height 15
shows '--title' '>My &lt;title&gt;</text>' --title 'My <title>'
shows 'the usual title' '>Flame Graph</text>'
shows 'the usual title, --inverted' '>Icicle Graph</text>' --inverted
shows 'the usual title, --flamechart' '>Flame Chart</text>' --flamechart
shows '--subtitle makes room' 'height="164"' --subtitle second
shows '--subtitle that is long: it wraps' 'height="181"' --subtitle "$(printf 'word %.0s' $(seq 40))"
shows '--countname' 'd (4 bytes, 40.00%)' --countname bytes
shows '--factor' 'd (4,000 samples, 40.00%)' --factor 1000
shows '--total' 'd (4 samples, 20.00%)' --total 20
shows '--total that is too small' '--total 2 is less than the total weight, and ignored' --total 2
shows '--nametype' 'type:"Symbol:"' --nametype Symbol:
shows '--fonttype' 'font-family="Serif,sans-serif"' --fonttype Serif
shows '--notes' 'notes: a note' --notes 'a note'
shows '--encoding' 'encoding="ISO-8859-1"' --encoding ISO-8859-1 --title 'é'
shows '--encoding: the bytes are ASCII' '>&#233;</text>' --encoding ISO-8859-1 --title 'é'
shows '--bgcolors' 'stop-color="#123456"' --bgcolors '#123456'
shows 'what --minwidth left out' '2 frames narrower than 30% are left out: 30.00% of the weight' --minwidth 30%
shows 'facts' 'folded text: small.folded'
# The colours that flamegraph.pl gives these names.
printf 'main 1\nwrite_[k];Foo::bar;org/x/Y;_start 3\n' >colors.folded
colors() { # WANTED OPTION...
	want=$1
	shift
	graph "$@" colors.folded || return
	got=$(sed -n 's/.*<title>\([^ ]*\) ([^<]*<\/title><rect[^>]* fill="#\([^"]*\)".*/\1=\2/p' got.svg | sort | tr '\n' ' ')
	equal "colours: $*" "$want " "$got"
}
colors 'Foo::bar=e77b1d _start=f5b92c all=d52709 main=f3b32a org/x/Y=ed9423 write=ea8920' --colors hot
# Without --colors, marks tell kinds apart; their own weight is what the legend says.
colors 'Foo::bar=e77b1d _start=f5b92c all=d52709 main=f3b32a org/x/Y=ed9423 write=86b3f2'
printf 'a;b_[k] 1\na;c_[j];d_[i] 2\na;d 1\n' >kinds.folded
graph kinds.folded
equal 'kinds: the legend' 'other 25.00%,kernel 25.00%,JIT 0.00%,inlined 50.00%' "$(grep -o '>[a-zA-Z]* [0-9.]*%<' got.svg | tr -d '<>' | paste -sd,)"
equal 'kinds: apart' 4 "$(sed -n 's/.*<title>[bcd] ([^<]*<\/title><rect[^>]* fill="#\([^"]*\)".*/\1/p' got.svg | sort -u | wc -l)"
graph --colors hot kinds.folded
result 'kinds: --colors means what it says' "$(grep -c 'id="legend"' got.svg)"
colors 'Foo::bar=ecd722 _start=ef8b25 all=ffe637 main=f7532e org/x/Y=ecb322 write=ec6c22' --hash
colors 'Foo::bar=00d870 _start=00e6a8 all=00c623 main=00e4a3 org/x/Y=00de87 write=00db7d' --colors mem
colors 'Foo::bar=7070db _start=8080ea all=5a5ac7 main=7e7ee8 org/x/Y=7676e1 write=7373de' --colors io
colors 'Foo::bar=cccc3c _start=f47272 all=d13f3f main=f27070 org/x/Y=58eb58 write=e48000' --colors java
colors 'Foo::bar=cccc3c _start=f47272 all=d13f3f main=f27070 org/x/Y=eb6565 write=e48000' --colors js
printf 'org/x/Y;org.x.Y.f 1\n' >java.folded
graph --colors java java.folded
equal 'colours: java, demangled' 61f361 "$(sed -n 's/.*<title>org\.x\.Y\.f ([^<]*<\/title><rect[^>]* fill="#\([^"]*\)".*/\1/p' got.svg)"
for palette in perl rust python wakeup chain red green blue aqua yellow purple orange; do
	graph --colors $palette colors.folded && cp got.svg "$palette.svg" && ok "colours: $palette"
done
[ "$(cat red.svg green.svg blue.svg aqua.svg yellow.svg purple.svg orange.svg | grep -o 'fill="#[0-9a-f]*' | sort -u | wc -l)" -gt 35 ]
result 'colours: the palettes differ' $?
! cmp -s rust.svg python.svg
result 'colours: rust is not python' $?
printf 'a;--;b;c 5\n' >chain.folded
graph --colors chain chain.folded
equal 'colours: wakers in a chain' 'aqua blue GREY' "$(for f in b a --; do
	sed -n "s/.*<title>$f (.* fill=\"#\([^\"]*\)\".*/\1/p" got.svg
done | sed 's/^a0a0a0$/GREY/; s/^..[a-f].*/aqua/; s/^..[5-8].*/blue/' | tr '\n' ' ' | sed 's/ $//')"

# ---- files ----

graph --cp palette.map colors.folded && cp got.svg one.svg
cat >want.map <<END
->rgb(213,39,9)
Foo::bar->rgb(231,123,29)
_start->rgb(245,185,44)
main->rgb(243,179,42)
org/x/Y->rgb(237,148,35)
write_[k]->rgb(234,137,32)
END
same '--cp: the names and their colours are kept' want.map palette.map
sed -i 's/^main->.*/main->rgb(1,2,3)/' palette.map
graph --cp palette.map --colors blue colors.folded
equal '--cp: a colour of the file' '#010203' "$(sed -n 's/.*<title>main ([^<]*<\/title><rect[^>]* fill="\([^"]*\)".*/\1/p' got.svg)"
printf 'b\thref=https://example.org/?a=1&b\ttitle=A <b>\ttarget=new\nc\tclass=mine\n' >names.attr
graph --nameattr names.attr small.folded
grep -qF '<a data-own="1" xlink:href="https://example.org/?a=1&amp;b" target="new"><title>A &lt;b&gt;</title>' got.svg
result '--nameattr: a link and a title' $?
grep -qF '<g class="mine"><title>c (2 samples' got.svg
result '--nameattr: a class' $?

# ---- what is refused: nothing is written, one line says why ----

refused() { # NAME WORDS OPTION...
	name=$1 words=$2
	shift 2
	for program in "$pdtool" "$san"; do
		"$program" flamegraph "$@" small.folded >out 2>err
		status=$?
		if [ $status != 2 ] || [ -s out ] || [ "$(grep -c '' err)" != 1 ] || ! grep -qF -e "$words" err; then
			fail "refused: $name" "status $status, $(head -n 1 err)"
			return
		fi
	done
	ok "refused: $name"
}
refused '--width' '--width 10: expected pixels' --width 10
refused '--width, no number' '--width 12px: expected pixels' --width 12px
refused '--height' '--height 2.5: expected' --height 2.5
refused '--minwidth' '--minwidth x: expected pixels, or a percentage' --minwidth x
refused '--fontsize' '--fontsize -3: expected' --fontsize=-3
refused '--fonttype' '--fonttype a;}</style>: expected names of fonts' --fonttype 'a;}</style>'
refused '--total' '--total inf: expected a number' --total inf
refused '--factor' '--factor 0: expected' --factor 0
refused '--colors' '--colors pink: expected hot, mem' --colors pink
refused '--bgcolors' '--bgcolors #12345g: expected' --bgcolors '#12345g'
refused '--notes' '--notes <b>: expected text without < and >' --notes '<b>'
refused '--encoding' '--encoding UTF-16: expected UTF-8' --encoding UTF-16
refused '--hash --random' 'exclude each other' --hash --random
mkdir directory
refused '--cp of a directory' '--cp directory: ' --cp directory
cp small.folded other.txt
refused '--cp of another file' 'not a palette' --cp other.txt
refused '--nameattr of a missing file' '--nameattr missing: No such file' --nameattr missing
printf 'b\thref=javascript:alert(1)\n' >bad.attr
refused '--nameattr with a script' '--nameattr bad.attr: expected' --nameattr bad.attr
printf 'b\tg_extra=onclick="alert(1)"\n' >bad.attr
refused '--nameattr with raw attributes' '--nameattr bad.attr: expected' --nameattr bad.attr
refused '--flamechart of two inputs' '--flamechart takes one input' --flamechart small.folded

# ---- two sides ----

printf 'a;b 10 20\na;c 5 8\n' >two.folded
graph two.folded
for text in 'all (28 samples, 100%; before 15; delta +13, +86.67%; self delta 0)' \
	'a (28 samples, 100.00%; before 15; delta +13, +86.67%; self delta 0)' \
	'b (20 samples, 71.43%; before 10; delta +10, +100.00%; self delta +10)' \
	'a (15 samples, 100.00%; after 28; delta +13, +86.67%; self delta 0)'; do
	grep -qF "<title>$text</title>" got.svg
	result "two sides: $text" $?
done
color() { grep -F "<title>$1 (" got.svg | sed -n "$2s/.*fill=\"\([^\"]*\)\".*/\1/p"; }
printf 'a;b 10 20\na;c 8 5\na;d 3 3\na;gone;deep 7 0\n' >two.folded
graph two.folded
equal 'two sides: more is red' '#ff6464' "$(color b 1)"
equal 'two sides: the same is light' '#e4e4e8' "$(color d 1)"
case $(color c 1) in '#'????ff) ok 'two sides: less is blue' ;; *) fail 'two sides: less is blue' "$(color c 1)" ;; esac
equal 'two sides: what vanished is drawn once, below' 1 "$(grep -c '<title>deep (7 samples, 25.00%; after 0; delta -7' got.svg)"
equal 'two sides: what vanished is marked' '#6464ff' "$(color deep 1)"
graph --negate two.folded
equal 'two sides: --negate' '#6464ff' "$(color b 1)"
printf 'a;b 10 0\na;c 8 0\n' >two.folded
graph two.folded
equal 'two sides: what it is called' 1 "$(grep -c '>Differential Flame Graph</text>' got.svg)"
"$pdtool" diff -q --format svg "$data/recorded/x86_64/diff_pair/base1.data.zst" "$data/recorded/x86_64/diff_pair/slow1.data.zst" >times.svg
equal 'two sides: times of the scale for people' '858.6 ms less 858.6 ms more' \
	"$(grep -o '>[0-9.]* [a-z]* \(less\|more\)<' times.svg | tr -d '<>' | paste -sd ' ')"
equal 'two sides: nothing is left after' 4 "$(grep -c '; after 0; delta' got.svg)"
printf 'a;b 0 10\n' >two.folded
graph two.folded
equal 'two sides: nothing was there before' 3 "$(grep -c '; before 0; delta +10' got.svg)"

# ---- flame charts of captures ----

chart() { # EVENT: one sample line for each "PID TIME FRAMES" of standard input
	{
		echo "event $1 sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD sample_id_all"
		for pid in 5 6; do
			echo "comm pid=$pid comm=w<o>rk time=1"
			for m in 1 2 3; do echo "mmap pid=$pid addr=0x${m}000 len=0x1000 file=/bin/m$m time=1"; done
		done
		while read -r pid time frames; do
			echo "sample pid=$pid time=$time ip=0x1000 period=1000000 chain=[user:$frames]"
		done
	} >chart.mkperf
	"$mkperf" -o chart.data chart.mkperf && graph --flamechart chart.data
	sed -n 's/.*<title>\([^<]*\)<\/title><rect x="\([^"]*\)" y="\([^"]*\)" width="\([^"]*\)".*/\3 \2 \4 \1/p' got.svg | sort -n >got.spans
}
chart 'cpu-clock type=software config=0 period=1000000' <<END
5 11000000 0x2000,0x1000
5 12000000 0x2000,0x1000
6 12500000 0x1000
5 13000000 0x3000,0x1000
5 20000000 0x1000
END
cat >want.spans <<END
91 10 236 [m2] (2 ms at +0 ns)
91 246 118 [m3] (1 ms at +2 ms)
107 10 354 [m1] (3 ms at +0 ns)
107 1072 118 [m1] (1 ms at +9 ms)
144 187 118 [m1] (1 ms at +1.5 ms)
END
same 'chart: a clock covers its period, equal neighbours are one, gaps are gaps' want.spans got.spans
equal 'chart: lanes' 'w&lt;o&gt;rk 5 w&lt;o&gt;rk 6' "$(sed -n '/id="lanes"/,/<\/g>/s/<text[^>]*>\([^<]*\)<.*/\1/p' got.svg | tr '\n' ' ' | sed 's/ $//')"
grep -q '>9 ms</text>' got.svg
result 'chart: a time axis' $?
chart 'cycles type=hardware config=0 freq period=1000' <<END
5 11000000 0x1000
5 11700000 0x1000
5 19500000 0x1000
END
cat >want.spans <<END
91 10 259.6 [m1] (2.2 ms at +0 ns)
91 1013 177 [m1] (1.5 ms at +8.5 ms)
END
same 'chart: other events cover at most 1.5 intervals' want.spans got.spans
# Few lanes of CPUs are higher than frames, unless somebody said how high.
for height in 20 60; do
	"$pdtool" sched timeline -q --by cpu --height $height --format svg "$data/recorded/x86_64/sched/flat.data.zst" >got.svg
	equal "timeline: --height $height" $height "$(grep -o ',frame:[0-9.]*' got.svg | cut -d : -f 2)"
done
# More threads and more frames than a drawing holds: what is left out is told, of what stays no time is lost.
# shellcheck disable=SC2016
{
	echo 'event cpu-clock type=software config=0 period=1000000 sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD sample_id_all'
	for m in 1 2; do echo "mmap pid=5 addr=0x${m}000 len=0x1000 file=/bin/m$m time=1"; done
	printf 'repeat 6000 {\nsample pid=5 tid=100+$i time=20000000+($i*7919%%6000)*2000 ip=0x1000 period=1000+$i chain=[user:0x1000]\n}\n'
	echo 'repeat 12000 {'
	echo "sample pid=5 tid=5 time=40000000+\$i*2000 ip=0x1000 period=2000 chain=[user$(awk 'BEGIN {
		for (i = 0; i < 110; i++) printf "%s4096*(1+($i+%d)%%2)", i ? "," : ":", i }')]"
	echo '}'
} >many.mkperf
"$mkperf" -o many.data many.mkperf && graph --flamechart many.data
"$pdtool" flamegraph -q --flamechart --format csv many.data >all.csv
perl "$top/tests/oracle/timeline.pl" got.svg >got.csv
equal 'chart: at most so many frames' 1 "$(awk 'END { print (NR < 1000000 && NR > 300000) }' got.csv)"
equal 'chart: at most so many lanes' 5000 "$(cut -d , -f 1 got.csv | sort -u | wc -l)"
grep -q 'spans shorter than [0-9.]* us are added up with their neighbours; 1,001 lanes are left out, with 3.13% of the time' got.svg
result 'chart: what is not there is told' $?
for file in all got; do
	awk -F, '$1 == "thread 5" { t[$2, $5] += $4 - $3 } END { for (k in t) print k, t[k] }' $file.csv | sort >$file.sums
done
equal 'chart: each depth has both functions' 220 "$(wc -l <all.sums)"
same 'chart: the time of each function at each depth' all.sums got.sums
rm many.data all.csv
sed -i 's/TID|TIME/TID/; s/ sample_id_all//; s/ time=[0-9]*//' chart.mkperf
"$mkperf" -o chart.data chart.mkperf && "$pdtool" flamegraph --flamechart chart.data >out 2>err
equal 'chart: without times' '2 0' "$? $(wc -c <out)"

# Frames of 146 years each: their sum is more than a signed number holds.
cat >far.mkperf <<'END'
event cycles type=hardware config=0 period=1 sample_type=IP|TID|TIME|CALLCHAIN
sample ip=0x1000 pid=1 tid=1 time=1 chain=[0x1000,0x2000]
sample ip=0x1000 pid=1 tid=1 time=(3<<62) chain=[0x1000,0x2000]
sample ip=0x1000 pid=2 tid=2 time=1 chain=[0x1000,0x2000]
sample ip=0x1000 pid=2 tid=2 time=(3<<62) chain=[0x1000,0x2000]
END
"$mkperf" -o far.data far.mkperf && "$host_san" flamegraph -q --no-host --flamechart -o far.svg far.data >out 2>err
equal 'chart: of times that are far apart' '0 ' "$? $(cat err)"

# ---- the same bytes, and no others ----

for option in --hash --random --flamechart --inverted --reverse '--colors java'; do
	# shellcheck disable=SC2086
	graph $option random.folded && cp got.svg want.svg && graph $option random.folded && same "the same bytes again: $option" want.svg got.svg
done
graph "$recorded/modes/clock.data" -j1 && cp got.svg want.svg && graph "$recorded/modes/clock.data" -j8 && same 'the same bytes: -j8 as -j1' want.svg got.svg
equal 'no address but those of name spaces' 'http://www.w3.org/1999/xhtml http://www.w3.org/1999/xlink http://www.w3.org/2000/svg' \
	"$(grep -oE '[a-z]+://[^"]*' got.svg | sort -u | tr '\n' ' ' | sed 's/ $//')"

# ---- hostile names ----

perl -e '
	my @names = ("</text><script>alert(1)</script>", "]]>", "<![CDATA[", "\" onclick=\"alert(1)", "\x27", "&lt;&amp;&", "-->",
		"\xff\xfe", "\xc3", "\xed\xa0\x80", "\xef\xbf\xbf", "\xe2\x80\xa8", "\xf4\x90\x80\x80", "\x01\x07\x1b[31m\x7f", "\xc2\x85",
		"\\u003c/script>", "\${alert(1)}", "`", "x" x 65536, "<" x 65536, "\xf0\x9f\x98\x80" x 20000, "</desc></svg>", " ", "--", "-");
	for my $i (0 .. $#names) { print "$names[$i];", join(";", @names[0 .. $i]), " 7\n" }
	srand(5);
	for (1 .. 400) { my $n = join "", map { chr 1 + int rand 255 } 1 .. 1 + rand 40; $n =~ tr/\n//d; print "r;$n 3\n" }
' >hostile.folded
for options in '' '--flamechart' '--colors java --minwidth 0' '--encoding US-ASCII' '--inverted --title ]]></script>'; do
	for program in "$pdtool" "$san"; do
		# shellcheck disable=SC2086
		"$program" flamegraph -q $options hostile.folded >got.svg 2>err || { fail "hostile names $options" "$(head -n 1 err)"; continue 2; }
	done
	if command -v xmllint >/dev/null; then
		xmllint --noout --huge got.svg 2>err
		result "hostile names $options: well-formed" $? "$(head -n 1 err)"
		equal "hostile names $options: elements" 'a=0 script=1 on=0' "$(xmllint --huge --xpath \
			'concat("a=", count(//*[local-name()="a"]), " script=", count(//*[local-name()="script"]), " on=", count(//@*[starts-with(name(), "on")]))' got.svg)"
	else
		skip "hostile names $options: well-formed" 'no xmllint (libxml2-utils)'
	fi
	equal "hostile names $options: ends of CDATA" 1 "$(grep -o ']]>' got.svg | wc -l | tr -d ' ')"
	LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]')" got.svg
	result "hostile names $options: no control bytes" $((1 - $?))
done
printf 'a;b 18446744073709551615\na;c 18446744073709551615\nd 0\n' >huge.folded
for program in "$pdtool" "$san"; do
	"$program" flamegraph -q huge.folded >got.svg 2>err || break
done
result 'sums beyond 64 bits' $? "$(head -n 1 err)"
: >nothing.folded
printf 'a;b 0\n' >zero.folded
graph --allow-empty zero.folded && grep -q 'Nothing to draw' got.svg
result 'no weight at all' $?
graph --allow-empty nothing.folded && grep -q 'Nothing to draw' got.svg
result 'an empty input' $?
for text in zero nothing; do
	"$pdtool" flamegraph $text.folded >got.svg 2>err
	equal "$text: no drawing" '1 0 1' "$? $(wc -c <got.svg) $(wc -l <err)"
done

# ---- what is true of the drawing stands below its title ----

# below WANTED COMMAND...: the lines below the title of the drawing.
below() {
	wanted=$1
	shift
	"$pdtool" "$@" -q --format svg >got.svg 2>err
	equal "below the title: $*" "$wanted" "$(sed -n 's/^.*<text [^>]*class="subtitle[^>]*>\([^<]*\)<.*/\1/p' got.svg | tr '\n' '/')"
}
cp "$recorded/diff_pair/base1.data.zst" one.data
cp "$recorded/diff_pair/slow1.data.zst" two.data
cp "$recorded/sched/sw_lost.data.zst" lost.data
cp "$recorded/block/q1.data.zst" block.data
below 'weight: 423.3 ms | sampled: 7.746 s | event: task-clock | unresolved: 100.00% | lost: nothing | filters: comm a* time ,6615/' flamegraph --comms 'a*' --time ,6615 one.data
below 'weight: 1,847 samples | sampled: 7.746 s | event: task-clock | unresolved: 100.00% | lost: nothing/' flamegraph --weight samples one.data
below 'my words/weight: ms | sampled: 7.746 s | event: task-clock | unresolved: 100.00% | lost: nothing/' flamegraph --subtitle 'my words' --countname ms one.data
below 'weight: 4.564 s | inputs: one.data, two.data | sampled: 7.746 s, 19.87 s | event: task-clock | unresolved: 100.00% | lost: nothing/' flamegraph one.data two.data
below 'weight: 1.853 s before, 2.711 s after | before: one.data, after: two.data | sampled: 7.746 s, 19.87 s | event: task-clock | unresolved: 100.00% | lost: nothing/' diff one.data two.data
below 'weight: 1.853 s before, 5.422 s after | before and after: one.data, two.data, two.data | sampled: 7.746 s, 19.87 s, 19.87 s | event: task-clock/unresolved: 100.00% | lost: nothing/' \
	diff --before one.data --after two.data two.data
below 'weight: 474,656,514 sched:sched_stat_runtime | sampled: 468.3 ms | event: sched:sched_stat_runtime | unresolved: 100.00% | lost: 37,115 records/' flamegraph lost.data
below 'width: time | sampled: 7.746 s | event: task-clock | unresolved: 100.00% | lost: nothing/' flamegraph --flamechart one.data
below 'width: time | sampled: 468.3 ms | 2.06% of the switches missing | lost: 37,115 records | filters: cpu 0/' sched timeline --cpu 0 lost.data
below 'mine/colour: Count per cell, rows: Latency | sampled: 961.2 ms | unmatched: 13 issues without completion | not in cells: 0 below, 1 above, 0 after the last column/lost: nothing/' \
	heatmap --max 1ms --subtitle mine block.data
below 'bars: Children | sampled: 7.746 s | unresolved of task-clock: 100.00% | lost: nothing | filters: pid 1-99999/' report --pid 1-99999 one.data
below '' flamegraph small.folded
long=$(printf 'name%02d,' $(seq 60))app
"$pdtool" flamegraph -q --width 300 --comms "$long" one.data >got.svg
equal 'too much to say: lines' 8 "$(grep -c 'class="subtitle"' got.svg)"
grep -q 'class="subtitle"[^>]*>.* \.\.\.<' got.svg && ok 'too much to say: seen' || fail 'too much to say' 'not seen'
