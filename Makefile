# pdtool. `make` builds build/pdtool and build/libpdtool.{a,so.0}; see CONTRIBUTING.md for the other targets.
CC ?= cc
BUILD ?= build
# Every CPU, unless -j says otherwise. What another make starts takes its jobs.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc)
endif
Q := $(if $(V),,@)
comma := ,
PREFIX ?= /usr/local
VERSION := $(shell sed -n 's/^\#\# \([0-9.]*\).*/\1/p' NEWS.md 2>/dev/null | head -n 1)

WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla -Wno-missing-field-initializers \
	-Wno-unused-parameter # a hook need not use all that it is given
# Lines and functions for profilers and backtraces, and no variables: a sixth of the compiler's time.
CFLAGS ?= -O3 -g1
# Where samples, stacks, events and rows pass by: what has 1.5 % of the instructions, or of the time, of some command on a
# capture of some size. All else runs once for a capture, a module or a function, or is a test; it is compiled at -Og, which
# takes three quarters of the time, unless CFLAGS says how.
OFTEN := $(strip \
	$(addprefix analyzers/calls/,calls) \
	$(addprefix analyzers/capture/,top) \
	$(addprefix analyzers/compat/,print_compile print_format print_run) \
	$(addprefix analyzers/count/,answer inflight module_shares namer quantile samples stackset stacksort) \
	$(addprefix analyzers/count/fold/,folding) \
	$(addprefix analyzers/count/rows/,row_keys row_steps rows rows_order) \
	$(addprefix analyzers/export/,export gather marks moments places) \
	$(addprefix analyzers/hardware/,branch_tables datasrc) \
	$(addprefix analyzers/heat/,callname heat) \
	$(addprefix analyzers/io/,block block_model block_source heat_ios) \
	$(addprefix analyzers/lanes/,chart load) \
	$(addprefix analyzers/memory/,mem) \
	$(addprefix analyzers/page/,beside page) \
	$(addprefix analyzers/profile/,abstime annotated collapse shares_read) \
	$(addprefix analyzers/profile/diff/,diff_amounts diff_table renames) \
	$(addprefix analyzers/profile/report/,columns) \
	$(addprefix analyzers/sched/,blame marks off runqueue sched_latency sched_map \
		sched_timehist sched_timeline schedevent section_waits timehist waits) \
	$(addprefix analyzers/script/,events held line script texts where) \
	$(addprefix analyzers/store/,add buckets latency lengths parts query) \
	$(addprefix formats/,cell grid_view number out put shown stack_line) \
	$(addprefix formats/export/,chrome firefox firefox_marks perfetto perfetto_pack pprof speedscope stack_nodes) \
	$(addprefix formats/flame/,flame_colors flame_tree plot_data svg_flame svg_plot timeline_data timeline_names timeline_still) \
	$(addprefix formats/model/,amount cells stack_walk) \
	$(addprefix formats/page/,column html series) \
	$(addprefix formats/text/,text) \
	$(addprefix parser/,folded passing session) \
	$(addprefix parser/base/,abi buf idmap intern mem numbered pieces utf8) \
	$(addprefix parser/cut/,cut) \
	$(addprefix parser/feed/,extras held ingest order passed plain pump userstack) \
	$(addprefix parser/file/,scan stream) \
	$(addprefix parser/library/,places told values) \
	$(addprefix parser/names/,hostfile reach recorded resolve symtab) \
	$(addprefix parser/names/dwarf/,dies lines) \
	$(addprefix parser/names/elf/,elffile elfsyms plt pltcode) \
	$(addprefix parser/names/jit/,jit) \
	$(addprefix parser/names/kernel/,kallsyms) \
	$(addprefix parser/names/sources/,walk) \
	$(addprefix parser/pack/,kernelsyms reduce) \
	$(addprefix parser/record/,decode sample tracepoint) \
	$(addprefix parser/session/,keep place stackorder traced) \
	$(addprefix parser/stacks/,addresses callchain context gather rare returns stacks) \
	$(addprefix parser/state/,machine maps taskids) \
	$(addprefix parser/store/,cells content facts rows) \
	$(addprefix parser/store/address/,pack) \
	$(addprefix parser/store/latency/,file) \
	$(addprefix parser/trace/,callstack code ptflow trace) \
	$(addprefix parser/unwind/,cfi cfi_run memory regs rules step tables unwind unwinding) \
	)
