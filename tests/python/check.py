"""Tests of the module pdtool, one line for each as tests/lib/test.sh has them.   check.py PART ARGUMENT...

    layout                      the structures and constants of the C interface as the module has them
    events PDTOOL CAPTURE...    events, columns and tables are those of `pdtool script --format csv`
    stacks PDTOOL SYMFS CAPTURE...   stacks are those of `pdtool collapse`
    views CAPTURE               what columns refer to lives as long as they do
    names CAPTURE               fields with names that mean something, and payloads that are too short
    wrong CAPTURE FILE          what is wrong raises
    random SEED RUNS CAPTURE... calls in any order raise or answer"""

import collections
import copy
import csv
import ctypes
import gc
import os
import pickle
import random
import subprocess
import sys
import threading

import pdtool

try:
    import numpy
except ImportError:
    numpy = None


def ok(name):
    print("ok", name)


def result(name, good, why=""):
    print(f"ok {name}" if good else f"FAIL {name}: {why}")


def same(name, wanted, got):
    result(name, wanted == got, f"wanted {str(wanted)[:200]}, got {str(got)[:200]}")


# ---- layout ----


def layout():
    for struct, name in ((pdtool._FieldColumn, "pdt_field_column"), (pdtool._Group, "pdt_group"),
                         (pdtool._Table, "pdt_table"), (pdtool._Query, "pdt_table_query"),
                         (pdtool._Stack, "pdt_stack"), (pdtool._Function, "pdt_function")):
        for field, *_ in struct._fields_:
            member = getattr(struct, field)
            print(f"offsetof(struct {name}, {field}) {member.offset}")
            print(f"sizeof(((struct {name} *)0)->{field}) {member.size}")
    for name, (number, code, _) in pdtool._COLUMNS.items():
        print(f"PDT_COLUMN_{name.upper()} {number}")
    for name, number in pdtool._OPTIONS.items():
        print(f"PDT_{name.upper()} {number}")
    for name, number in vars(pdtool).items():
        if name.startswith("_WANT_"):
            print(f"PDT{name} {number}")
    for i, name in enumerate(pdtool._TEXT_KEYS + pdtool._NUMBER_KEYS):
        print(f"PDT_{name.upper()} {i if name in pdtool._TEXT_KEYS else i - len(pdtool._TEXT_KEYS)}")
    for i, name in enumerate(pdtool.KINDS):
        print(f"PDT_{name.replace('-', '_').upper()} {i}")
    for i, name in enumerate(pdtool.FIELD_KINDS):
        print(f"PDT_FIELD_{name.upper()} {i}")
    for number, name in pdtool._CODES.items():
        print(f"PDT_ERR_{name.upper()} {number}")


# ---- what it hands out ----


def told(value):
    return "" if value == -1 or value is None else str(value)


def rows_of(pdtool_program, path):
    out = subprocess.run([pdtool_program, "script", "--format", "csv", path], capture_output=True, text=True,
                         encoding="utf-8", errors="backslashreplace").stdout
    return list(csv.DictReader(out.splitlines(keepends=True)))


def row_of(e):
    return {"comm": f":{e.tid}" if e.comm is None else e.comm, "tid": told(e.tid), "cpu": told(e.cpu), "event": e.event}


def compare_rows(wanted, events):
    """The first difference; None: there is none. Of fields, those that are plain numbers and texts."""
    if len(wanted) != len(events):
        return f"{len(events)} events, not {len(wanted)}"
    for i, (row, e) in enumerate(zip(wanted, events)):
        for name, value in row_of(e).items():
            if name in row and row[name] != value:
                return f"event {i}: {name}: {value!r}, not {row[name]!r}"
        if "time_ns" in row and row["time_ns"] not in ("", str(e.time)):
            return f"event {i}: time: {e.time}, not {row['time_ns']}"
        for name, value in e.fields.items():
            if isinstance(value, (int, str)) and row.get(name, "") != "" and name not in ("comm", "pid", "tid", "cpu", "time"):
                if row[name] != str(value) and row[name] != str(value % (1 << 64) if isinstance(value, int) else value):
                    return f"event {i}: {name}: {value!r}, not {row[name]!r}"
    return None


