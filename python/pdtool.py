"""Read what perf record wrote, by libpdtool: docs/python.md has the guide and examples.

    import pdtool

    with pdtool.open("perf.data") as capture:
        for e in capture:
            print(e.time, e.cpu, e.tid, e.comm, e.event, e.weight)

One pass hands out events with ids of stacks. The names come once, after the last event:

        for frame in capture.stack(e.stack):
            print(frame.name, frame.module)

capture.columns() and capture.tables() read all events into arrays that numpy takes without a copy.

What is wrong raises Error, with the library's line. A capture is read by one thread at a time, and
not by both sides of a fork. The library is libpdtool.so.0, or what PDTOOL_LIBRARY names."""

import collections
import collections.abc
import ctypes
import itertools
import keyword
import os
import threading
import weakref
from operator import index as _index
from ctypes import POINTER, c_bool, c_char_p, c_int, c_int32, c_size_t, c_uint, c_uint8, c_uint32, c_uint64, c_void_p

try:
    from _collections import _tuplegetter  # what namedtuple has
except ImportError:
    from operator import itemgetter

    def _tuplegetter(index, doc):
        return property(itemgetter(index), doc=doc)

__all__ = ["open", "printable", "Capture", "Column", "Error", "Event", "Field", "Frame", "Recorded", "Table", "version"]
__version__ = "0.1"

_BATCH = 8192  # events of one call into the library
_CHUNK = 1 << 18  # the same where all are kept: a signal is heard in between
_TEXTS = 2 << 20  # bytes of texts that a batch may have, at least


class Error(Exception):
    """The library's line; code: "io", "format", "absent", "usage" or "memory"."""

    def __init__(self, message, code="usage"):
        super().__init__(message)
        self.code = code


_CODES = {-1: "io", -2: "format", -3: "absent", -4: "usage", -5: "memory"}

# ---- the library: pdtool.h and the headers beside it ----


class _FieldColumn(ctypes.Structure):
    _fields_ = [("field", c_void_p), ("numbers", c_void_p), ("texts", c_void_p), ("is_text", c_bool)]


class _Group(ctypes.Structure):
    _fields_ = [
        ("desc", c_void_p), ("count", c_size_t), ("columns", POINTER(c_void_p)),
        ("fields", POINTER(_FieldColumn)), ("field_count", c_size_t), ("kind", c_uint8), ("counts", c_void_p),
    ]


class _Table(ctypes.Structure):
    _fields_ = [
        ("count", c_size_t), ("groups", POINTER(POINTER(_Group))), ("group_count", c_size_t),
        ("order", c_void_p), ("texts", c_void_p), ("text_starts", c_void_p), ("text_count", c_uint32),
        ("comm_count", c_uint32), ("desc_count", c_uint32), ("left_out", c_uint64),
    ]


class _Query(ctypes.Structure):
    _fields_ = [
        ("columns", c_uint64), ("by_event", c_bool), ("fields", POINTER(c_char_p)), ("field_count", c_size_t),
    ]


class _Stack(ctypes.Structure):
    _fields_ = [("locations", POINTER(c_uint32)), ("depth", c_uint32), ("flags", c_uint32), ("ip", c_uint32)]


class _Function(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("file", c_char_p), ("line", c_uint32), ("inlined", c_bool)]


_S = c_void_p  # a session
_PROTOTYPES = {
    "pdt_version": (c_char_p,),
    "pdt_error_text": (c_char_p, c_int),
    "pdt_new": (c_void_p,),
    "pdt_close": (None, _S),
    "pdt_set": (c_int, _S, c_int, c_char_p),
    "pdt_open": (c_int, _S, c_char_p, c_uint),
    "pdt_resolve": (c_int, _S),
    "pdt_message": (c_char_p, _S),
    "pdt_warning": (c_char_p, _S, c_size_t, POINTER(c_uint64)),
    "pdt_comm": (c_char_p, _S, c_uint32),
    "pdt_desc_at": (c_void_p, _S, c_size_t),
    "pdt_desc_name": (c_char_p, c_void_p),
    "pdt_desc_samples": (c_uint64, _S, c_void_p),
    "pdt_desc_type": (c_uint32, c_void_p),
    "pdt_desc_config": (c_uint64, c_void_p),
    "pdt_desc_format": (c_void_p, _S, c_void_p),
    "pdt_format_field_at": (c_void_p, c_void_p, c_size_t),
    "pdt_field_name": (c_char_p, c_void_p),
    "pdt_field_type": (c_char_p, c_void_p),
    "pdt_field_kind": (c_int, c_void_p),
    "pdt_format_is_swapped": (c_int, c_void_p),
    "pdt_stack_at": (_Stack, _S, c_uint32),
    "pdt_location_module": (c_char_p, _S, c_uint32),
    "pdt_function_count": (c_size_t, _S, c_uint32),
    "pdt_function_at": (_Function, _S, c_uint32, c_size_t),
    "pdt_text": (c_char_p, _S, c_int),
    "pdt_number": (c_uint64, _S, c_int),
    "pdt_table_new": (c_int, _S, POINTER(_Query), POINTER(POINTER(_Table))),
    "pdt_table_read": (c_int, _S, POINTER(_Table), c_size_t, c_int),
    "pdt_table_free": (None, _S, POINTER(_Table)),
}