LIBS := jansson libdeflate libdw libelf libprotobuf-c libzstd zlib
LIB_CFLAGS := $(shell pkg-config --cflags $(LIBS) libarchive sqlite3 libxxhash libcurl)
LIB_LDLIBS := $(shell pkg-config --libs $(LIBS))
# Position-independent and hidden, for libpdtool: the tool is no slower for it (see below).
ALL_CFLAGS = -std=gnu11 -D_GNU_SOURCE -fPIC -fvisibility=hidden -fno-semantic-interposition -DPDTOOL_VERSION='"$(or $(VERSION),0)"' -I. $(WARN) $(CFLAGS) -pthread $(LIB_CFLAGS)
RARELY_CFLAGS = $(if $(filter file,$(origin CFLAGS)),$(ALL_CFLAGS:-O3=-Og),$(ALL_CFLAGS))
LDLIBS = $(LIB_LDLIBS) -liberty -lm -ldl -pthread

# What a compiler and its target have against errors of memory; sanitizers bring their own.
ifndef SAN
HARDENING := $(shell for flag in -fstack-protector-strong -fstack-clash-protection -fcf-protection; do \
	$(CC) -Werror $$flag -x c -c -o /dev/null /dev/null 2>/dev/null && echo $$flag; done)
ALL_CFLAGS += $(HARDENING) $(if $(filter -O1 -O2 -O3,$(CFLAGS)),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)
endif
PROGRAM_LDFLAGS = -Wl,-z,noexecstack $(if $(STATIC),,$(if $(SAN),,-pie) -Wl,-z,relro,-z,now)

ifdef WERROR
ALL_CFLAGS += -Werror
endif
# Without the fast path of reading, which must not make a difference (parser/feed/plain.h).
ifdef NO_FAST
ALL_CFLAGS += -DNO_FAST
endif
# One file that needs no other, to be copied to any machine: what is loaded where it is needed otherwise is linked.
ifdef STATIC
ALL_CFLAGS += -DSTATIC
LDFLAGS += -static -Wl,--gc-sections
# pdtool's own malloc() (cli/process/memory.c), for the libraries, too
CLI_WRAP := $(patsubst %,-Wl$(comma)--wrap=%,malloc calloc realloc aligned_alloc posix_memalign)
LIB_LDLIBS := $(shell pkg-config --libs --static $(LIBS)) -larchive -lnettle -llzma -llz4 -lbz2 -lzstd -lz -lcapstone
endif
ifdef SAN
ALL_CFLAGS += -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer $(if $(findstring clang,$(CC)),,-Wno-format-truncation)
# Each check has data with addresses (150,000 in all by clang 14, 340,000 by gcc 12), which would be relocated at each start.
LDFLAGS += -fsanitize=address,undefined -no-pie
endif

# For a fuzzer that is guided by coverage: CC is clang (libFuzzer) or afl-clang-fast (AFL++), see tests/fuzz/guided.sh.
ifdef GUIDED
ALL_CFLAGS += -fsanitize=fuzzer-no-link$(GUIDED:%=,%) -fno-sanitize-recover=all -fno-omit-frame-pointer $(GUIDED_CFLAGS)
LDFLAGS += $(GUIDED:%=-fsanitize=%)
endif