def by_columns(capture):
    """The events of columns(), as a loop has them."""
    t = capture.columns()
    return [(t.time[i], t.cpu[i], t.pid[i], t.tid[i], t.comms[t.comm[i]], t.weight[i], t.ip[i], t.stack[i],
             t.events[t.event[i]]) for i in range(len(t))]


def by_tables(capture):
    """The events of tables(), each with its fields, in no order."""
    out = []
    for t in capture.tables().values():
        cells = []
        for name in t.columns:
            column = t[name].tolist()
            if name == "comm":
                column = [t.comms[i] for i in column]
            elif name in t.fields and t.fields[name].kind in ("text", "dynamic", "bytes"):
                column = [t.raw[i] for i in column]
            cells.append(column)
        out += zip([t.name] * len(t), *cells)
    return out


def flat(e):
    values = [v.encode("utf-8", "surrogateescape") if isinstance(v, str) else v for v in e[8:]]
    return (e.event, *e[:8], *values)


def events(program, *paths):
    compared = 0
    for path in paths:
        name = os.path.basename(path)
        wanted = rows_of(program, path)
        try:
            with pdtool.open(path, host=False) as c:
                listed = list(c)
                same(f"{name}: as many as it says", c.info()["samples_used"], len(listed))
        except pdtool.Error as e:
            same(f"{name}: an error in both", [], wanted)
            continue
        if wanted or not listed:
            why = compare_rows(wanted, listed)
            result(f"{name}: the events of pdtool script", why is None, why)
            compared += len(wanted)
        with pdtool.open(path, host=False) as c:
            same(f"{name}: columns()", [(*e[:8], e.event) for e in listed], by_columns(c))
        with pdtool.open(path, host=False) as c:
            got = collections.Counter(r[:9] for r in by_tables(c))
            same(f"{name}: tables()", collections.Counter(flat(e)[:9] for e in listed), got)
        names = list(dict.fromkeys(n for e in listed for n in e._names))
        with pdtool.open(path, fields=names, host=False) as c:
            same(f"{name}: rows()", [(e.event or e.kind, *e[:8], *map(e.fields.get, names)) for e in listed], list(c.rows()))
        for columns, fields in ((None, True), ("cpu comm", "prev_state ret"), ("", False)):
            with pdtool.open(path, columns=columns, fields=fields, host=False) as c:
                wanted_counts = collections.Counter((e.event, e.kind, *e) for e in c)
            with pdtool.open(path, columns=columns, fields=fields, host=False) as c:
                got = [((e.event, e.kind, *e), count) for e, count in c.counts()]
            same(f"{name}: counts() of {columns}, {fields}", list(wanted_counts.items()), got)
        with pdtool.open(path, columns="", fields=False, host=False) as c:
            same(f"{name}: events without anything", len(listed), sum(1 for e in c))
    result(f"{compared} events were compared", compared > 1000, "too few")


def stacks(program, symfs, *paths):
    for path in paths:
        out = subprocess.run([program, "collapse", "-q", "--no-host", "--symfs", symfs, path], capture_output=True,
                             text=True).stdout
        wanted = sorted(line for line in out.splitlines() if not line.startswith("# "))
        weights = collections.Counter()
        with pdtool.open(path, host=False, symfs=symfs, inlines=True) as c:
            for e in c:
                if e.event == c.recorded()[0].name:
                    weights[e.comm, e.stack] += e.weight
            lines = collections.Counter()
            for (comm, stack), weight in weights.items():
                frames = [f.name or "[%s]" % (f.module or "unknown").rpartition("/")[2] for f in c.stack(stack)]
                lines[";".join([comm, *reversed(frames)])] += weight
        same(f"{os.path.basename(path)}: the stacks of pdtool collapse", wanted,
             sorted(f"{line} {weight}" for line, weight in lines.items()))