# Modules that most scripts have no use for are imported where they are: none takes longer than re.


def _suits(found):
    import re
    numbers = re.findall(r"\d+", found)[:2]
    mine = __version__.split(".")
    return numbers[:1] == mine[:1] and int(numbers[1]) >= int(mine[1])


def _load():
    name = os.environ.get("PDTOOL_LIBRARY") or "libpdtool.so.0"
    try:
        lib = ctypes.CDLL(name)
    except OSError as e:
        raise ImportError(f"pdtool: {e} (Debian: libpdtool0; or PDTOOL_LIBRARY=FILE)") from None
    try:
        for symbol, (result, *arguments) in _PROTOTYPES.items():
            function = getattr(lib, symbol)
            function.restype, function.argtypes = result, arguments
    except AttributeError as e:
        raise ImportError(f"pdtool: {name} is no libpdtool, or an older one: {e}") from None
    found = lib.pdt_version().decode("ascii", "replace")
    if found != __version__ and not _suits(found):
        raise ImportError(f"pdtool: {name} is of version {found}, this module of {__version__}")
    return lib


_lib = _load()


def version():
    """The library's version."""
    return _lib.pdt_version().decode("ascii")


# enum pdt_want, _record_want
_WANT_STACKS, _WANT_COMMS, _WANT_FIELDS, _WANT_SWITCHES, _WANT_TASKS, _WANT_LOST = 1, 2, 4, 8, 16, 32
_WANT_IP, _WANT_LINES, _WANT_INLINES, _WANT_DETAILS, _WANT_VALUES = 256, 512, 1024, 4096, 131072

_REPLACE, _KEEP, _COUNT = range(3)  # enum pdt_table_keep

# enum pdt_column: its number, the code of its values (as in the module struct), what has to be asked for
_COLUMNS = {
    "time": (0, "Q", 0), "weight": (1, "Q", 0), "ip": (2, "Q", _WANT_IP), "addr": (3, "Q", _WANT_VALUES),
    "phys_addr": (4, "Q", _WANT_VALUES), "data_src": (5, "Q", _WANT_VALUES),
    "cgroup": (6, "Q", _WANT_DETAILS), "sample_weight": (7, "Q", _WANT_DETAILS),
    "pid": (16, "i", 0), "tid": (17, "i", 0), "cpu": (18, "i", 0), "comm": (19, "i", _WANT_COMMS),
    "stack": (20, "i", _WANT_STACKS), "event": (21, "i", 0), "other_pid": (22, "i", 0), "other_tid": (23, "i", 0),
    "kind": (32, "B", 0), "mode": (33, "B", 0), "flags": (34, "B", 0),
}
_DEFAULT = ("time", "cpu", "pid", "tid", "comm", "weight", "ip", "stack")
_ALL_OF = ("time", "cpu", "pid", "tid", "comm", "event", "weight", "ip", "stack")
_CTYPES = {"Q": c_uint64, "q": ctypes.c_int64, "i": c_int32, "B": c_uint8, "I": c_uint32}

KINDS = ("sample", "switch-in", "switch-out", "fork", "exit", "comm", "lost")  # enum pdt_kind
FIELD_KINDS = ("number", "signed", "text", "bytes", "dynamic")  # enum pdt_field_kind

# enum pdt_option and pdt_filter_option
_OPTIONS = {
    "symbols": 1, "symfs": 2, "buildid_dir": 3, "kallsyms": 4, "vmlinux": 5, "perf_map_dir": 6, "no_host": 7,
    "unverified": 8, "raw_names": 9, "jobs": 10, "architecture": 11, "events": 64, "comms": 65, "pids": 66,
    "tids": 67, "cpus": 68, "time": 69, "filter": 70,
}
_REPEAT = ("symbols", "perf_map_dir")

