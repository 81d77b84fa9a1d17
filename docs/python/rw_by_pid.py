"""What each thread read and wrote: what perf's rw-by-pid shows.

    perf record -a -e 'syscalls:sys_*_read,syscalls:sys_*_write' -- sleep 5
    python3 rw_by_pid.py [perf.data]"""

import collections
import sys

import pdtool


class Calls:
    def __init__(self):
        self.comm = ""
        self.calls = self.requested = self.done = 0
        self.errors = collections.Counter()


def rule(*columns):
    return tuple("-" * n for n in columns)


def show(what, threads, columns, row, key):
    threads = sorted(threads.items(), key=key, reverse=True)
    print("%s counts by pid:\n" % what)
    line = "%6s  %-20s" + "  %10s" * len(columns)
    print(("%6s  %20s" + "  %10s" * len(columns)) % ("pid", "comm", *columns))
    print(line % rule(6, 20, 11, *[10] * (len(columns) - 1)))
    for tid, t in threads:
        print(line % (tid, pdtool.printable(t.comm), *row(t)))

    print("\nfailed %ss by pid:\n" % what)
    print("%6s  %20s  %6s  %10s" % ("pid", "comm", "error #", "# errors"))
    print("%6s  %20s  %6s  %10s" % rule(6, 20, 6, 10))
    errors = [(tid, t.comm, error, n) for tid, t in threads for error, n in t.errors.items()]
    for tid, comm, error, n in sorted(errors, key=lambda row: -row[3]):
        print("%6d  %-20s  %6d  %10s" % (tid, pdtool.printable(comm), error, n))


def report(reads, writes):
    show("read", reads, ("# reads", "bytes_requested", "bytes_read"),
         lambda t: (t.calls, t.requested, t.done), lambda item: item[1].done)
    print()
    show("write", writes, ("# writes", "bytes_written"),
         lambda t: (t.calls, t.requested), lambda item: item[1].requested)


def main(path="perf.data"):
    reads, writes = collections.defaultdict(Calls), collections.defaultdict(Calls)
    sides = {"syscalls:sys_enter_read": (reads, True), "syscalls:sys_exit_read": (reads, False),
             "syscalls:sys_enter_write": (writes, True), "syscalls:sys_exit_write": (writes, False)}
    with pdtool.open(path, columns="tid comm", fields="count ret", events=sides) as capture:
        for e, times in capture.counts():
            threads, enters = sides[e.event]
            t = threads[e.tid]
            if enters:
                t.comm = e.comm  # the last that is new: a thread that takes an old name again keeps that before it
                t.calls += times
                t.requested += e.count * times
            elif e.ret > 0:
                t.done += e.ret * times
            else:
                t.errors[e.ret] += times
    report(reads, writes)


if __name__ == "__main__":
    main(*sys.argv[1:])
