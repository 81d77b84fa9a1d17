/* Numbers of the perf.data format: what the kernel and the perf tool write.
 *
 * Sources: include/uapi/linux/perf_event.h (record types below 64, sample fields, attr flags),
 * tools/perf/util/header.h (features), tools/lib/perf/include/perf/event.h (record types from 64),
 * tools/perf/Documentation/perf.data-file-format.txt; simpleperf/record.h and record_file_format.h
 * of AOSP for simpleperf's. */
#ifndef PDTOOL_BASE_ABI_H
#define PDTOOL_BASE_ABI_H

#include <stdint.h>

#define PERF_MAGIC1	   0x454c494646524550ULL /* "PERFFILE", before perf 3.4 */
#define PERF_MAGIC2	   0x32454c4946524550ULL /* "PERFILE2" */
#define FILE_HEADER_SIZE   104
#define PIPE_HEADER_SIZE   16
#define RECORD_HEADER_SIZE 8

enum record_type {
	RECORD_MMAP = 1,
	RECORD_LOST = 2,
	RECORD_COMM = 3,
	RECORD_EXIT = 4,
	RECORD_THROTTLE = 5,
	RECORD_UNTHROTTLE = 6,
	RECORD_FORK = 7,
	RECORD_READ = 8,
	RECORD_SAMPLE = 9,
	RECORD_MMAP2 = 10,
	RECORD_AUX = 11,
	RECORD_ITRACE_START = 12,
	RECORD_LOST_SAMPLES = 13,
	RECORD_SWITCH = 14,
	RECORD_SWITCH_CPU_WIDE = 15,
	RECORD_NAMESPACES = 16,
	RECORD_KSYMBOL = 17,
	RECORD_BPF_EVENT = 18,
	RECORD_CGROUP = 19,
	RECORD_TEXT_POKE = 20,
	RECORD_AUX_OUTPUT_HW_ID = 21,
	RECORD_CALLCHAIN_DEFERRED = 22,
	RECORD_KERNEL_MAX = 64, /* below: written by the kernel, with a sample_id trailer */

	RECORD_HEADER_ATTR = 64,
	RECORD_HEADER_EVENT_TYPE = 65,
	RECORD_HEADER_TRACING_DATA = 66,
	RECORD_HEADER_BUILD_ID = 67,
	RECORD_FINISHED_ROUND = 68,
	RECORD_ID_INDEX = 69,
	RECORD_AUXTRACE_INFO = 70,
	RECORD_AUXTRACE = 71,
	RECORD_AUXTRACE_ERROR = 72,
	RECORD_THREAD_MAP = 73,
	RECORD_CPU_MAP = 74,
	RECORD_STAT_CONFIG = 75,
	RECORD_STAT = 76,
	RECORD_STAT_ROUND = 77,
	RECORD_EVENT_UPDATE = 78,
	RECORD_TIME_CONV = 79,
	RECORD_HEADER_FEATURE = 80,
	RECORD_COMPRESSED = 81,
	RECORD_FINISHED_INIT = 82,
	RECORD_COMPRESSED2 = 83,
	RECORD_BPF_METADATA = 84,
	RECORD_USER_MAX = 96,

	RECORD_SIMPLEPERF = 32768, /* above: simpleperf's own, with a 32-bit size */
	RECORD_SIMPLEPERF_KERNEL_SYMBOL = 32769,
	RECORD_SIMPLEPERF_TRACING_DATA = 32777,
	RECORD_SIMPLEPERF_MAX = 32800,
};

/* header.misc */
#define MISC_CPUMODE_MASK	7
#define MISC_KERNEL		1
#define MISC_USER		2
#define MISC_HYPERVISOR		3
#define MISC_GUEST_KERNEL	4
#define MISC_GUEST_USER		5
#define MISC_COMM_EXEC		(1 << 13)
#define MISC_FORK_EXEC		(1 << 13)
#define MISC_SWITCH_OUT		(1 << 13)
#define MISC_SWITCH_OUT_PREEMPT (1 << 14)
#define MISC_MMAP_BUILD_ID	(1 << 14)
#define MISC_EXACT_IP		(1 << 14)
#define MISC_KSYMBOL_UNREGISTER 1 /* ksymbol.flags, not misc */

#define EVENT_TYPE_TRACEPOINT 2 /* attr.type; attr.config is the id of its format */