# enum pdt_text_key and pdt_number_key, in their order
_TEXT_KEYS = """path compression hostname osrelease recorder arch cpudesc cpuid cmdline topology numa pmu_caps groups
arch_by product""".split()
_NUMBER_KEYS = """is_pipe is_legacy is_big_endian is_unfinished is_simpleperf is_hiperf is_system_wide has_formats
has_compression compression_level compression_ratio mtime has_wall wall_ns clock_ns clock_id cpus_online
cpus_available memory_kb samples samples_used samples_bad first_ns last_ns lost_any lost_records lost_samples
throttles late aux_records aux_bytes aux_truncated chains chains_empty user_stacks lbr_stacks deferred junk
rare_stacks rare_samples left_out unwound unwound_frames unwound_by_fp unwind_evicted unwind_bad keeps_ids
addresses""".split()


def _str(text):
    """Bytes of a capture: what is no UTF-8 as \\xNN."""
    return None if text is None else text.decode("utf-8", "backslashreplace")


def printable(text):
    """TEXT with what could do something to a terminal shown as \\xNN: names in a capture may be anything."""
    text = str(text)
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


# ---- memory ----


def _close(handle, pid):
    if os.getpid() == pid:  # what a forked child has is its parent's
        _lib.pdt_close(handle)


def _free(session, table):
    if os.getpid() == session.pid:
        _lib.pdt_table_free(session.handle, table)


def _once(owner, function, *arguments):
    # at the end of the process another thread may still be inside
    weakref.finalize(owner, function, *arguments).atexit = False


class _Session:
    """A struct pdt_session, closed when nothing refers to it any more."""

    __slots__ = ("handle", "lock", "pid", "__weakref__")

    def __init__(self):
        self.handle = _lib.pdt_new()
        if not self.handle:
            raise MemoryError
        self.pid = os.getpid()
        self.lock = threading.RLock()
        _once(self, _close, self.handle, self.pid)

    def here(self):
        if os.getpid() != self.pid:
            raise Error("the capture was opened before a fork, by the other process")
        return self

    def check(self, result):
        if result < 0:
            raise Error(_str(_lib.pdt_message(self.handle)), _CODES.get(result, "usage"))
        return result


class _Rows:
    """A struct pdt_table, freed when no column of it is referred to any more."""

    __slots__ = ("session", "table", "__weakref__")

    def __init__(self, session, columns, by_event, fields):
        query = _Query(by_event=by_event)
        for name in columns:
            query.columns |= 1 << _COLUMNS[name][0]
        if fields is not True:
            names = [f.encode() for f in fields or ()]
            query.fields = (c_char_p * max(len(names), 1))(*names)
            query.field_count = len(names)
        self.session = session
        self.table = POINTER(_Table)()
        with session.lock:
            session.check(_lib.pdt_table_new(session.handle, query, self.table))
        _once(self, _free, session, self.table)

    def read(self, count, keep):
        session = self.session.here()
        with session.lock:
            return session.check(_lib.pdt_table_read(session.handle, self.table, count, keep))


def _view(address, code, count, owner):
    """COUNT values at ADDRESS, as they are: read-only, and OWNER lives as long."""
    if not count:
        return memoryview(b"").cast(code)
    array = (_CTYPES[code] * count).from_address(address)
    array.owner = owner
    return memoryview(array).cast("B").cast(code).toreadonly()


_SIZES = {code: ctypes.sizeof(kind) for code, kind in _CTYPES.items()}
_WINDOWS = {code: kind * _BATCH for code, kind in _CTYPES.items()}
_WINDOW = ctypes.c_char * _TEXTS


def _list(address, code, count):
    """The same as a list. What lies behind the values is never looked at; one type serves all counts."""
    return memoryview(_WINDOWS[code].from_address(address)).cast("B").cast(code)[:count].tolist()


def _bytes(address, size):
    if size <= _TEXTS:
        return memoryview(_WINDOW.from_address(address)).cast("B")[:size].tobytes()
    return ctypes.string_at(address, size)


def _texts(t):
    """The texts of a table, as bytes, and None at the end: that is what -1 is."""
    count = t.text_count
    if not count:
        return [None]
    if count < _BATCH:
        starts = _list(t.text_starts, "Q", count + 1)
    else:
        starts = _view(t.text_starts, "Q", count + 1, None).tolist()
    blob = _bytes(t.texts, starts[-1])
    return [blob[a:b] for a, b in zip(starts, starts[1:])] + [None]


