#!/bin/sh
# What the linker and the compiler have against errors of memory is in the program that was built.
top=$(cd "$(dirname "$0")/../.." && pwd) && . "$top/tests/lib/test.sh"

command -v readelf >/dev/null || { skip 'the program as it was built' 'no readelf'; exit 0; }
readelf -hldW "$build/pdtool" >elf 2>err
# has NAME PATTERN: a line of what readelf says.
has() { grep -q -e "$2" elf; result "$1" $? "$(head -n 1 err)"; }
has 'it can lie anywhere' 'Type: *DYN'
has 'and is a program' ' INTERP '
has 'what is relocated cannot be written later' ' GNU_RELRO '
has 'all is bound at the start' 'BIND_NOW\|Flags:.* NOW'
grep ' GNU_STACK ' elf | grep -q ' RW  '
result 'the stack is no code' $?
readelf -sW --dyn-syms "$build/pdtool" >symbols
grep -q ' __stack_chk_fail' symbols
result 'stacks are guarded' $?
# without optimisation there is nothing that the library could check
case $(strings -a "$build/pdtool" 2>/dev/null | grep -c '^__.*_chk$') in 0 | 1) false ;; *) true ;; esac
result 'calls of the library are checked' $?