# what names.mkperf of run.sh has
NAMES = "__del__ __classcell__ class time fields count index name comm args text key".split()
FULL = (1, 2, 3, 4, 5, 6, 7, 8, "ab", (9, -10), "\\xffx", b"\1\0\2")


def names(path):
    with pdtool.open(path, columns="time comm") as c:
        full, short = list(c)
        result("names come after the loop", isinstance(c.stack(0), tuple))
    same("fields of all kinds", dict(zip(NAMES, FULL)), full.fields)
    same("a payload that is cut", {**dict.fromkeys(NAMES, 0), "__del__": 11, "comm": None, "args": None, "text": None,
                                   "key": None}, short.fields)
    same("names that are taken", (3, 4, 5, "ab", 1, 2), (full.class_, full.time_, full.fields_, full.comm_,
                                                        full.__del___, full.__classcell___))
    same("names that are not", (5, "one", 6, 7, 8), (full.time, full.comm, full.count, full.index, full.name))
    with pdtool.open(path, columns="time comm") as c:
        t = c.tables()["a:names"]
        same("a column with the name of something else", [8, 0], t["name"].tolist())
        same("texts as bytes", [b"ab", None], [t.raw[i] for i in t["comm_"]])
        same("the fields of a table", NAMES, [f.name for f in t.fields.values()])
    for columns, fields, wanted in (("", False, 0), ("time", ["name", "common_pid"], 3), ([], "none_such", 0)):
        with pdtool.open(path, columns=columns, fields=fields) as c:
            same(f"columns {columns!r}, fields {fields}", [wanted, wanted], [len(e) for e in c])


# ---- lifetimes ----


def address(view):
    return ctypes.addressof(view.obj) if isinstance(view.obj, ctypes.Array) else None


def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def views(path):
    c = pdtool.open(path)
    t = c.columns()
    times, sum_before = t.time, sum(t.time)
    stack = next(s for s in t.stack if s >= 0)
    frames = c.stack(stack)
    c.close()
    del c, t
    gc.collect()
    junk = [bytes(1 << 16) for _ in range(500)]
    same("a column lives longer than its capture", sum_before, sum(times))
    del junk
    result("frames do, too", len(frames) > 0 and isinstance(frames[0].name, (str, type(None))))
    try:
        times[0] = 1
        result("columns are read-only", False, "one was written to")
    except TypeError:
        ok("columns are read-only")
    same("a column is the library's memory", True, len(times) and address(times) == address(times[:5]) is not None)
    if numpy:
        array = numpy.asarray(times)
        same("numpy takes it without a copy", (address(times), False, numpy.dtype("u8")),
             (array.__array_interface__["data"][0], array.flags.owndata, array.dtype))
        del times
        gc.collect()
        same("and keeps it", sum_before, int(array.sum()))
    else:
        print("skip numpy takes it without a copy: python3-numpy is not there")
    before = 0
    for i in range(60):
        with pdtool.open(path) as c:
            if i % 3 == 0:
                t = c.columns()
            elif i % 3 == 1:
                t = c.tables()
            else:
                t = list(c)
            kept = t
        del c, t
        if i == 20:
            gc.collect()
            before = resident()
    gc.collect()
    result("nothing is lost", resident() - before < 4 << 20, f"{resident() - before} bytes more")


# ---- wrong use ----


def raises(name, wanted, function, *arguments, **options):
    try:
        got = function(*arguments, **options)
    except wanted as e:
        result(name, str(e) != "" and "\n" not in str(e), f"{e!r} says nothing")
    except BaseException as e:
        result(name, False, f"{e!r}, not {wanted}")
    else:
        result(name, False, f"{got!r}")