# ---- events ----


class Event(tuple):
    """One event. Each kind of event is a class of its own, with its columns and fields as attributes.

    event: what was recorded ("sched:sched_switch"), None if it is no sample; kind: one of KINDS;
    fields: those of the tracepoint, as a dictionary."""

    __slots__ = ()
    event = None
    kind = "sample"
    _columns = _names = _attributes = ()

    @property
    def fields(self):
        return dict(zip(self._names, self[len(self._columns):]))

    def __repr__(self):
        shown = [f"{n}={v!r}" for n, v in zip(self._columns, self)]
        shown += [f"{n}={v!r}" for n, v in self.fields.items()]
        return f"Event({self.event or self.kind!r}: {', '.join(shown)})"

    def __getattr__(self, name):
        if name in _COLUMNS:
            raise AttributeError(f"{name}: not among the columns that pdtool.open() was asked for")
        raise AttributeError(f"{self.event or self.kind} has no {name}; it has {', '.join(self._attributes)}")

    def __reduce__(self):
        return _remade, (self.event, self.kind, self._columns, self._names, tuple(self))


def _attributes(columns, fields):
    """What fields are called: an underscore behind the name of a column or a word of the language."""
    taken = set(columns) | set(_COLUMNS) | {"event", "kind", "fields"} | set(dir(Event)) - {"count", "index"}
    out = []
    for name in fields:
        if name.startswith("__") and name.endswith("__"):  # what means something to the language, or may one day
            name += "_"
        while name in taken or keyword.iskeyword(name) or not name.isidentifier():
            name += "_" if name else "field"
        taken.add(name)
        out.append(name)
    return out


def _event_class(event, kind, columns, fields):
    attributes = [*columns, *_attributes(columns, fields)]
    members = {name: _tuplegetter(i, None) for i, name in enumerate(attributes)}
    members.update(__slots__=(), event=event, kind=kind, _columns=tuple(columns), _names=tuple(fields),
                   _attributes=tuple(attributes))
    return type("Event", (Event,), members)


_classes = {}


def _remade(event, kind, columns, fields, values):
    key = event, kind, columns, fields
    if key not in _classes:
        _classes[key] = _event_class(*key)
    return tuple.__new__(_classes[key], values)


Field = collections.namedtuple("Field", "name type kind")
Field.__doc__ = """A field of a tracepoint. type: as it was declared; kind: one of FIELD_KINDS."""

Recorded = collections.namedtuple("Recorded", "name samples type config fields")
Recorded.__doc__ = """What was recorded: type and config are perf_event_attr's, fields those of a tracepoint."""

Frame = collections.namedtuple("Frame", "name module file line inlined location")
Frame.__doc__ = """A function on a stack. Names that are not known are None, a line 0."""


class _FieldReader:
    """How the values of one field become Python's."""

    def __init__(self, column, swapped):
        field = column.field
        self.name = _str(_lib.pdt_field_name(field))
        self.type = _str(_lib.pdt_field_type(field))
        kind = _lib.pdt_field_kind(field)
        self.kind = FIELD_KINDS[kind]
        self.code = ("Q", "q")[kind] if kind < 2 else "i"
        self.is_text = bool(column.is_text)
        self.unpack = None
        if self.kind == "bytes" and not swapped:
            import re
            match = re.search(rb"\[(\d+)\]$", _lib.pdt_field_type(field))
            if match and int(match[1]):
                self.unpack = self.array, int(match[1])

    def array(self, value, count):
        """An array of integers as a tuple, anything else as bytes."""
        code = {1: None, 2: "H", 4: "I", 8: "Q"}.get(len(value) / count)
        if not code:
            return value
        import re
        if not re.search(r"\b(unsigned|u\d|__u\d|size_t|u?int\d+_t)", self.type):
            code = code.lower()
        return tuple(memoryview(value).cast(code))

    def values(self, texts):
        """By text id: TEXTS with the bytes of each."""
        if self.is_text:
            return [_str(t) for t in texts]
        if self.unpack:
            function, count = self.unpack
            return [None if t is None else function(t, count) for t in texts]
        return texts


