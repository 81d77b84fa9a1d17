#!/bin/sh
# Names that the compilers of OCaml, Java and Haskell make, as answers show them; as perf shows them under --compat; and
# names of C that look like them.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

command -v as >/dev/null && command -v ld >/dev/null || { skip 'names of languages' 'no assembler here'; exit; }

# library OUT [LINE...]: a library with a function of 16 bytes for each name of standard input, after those lines.
library() {
	out=$1
	shift
	{
		printf '%s\n' "$@" .text
		while read -r name; do
			echo "	.globl \"$name\""
			echo "	.type \"$name\", %function"
			echo "	.size \"$name\", 16"
			echo "\"$name\":	.fill 16, 1, 0x90"
		done
		echo '	.section .note.GNU-stack,"",%progbits'
	} >names.s
	as -o names.o names.s && ld -shared -o "$out" names.o || fail "$out" 'cannot be made'
}

# sampled OUT LIBRARY: a capture with a sample in each of its functions.
sampled() {
	{
		cat <<-'END'
		event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm \
			sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD
		comm pid=5 comm=p time=1
		END
		echo "mmap pid=5 addr=0x400000 len=0x100000 pgoff=0 file=$2 time=2"
		echo 'mmap pid=5 addr=0x7000000 len=0x1000 file=//anon time=2'
		# at their offsets in the file
		readelf -lW "$2" | awk '$1 == "LOAD" { print $2, $3, $6 }' >segments
		nm "$2" | awk '$2 == "T" { print $1 }' | sort | while read -r value; do
			while read -r offset start size; do
				[ $((0x$value - start)) -ge 0 ] && [ $((0x$value - start - size)) -lt 0 ] || continue
				at=$(printf '0x%x' $((0x400000 + 0x$value - start + offset)))
				echo "sample pid=5 time=$((at)) ip=$at chain=[user:$at]"
			done <segments
		done
	} >capture.mkperf
	"$mkperf" -o "$1" capture.mkperf || fail "$1" mkperf
}

# names OPTION...: of the capture's leaves, in the order of their addresses.
names() { "$pdtool" collapse -q --symfs / "$@" | stacks | sed 's/^p_*;\(.*\) [0-9]*$/\1/' | sort; }

# ---- OCaml, Java ----