enum sample_field {
	SAMPLE_IP = 1u << 0,
	SAMPLE_TID = 1u << 1,
	SAMPLE_TIME = 1u << 2,
	SAMPLE_ADDR = 1u << 3,
	SAMPLE_READ = 1u << 4,
	SAMPLE_CALLCHAIN = 1u << 5,
	SAMPLE_ID = 1u << 6,
	SAMPLE_CPU = 1u << 7,
	SAMPLE_PERIOD = 1u << 8,
	SAMPLE_STREAM_ID = 1u << 9,
	SAMPLE_RAW = 1u << 10,
	SAMPLE_BRANCH_STACK = 1u << 11,
	SAMPLE_REGS_USER = 1u << 12,
	SAMPLE_STACK_USER = 1u << 13,
	SAMPLE_WEIGHT = 1u << 14,
	SAMPLE_DATA_SRC = 1u << 15,
	SAMPLE_IDENTIFIER = 1u << 16,
	SAMPLE_TRANSACTION = 1u << 17,
	SAMPLE_REGS_INTR = 1u << 18,
	SAMPLE_PHYS_ADDR = 1u << 19,
	SAMPLE_AUX = 1u << 20,
	SAMPLE_CGROUP = 1u << 21,
	SAMPLE_DATA_PAGE_SIZE = 1u << 22,
	SAMPLE_CODE_PAGE_SIZE = 1u << 23,
	SAMPLE_WEIGHT_STRUCT = 1u << 24,
	SAMPLE_KNOWN = (1u << 25) - 1,
};

enum read_format {
	FORMAT_TIME_ENABLED = 1,
	FORMAT_TIME_RUNNING = 2,
	FORMAT_ID = 4,
	FORMAT_GROUP = 8,
	FORMAT_LOST = 16,
};

/* attr.flags, numbered as a little-endian recorder lays them out */
#define ATTR_INHERIT		    (1ULL << 1)
#define ATTR_EXCLUDE_USER	    (1ULL << 4)
#define ATTR_EXCLUDE_KERNEL	    (1ULL << 5)
#define ATTR_EXCLUDE_HV		    (1ULL << 6)
#define ATTR_FREQ		    (1ULL << 10)
#define ATTR_PRECISE_SHIFT	    15
#define ATTR_SAMPLE_ID_ALL	    (1ULL << 18)
#define ATTR_EXCLUDE_HOST	    (1ULL << 19)
#define ATTR_EXCLUDE_GUEST	    (1ULL << 20)
#define ATTR_EXCLUDE_CALLCHAIN_USER (1ULL << 22)
#define ATTR_USE_CLOCKID	    (1ULL << 25)
#define ATTR_CONTEXT_SWITCH	    (1ULL << 26)

#define BRANCH_CALL_STACK (1ULL << 11) /* LBR in call-stack mode */
#define BRANCH_HW_INDEX	  (1ULL << 17)
#define BRANCH_COUNTERS	  (1ULL << 19)

/* Context markers in call chains: values from CONTEXT_MAX up are no addresses. */
#define CONTEXT_HV	      ((uint64_t)-32)
#define CONTEXT_KERNEL	      ((uint64_t)-128)
#define CONTEXT_USER	      ((uint64_t)-512)
#define CONTEXT_USER_DEFERRED ((uint64_t)-640)
#define CONTEXT_GUEST	      ((uint64_t)-2048)
#define CONTEXT_GUEST_KERNEL  ((uint64_t)-2176)
#define CONTEXT_GUEST_USER    ((uint64_t)-2560)
#define CONTEXT_MAX	      ((uint64_t)-4095)

enum feature_id {
	FEAT_TRACING_DATA = 1,
	FEAT_BUILD_ID = 2,
	FEAT_HOSTNAME = 3,
	FEAT_OSRELEASE = 4,
	FEAT_VERSION = 5,
	FEAT_ARCH = 6,
	FEAT_NRCPUS = 7,
	FEAT_CPUDESC = 8,
	FEAT_CPUID = 9,
	FEAT_TOTAL_MEM = 10,
	FEAT_CMDLINE = 11,
	FEAT_EVENT_DESC = 12,
	FEAT_CPU_TOPOLOGY = 13,
	FEAT_NUMA_TOPOLOGY = 14,
	FEAT_BRANCH_STACK = 15,
	FEAT_PMU_MAPPINGS = 16,
	FEAT_GROUP_DESC = 17,
	FEAT_AUXTRACE = 18,
	FEAT_STAT = 19,
	FEAT_CACHE = 20,
	FEAT_SAMPLE_TIME = 21,
	FEAT_MEM_TOPOLOGY = 22,
	FEAT_CLOCKID = 23,
	FEAT_DIR_FORMAT = 24,
	FEAT_BPF_PROG_INFO = 25,
	FEAT_BPF_BTF = 26,
	FEAT_COMPRESSED = 27,
	FEAT_CPU_PMU_CAPS = 28,
	FEAT_CLOCK_DATA = 29,
	FEAT_HYBRID_TOPOLOGY = 30,
	FEAT_PMU_CAPS = 31,
	FEAT_CPU_DOMAIN_INFO = 32,
	FEAT_SIMPLEPERF_FILE = 128,
	FEAT_SIMPLEPERF_META_INFO = 129,
	FEAT_SIMPLEPERF_FILE2 = 132,
	FEAT_HIPERF_FIRST = 192,
	FEAT_BITS = 256,
};

/* "MMAP2", or NULL for a type that is not known. */
const char *record_type_name(uint32_t type);

/* e_machine of tasks of 32 bits (ABI 1) or of 64 (2), as PERF_SAMPLE_REGS_ABI_* counts, where
 * uname -m is NAME; 0: none, or not known. NAME may be NULL. */
uint16_t abi_machine(const char *name, uint64_t abi);
#endif
