"""CPU time of scripts over captures: the module pdtool beside `perf script -s`, which do the same and must print the same.

    python3 tests/bench/python.py [DIRECTORY]     PDTOOL_LIBRARY=build/rel/libpdtool.so.0 for the library of a build

Records its captures in DIRECTORY once (perf, root). The runs take turns; the least user and system time of each counts, of
the whole process. numpy is used where it is there. The last lines show columns at the addresses that the library has them at."""

import os
import resource
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))
directory = sys.argv[1] if len(sys.argv) > 1 else "build/bench/python"
RUNS = 5

CAPTURES = {
    "calls": "-e raw_syscalls:sys_exit -m 16M -- perf bench syscall basic -l 1500000",
    "switches": "-a -g -e sched:sched_switch,sched:sched_waking -m 8M -- perf bench sched pipe -l 150000",
    "rw": "-e syscalls:sys_enter_read,syscalls:sys_exit_read,syscalls:sys_enter_write,syscalls:sys_exit_write -m 16M "
          "-- dd if=/dev/zero of=/dev/null bs=100 count=400000",
    "futex": "-e syscalls:sys_enter_futex,syscalls:sys_exit_futex -m 16M -- perf bench futex hash -t 2 -r 1 -f 64",
    "samples": "-a -g -e cpu-clock -F 5000 -- perf bench sched messaging -l 1000",
}