class _Reader:
    """The rows of one group."""

    def __init__(self, session, group, columns, asked):
        self.asked = asked or ()
        format = group.desc and _lib.pdt_desc_format(session.handle, group.desc)
        swapped = bool(format and _lib.pdt_format_is_swapped(format))
        self.columns = [(_COLUMNS[c][0], _COLUMNS[c][1], c == "comm") for c in columns]
        self.fields = [_FieldReader(group.fields[i], swapped) for i in range(group.field_count)]
        self.name = _str(_lib.pdt_desc_name(group.desc)) if group.desc else None
        self.kind = KINDS[group.kind]
        self.made = _event_class(self.name, self.kind, columns, [f.name for f in self.fields])

    def values(self, group, first, count, texts, comms, live, decoded):
        """COUNT values of each column and each field of GROUP. The lists that are read are put into LIVE; DECODED has the
        texts as fields have them, for other calls, too."""
        out, addresses = [], group.columns
        for place, code, is_comm in self.columns:
            values = _list(addresses[place] + first * _SIZES[code], code, count)
            live.append(values)
            out.append(map(comms.__getitem__, values) if is_comm else values)
        for i, field in enumerate(self.fields):
            column = group.fields[i]
            values = _list((column.numbers or column.texts) + first * _SIZES[field.code], field.code, count)
            live.append(values)
            if field.code == "i":
                key = field.is_text, field.unpack and i
                if key not in decoded:
                    decoded[key] = field.values(texts)
                values = map(decoded[key].__getitem__, values)
            out.append(values)
        return out

    def events(self, group, texts, comms, live):
        """The events of GROUP, an iterator."""
        out = self.values(group, 0, group.count, texts, comms, live, {})
        return map(self.made, zip(*out) if out else itertools.repeat((), group.count))

    def tuples(self, group, texts, comms, live):
        """The same for Capture.rows(): what it is called, the columns, the fields that were asked for."""
        out = self.values(group, 0, group.count, texts, comms, live, {})
        place = {field.name: i for i, field in enumerate(self.fields, len(self.columns))}
        nothing = itertools.repeat(None)
        return zip(itertools.repeat(self.name or self.kind, group.count), *out[:len(self.columns)],
                   *(out[place[name]] if name in place else nothing for name in self.asked))

    def counted(self, group, texts, comms):
        """Pairs of an event of GROUP and how many are like it, however many pairs there are."""
        decoded = {}
        for first in range(0, group.count, _BATCH):
            count = min(_BATCH, group.count - first)
            out = self.values(group, first, count, texts, comms, [], decoded)
            yield from zip(map(self.made, zip(*out) if out else itertools.repeat((), count)),
                           _list(group.counts + first * 8, "Q", count))


# ---- tables ----

Column = collections.namedtuple("Column", "name values texts")
Column.__doc__ = """values: a read-only memoryview; texts: what its ids stand for, or None where it is of numbers."""


class Table:
    """Events as columns: t.time or t["time"], t.cpu ... are read-only memoryviews, which numpy.asarray() takes as they
    are. t["name"] is the column also where the table has something of its own by that name.

    comm, event and fields that are texts are ids of t.comms, t.events and t.texts (t.raw: as bytes); -1 is none.
    name: the event, None: of all; columns: what there is; left_out: texts and fields that were too many."""

    def __init__(self, capture, rows, group, reader, by_event):
        session, names = rows.session, capture._columns
        table = rows.table.contents
        self._rows = rows
        self._count = group.count
        self._texts = self._strings = None
        self._views = {}
        for name in names:
            place, code, _ = _COLUMNS[name]
            self._views[name] = group.columns[place], code
        self.fields = {}
        if by_event:
            attributes = reader.made._attributes[len(names):]
            for i, (attribute, field) in enumerate(zip(attributes, reader.fields)):
                column = group.fields[i]
                self._views[attribute] = column.numbers or column.texts, field.code
                self.fields[attribute] = Field(field.name, field.type, field.kind)
        self.name = reader.name if by_event else None
        self.kind = reader.kind if by_event else None
        self.columns = tuple(self._views)
        self.comms = capture._comms
        self.events = capture._names(session, table.desc_count)
        self.left_out = table.left_out

    def __len__(self):
        return self._count

    def __getitem__(self, name):
        """A column by its name, whatever else is called so."""
        if name not in self._views:
            raise KeyError(name)
        return _view(*self._views[name], self._count, self._rows)

    def __getattr__(self, name):
        views = self.__dict__.get("_views", {})
        if name not in views:
            raise AttributeError(f"no column {name}; there are {', '.join(views)}")
        return self[name]

    @property
    def raw(self):
        if self._texts is None:
            self._texts = _texts(self._rows.table.contents)
        return self._texts

    @property
    def texts(self):
        if self._strings is None:
            self._strings = [_str(t) for t in self.raw]
        return self._strings

    def __repr__(self):
        return f"Table({self.name or 'all'!r}, {self._count} events: {', '.join(self.columns)})"

    def __reduce__(self):
        raise TypeError("a table is the library's memory: copy its columns")