def child(function):
    """What a forked child makes of FUNCTION."""
    r, w = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            text = "returned " + repr(function())
        except BaseException as e:
            text = f"{type(e).__name__}: {e}"
        os.write(w, text.encode())
        os._exit(0)
    os.close(w)
    text = os.read(r, 65536).decode()
    os.close(r)
    return text if os.waitpid(pid, 0)[1] == 0 else "crashed"


def wrong(path, other):
    E, T, V = pdtool.Error, TypeError, ValueError
    raises("no such file", E, pdtool.open, "/nowhere/at-all")
    raises("no capture", E, pdtool.open, other)
    raises("an empty name", E, pdtool.open, "")
    raises("a directory that is none", E, pdtool.open, "/usr")
    raises("a device", E, pdtool.open, "/dev/null")
    for value in (None, 5, 3.5, [path], {}, object()):
        raises(f"a path that is {value!r}"[:40], T, pdtool.open, value)
    raises("a path with a NUL", V, pdtool.open, "a\0b")
    raises("no path", T, pdtool.open)
    raises("an unknown option", T, pdtool.open, path, colour="red")
    raises("an option of another name", T, pdtool.open, path, no_host=1)
    raises("an unknown column", V, pdtool.open, path, columns="time colour")
    raises("columns of numbers", V, pdtool.open, path, columns=[1])
    raises("columns that are a number", T, pdtool.open, path, columns=1)
    raises("fields that are a number", T, pdtool.open, path, fields=1.5)
    raises("fields of numbers", T, pdtool.open, path, fields=[1])
    raises("a field with a NUL is none", V, lambda: list(pdtool.open(path, fields=["a\0"])))
    raises("pids that are none", E, pdtool.open, path, pids="1,x")
    raises("a negative pid", E, pdtool.open, path, pids=-1)
    raises("pids that are an object", T, pdtool.open, path, pids=object())
    raises("a filter that is none", E, pdtool.open, path, filter="prev_pid ==")
    raises("a filter with a NUL", V, pdtool.open, path, filter="a\0")
    raises("a time that is none", E, pdtool.open, path, time="yesterday")
    raises("an event that is none", E, lambda: list(pdtool.open(path, events="no:such_event")))
    raises("jobs that are none", E, pdtool.open, path, jobs="many")
    raises("jobs beyond all", E, pdtool.open, path, jobs=10**9)
    raises("symbols that are not there", E, pdtool.open, path, symbols="/nowhere/at-all")
    raises("an architecture that is none", E, pdtool.open, path, architecture="vax")

    raises("rows of all fields", E, pdtool.open(path).rows)
    c = pdtool.open(path, fields=False)
    rows = c.rows()
    next(rows)
    raises("rows of rows", E, c.rows)
    c.close()
    raises("rows of a capture that was closed", E, list, rows)

    c = pdtool.open(path)
    raises("names before events", E, c.stack, 0)
    it = iter(c)
    first = next(it)
    raises("a second loop", E, iter, c)
    raises("a second loop by list()", E, list, c)
    raises("columns beside a loop", E, c.columns)
    raises("tables beside a loop", E, c.tables)
    raises("counts beside a loop", E, c.counts)
    raises("names beside events", E, c.stack, 0)
    c.finish()
    result("names after finish()", isinstance(c.stack(0), tuple))
    same("finish() ends the loop", True, sum(1 for e in it) < 1 << 14)
    raises("columns behind the end", E, c.columns)
    raises("tables behind the end", E, c.tables)
    raises("a loop behind the end", E, list, c)
    result("a stack", isinstance(c.stack(0), tuple))
    for value in ("0", None, 1.5, [], b"x"):
        raises(f"a stack that is {value!r}", T, c.stack, value)
    for value in (-1, -2, 10**6, 2**31, 2**32 - 1, 2**32, 2**64, 10**30):
        same(f"stack {value} has no frames", (), c.stack(value))
    for function in (copy.copy, copy.deepcopy, pickle.dumps):
        raises(f"{function.__name__} of a capture", T, function, c)
    same("an event survives pickle", (first, type(first)._names), (lambda e: (e, type(e)._names))(pickle.loads(pickle.dumps(first))))
    raises("an attribute that is none", AttributeError, lambda: first.colour)
    raises("a column that was not asked for", AttributeError, lambda: first.addr)
    raises("an event cannot be written to", AttributeError, setattr, first, "time", 1)
    raises("nor given more", AttributeError, setattr, first, "colour", 1)
    c.close()
    c.close()
    for name in ("columns", "tables", "finish", "info", "recorded", "warnings"):
        raises(f"{name}() of what is closed", E, getattr(c, name))
    raises("a loop over what is closed", E, iter, c)
    raises("a stack of what is closed", E, c.stack, 0)
    raises("with what is closed", E, c.__enter__)
    result("its repr", "closed" in repr(c))

    c = pdtool.open(path)
    it = iter(c)
    next(it)
    c.close()
    raises("closed in a loop", E, next, it)

    t = pdtool.open(path).columns()
    raises("a column that is none", AttributeError, lambda: t.colour)
    raises("a column by a name that is none", KeyError, lambda: t["colour"])
    raises("a column by a number", KeyError, lambda: t[0])
    raises("behind a column", IndexError, lambda: t.time[len(t)])
    for function in (copy.copy, copy.deepcopy, pickle.dumps):
        raises(f"{function.__name__} of a table", T, function, t)
    raises("pickle of a column", T, pickle.dumps, t.time)
    view = t.time
    view.release()
    raises("a column that was released", V, lambda: view[0])
    result("is there again", t.time[0] >= 0)

    for what in ("Capture", "Table", "Event"):
        made = getattr(pdtool, what)
        thing = made.__new__(made)
        for name in ("columns", "tables", "stack", "time", "texts", "raw", "fields", "info", "close"):
            try:
                value = getattr(thing, name)
                if callable(value):
                    value()
            except Exception:
                pass
        ok(f"a {what} that was not made")

    # forks
    c = pdtool.open(path)
    it = iter(c)
    next(it)
    for i in range(3):
        same(f"a child {i} reads on", "Error", child(lambda: list(it)).split(":")[0])
    same("a child asks", "Error", child(c.info).split(":")[0])
    same("a child closes", "returned None", child(c.close))
    result("its parent reads on", sum(1 for e in it) >= 0)
    t = pdtool.open(path).columns()
    same("a child looks at a column", f"returned {sum(t.time)}", child(lambda: sum(t.time)))

    # threads
    def in_threads(function, count=4):
        errors = []

        def one():
            try:
                function()
            except (pdtool.Error, ValueError, AttributeError) as e:
                errors.append(e)

        threads = [threading.Thread(target=one) for _ in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return errors

    for run in range(20):
        c = pdtool.open(path)
        errors = in_threads([c.columns, c.tables, lambda: list(c), c.finish][run % 4])
    result("many threads begin to read one capture", len(errors) <= 4)
    same("one of four reads it", 3, len(in_threads(pdtool.open(path).columns)))
    for run in range(20):
        it = iter(pdtool.open(path))
        in_threads(lambda: sum(1 for e in it))
    ok("many threads in one loop")
    c = pdtool.open(path)
    c.finish()
    in_threads(lambda: [c.stack(i) for i in range(200)])
    ok("many threads ask for names")
    for run in range(20):
        c = pdtool.open(path)
        thread = threading.Thread(target=lambda: in_threads(lambda: list(c), 1))
        thread.start()
        c.close()
        thread.join()
    ok("closed by another thread")
    sums = []
    in_threads(lambda: sums.append(sum(pdtool.open(path).columns().time)))
    same("four captures in four threads", [sums[0]] * 4, sums)


# ---- any order ----


def act(rng, state, paths):
    """One call that may be wrong."""
    what = rng.randrange(18)
    if what == 0 or "c" not in state:
        options = {}
        if rng.random() < 0.4:
            options["columns"] = rng.sample(sorted(pdtool._COLUMNS), rng.randrange(6))
        if rng.random() < 0.3:
            options["fields"] = rng.choice([False, ["common_pid", "prev_comm"], "ret count id"])
        for name in ("switches", "tasks", "lost", "inlines", "lines"):
            options[name] = rng.random() < 0.2
        if rng.random() < 0.1:
            options[rng.choice(["events", "comms", "pids", "tids", "cpus", "time", "filter"])] = rng.choice(
                ["1", "0-9", "sched*", "10%-20%", "prev_pid == 0", "x"])
        state["c"] = pdtool.open(rng.choice(paths), host=False, **options)
    elif what == 1:
        state["i"] = iter(state["c"])
    elif what == 2:
        for e in state["i"]:
            state["e"] = e
            if rng.random() < 0.01:
                break
    elif what == 3:
        state["t"] = state["c"].columns()
    elif what == 16:
        state["r"] = rng.choice([state["c"].rows, state["c"].counts])()
    elif what == 17:
        for _, row in zip(range(rng.randrange(3000)), state["r"]):
            repr(row)
    elif what == 4:
        state["t"] = rng.choice(list(state["c"].tables().values()))
    elif what == 5:
        state["c"].close()
    elif what == 6:
        state["c"].finish()
    elif what == 7:
        state["c"].stack(rng.choice([0, 1, 2, 5, 100, -1, 2**32 - 1]))
    elif what == 8:
        state["c"].info(), state["c"].warnings(), state["c"].recorded()
    elif what == 9:
        repr(state["e"]), state["e"].fields, pickle.loads(pickle.dumps(state["e"]))
    elif what == 10:
        t = state["t"]
        for name in t.columns:
            state["v"] = t[name]
            sum(state["v"])
        t.texts, t.raw, len(t.comms), repr(t)
    elif what == 11:
        sum(state["v"]), state["v"].tobytes()
    elif what == 12:
        state.pop(rng.choice("citevr"), None)
        gc.collect(0)
    elif what == 13:
        state["i2"] = state["i"]
    elif what == 14:
        next(state["i2"])
    else:
        with state["c"] as c:
            for e in c:
                state["e"] = e


def damaged(rng, data):
    data = bytearray(data)
    for _ in range(rng.randrange(1, 20)):
        at = rng.randrange(len(data)) if rng.random() < 0.7 else rng.randrange(min(len(data), 4096))
        data[at] = rng.choice((0, 1, 127, 255, rng.randrange(256)))
    if rng.random() < 0.3:
        del data[rng.randrange(len(data)):]
    return bytes(data)


def random_calls(seed, runs, *paths):
    rng = random.Random(int(seed))
    whole = []
    for path in paths:
        with open(path, "rb") as f:
            whole.append(f.read())
    count = collections.Counter()
    state = {}
    for run in range(int(runs)):
        if run % 10 == 0:
            some = []
            for i in range(2):
                with open(f"damaged{i}", "wb") as f:
                    f.write(damaged(rng, rng.choice(whole)))
                some.append(f.name)
            state = {}
        for _ in range(rng.randrange(1, 12)):
            try:
                act(rng, state, [*paths, *some])
                count["answers"] += 1
            except (pdtool.Error, ValueError, KeyError, StopIteration, IndexError) as e:
                count[type(e).__name__] += 1
    result(f"calls in any order, from seed {seed}", count["answers"] > int(runs) and count["Error"] > 0, dict(count))
    print("   ", dict(count))


parts = {"layout": layout, "events": events, "stacks": stacks, "names": names, "views": views, "wrong": wrong, "random": random_calls}
parts[sys.argv[1]](*sys.argv[2:])
