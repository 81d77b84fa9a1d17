"""System calls that failed, by command: what perf's failed-syscalls shows.

    perf record -a -e raw_syscalls:sys_exit -- sleep 5
    python3 failed_syscalls.py [perf.data [COMMAND]]"""

import collections
import sys

import pdtool


def report(failed, wanted=None):
    print("\nfailed syscalls by comm:\n")
    print("%-20s  %10s" % ("comm", "# errors"))
    print("%-20s  %6s  %10s" % ("-" * 20, "-" * 10, ""))
    for comm, count in failed.most_common():
        if not wanted or comm == wanted:
            print("%-20s  %10d" % (pdtool.printable(comm), count))


def main(path="perf.data", wanted=None):
    failed = collections.Counter()
    with pdtool.open(path, columns="comm", fields=False, events="raw_syscalls:sys_exit", filter="ret < 0") as capture:
        for e, count in capture.counts():
            failed[e.comm] += count
    report(failed, wanted)


if __name__ == "__main__":
    main(*sys.argv[1:])