# ---- a capture ----


def _words(value):
    """An option's value in the library's words: "a,b" of a list."""
    if isinstance(value, (str, bytes, os.PathLike)):
        return os.fsencode(value)
    if isinstance(value, int):
        return str(int(value)).encode()
    if isinstance(value, collections.abc.Iterable):
        return b",".join(_words(v) for v in value)
    raise TypeError(f"a text, a number or a list of them, not {type(value).__name__}")


def _chosen(columns):
    if columns is None:
        return None
    names = tuple(columns.replace(",", " ").split() if isinstance(columns, str) else columns)
    for name in names:
        if name not in _COLUMNS:
            raise ValueError(f"no column {name!r}; there are {', '.join(_COLUMNS)}")
    return tuple(dict.fromkeys(names))


class Capture:
    """A capture that is read once, by a loop over it, by columns() or by tables(). See open()."""

    def __init__(self, path, columns, fields, wants, options):
        session = _Session()
        self._session = session
        self._given = columns
        self._columns = _DEFAULT if columns is None else columns
        self._fields = fields
        self._state = "new"  # reading, end, named
        self._wants = wants
        self._live = []
        self._left_out = 0
        self._comms = [None]  # at the end: what -1 is
        self._event_names = [None]
        self._stacks = {}
        self._locations = {}
        self._asked = options.get("events")
        self._path = os.fsencode(path)
        self._shown = printable(os.fsdecode(self._path))
        for name, value in options.items():
            values = value if name in _REPEAT and not isinstance(value, (str, bytes, os.PathLike)) else [value]
            for one in values:
                self._set(session, name, _words(one))
        self._open()

    def _set(self, session, name, text):
        if b"\0" in text:
            raise ValueError(f"{name}: a NUL")
        result = _lib.pdt_set(session.handle, _OPTIONS[name], text)
        if result < 0:
            raise Error(f"{name}={_str(text)}: {_str(_lib.pdt_message(session.handle))}", _CODES.get(result))

    def _open(self):
        if b"\0" in self._path:
            raise ValueError("a path with a NUL")
        wants = self._wants
        # columns() has one more than events do; it costs nothing
        for name in self._columns:
            wants |= _COLUMNS[name][2]
        if self._fields is True or self._fields:
            wants |= _WANT_FIELDS
        session = self._session
        with session.lock:
            session.check(_lib.pdt_open(session.handle, self._path, wants))

    # -- what may be asked when

    def _here(self):
        if self._session is None:
            raise Error(f"{self._shown}: the capture is closed")
        return self._session.here()

    def _begin(self):
        session = self._here()
        with session.lock:
            if self._state != "new":
                raise Error(f"{self._shown}: its events are read once, and were, or are being read; open it again")
            self._state = "reading"
        return session

    def _ended(self, table, read):
        self._state = "end"
        self._left_out = table.left_out
        if not read and self._asked is not None:
            import fnmatch
            wanted = _str(_words(self._asked)).split(",")
            names = [e.name for e in self.recorded()]
            if not any(fnmatch.fnmatch(n, w) or w in n for w in wanted for n in names):
                raise Error(f"{self._shown}: no event {', '.join(wanted)}; it has {', '.join(names)}", "absent")

    # -- events

    def __iter__(self):
        self._begin()
        # no itertools.chain, which does not survive two threads in it
        return (e for batch in self._batches(_Reader.events) for e in batch)

    def rows(self):
        """As a loop over the capture, with tuples in place of events: (event, *columns, *fields), what open() was given, in
        that order. Half as dear. None: a field that this event has not. What is no sample has its kind for event."""
        if self._fields is True:
            raise Error(f"{self._shown}: rows() has the fields that open(fields=...) names; all are different for each event")
        self._begin()
        return (row for batch in self._batches(_Reader.tuples) for row in batch)

    def _batches(self, of):
        rows = _Rows(self._here(), self._columns, True, self._fields)
        table = rows.table.contents
        readers, total = [], 0
        while self._here() and self._state == "reading":  # finish() ends it, too
            if rows.read(_BATCH, _REPLACE):
                total += table.count
                yield self._batch(rows.session, table, readers, of)
            else:
                self._ended(table, total)

    def _batch(self, session, table, readers, of):
        self._learn(session, table.comm_count)
        texts = _texts(table)
        groups, live, parts = table.groups, [], []
        for i in range(table.group_count):
            group = groups[i].contents
            if i == len(readers):
                readers.append(_Reader(session, group, self._columns, self._fields))
            parts.append(of(readers[i], group, texts, self._comms, live) if group.count else None)
        self._live = live
        if len(parts) == 1:
            return parts[0]
        order = _list(table.order, "i", table.count)
        live.append(order)
        return map(next, map(parts.__getitem__, order))

    def _learn(self, session, count):
        """The names of commands below COUNT."""
        comms = self._comms
        while len(comms) <= count:
            comms.insert(-1, _str(_lib.pdt_comm(session.handle, len(comms) - 1)))

    def _names(self, session, count):
        names = self._event_names
        while len(names) <= count:
            desc = _lib.pdt_desc_at(session.handle, len(names) - 1)
            names.insert(-1, _str(_lib.pdt_desc_name(desc)))
        return names

    # -- all of them

    def _all(self, by_event, keep=_KEEP):
        self._begin()
        rows = _Rows(self._here(), self._columns, by_event, self._fields if by_event else False)
        while self._here() and rows.read(_CHUNK, keep):
            pass
        table = rows.table.contents
        self._learn(rows.session, table.comm_count)
        self._ended(table, table.count)
        return rows, [table.groups[i].contents for i in range(table.group_count)]

    def columns(self):
        """All events, in one Table: time, cpu, pid, tid, comm, event, weight, ip, stack, or what open() was given."""
        if self._given is None:
            self._columns = _ALL_OF
        rows, groups = self._all(False)
        return Table(self, rows, groups[0] if groups else _empty(), None, False)

    def tables(self):
        """A Table for each event, by its name, with the fields of tracepoints as columns, too.

        What is no sample is there by its kind: "switch-in"."""
        rows, groups = self._all(True)
        readers = [_Reader(rows.session, g, self._columns, self._fields) for g in groups]
        tables = {}
        for group, reader in zip(groups, readers):
            name, n = reader.name or reader.kind, 1
            while name in tables:  # two events of one name
                n += 1
                name = f"{reader.name or reader.kind}#{n}"
            tables[name] = Table(self, rows, group, reader, True)
        return tables

    def counts(self):
        """Each event once, and how many are like it in all that open() was asked for: pairs (event, count), by their first.

        The library counts, so what few columns and fields tell apart costs little."""
        rows, groups = self._all(True, _COUNT)
        texts = _texts(rows.table.contents)
        parts = [_Reader(rows.session, g, self._columns, self._fields).counted(g, texts, self._comms) for g in groups]
        return self._merged(rows, parts)

    @staticmethod
    def _merged(rows, parts):
        """What PARTS have, in the order of the table's rows, which live as long."""
        table = rows.table.contents
        for first in range(0, table.count, _BATCH):
            order = _list(table.order + first * 4, "i", min(_BATCH, table.count - first))
            yield from map(next, map(parts.__getitem__, order))

    def finish(self):
        """Read what is left and forget it, where a loop was left early: stacks get their names then."""
        session = self._here()
        if self._state == "new":
            self._begin()
        if self._state == "reading":
            rows = _Rows(session, (), False, False)
            while self._here() and rows.read(_CHUNK, _REPLACE):
                pass
            self._state = "end"

    # -- names

    def _named(self):
        session = self._here()
        with session.lock:
            if self._state in ("new", "reading"):
                raise Error(f"{self._shown}: names come after the last event (finish() reads up to it)")
            if self._state == "end":
                session.check(_lib.pdt_resolve(session.handle))
                self._state = "named"
        return session

    def stack(self, stack):
        """The functions of a stack, the innermost first, by the id that events have: a tuple of Frame.

        Inlined functions are frames of their own. An id that there is not, -1 among them, has none."""
        session = self._named()
        stack = _index(stack)
        if stack not in self._stacks:
            with session.lock:
                found = _lib.pdt_stack_at(session.handle, stack) if 0 <= stack < 1 << 32 else _Stack()
                places = found.locations[: found.depth] if found.depth else []
                self._stacks[stack] = tuple(f for place in places for f in self._location(session, place))
        return self._stacks[stack]

    def _location(self, session, place):
        if place not in self._locations:
            module = _str(_lib.pdt_location_module(session.handle, place))
            frames = []
            for i in range(_lib.pdt_function_count(session.handle, place)):
                f = _lib.pdt_function_at(session.handle, place, i)
                frames.append(Frame(_str(f.name), module, _str(f.file), f.line, f.inlined, place))
            self._locations[place] = frames
        return self._locations[place]

    # -- what it says of itself

    def recorded(self):
        """What was recorded, a list of Recorded; whole after the last event."""
        session, out = self._here(), []
        with session.lock:
            for i in itertools.count():
                desc = _lib.pdt_desc_at(session.handle, i)
                if not desc:
                    return out
                out.append(Recorded(
                    _str(_lib.pdt_desc_name(desc)), _lib.pdt_desc_samples(session.handle, desc),
                    _lib.pdt_desc_type(desc), _lib.pdt_desc_config(desc), self._fields_of(session, desc)))

    @staticmethod
    def _fields_of(session, desc):
        format, out = _lib.pdt_desc_format(session.handle, desc), []
        while format:
            field = _lib.pdt_format_field_at(format, len(out))
            if not field:
                break
            out.append(Field(_str(_lib.pdt_field_name(field)), _str(_lib.pdt_field_type(field)),
                             FIELD_KINDS[_lib.pdt_field_kind(field)]))
        return out

    def info(self):
        """Host, command line, counts of samples and of what was lost ..., a dictionary; counts are whole at the end."""
        session = self._here()
        with session.lock:
            out = {key: _str(_lib.pdt_text(session.handle, i)) for i, key in enumerate(_TEXT_KEYS)}
            out.update((key, _lib.pdt_number(session.handle, i)) for i, key in enumerate(_NUMBER_KEYS))
        return out

    def warnings(self):
        """What was skipped, cut or not found, and how often: a list of (text, count)."""
        session, out, count = self._here(), [], c_uint64()
        with session.lock:
            while (text := _lib.pdt_warning(session.handle, len(out), count)) is not None:
                out.append((_str(text), count.value))
        if self._left_out:
            out.append(("fields of tracepoints past 256 of an event, or texts past 256 MiB", self._left_out))
        return out

    def close(self):
        """Nothing more can be asked of it. Columns that are still referred to stay."""
        self._session = None
        for values in self._live:
            values.clear()
        self._live = []

    def __enter__(self):
        self._here()
        return self

    def __exit__(self, *error):
        self.close()

    def __repr__(self):
        state = "closed" if self._session is None else self._state
        return f"<pdtool.Capture {self._shown}: {state}>"

    def __reduce__(self):
        raise TypeError("a capture cannot be copied: open it again")


