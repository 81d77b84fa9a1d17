"""How long threads waited for each futex: what perf's futex-contention shows.

    perf record -a -e syscalls:sys_enter_futex,syscalls:sys_exit_futex -- sleep 5
    python3 futex_contention.py [perf.data]"""

import sys

import pdtool

# FUTEX_WAIT is 0, whatever FUTEX_PRIVATE_FLAG (128) and FUTEX_CLOCK_REALTIME (256) are; and all returns
WAITS = "!(op & 0xfffffffffffffe7f) || ret >= 0 || ret < 0"


class Waits:
    __slots__ = "least", "most", "mean", "count"

    def __init__(self, ns):
        self.least = self.most = self.mean = ns
        self.count = 1

    def add(self, ns):
        if ns < self.least:
            self.least = ns
        if ns > self.most:
            self.most = ns
        self.mean = (self.mean + ns) / 2  # perf's average: the last ones weigh most
        self.count += 1


def report(comms, waits):
    for (tid, lock), w in waits.items():
        print("%s[%d] lock %x contended %d times, %d avg ns [max: %d ns, min %d ns]" %
              (pdtool.printable(comms[tid]), tid, lock, w.count, w.mean, w.most, w.least))


def main(path="perf.data"):
    comms, waiting, waits = {}, {}, {}
    with pdtool.open(path, columns="time tid comm", fields="uaddr", filter=WAITS,
                     events="syscalls:sys_enter_futex,syscalls:sys_exit_futex") as capture:
        for event, time, tid, comm, lock in capture.rows():
            if event == "syscalls:sys_enter_futex":
                comms[tid] = comm
                waiting[tid] = lock, time
            elif tid in waiting:
                lock, since = waiting.pop(tid)
                ns = time - since
                if (tid, lock) in waits:
                    waits[tid, lock].add(ns)
                else:
                    waits[tid, lock] = Waits(ns)
    report(comms, waits)


if __name__ == "__main__":
    main(*sys.argv[1:])
