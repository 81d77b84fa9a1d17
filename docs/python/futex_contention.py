"""How long threads waited for each futex: what perf's futex-contention shows.

    perf record -a -e syscalls:sys_enter_futex,syscalls:sys_exit_futex -- sleep 5
    python3 futex_contention.py [perf.data]"""

import sys

import pdtool

FUTEX_WAIT = 0
COMMAND = ~(128 | 256)  # without FUTEX_PRIVATE_FLAG and FUTEX_CLOCK_REALTIME


class Waits:
    def __init__(self, ns):
        self.least = self.most = self.mean = ns
        self.count = 1

    def add(self, ns):
        self.least = min(self.least, ns)
        self.most = max(self.most, ns)
        self.mean = (self.mean + ns) / 2  # perf's average: the last ones weigh most
        self.count += 1


def main(path="perf.data"):
    comms, waiting, waits = {}, {}, {}
    with pdtool.open(path, columns="time tid comm", fields="uaddr op",
                     events="syscalls:sys_enter_futex,syscalls:sys_exit_futex") as capture:
        for e in capture:
            tid = e.tid
            if e.event == "syscalls:sys_enter_futex":
                if e.op & COMMAND == FUTEX_WAIT:
                    comms[tid] = e.comm
                    waiting[tid] = e.uaddr, e.time
            elif tid in waiting:
                lock, since = waiting.pop(tid)
                ns = e.time - since
                if (tid, lock) in waits:
                    waits[tid, lock].add(ns)
                else:
                    waits[tid, lock] = Waits(ns)

    for (tid, lock), w in waits.items():
        print("%s[%d] lock %x contended %d times, %d avg ns [max: %d ns, min %d ns]" %
              (pdtool.printable(comms[tid]), tid, lock, w.count, w.mean, w.most, w.least))


if __name__ == "__main__":
    main(*sys.argv[1:])
