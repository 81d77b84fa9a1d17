/* Names of record types, and which binaries a machine runs. */
#include "parser/base/abi.h"
#include "parser/base/mem.h"

#include <elf.h>
#include <string.h>

static const char *const type_names[RECORD_USER_MAX] = {
	[RECORD_MMAP] = "MMAP",
	[RECORD_LOST] = "LOST",
	[RECORD_COMM] = "COMM",
	[RECORD_EXIT] = "EXIT",
	[RECORD_THROTTLE] = "THROTTLE",
	[RECORD_UNTHROTTLE] = "UNTHROTTLE",
	[RECORD_FORK] = "FORK",
	[RECORD_READ] = "READ",
	[RECORD_SAMPLE] = "SAMPLE",
	[RECORD_MMAP2] = "MMAP2",
	[RECORD_AUX] = "AUX",
	[RECORD_ITRACE_START] = "ITRACE_START",
	[RECORD_LOST_SAMPLES] = "LOST_SAMPLES",
	[RECORD_SWITCH] = "SWITCH",
	[RECORD_SWITCH_CPU_WIDE] = "SWITCH_CPU_WIDE",
	[RECORD_NAMESPACES] = "NAMESPACES",
	[RECORD_KSYMBOL] = "KSYMBOL",
	[RECORD_BPF_EVENT] = "BPF_EVENT",
	[RECORD_CGROUP] = "CGROUP",
	[RECORD_TEXT_POKE] = "TEXT_POKE",
	[RECORD_AUX_OUTPUT_HW_ID] = "AUX_OUTPUT_HW_ID",
	[RECORD_CALLCHAIN_DEFERRED] = "CALLCHAIN_DEFERRED",
	[RECORD_HEADER_ATTR] = "HEADER_ATTR",
	[RECORD_HEADER_EVENT_TYPE] = "HEADER_EVENT_TYPE",
	[RECORD_HEADER_TRACING_DATA] = "HEADER_TRACING_DATA",
	[RECORD_HEADER_BUILD_ID] = "HEADER_BUILD_ID",
	[RECORD_FINISHED_ROUND] = "FINISHED_ROUND",
	[RECORD_ID_INDEX] = "ID_INDEX",
	[RECORD_AUXTRACE_INFO] = "AUXTRACE_INFO",
	[RECORD_AUXTRACE] = "AUXTRACE",
	[RECORD_AUXTRACE_ERROR] = "AUXTRACE_ERROR",
	[RECORD_THREAD_MAP] = "THREAD_MAP",
	[RECORD_CPU_MAP] = "CPU_MAP",
	[RECORD_STAT_CONFIG] = "STAT_CONFIG",
	[RECORD_STAT] = "STAT",
	[RECORD_STAT_ROUND] = "STAT_ROUND",
	[RECORD_EVENT_UPDATE] = "EVENT_UPDATE",
	[RECORD_TIME_CONV] = "TIME_CONV",
	[RECORD_HEADER_FEATURE] = "HEADER_FEATURE",
	[RECORD_COMPRESSED] = "COMPRESSED",
	[RECORD_FINISHED_INIT] = "FINISHED_INIT",
	[RECORD_COMPRESSED2] = "COMPRESSED2",
	[RECORD_BPF_METADATA] = "BPF_METADATA",
};

static const char *const simpleperf_names[] = {
	[1] = "SIMPLEPERF_KERNEL_SYMBOL", [2] = "SIMPLEPERF_DSO",
	[3] = "SIMPLEPERF_SYMBOL",	  [4] = "SIMPLEPERF_SPLIT",
	[5] = "SIMPLEPERF_SPLIT_END",	  [6] = "SIMPLEPERF_EVENT_ID",
	[7] = "SIMPLEPERF_CALLCHAIN",	  [8] = "SIMPLEPERF_UNWINDING_RESULT",
	[9] = "SIMPLEPERF_TRACING_DATA",
};

const char *record_type_name(uint32_t type)
{
	if (type < RECORD_USER_MAX)
		return type_names[type];
	if (type > RECORD_SIMPLEPERF && type - RECORD_SIMPLEPERF < ARRAY_SIZE(simpleperf_names))
		return simpleperf_names[type - RECORD_SIMPLEPERF];
	return NULL;
}

uint16_t abi_machine(const char *name, uint64_t abi)
{
	static const struct {
		const char *prefix;
		uint16_t narrow, wide;
	} names[] = {
		{ "x86_64", EM_386, EM_X86_64 }, { "i386", EM_386, 0 },
		{ "i486", EM_386, 0 },		 { "i586", EM_386, 0 },
		{ "i686", EM_386, 0 },		 { "aarch64", EM_ARM, EM_AARCH64 },
		{ "arm64", EM_ARM, EM_AARCH64 }, { "arm", EM_ARM, 0 },
		{ "s390x", 0, EM_S390 },	 { "ppc64", 0, EM_PPC64 },
		{ "riscv64", 0, EM_RISCV },
	};

	for (size_t i = 0; name && i < ARRAY_SIZE(names); i++) {
		if (!strncmp(name, names[i].prefix, strlen(names[i].prefix)))
			return abi == 1 ? names[i].narrow : abi == 2 ? names[i].wide : 0;
	}
	return 0;
}