SCRIPTS = {
    "calls": {
        "perf script -s": """
            import collections
            failed, all_calls = collections.Counter(), 0
            def raw_syscalls__sys_exit(event, context, cpu, secs, nsecs, pid, comm, callchain, id, ret):
                global all_calls
                all_calls += 1
                if ret < 0:
                    failed[comm] += 1
            def trace_end():
                print(all_calls, sorted(failed.items()))
        """,
        "pdtool, a loop": """
            import collections, sys, pdtool
            failed, all_calls = collections.Counter(), 0
            for e in pdtool.open(sys.argv[1], columns="comm", fields="ret"):
                all_calls += 1
                if e.ret < 0:
                    failed[e.comm] += 1
            print(all_calls, sorted(failed.items()))
        """,
        "pdtool, rows()": """
            import collections, sys, pdtool
            failed, all_calls = collections.Counter(), 0
            for event, comm, ret in pdtool.open(sys.argv[1], columns="comm", fields="ret").rows():
                all_calls += 1
                if ret < 0:
                    failed[comm] += 1
            print(all_calls, sorted(failed.items()))
        """,
        "pdtool, counts()": """
            import collections, sys, pdtool
            failed, all_calls = collections.Counter(), 0
            for e, count in pdtool.open(sys.argv[1], columns="comm", fields="ret").counts():
                all_calls += count
                if e.ret < 0:
                    failed[e.comm] += count
            print(all_calls, sorted(failed.items()))
        """,
        "pdtool, columns": """
            import collections, itertools, sys, pdtool
            t = pdtool.open(sys.argv[1], columns="comm", fields="ret").tables()["raw_syscalls:sys_exit"]
            failed = collections.Counter(itertools.compress(t.comm, map((0).__gt__, t.ret.tolist())))
            print(len(t), sorted((t.comms[i], n) for i, n in failed.items()))
        """,
        "pdtool, numpy": """
            import sys, numpy, pdtool
            t = pdtool.open(sys.argv[1], columns="comm", fields="ret").tables()["raw_syscalls:sys_exit"]
            ids, counts = numpy.unique(numpy.asarray(t.comm)[numpy.asarray(t.ret) < 0], return_counts=True)
            print(len(t), sorted((t.comms[i], int(n)) for i, n in zip(ids, counts)))
        """,
    },
    # failed-syscalls of docs/python, and perf's two others
    "calls ": {
        "perf script -s": """
            import collections, failed_syscalls
            failed = collections.Counter()
            def raw_syscalls__sys_exit(event, context, cpu, secs, nsecs, pid, comm, callchain, id, ret):
                if ret < 0:
                    failed[comm] += 1
            def trace_end():
                failed_syscalls.report(failed)
        """,
        "docs/python/failed_syscalls.py": None,
    },
    "rw": {
        "perf script -s": """
            import collections, rw_by_pid
            reads, writes = collections.defaultdict(rw_by_pid.Calls), collections.defaultdict(rw_by_pid.Calls)
            def syscalls__sys_exit_read(event, context, cpu, secs, nsecs, pid, comm, callchain, nr, ret):
                if ret > 0:
                    reads[pid].done += ret
                else:
                    reads[pid].errors[ret] += 1
            def syscalls__sys_enter_read(event, context, cpu, secs, nsecs, pid, comm, callchain, nr, fd, buf, count):
                reads[pid].calls += 1
                reads[pid].requested += count
                reads[pid].comm = comm
            def syscalls__sys_exit_write(event, context, cpu, secs, nsecs, pid, comm, callchain, nr, ret):
                if ret <= 0:
                    writes[pid].errors[ret] += 1
            def syscalls__sys_enter_write(event, context, cpu, secs, nsecs, pid, comm, callchain, nr, fd, buf, count):
                writes[pid].calls += 1
                writes[pid].requested += count
                writes[pid].comm = comm
            def trace_end():
                rw_by_pid.report(reads, writes)
        """,
        "docs/python/rw_by_pid.py": None,
    },
    "futex": {
        "perf script -s": """
            import futex_contention
            comms, locks, since, waits = {}, {}, {}, {}
            def syscalls__sys_enter_futex(event, context, cpu, secs, nsecs, pid, comm, callchain,
                                          nr, uaddr, op, val, utime, uaddr2, val3):
                if op & ~384:
                    return
                comms[pid], locks[pid], since[pid] = comm, uaddr, secs * 1000000000 + nsecs
            def syscalls__sys_exit_futex(event, context, cpu, secs, nsecs, pid, comm, callchain, nr, ret):
                if pid in since:
                    ns, key = secs * 1000000000 + nsecs - since.pop(pid), (pid, locks.pop(pid))
                    if key in waits:
                        waits[key].add(ns)
                    else:
                        waits[key] = futex_contention.Waits(ns)
            def trace_end():
                futex_contention.report(comms, waits)
        """,
        "docs/python/futex_contention.py": None,
        "pdtool, a loop": """
            import sys, pdtool, futex_contention
            comms, waiting, waits = {}, {}, {}
            for e in pdtool.open(sys.argv[1], columns="time tid comm", fields="uaddr op"):
                tid = e.tid
                if e.event == "syscalls:sys_enter_futex":
                    if not e.op & ~384:
                        comms[tid], waiting[tid] = e.comm, (e.uaddr, e.time)
                elif tid in waiting:
                    lock, since = waiting.pop(tid)
                    ns, key = e.time - since, (tid, lock)
                    if key in waits:
                        waits[key].add(ns)
                    else:
                        waits[key] = futex_contention.Waits(ns)
            futex_contention.report(comms, waits)
        """,
    },
    "switches": {
        "perf script -s": """
            import collections
            pairs = collections.Counter()
            def sched__sched_switch(event, context, cpu, secs, nsecs, pid, comm, callchain,
                                    prev_comm, prev_pid, prev_prio, prev_state, next_comm, next_pid, next_prio):
                pairs[prev_comm, next_comm] += 1
            def sched__sched_waking(event, context, cpu, secs, nsecs, pid, common_comm, callchain,
                                    comm, pid_, prio, target_cpu):
                pairs[common_comm, comm] += 1
            def trace_end():
                print(sorted(pairs.items(), key=str)[:20], sum(pairs.values()))
        """,
        "pdtool, a loop": """
            import collections, sys, pdtool
            pairs = collections.Counter()
            for e in pdtool.open(sys.argv[1], columns="comm", fields="prev_comm next_comm comm"):
                if e.event == "sched:sched_switch":
                    pairs[e.prev_comm, e.next_comm] += 1
                else:
                    pairs[e.comm, e.comm_] += 1
            print(sorted(pairs.items(), key=str)[:20], sum(pairs.values()))
        """,
        "pdtool, rows()": """
            import collections, sys, pdtool
            pairs = collections.Counter()
            for event, comm, prev, next, other in pdtool.open(sys.argv[1], columns="comm", fields="prev_comm next_comm comm").rows():
                if event == "sched:sched_switch":
                    pairs[prev, next] += 1
                else:
                    pairs[comm, other] += 1
            print(sorted(pairs.items(), key=str)[:20], sum(pairs.values()))
        """,
        "pdtool, counts()": """
            import collections, sys, pdtool
            pairs = collections.Counter()
            for e, count in pdtool.open(sys.argv[1], columns="comm", fields="prev_comm next_comm comm").counts():
                if e.event == "sched:sched_switch":
                    pairs[e.prev_comm, e.next_comm] += count
                else:
                    pairs[e.comm, e.comm_] += count
            print(sorted(pairs.items(), key=str)[:20], sum(pairs.values()))
        """,
        "pdtool, a loop, all columns": """
            import collections, sys, pdtool
            pairs = collections.Counter()
            for e in pdtool.open(sys.argv[1]):
                if e.event == "sched:sched_switch":
                    pairs[e.prev_comm, e.next_comm] += 1
                else:
                    pairs[e.comm, e.comm_] += 1
            print(sorted(pairs.items(), key=str)[:20], sum(pairs.values()))
        """,
        "pdtool, columns": """
            import collections, sys, pdtool
            tables = pdtool.open(sys.argv[1], columns="comm", fields="prev_comm next_comm comm").tables()
            pairs = collections.Counter()
            t = tables["sched:sched_switch"]
            for (a, b), n in collections.Counter(zip(t.prev_comm, t.next_comm)).items():
                pairs[t.texts[a], t.texts[b]] += n
            t = tables["sched:sched_waking"]
            for (a, b), n in collections.Counter(zip(t.comm, t.comm_)).items():
                pairs[t.comms[a], t.texts[b]] += n
            print(sorted(pairs.items(), key=str)[:20], sum(pairs.values()))
        """,
    },
    "samples": {
        "perf script -s": """
            import collections
            leaves = collections.Counter()
            def process_event(d):
                leaves[d["comm"]] += d["sample"]["period"]
            def trace_end():
                print(sorted(leaves.items()))
        """,
        "pdtool, a loop": """
            import collections, sys, pdtool
            leaves = collections.Counter()
            for e in pdtool.open(sys.argv[1]):
                leaves[e.comm or f":{e.tid}"] += e.weight
            print(sorted(leaves.items()))
        """,
        "pdtool, counts()": """
            import collections, sys, pdtool
            leaves = collections.Counter()
            for e, count in pdtool.open(sys.argv[1], columns="comm weight tid").counts():
                leaves[e.comm or f":{e.tid}"] += e.weight * count
            print(sorted(leaves.items()))
        """,
        "pdtool, a loop, few columns": """
            import collections, sys, pdtool
            leaves = collections.Counter()
            for e in pdtool.open(sys.argv[1], columns="comm weight tid"):
                leaves[e.comm or f":{e.tid}"] += e.weight
            print(sorted(leaves.items()))
        """,
    },
}

