/* What a capture says of its machine and its recording: the feature sections (file mode) and
 * HEADER_FEATURE records (pipe mode), decoded where somebody needs them. */
#ifndef PDTOOL_FILE_FEATURE_H
#define PDTOOL_FILE_FEATURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/arena.h"
#include "parser/base/build_id.h"
#include "parser/base/cursor.h"
#include "parser/base/err.h"
#include "parser/file/attr.h"
#include "parser/file/header.h"

struct nodes;

/* A feature section that is there, decoded or not. */
struct feature_seen {
	uint16_t id;
	uint64_t size;
};

/* Where symbols are that the recorder wrote; recorded.h reads them. */
struct symbol_section {
	unsigned id; /* of the feature, or the type of the record */
	struct section at;
};

#define SYMBOL_SECTIONS_MAX 4

/* How the recorder's clock follows from the CPU's cycle counter: TIME_CONV.
 * OFFSET SIZE MEANING: 0 8 shift, 8 8 mult, 16 8 zero; since 5.10: 24 8 cycles, 32 8 mask, 40 1
 * zero is valid, 41 1 cycles and mask are */
struct time_conv {
	bool known, cap_short;
	unsigned shift;
	uint64_t mult, zero, cycles, mask;
};

/* Text is owned by the arena and NULL when the capture does not tell. */
struct capture_meta {
	struct arena arena;
	const char *hostname, *osrelease, *version, *arch, *cpudesc, *cpuid, *cmdline;
	const char *arch_by;  /* how arch is known where the capture does not tell; else NULL */
	bool arch_asked;      /* all but files was asked for it */
	const char *topology; /* "cores: 0-3; threads: 0-1,2-3" as the recorder wrote the lists */
	struct cpu_place {
		int32_t socket, die, core;
	} * cpu_places; /* by CPU */
	size_t cpu_place_count;
	const char *numa;			/* "node 0: cpus 0-3, 16384 MiB; ..." */
	struct nodes *cpu_nodes, *memory_nodes; /* by CPU, by physical address; NULL: not told */
	const char *pmu_mappings;		/* "cpu = 4, software = 1, ..." */
	const char *pmu_caps;
	const char *product;   /* the phone: "Google Pixel 5 redfin, Android 12L" */
	const char *groups;    /* event groups: "{a,b}" */
	uint64_t total_mem_kb; /* 0: not told */
	uint32_t cpus_online, cpus_available;
	bool has_sample_time, has_clockid, has_clock_data, has_compression, has_auxtrace, has_stat;
	uint64_t first_sample_ns, last_sample_ns;
	uint64_t clockid_res_ns;
	uint32_t clock_id; /* of CLOCK_DATA */
	uint64_t wall_ns,
		clock_ns; /* the same instant on the wall clock (since 1970) and on clock_id */
	uint32_t compression_type, compression_level, compression_ratio;
	struct time_conv time_conv;
	bool simpleperf, hiperf;
	bool system_wide; /* CPUs were recorded, not a program; only the command line tells */
	bool keeps_ids;	  /* the build-ids of all modules were; the same */
	struct build_id_entry *build_ids;
	size_t build_id_count, build_id_cap;
	struct build_id_paths build_id_paths; /* where in build_ids a path is */
	struct feature_seen *seen;
	size_t seen_count, seen_cap;
	struct symbol_section symbol_sections[SYMBOL_SECTIONS_MAX];
	size_t symbol_section_count;
	/* Payload of TRACING_DATA, not decoded here; NULL when absent. */
	uint8_t *tracing_data;
	size_t tracing_size;
};

/* One opened capture: its bytes and what the header and the features told. */
struct capture {
	struct source *source;
	struct file_header header;
	struct event_list events;
	struct capture_meta meta;
	struct warnings *warnings; /* not owned */
};

void capture_meta_init(struct capture_meta *m);
void capture_meta_release(struct capture_meta *m);

/* perf's name of a feature ("HOSTNAME"), or NULL. */
const char *feature_name(unsigned id);

/* Decode one feature payload; names and ids of events come from EVENT_DESC. Damage is a warning. */
void feature_decode(struct capture *f, unsigned id, struct cursor c);
/* Decode every section that the file header names (file mode). */
void features_read(struct capture *f);
/* Decode one build_id_event (also the payload of HEADER_BUILD_ID records); MISC is its header's. */
void build_id_decode(struct capture_meta *m, uint16_t misc, struct cursor c);
/* Decode a TIME_CONV record. */
void time_conv_decode(struct capture_meta *m, struct cursor c);
/* Symbols are at AT. */
void symbol_section_add(struct capture_meta *m, unsigned id, struct section at);
/* Keep a copy of the tracing data. */
void tracing_data_keep(struct capture_meta *m, const void *data, size_t size);

#endif
