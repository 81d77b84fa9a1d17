#!/bin/sh
# The module pdtool for Python: what it hands out is what the program prints; the examples of docs/python show what perf's own
# scripts show; what is wrong raises, and nothing crashes. With Debian's python3 alone; numpy, where it is there, must not copy.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"
here=$top/tests/python
foreign=$data/recorded/foreign
python=
for candidate in /usr/bin/python3 python3; do
	"$candidate" -c 'import ctypes' 2>/dev/null && python=$candidate && break
done
if [ -z "$python" ]; then
	skip 'the module for Python' 'python3 with ctypes is not there (Debian: python3-minimal and libpython3-stdlib, or python3)'
	exit 0
fi
PDTOOL_LIBRARY=$build/libpdtool.so.0 PYTHONPATH=$top/python PYTHONDONTWRITEBYTECODE=1 PYTHONFAULTHANDLER=1
export PDTOOL_LIBRARY PYTHONPATH PYTHONDONTWRITEBYTECODE PYTHONFAULTHANDLER
# check PART ARGUMENT...: its lines are those of this group; a crash is one more.
check() {
	limited 300 "$python" -X dev -W error "$here/check.py" "$@" >out 2>err
	status=$?
	cat out
	[ $status = 0 ] && [ ! -s err ] || { fail "check.py $1" "status $status"; tail -n 12 err | sed 's/^/    /' | cut -c 1-200; }
}

# ---- the interface as the module has it is that of the headers ----

"$python" "$here/check.py" layout >want 2>err
{
	for header in pdtool pdtool_capture pdtool_columns pdtool_record; do echo "#include \"parser/$header.h\""; done
	echo '#include <stdio.h>'
	echo 'int main(void) {'
	sed 's/^\(.*\) -\{0,1\}[0-9]*$/printf("%s %ld\\n", "\1", (long)(\1));/' want
	echo 'return 0; }'
} >layout.c
gcc -I "$top" -o layout layout.c 2>>err && ./layout >got
same 'the layout of the interface' want got
equal 'nothing is said beside' '' "$(cat err)"
sed -n '/^enum pdt_text_key/,/^};/p; /^enum pdt_number_key/,/^};/p' "$top/parser/pdtool_capture.h" |
	sed -n 's/^	PDT_\([A-Z_]*\),.*/\1/p' | grep -v '^MODE_SAMPLES$' | tr A-Z a-z >want
"$python" -c 'import pdtool; print("\n".join(pdtool._TEXT_KEYS + pdtool._NUMBER_KEYS))' >got
same 'info() has all that the headers name' want got
equal 'the version' "$("$pdtool" --version | sed -n '1s/^pdtool \([0-9.]*\).*/\1/p') $(sed -n 's/^## \([0-9.]*\).*/\1/p' "$top/NEWS.md" | head -n 1)" \
	"$("$python" -c 'import pdtool; print(pdtool.version(), pdtool.__version__)')"
for library in "$top/README.md" /nowhere/libpdtool.so "$build/tests/lib/faultshim.so"; do
	[ -e "$library" ] || [ "$library" = /nowhere/libpdtool.so ] || continue
	PDTOOL_LIBRARY=$library "$python" -c 'import pdtool' >got 2>&1
	equal "another library: $(basename "$library")" 'ImportError: pdtool' "$(tail -n 1 got | cut -c 1-19)"
done

# ---- what is handed out ----

# shellcheck disable=SC2046
check events "$pdtool" "$foreign"/*.data* $(find "$data/recorded/x86_64" "$data/unwind" "$data/broken" -name '*.data*' | LC_ALL=C sort) |
	awk '/^ok/ { n++; next } { print } END { print "ok " n " comparisons with pdtool script" }'
check stacks "$pdtool" "$data/symfs" "$foreign"/05-* "$foreign"/13-* "$foreign"/15-*.data.zst "$foreign"/24-* "$data"/recorded/x86_64/binaries/linked.data
cat >names.mkperf <<'END'
tracepoint a:names id=7 fields="int __del__;int __classcell__;int class;int time;int fields;int count;int index;int name;char comm[8];long args[2];char text[8];u8 key[3]" print="\"\""
event a:names type=tracepoint config=7 sample_type=TID|TIME|RAW
comm pid=1 tid=1 comm="one"
sample time=5 pid=1 tid=1 raw=[u16:7,u8:0,u8:0,u32:1,u32:1,u32:2,u32:3,u32:4,u32:5,u32:6,u32:7,u32:8,u8:97,u8:98,zero:6,u64:9,u64:0xfffffffffffffff6,u8:255,u8:120,zero:6,u8:1,u8:0,u8:2]
sample time=6 pid=1 tid=1 raw=[u16:7,u8:0,u8:0,u32:1,u32:11]
END
"$mkperf" -o names.data names.mkperf
check names names.data
check views "$data/recorded/x86_64/binaries/linked.data"

# ---- what is wrong ----

check wrong "$data/recorded/x86_64/binaries/linked.data" "$top/README.md"
for seed in 1 2 3; do
	check random $seed 400 "$foreign"/01-* "$foreign"/06-* "$foreign"/12-* "$foreign"/20-* "$data/recorded/x86_64/binaries/linked.data"
done
head -c 60000 "$data/recorded/x86_64/binaries/linked.data" >cut.data
check random 4 200 cut.data

# ---- perf's scripts ----

perf_shows() {
	PERF_EXEC_PATH=/usr/lib/perf-core perf script -i "$1" -s "/usr/lib/perf-core/scripts/$2" 2>/dev/null |
		sed '/^Install the audit-libs/,/^$/d; /^Press control+C/d'
}
while read -r what example script; do
	awk -v what="$what" -f "$here/calls.awk" >calls.mkperf && "$mkperf" -o "$what.data" calls.mkperf
	"$python" "$top/docs/python/$example" "$what.data" >shown 2>err
	sort shown >got
	same "$example shows what perf's $script did" "$here/perf-$what.txt" got
	if command -v perf >/dev/null && perf_shows "$what.data" "$script" >perf && [ -s perf ]; then
		sort perf >want
		same "and what it does" want got
		awk '{ print $NF }' perf >want
		awk '{ print $NF }' shown >got
		same 'in its order' want got
	else
		skip "what perf's $script shows" 'no perf with such scripts is there'
	fi
done <<END
raw failed_syscalls.py perl/failed-syscalls.pl
rw rw_by_pid.py perl/rw-by-pid.pl
futex futex_contention.py python/futex-contention.py
END
for example in "$top"/docs/python/*.py; do
	"$python" "$example" "$top/README.md" >got 2>err
	equal "$(basename "$example"): no capture" "1 pdtool.Error" "$? $(tail -n 1 err | sed 's/:.*//')"
done

# ---- what docs/python.md shows ----

cp "$foreign"/15-*.data.zst perf.data
cp "$foreign"/12-*.data.zst sched.data
awk '/^```python$/ { n++; f = "example" n ".py"; next } /^```$/ { f = "" } f { print >f }' "$top/docs/python.md"
n=0
for example in example*.py; do
	n=$((n + 1))
	if grep -q numpy "$example" && ! "$python" -c 'import numpy' 2>/dev/null; then
		skip "docs/python.md: $example" 'python3-numpy is not there'
		continue
	fi
	"$python" -W error "$example" >got 2>err
	result "docs/python.md: $example" $? "$(tail -n 1 err)"
	[ -s got ]
	result 'it prints something' $?
done
[ $n -ge 5 ]
result "docs/python.md has $n examples" $?