# What the compiler wrote, what it is in answers, what it is in perf 6.1 and 6.12; where these have a blank, "~".
sort >table <<'END'
camlO__work_512 O.work_512 =
camlP.work_512 P.work_512 =
camlStdlib__List__map_123 Stdlib.List.map_123 =
camlDune__exe__Main__$2b$2b_7 Dune.exe.Main.++_7 =
camlFoo camlFoo Foo
caml_main caml_main =
camlp4_main camlp4_main =
Ljava/lang/String;hashCode()I java.lang.String.hashCode() =
Ljava/lang/Object;<init>()V java.lang.Object<init>() =
Ljava/util/zip/ZipUtils;CENSIZ([BI)J java.util.zip.ZipUtils.CENSIZ(byte[],~int) =
Ljava/util/regex/P$C;match(Ljava/util/Matcher;ILjava/lang/CharSequence;)Z java.util.regex.P$C.match(java.util.Matcher,~int,~java.lang.CharSequence) =
Lapp/Main;main([Ljava/lang/String;)V app.Main.main(java.lang.String[]) app.Main.main(java.lang.String)
Lapp/Main;two([Ljava/lang/String;I[[J)V app.Main.two(java.lang.String[],~int,~long[][]) app.Main.two(java.lang.String,~int[],~long[][])
Lapp/Main;_x(Z)V app.Main._x(boolean) app.Main_x(boolean)
Lapp/Main;::method app.Main.method Lapp/Main;::method
Lapp/Main;::f-impl app.Main.f-impl Lapp/Main;::f-impl
LazyCompile LazyCompile =
main.(*T).second main.(*T).second =
base_GHCziBase_map_info base_GHCziBase_map_info =
_ZN3foo3barEv foo::bar =
END
cut -d ' ' -f 1 table | library "$tmp/languages.so"
sampled languages.data "$tmp/languages.so"
cut -d ' ' -f 2 table | tr '~' ' ' | sort >wanted
equal 'names' "$(cat wanted)" "$(names languages.data)"
equal 'names as they are' "$(cut -d ' ' -f 1 table | tr ';' : | sort)" "$(names --no-demangle languages.data)"
# stackcollapse-perf.pl cuts at parentheses
awk '{ print $3 == "=" ? $2 : $3 }' table | tr ';~' ': ' | sed '/^main/!s/(.*//' | sort >perfs
equal 'names as perf has them' "$(cat perfs)" "$(names --compat stackcollapse languages.data)"
case $(perf --version 2>/dev/null) in
*' 6.1' | *' 6.1.'* | *' 6.12'*)
	perf script -i languages.data --no-inline -F ip,sym 2>/dev/null | sed -n 's/^[ 	]*[0-9a-f][0-9a-f]* //p' |
		tr ';' : | sed '/^main/!s/(.*//' | sort >theirs
	if [ -s theirs ]; then equal 'and as it shows them' "$(cat theirs)" "$(cat perfs)"; else skip 'and as it shows them' 'perf shows none'; fi
	;;
*) skip 'and as it shows them' 'another perf than 6.1 or 6.12' ;;
esac

# What perf 6.12 makes of them, which asks __cxa_demangle(): C++ with parameters, types, and neither D nor Rust's v0.
sort >table <<'END'
_ZN3foo3barEv foo::bar()
_ZN3foo3bazEi.part.0 foo::baz(int)~[clone~.part.0]
_Z3getIiEiT_PKc int~get<int>(int,~char~const*)
_ZN4core3fmt9Formatter3pad17h05af221e174051e9E core::fmt::Formatter::pad
_RNvC6_123foo3bar _RNvC6_123foo3bar
_D3std5stdio7writelnFZv _D3std5stdio7writelnFZv
camlP.work_512 P.work_512
f float
Pc char*
main main
work work
END
cut -d ' ' -f 1 table | library "$tmp/whole.so"
sampled whole.data "$tmp/whole.so"
lines() { sed -n 's/^[ 	]*[0-9a-f][0-9a-f]* //p' | sort; }
"$pdtool" script -q --compat perf -F ip,sym --symfs / whole.data | lines >got
cut -d ' ' -f 2 table | tr '~' ' ' | sort >want
same 'names as script shows them for perf 6.12' want got
"$pdtool" script -q -F ip,sym --symfs / whole.data | lines | grep -x -e f -e foo::baz -e 123foo::bar >got
equal 'and without' '123foo::bar f foo::baz' "$(tr '\n' ' ' <got | sed 's/ $//')"
reference=${REFERENCE_PERF:-perf}
case $("$reference" --version 2>/dev/null) in
*' 6.12'*)
	"$reference" script -i whole.data -F ip,sym 2>/dev/null | lines >got
	same 'and as it shows them' want got
	;;
*) skip 'and as it shows them' 'neither $REFERENCE_PERF nor perf is perf 6.12' ;;
esac

# ---- Java's perf maps ----

{
	cat <<-'END'
	event cycles type=hardware config=0 period=1 ids=5 sample_id_all mmap comm \
		sample_type=IP|TID|TIME|CALLCHAIN|CPU|PERIOD
	comm pid=5 comm=p time=1
	mmap pid=5 addr=0x1000 len=0x1000 file=//anon time=2
	END
	for i in 0 1 2 3 4; do echo "sample pid=5 time=1$i ip=0x10${i}0 chain=[user:0x10${i}0]"; done
} >map.mkperf
"$mkperf" -o map.data map.mkperf
mkdir maps
cat >maps/perf-5.map <<'END'
1000 10 Lorg/mozilla/javascript/Context;::getContext
1010 10 Lcom/a/B;::one->Lcom/c/D;::two
1020 10 LazyCompile:*Lx;::fn /srv/app.js:1:2
1030 10 Interpreter
1040 10 Lcom/a/B;::three(I[J)V
END
equal 'names of a perf map' 'Interpreter
LazyCompile:*Lx:::fn /srv/app.js:1:2
com.a.B.one->com.c.D.two
com.a.B.three(int, long[])
org.mozilla.javascript.Context.getContext' "$(names --perf-map-dir maps map.data)"
equal 'and as perf has them' 'Interpreter
LazyCompile:*Lx:::fn /srv/app.js:1:2
Lcom/a/B:::one;Lcom/c/D:::two_[i]
Lcom/a/B:::three
Lorg/mozilla/javascript/Context:::getContext' "$(names --compat stackcollapse --perf-map-dir maps map.data | sort)"

# ---- Haskell ----

# Names are encoded where GHC made the file: it tells so, or its run-time system is called.
sort >table <<'END'
base_GHCziBase_map_info base_GHC.Base_map_info
containerszm0zi6zi7_DataziMapziInternal_zdwinsert_info containers-0.6.7_Data.Map.Internal_$winsert_info
ghczmprim_GHCziTuple_Z2T_con_info ghc-prim_GHC.Tuple_(,)_con_info
ghczmprim_GHCziTypes_ZMZN_closure ghc-prim_GHC.Types_[]_closure
ZCMain_main_info :Main_main_info
Main_zdwgo_s1Xz_entry Main_zdwgo_s1Xz_entry
Main_zeze_info Main_==_info
Main_zezne_info Main_=!e_info
main_App_z3bbU_info main_App_λ_info
Main_main_info Main_main_info
sat_s1b2_info sat_s1b2_info
rts_resize_info rts_resize_info
resize_info resize_info
Resize_window_info Resize_window_info
stg_upd_frame_info stg_upd_frame_info
base_GHCziBase_map base_GHCziBase_map
END
cut -d ' ' -f 1 table | library "$tmp/haskell.so"
sampled haskell.data "$tmp/haskell.so"
equal 'names of a program that calls GHC'"'"'s run-time system' "$(cut -d ' ' -f 2 table | sort)" "$(names haskell.data)"
equal 'as they are' "$(cut -d ' ' -f 1 table | sort)" "$(names --no-demangle haskell.data)"
equal 'as perf has them' "$(cut -d ' ' -f 1 table | sort)" "$(names --compat stackcollapse haskell.data)"
cut -d ' ' -f 1 table | grep -v stg_ | library "$tmp/haskell.so" '.ident "GHC 9.4.7"'
sampled haskell.data "$tmp/haskell.so"
equal 'names of a file that GHC made' "$(cut -d ' ' -f 2 table | grep -v stg_ | sort)" "$(names haskell.data)"
cut -d ' ' -f 1 table | grep -v stg_ | library "$tmp/haskell.so" '.ident "GCC: (Debian) 12.2.0"'
sampled haskell.data "$tmp/haskell.so"
equal 'names of a C program that look like those' "$(cut -d ' ' -f 1 table | grep -v stg_ | sort)" "$(names haskell.data)"
