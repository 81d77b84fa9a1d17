"""System calls that failed, by command: what perf's failed-syscalls shows.

    perf record -a -e raw_syscalls:sys_exit -- sleep 5
    python3 failed_syscalls.py [perf.data [COMMAND]]"""

import collections
import sys

import pdtool


def main(path="perf.data", wanted=None):
    failed = collections.Counter()
    with pdtool.open(path, columns="comm", fields="ret", events="raw_syscalls:sys_exit") as capture:
        for e in capture:
            if e.ret < 0:
                failed[e.comm] += 1

    print("\nfailed syscalls by comm:\n")
    print("%-20s  %10s" % ("comm", "# errors"))
    print("%-20s  %6s  %10s" % ("-" * 20, "-" * 10, ""))
    for comm, count in failed.most_common():
        if not wanted or comm == wanted:
            print("%-20s  %10d" % (pdtool.printable(comm), count))


if __name__ == "__main__":
    main(*sys.argv[1:])