COPIES = """
    import ctypes, sys, numpy, pdtool
    t = pdtool.open(sys.argv[1], columns="time cpu tid event weight stack").columns()
    for name in t.columns:
        a = numpy.asarray(t[name])
        print(f"{len(a)} values of {name}: {ctypes.addressof(t[name].obj):#x}, in numpy "
              f"{a.__array_interface__['data'][0]:#x}, {a.dtype}, its own: {a.flags.owndata}")
"""


def dedented(text):
    lines = text.strip("\n").split("\n")
    margin = len(lines[0]) - len(lines[0].lstrip())
    return "\n".join(line[margin:] for line in lines)


def cpu(command):
    """What it printed, and its CPU time."""
    a = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    b = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return done.stdout.strip(), b.ru_utime - a.ru_utime + b.ru_stime - a.ru_stime


def main():
    os.makedirs(directory, exist_ok=True)
    top = os.path.normpath(os.path.join(here, "../.."))
    os.environ["PYTHONPATH"] = f"{top}/python:{top}/docs/python"
    os.environ["PYTHONPYCACHEPREFIX"] = os.path.abspath(f"{directory}/compiled")  # as where the module is installed
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    numpy = subprocess.run([sys.executable, "-c", "import numpy"], stderr=subprocess.DEVNULL).returncode == 0
    print("| capture | script | cpu s | ns an event | times faster |\n|---|---|---|---|---|")
    for capture, scripts in SCRIPTS.items():
        capture = capture.strip()
        path = f"{directory}/{capture}.data"
        if not os.path.exists(path):
            subprocess.run(["perf", "record", "-q", "-o", path, *CAPTURES[capture].split()], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        commands, least, printed = {}, {}, {}
        for i, (name, text) in enumerate(scripts.items()):
            if "numpy" in name and not numpy:
                continue
            script = f"{directory}/{capture}{i}.py" if text else os.path.join(top, name)
            if text:
                with open(script, "w") as f:
                    f.write(dedented(text))
            commands[name] = (["perf", "script", "-i", path, "-s", script] if "perf" in name
                              else [sys.executable, script, path])
        for _ in range(RUNS):
            for name, command in commands.items():
                printed[name], seconds = cpu(command)
                least[name] = min(seconds, least.get(name, seconds))
        if len(set(printed.values())) != 1:
            sys.exit(f"{capture}: not the same: {printed}")
        events = int(cpu([sys.executable, "-c", "import sys, pdtool; c = pdtool.open(sys.argv[1]); c.finish(); "
                          "print(c.info()['samples_used'])", path])[0])
        for name, seconds in least.items():
            print(f"| {capture}, {events} events | {name} | {seconds:.3f} | {seconds / events * 1e9:.0f} | "
                  f"{least['perf script -s'] / seconds:.1f} |")
    if numpy:
        print("\n" + cpu([sys.executable, "-c", dedented(COPIES), f"{directory}/calls.data"])[0])


main()