def _empty():
    group = _Group()
    group.columns = (c_void_p * 64)()
    return group


def open(path, *, columns=None, fields=True, switches=False, tasks=False, lost=False, lines=False, inlines=False,
         host=True, **options):
    """A capture: PATH is a file, "-" for standard input, or a directory of perf record --threads.

    columns   what events have: "time tid stack"; fewer are faster, without stack by much. There are time cpu pid
              tid comm weight ip stack, which is the default, and event kind mode flags addr phys_addr data_src
              cgroup sample_weight other_pid other_tid
    fields    of tracepoints: True (all but common_*), False, or a list of names
    switches tasks lost   also events of these kinds, see KINDS
    lines inlines         for stack(): source lines, inlined functions; costs much
    host=False            no symbol file of this machine but those that are named here
    events comms pids tids cpus time filter    as the options of pdtool(1): events="sched_switch,cycles",
              cpus=[0, 1], time="10%-20%", filter="prev_pid == 0"
    symbols symfs buildid_dir kallsyms vmlinux perf_map_dir unverified raw_names jobs architecture    where names
              come from, as there; unverified and raw_names are True or False"""
    for name in options:
        if name not in _OPTIONS or name == "no_host":
            raise TypeError(f"open() has no option {name!r}")
    wants = switches and _WANT_SWITCHES or 0
    wants |= (_WANT_TASKS if tasks else 0) | (_WANT_LOST if lost else 0)
    wants |= (_WANT_LINES if lines else 0) | (_WANT_INLINES if inlines else 0)
    options = {name: value for name, value in options.items() if value is not None}
    options["no_host"] = not host
    for name in ("unverified", "raw_names", "no_host"):
        if name in options:
            options[name] = int(bool(options[name]))
    if not isinstance(fields, bool):
        if isinstance(fields, str):
            fields = fields.replace(",", " ").split()
        fields = list(fields)
        if not all(isinstance(f, str) for f in fields):
            raise TypeError("fields: True, False, or a list of names")
        if any("\0" in f for f in fields):
            raise ValueError("fields: a NUL")
    return Capture(path, _chosen(columns), fields, wants, options)
