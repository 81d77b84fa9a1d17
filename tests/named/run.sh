#!/bin/sh
# On the recording machine no option is needed: of what is recorded here by plain perf record, in each language that this
# machine can build or run, as many frames have names as in perf script.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

if ! perf record -q -e cpu-clock -g -o try.data true >/dev/null 2>&1; then
	skip 'frames of each language' 'perf record is not permitted'
	exit
fi
mkdir programs

cat >w.c <<'END'
#include <stdlib.h>
static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
__attribute__((noinline)) static long work(int n)
{
	static int v[100000];
	long s = 0;
	for (int k = 0; k < n; k++) {
		for (int i = 0; i < 100000; i++)
			v[i] = rand();
		qsort(v, 100000, sizeof *v, ascending);
		s += v[k];
	}
	return s;
}
int main(void) { return work(40) == 1; }
END
cat >w.cc <<'END'
#include <algorithm>
#include <map>
#include <string>
#include <vector>
__attribute__((noinline)) long fill(int n)
{
	std::map<std::string, int> m;
	for (int i = 0; i < n; i++)
		m[std::to_string(i * 7919 % 100003)] += i;
	std::vector<std::string> v;
	for (auto &p : m)
		v.push_back(p.first);
	std::sort(v.begin(), v.end(), [](auto &a, auto &b) { return a.size() < b.size(); });
	return v.size();
}
int main() { return fill(120000) + fill(120000) + fill(120000) == 1; }
END
cat >w.f90 <<'END'
program w
 implicit none
 real(8) :: a(300,300), b(300,300), c(300,300)
 integer :: i
 call random_number(a); call random_number(b)
 do i = 1, 40
  c = matmul(a, b) + exp(-a)
  a = c / 300
 end do
 if (sum(c) == 1) stop 1
end program
END
cat >w.adb <<'END'
with Ada.Containers.Ordered_Maps;
procedure W is
 package M is new Ada.Containers.Ordered_Maps (Integer, Integer);
 T : M.Map;
begin
 for K in 1 .. 30 loop
  for I in 1 .. 40000 loop T.Include ((I * 7919) mod 100003, I); end loop;
 end loop;
end W;
END
cat >w.go <<'END'
package main

import (
	"fmt"
	"sort"
)

func fill(n int) int {
	m := map[string]int{}
	for i := 0; i < n; i++ {
		m[fmt.Sprint(i*7919%100003)] += i
	}
	k := []string{}
	for s := range m {
		k = append(k, s)
	}
	sort.Strings(k)
	return len(k)
}

func main() {
	for i := 0; i < 6; i++ {
		fill(100000)
	}
}
END
cat >w.rs <<'END'
use std::collections::BTreeMap;
#[inline(never)]
fn fill(n: u64) -> usize {
    let mut m = BTreeMap::new();
    for i in 0..n {
        *m.entry(format!("{}", i * 7919 % 100003)).or_insert(0) += i;
    }
    let mut v: Vec<_> = m.keys().cloned().collect();
    v.sort_by_key(|s| s.len());
    v.len()
}
fn main() {
    let mut s = 0;
    for _ in 0..5 {
        s += fill(100000);
    }
    std::process::exit((s == 1) as i32);
}
END
cat >w.py <<'END'
def fill(n):
    m = {}
    for i in range(n):
        k = str(i * 7919 % 100003)
        m[k] = m.get(k, 0) + i
    return len(sorted(m, key=lambda s: (len(s), s)))
for _ in range(3):
    fill(200000)
END
cat >w.js <<'END'
function fill(n) {
  const m = new Map();
  for (let i = 0; i < n; i++) { const k = String(i * 7919 % 100003); m.set(k, (m.get(k) || 0) + i); }
  return [...m.keys()].sort((a, b) => a.length - b.length).length;
}
for (let i = 0; i < 5; i++) fill(200000);
END
cat >W.java <<'END'
import java.util.*;
public class W {
  static int fill(int n) {
    Map<String, Integer> m = new HashMap<>();
    for (int i = 0; i < n; i++) m.merge(Integer.toString(i * 7919 % 100003), i, Integer::sum);
    List<String> l = new ArrayList<>(m.keySet());
    l.sort(Comparator.comparing(String::length));
    return l.size();
  }
  public static void main(String[] a) { for (int i = 0; i < 20; i++) fill(100000); }
}
END

# named_there: of how many frames perf script shows, and how many have a name
named_there() {
	perf script --no-inline -F comm,ip,sym,dso -i "$1" 2>/dev/null |
		awk 'NF >= 3 && $1 ~ /^[0-9a-f]+$/ { n++; if ($2 != "[unknown]") k++ } END { print n + 0, k + 0 }'
}

# compare LANGUAGE COMMAND...: by frame pointers and by DWARF stacks
compare() {
	language=$1
	shift
	for way in fp dwarf; do
		perf record -q -e cpu-clock -F 499 --call-graph $way -o $way.data -- "$@" >out 2>err ||
			{ fail "$language, $way: recorded" "$(cat err)"; continue; }
		named_there $way.data >theirs
		read -r all named <theirs
		"$host_pdtool" doctor -q $way.data 2>err |
			sed -n 's/^unresolved *[0-9.]*% of frames (\([0-9,]*\) of \([0-9,]*\):.*/\2 \1/p' | tr -d , >ours
		read -r frames nameless <ours
		# perf's stacks may be shorter: then not all of its frames are ours
		if [ "${all:-0}" -gt 50 ] && [ $((${frames:-0} - nameless)) -ge "$named" ] &&
			{ [ "$nameless" -le $((all - named)) ] || [ "$frames" -gt "$all" ]; }; then
			ok "$language, $way"
		else
			fail "$language, $way" "perf names $named of $all frames, pdtool $((frames - nameless)) of $frames"
		fi
	done
}

# language NAME COMPILER TEXT...: build and compare, or say why not
language() {
	name=$1 tool=$2
	shift 2
	if ! command -v "$tool" >/dev/null 2>&1; then
		skip "$name" "$tool is not installed"
	elif ! "$@" >out 2>err; then
		skip "$name" "$tool cannot build it: $(head -1 err)"
	else
		return 0
	fi
	return 1
}

language C cc cc -O2 -fno-omit-frame-pointer -o programs/c w.c && compare C programs/c
language C++ c++ c++ -O2 -fno-omit-frame-pointer -o programs/cc w.cc && compare C++ programs/cc
language Fortran gfortran gfortran -O2 -fno-omit-frame-pointer -o programs/f w.f90 && compare Fortran programs/f
language Ada gnatmake gnatmake -q -O2 w.adb -o programs/ada && compare Ada programs/ada
language Go go env GOCACHE="$tmp/go" HOME="$tmp" go build -o programs/go w.go && compare Go programs/go
language Rust rustc rustc -O -C force-frame-pointers=yes -o programs/rs w.rs && compare Rust programs/rs
language 'static musl' musl-gcc musl-gcc -static -O2 -fno-omit-frame-pointer -o programs/musl w.c && compare 'static musl' programs/musl
language 'without a build-id' cc cc -O2 -fno-omit-frame-pointer -Wl,--build-id=none -o programs/bare w.c && compare 'without a build-id' programs/bare
language python3 python3 true && compare python3 python3 w.py
language node node true && compare node node --perf-basic-prof w.js
language java javac javac W.java &&
	compare java java -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit -XX:+PreserveFramePointer W