LIB_SRC := $(sort $(filter-out %/library/owner.c $(if $(STATIC),%/lazyarchive.c),$(shell find parser analyzers formats -name "*.c")))
CLI_SRC := $(wildcard cli/*.c cli/*/*.c)
PROTO := $(patsubst %.proto,$(BUILD)/%.pb-c,$(wildcard formats/export/*.proto))
$(if $(filter-out $(LIB_SRC:.c=) $(CLI_SRC:.c=),$(OFTEN)),$(error OFTEN names what is not there: $(filter-out $(LIB_SRC:.c=) $(CLI_SRC:.c=),$(OFTEN))))
LIB_OBJ := $(LIB_SRC:%.c=$(BUILD)/%.o) $(PROTO:=.o)
CLI_OBJ := $(CLI_SRC:%.c=$(BUILD)/%.o)

all: $(BUILD)/pdtool $(if $(STATIC),,$(BUILD)/libpdtool.a $(if $(SAN),,$(BUILD)/libpdtool.so.0))

# The program alone, for a machine without any of its libraries.
static:
	@$(MAKE) --no-print-directory STATIC=1 BUILD=$(BUILD)/static $(BUILD)/static/pdtool

# The same with musl, for which the libraries are built first.
static-musl:
	@packaging/static-musl.sh '$(BUILD)'

$(BUILD)/pdtool: $(CLI_OBJ) $(LIB_OBJ)
	$(Q)echo "  LD  $@"; $(CC) $(ALL_CFLAGS) $(PROGRAM_LDFLAGS) $(LDFLAGS) $(CLI_WRAP) -o $@ $^ $(LDLIBS)

# What a message is in C, from its description.
$(PROTO:=.c): $(BUILD)/%.pb-c.c: %.proto
	@mkdir -p $(@D)
	$(Q)echo "  PB  $<"; protoc-c --proto_path=. --c_out=$(BUILD) $<
$(PROTO:=.o): %.o: %.c
	$(Q)echo "  CC  $<"; $(CC) $(filter-out -Werror,$(ALL_CFLAGS)) -I$(BUILD) -c -o $@ $<
$(LIB_SRC:%.c=$(BUILD)/%.o): | $(PROTO:=.c)
$(BUILD)/formats/export/%.o $(BUILD)/tests/unit/test_perfetto.o: ALL_CFLAGS += -I$(BUILD)
$(BUILD)/tests/unit/test_perfetto.o: | $(PROTO:=.c)

# Without a shell and a mkdir for each file, as processes start slowly on some hosts.
$(BUILD)/%.o: %.c Makefile
	$(if $(wildcard $(@D)/.),,@mkdir -p $(@D))
	$(Q)$(info $()  CC  $<)$(CC) $(if $(filter $(OFTEN),$*),$(ALL_CFLAGS),$(RARELY_CFLAGS)) -MMD -MP -c -o $@ $<

# ---- libpdtool: the parser, linked into one object in which only pdt_ is global. Whatever owner.c
# has a __wrap_X for goes there instead of to X, in libiberty's demanglers, too ----

PARSER_OBJ = $(filter-out %/base/die.o %/library/unowned.o,$(filter $(BUILD)/parser/%,$(LIB_OBJ)))
OWNER_OBJ := $(BUILD)/parser/library/owner.o
DOOR_LIBS := -ldeflate -ldw -lelf -lzstd -ldl -pthread
WRAPPED = $$(nm $(OWNER_OBJ) | sed -n 's/.* T __wrap_/-Wl,--wrap=/p')

$(BUILD)/libpdtool.o: $(OWNER_OBJ) $(PARSER_OBJ)
	$(Q)echo "  LD  $@"; $(CC) -r -nostdlib $(WRAPPED) -o $@ $^ -liberty && \
		objcopy --wildcard --keep-global-symbol='pdt_*' $@

$(BUILD)/libpdtool.a: $(BUILD)/libpdtool.o
	$(Q)echo "  AR  $@"; rm -f $@ && ar rcs $@ $<

$(BUILD)/libpdtool.so.0: $(BUILD)/libpdtool.o
	$(Q)echo "  LD  $@"; $(CC) $(ALL_CFLAGS) $(LDFLAGS) -shared -Wl,-z,relro,-z,now -Wl,-soname,$(@F) -o $@ $< $(DOOR_LIBS)

# The assembler reads them, which the compiler's list of headers does not know.
$(BUILD)/analyzers/capture/bundle_script.o: analyzers/capture/bundle.sh
$(BUILD)/formats/svg/svg_assets.o: $(wildcard formats/svg/*.js formats/svg/*.css formats/flame/*.js formats/flame/*.css)

# The page's script in one piece, and the policy that knows it.
PAGE_JS := $(patsubst %,formats/page/%.js,captures data beside model ios noise renames compare difference flame overview tracks state app main)
$(BUILD)/formats/page/page.js: $(PAGE_JS)
	@mkdir -p $(@D)
	@cat $^ >$@
$(BUILD)/formats/page/policy.txt: $(BUILD)/formats/page/page.js formats/page/page.css formats/page/policy.sh
	@sh formats/page/policy.sh $< formats/page/page.css >$@
$(BUILD)/formats/page/page_assets.o: $(BUILD)/formats/page/page.js $(BUILD)/formats/page/policy.txt formats/page/page.css formats/page/body.html
$(BUILD)/formats/page/page_assets.o: ALL_CFLAGS += -Wa,-I$(BUILD)/formats/page

# All pages of the manual in one file, for --help.
MAN := $(wildcard cli/man/*.[157])
$(BUILD)/cli/man/pages.roff: $(MAN)
	@mkdir -p $(@D)
	@cat $^ >$@
$(BUILD)/cli/man/pages.o: $(BUILD)/cli/man/pages.roff
$(BUILD)/cli/man/pages.o: ALL_CFLAGS += -Wa,-I$(BUILD)/cli/man

# ---- tests: each C file of tests/unit is a program; so are the generator of captures, the sweep,
# and what tests/oracle needs ----

SIMULATE := $(BUILD)/tests/stats/simulate
ORACLE := $(patsubst %,$(BUILD)/tests/oracle/%,symnames linenames unwind gofile jitfile insnlen events)
FAULTS := $(if $(SAN)$(STATIC),,$(BUILD)/tests/faults/sweep $(BUILD)/tests/lib/faultshim.so)
UNIT := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/test_*.c))
MKPERF_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/lib/mkperf*.c))
TEST_PROGRAMS := $(UNIT) $(SIMULATE) $(BUILD)/tests/lib/mkperf $(BUILD)/tests/lib/many $(BUILD)/tests/lib/pty $(ORACLE) $(BUILD)/tests/oracle/events_general $(BUILD)/tests/fuzz/sweep $(BUILD)/tests/fuzz/replay $(FAULTS) $(BUILD)/tests/live/load $(BUILD)/tests/live/calls $(BUILD)/tests/sandbox/inside $(BUILD)/tests/output/moments \
	$(BUILD)/tests/docs/docs
DOCS_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/docs/*.c))
TEST_DEP := $(patsubst %,%.d,$(filter-out %.so,$(TEST_PROGRAMS))) $(MKPERF_OBJ:.o=.d) $(DOCS_OBJ:.o=.d) $(patsubst %,$(BUILD)/tests/fuzz/%.d,runner choice library guided)

$(UNIT) $(ORACLE) $(SIMULATE): %: %.o $(LIB_OBJ)
	$(Q)echo "  LD  $@"; $(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# The same events, read without the fast path.
GENERAL := $(BUILD)/tests/oracle/events_general
$(BUILD)/parser/feed/plain_general.o: parser/feed/plain.c
	@mkdir -p $(@D)
	$(Q)echo "  CC  $< (NO_FAST)"; $(CC) $(ALL_CFLAGS) -DNO_FAST -MMD -MP -c -o $@ $<

$(GENERAL): $(BUILD)/tests/oracle/events.o $(BUILD)/parser/feed/plain_general.o $(filter-out %/feed/plain.o,$(LIB_OBJ))
	$(Q)echo "  LD  $@"; $(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/tests/fuzz/sweep: $(patsubst %,$(BUILD)/tests/fuzz/%.o,runner library)
$(BUILD)/tests/fuzz/replay: $(patsubst %,$(BUILD)/tests/fuzz/%.o,runner choice library)
$(BUILD)/tests/fuzz/sweep $(BUILD)/tests/fuzz/replay $(BUILD)/tests/lib/many $(BUILD)/tests/sandbox/inside: %: %.o $(filter-out %/main.o,$(CLI_OBJ)) $(LIB_OBJ)
	$(Q)echo "  LD  $@"; $(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/tests/lib/pdtool_main.o: cli/main.c
	@mkdir -p $(@D)
	$(Q)echo "  CC  $< (as a function)"; $(CC) $(ALL_CFLAGS) -Dmain=pdtool_main -Wno-missing-prototypes -MMD -MP -c -o $@ $<

$(BUILD)/tests/lib/pty: %: %.o $(BUILD)/tests/lib/pdtool_main.o $(filter-out %/main.o,$(CLI_OBJ)) $(LIB_OBJ)
	$(Q)echo "  LD  $@"; $(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/tests/fuzz/guided: $(patsubst %,$(BUILD)/tests/fuzz/%.o,guided runner choice library) $(filter-out %/main.o,$(CLI_OBJ)) $(LIB_OBJ)
	$(Q)echo "  LD  $@"; $(CC) $(ALL_CFLAGS) $(LDFLAGS) -fsanitize=fuzzer -o $@ $^ $(LDLIBS)

$(BUILD)/tests/live/load $(BUILD)/tests/live/calls $(BUILD)/tests/output/moments: %: %.o
	$(Q)echo "  LD  $@"; $(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ -pthread

$(BUILD)/tests/faults/sweep: %: %.o
	$(Q)echo "  LD  $@"; $(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^

$(BUILD)/tests/lib/faultshim.so: tests/lib/faultshim.c tests/lib/faultshim.h
	@mkdir -p $(@D)
	$(Q)echo "  CC  $<"; $(CC) $(ALL_CFLAGS) -fvisibility=default -shared -o $@ $< -ldl

# Preloaded into the program, which must not bring the sanitizers along.
SHIM := $(BUILD)/tests/output/shim.so
$(SHIM): tests/output/shim.c
	@mkdir -p $(@D)
	$(Q)echo "  LD  $@"; $(CC) -std=gnu11 -D_GNU_SOURCE $(WARN) -O1 -shared -fPIC -o $@ $<

$(BUILD)/tests/lib/mkperf: $(MKPERF_OBJ)
	$(Q)echo "  LD  $@"; $(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/tests/docs/docs: $(DOCS_OBJ) $(filter-out %/main.o,$(CLI_OBJ)) $(LIB_OBJ)
	$(Q)echo "  LD  $@"; $(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

-include $(LIB_OBJ:.o=.d) $(BUILD)/parser/feed/plain_general.d $(OWNER_OBJ:.o=.d) $(CLI_OBJ:.o=.d) $(TEST_DEP)

tests: all $(TEST_PROGRAMS) $(if $(STATIC),,$(SHIM))
	@:

# Two builds: gcc, and clang with the sanitizers (to optimise their code further takes longer than it saves; lines are all
# that they need of debug information: a third of the time to compile). A program of clang's starts in half the time of
# gcc's, whose sanitizers guard their own data, too, and the tests start thousands.
check-build:
	@$(MAKE) --no-print-directory WERROR=1 tests
check-san:
	@$(MAKE) --no-print-directory WERROR=1 SAN=1 CC=clang CFLAGS='-O1 -g1' BUILD=$(BUILD)/san tests

# With FUZZ_SECONDS also that long guided by coverage.
check: check-build check-san $(if $(FUZZ_SECONDS),guided)
	@BUILD='$(BUILD)' tests/run $(if $(FUZZ_SECONDS),fuzz/guided all)

# The suite by clang with its sanitizer of undefined behaviour, and what runs threads under that of threads. What a group
# asks of the other builds it asks of this one; what it links itself with what was built, it links with SANITIZER.
UBSAN := undefined,pointer-overflow,nullability,local-bounds
check-ubsan:
	@$(MAKE) --no-print-directory WERROR=1 CC=clang CFLAGS='-O1 -g -fsanitize=$(UBSAN) -fno-sanitize-recover=all' \
		LDFLAGS='-fsanitize=$(UBSAN)' BUILD=$(BUILD)/ubsan tests
	@ln -sfn . $(BUILD)/ubsan/san; BUILD='$(BUILD)/ubsan' SANITIZER=-fsanitize=undefined tests/run
THREADED := unit oracle/parts oracle/names oracle/lines oracle/unwind oracle/unwind_arch oracle/folded oracle/pack oracle/sched oracle/languages
check-tsan:
	@$(MAKE) --no-print-directory WERROR=1 CFLAGS='-O1 -g -fsanitize=thread -Wno-format-truncation' LDFLAGS=-fsanitize=thread BUILD=$(BUILD)/tsan tests
	@ln -sfn . $(BUILD)/tsan/san; BUILD='$(BUILD)/tsan' SANITIZER=-fsanitize=thread setarch -R tests/run $(THREADED)

# Each command once under valgrind.
check-valgrind: check-build
	@BUILD='$(BUILD)' tests/run valgrind

# What the manual and the completions say of options, from the rows of options.
docs: $(BUILD)/tests/docs/docs
	@$(BUILD)/tests/docs/docs cli
	@awk -f tests/parity/page.awk tests/parity/*.txt >cli/man/pdtool-peers.7

# The hottest stacks of a capture that ships with the source.
demo: $(BUILD)/pdtool
	@BUILD='$(BUILD)' sh tests/lib/demo.sh

bench: $(BUILD)/pdtool
	@PDTOOL='$(BUILD)/pdtool' tests/bench/bench.sh

# As few instructions as it took, and as little time? Small captures, no root; the times want a quiet machine.
bench-check: $(BUILD)/pdtool
	@BUILD='$(BUILD)' tests/run -j1 bench bench/times

# Questions to a store of a fleet on ClickHouse: FLEET='1000 168 2', hosts, hours, shards.
bench-fleet: $(BUILD)/pdtool
	@sh tests/bench/fleet.sh $(FLEET)

# The statistics of diff: on made runs whose truth is known, and on runs of real programs, recorded here.
check-stats: $(BUILD)/tests/stats/simulate
	@$(BUILD)/tests/stats/simulate
check-stats-real: $(BUILD)/pdtool
	@PDTOOL='$(BUILD)/pdtool' tests/stats/real.sh

# What is accepted of each command, a hundred times with each number of threads.
check-jobs: check-build
	@BUILD='$(BUILD)' tests/run golden/jobs

# Profiles for compilers beside what these make themselves, of 1,000 functions: minutes.
check-compilers: check-build
	@BUILD='$(BUILD)' FUNCTIONS=1000 tests/run oracle/compilers

# Bounds that only large captures reach: minutes.
check-limits: check-build
	@BUILD='$(BUILD)' tests/run limits/large

# The exports, read by the viewers themselves, which come from npm's registry.
check-viewers: check-build
	@BUILD='$(BUILD)' tests/run viewers

# How long the page of a million samples takes in Chromium, and its memory: two minutes, on a quiet machine.
check-page: check-build
	@BUILD='$(BUILD)' tests/run browser/figures

# Every call for memory and to the system fails once: minutes.
check-faults: check-build
	@BUILD='$(BUILD)' FAULTS_EVERY=1 tests/run faults

# The groups that take some of many things that are alike (tests/lib/test.sh), with all of them.
WHOLE := fuzz faults oracle/parts oracle/lines oracle/annotate oracle/pack oracle/cut oracle/rename oracle/store oracle/weights terminal
check-whole: check-build check-san
	@BUILD='$(BUILD)' CHECK_PART=1 tests/run $(WHOLE)

export FUZZ_SECONDS
fuzz: check-build check-san
	@BUILD='$(BUILD)' sh tests/fuzz/long.sh

# The same guided by coverage (libFuzzer): FUZZ_SECONDS in sum over all entries. For a few minutes it is not worth to optimise
# (GUIDED_FLAGS='-O0 -g1': 51 seconds of CPU for 127, and half as many runs then).
GUIDED_FLAGS ?= -O1 -g
FUZZER := int LLVMFuzzerTestOneInput(const unsigned char *b, unsigned long n) { return 0; }
guided: check-build
	@echo '$(FUZZER)' | clang -fsanitize=fuzzer,address,undefined -x c - -o $(BUILD)/fuzzer-is-there 2>/dev/null || \
		{ echo "clang with libFuzzer is missing (Debian: clang, libclang-rt-dev)" >&2; exit 1; }
	@$(MAKE) --no-print-directory CC=clang GUIDED=address,undefined CFLAGS='$(GUIDED_FLAGS)' BUILD=$(BUILD)/guided $(BUILD)/guided/tests/fuzz/guided
fuzz-guided: guided
	@BUILD='$(BUILD)' sh tests/fuzz/guided.sh

# And by AFL++, which keeps what it found and goes on from there.
fuzz-afl: check-build
	@command -v afl-clang-fast >/dev/null || { echo "AFL++ is missing (Debian: afl++)" >&2; exit 1; }
	@$(MAKE) --no-print-directory CC=afl-clang-fast GUIDED=bounds CFLAGS='-O2 -g' BUILD=$(BUILD)/afl $(BUILD)/afl/tests/fuzz/guided
	@BUILD='$(BUILD)' sh tests/fuzz/afl.sh

# Which lines of parser/ the inputs in testdata/fuzz reach, by file.
fuzz-coverage: check-build
	@$(MAKE) --no-print-directory CC=gcc CFLAGS='-O0 -g --coverage -DCOVERAGE' BUILD=$(BUILD)/coverage $(BUILD)/coverage/tests/fuzz/replay
	@BUILD='$(BUILD)' sh tests/fuzz/coverage.sh

lint:
	@tests/lint/lint.sh

# ---- installation ----

LIBDIR ?= $(PREFIX)/lib
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions
PYTHONDIR ?= $(PREFIX)/lib/python3/dist-packages

install: all
	install -d '$(DESTDIR)$(PREFIX)/bin'
	install -m 755 $(BUILD)/pdtool '$(DESTDIR)$(PREFIX)/bin'
	install -d '$(DESTDIR)$(PREFIX)/share/man/man1' '$(DESTDIR)$(PREFIX)/share/man/man5' '$(DESTDIR)$(PREFIX)/share/man/man7'
	install -m 644 $(filter %.1,$(MAN)) '$(DESTDIR)$(PREFIX)/share/man/man1'
	install -m 644 $(filter %.5,$(MAN)) '$(DESTDIR)$(PREFIX)/share/man/man5'
	install -m 644 $(filter %.7,$(MAN)) '$(DESTDIR)$(PREFIX)/share/man/man7'
	install -d '$(DESTDIR)$(PREFIX)/share/bash-completion/completions'
	install -m 644 cli/completion/pdtool.bash '$(DESTDIR)$(PREFIX)/share/bash-completion/completions/pdtool'
	install -d '$(DESTDIR)$(ZSHDIR)'
	install -m 644 cli/completion/_pdtool '$(DESTDIR)$(ZSHDIR)'
	install -d '$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d'
	install -m 644 cli/completion/pdtool.fish '$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d'

	install -d '$(DESTDIR)$(LIBDIR)/pkgconfig' '$(DESTDIR)$(PREFIX)/include' '$(DESTDIR)$(PREFIX)/share/man/man3'
	install -m 644 parser/pdtool.h parser/pdtool_capture.h parser/pdtool_columns.h parser/pdtool_cut.h parser/pdtool_record.h parser/pdtool_module.h parser/pdtool_binary.h '$(DESTDIR)$(PREFIX)/include'
	install -m 644 $(BUILD)/libpdtool.a '$(DESTDIR)$(LIBDIR)'
	install -m 755 $(BUILD)/libpdtool.so.0 '$(DESTDIR)$(LIBDIR)'
	ln -sf libpdtool.so.0 '$(DESTDIR)$(LIBDIR)/libpdtool.so'
	sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|; s|@VERSION@|$(VERSION)|' parser/pdtool.pc.in \
		>'$(DESTDIR)$(LIBDIR)/pkgconfig/pdtool.pc'
	install -m 644 parser/pdtool.3 '$(DESTDIR)$(PREFIX)/share/man/man3'
	install -d '$(DESTDIR)$(PYTHONDIR)'
	install -m 644 python/pdtool.py '$(DESTDIR)$(PYTHONDIR)'

# ---- packages ----

deb:
	@packaging/deb.sh '$(BUILD)' '$(VERSION)'
rpm:
	@packaging/rpm.sh '$(BUILD)' '$(VERSION)'

# What is built above, where it is meant to be used: minutes, root, and apt's network.
check-packages: $(BUILD)/pdtool static deb rpm
	@packaging/check-static.sh '$(BUILD)/static/pdtool' '$(BUILD)/pdtool'
	@packaging/check-deb.sh '$(BUILD)'
	@packaging/check-musl.sh '$(BUILD)'

clean:
	rm -rf $(BUILD)

.PHONY: all static static-musl tests check check-build check-san check-ubsan check-tsan check-valgrind check-stats check-stats-real check-faults check-limits check-whole check-jobs check-viewers check-page check-compilers docs demo bench bench-check bench-fleet fuzz guided fuzz-guided fuzz-afl fuzz-coverage lint install deb rpm check-packages clean
.SECONDARY:
