/* What waits for its time: a sample, or a record of another kind. */
#ifndef PDTOOL_FEED_PENDING_H
#define PDTOOL_FEED_PENDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "parser/base/abi.h"
#include "parser/pdtool_record.h"

/* A record that waits: a sample reduced to what is counted, with or without the copy of its
 * payload, or the copy of another record. */
struct pending {
	uint64_t time_ns; /* 0: none */
	union {
		struct held_record *record; /* no sample; owned by whoever takes it; NULL: none */
		/* PENDING_PAYLOAD: a sample's; PENDING_USER: behind it what unwinding.h keeps of
		 * its user stack; before it the weight, and before that with PENDING_DETAILS a
		 * struct sample_details and extras.h; in the reader's chunks */
		uint8_t *payload;
		uint64_t offset; /* AWAY: of its record in the file */
		uint64_t weight; /* samples with none of these: the period */
	};
	uint32_t pid, tid, cpu;
	uint32_t chain;	   /* samples: id in the session's chains */
	uint32_t desc;	   /* samples: index of the event */
	uint8_t mode  : 6; /* samples: CPU mode */
	uint8_t alone : 1; /* no chain and no payload: their room is its address's */
	uint8_t away  : 1; /* weight and payload are read again when it is handed out */
	uint8_t flags;	   /* PENDING_* */
	uint16_t payload_size;
};

/* Of 48 bits, whose sign goes on, as most machines have them? Others have no room alone. */
static inline bool pending_has_room(uint64_t ip)
{
	return (uint64_t)((int64_t)(ip << 16) >> 16) == ip;
}

static inline void pending_set_alone(struct pending *p, uint64_t ip)
{
	p->alone = 1;
	p->chain = (uint32_t)ip;
	p->payload_size = (uint16_t)(ip >> 32);
}

/* Of P, which is alone. */
static inline uint64_t pending_ip(const struct pending *p)
{
	uint64_t bits = (uint64_t)p->payload_size << 32 | p->chain;

	return (uint64_t)((int64_t)(bits << 16) >> 16);
}

#define PENDING_HAS_CPU	 1
#define PENDING_HAS_TIME 2
#define PENDING_PAYLOAD	 4
#define PENDING_USER	 16
#define PENDING_EXACT	 32 /* the address is that of the instruction itself */
#define PENDING_IP	 64 /* the event records addresses */
#define PENDING_DETAILS	 128
#define PENDING_RECORD	 8 /* no sample: only time_ns and record are set */

/* What a sample_type says that each of its samples has: PENDING_HAS_CPU, _HAS_TIME, _IP. */
static inline uint8_t pending_flags(uint64_t sample_type)
{
	return (uint8_t)((sample_type & SAMPLE_CPU ? PENDING_HAS_CPU : 0) |
			 (sample_type & SAMPLE_TIME ? PENDING_HAS_TIME : 0) |
			 (sample_type & SAMPLE_IP ? PENDING_IP : 0));
}

/* What few samples have. */
struct sample_details {
	struct pdt_values values;
	uint64_t extras_bytes; /* of extras.h, before it */
	uint64_t number;       /* of the sample in its file, for passed.h */
};

#define PENDING_PIECE (PENDING_PAYLOAD | PENDING_USER | PENDING_DETAILS)

/* Those of P, which has them. */
static inline struct sample_details pending_details(const struct pending *p)
{
	struct sample_details d;

	memcpy(&d, p->payload - sizeof(uint64_t) - sizeof(d), sizeof(d));
	return d;
}

/* The piece of the reader's chunks that P's payload is in; it has PENDING_PIECE. With extras it
 * begins with them. */
static inline uint8_t *pending_piece(const struct pending *p)
{
	uint8_t *at = p->payload - sizeof(uint64_t);

	return p->flags & PENDING_DETAILS
		       ? at - sizeof(struct sample_details) - pending_details(p).extras_bytes
		       : at;
}

/* Of a sample that is not away. */
static inline uint64_t pending_weight(const struct pending *p)
{
	uint64_t weight;

	if (!(p->flags & PENDING_PIECE))
		return p->weight;
	memcpy(&weight, p->payload - sizeof(weight), sizeof(weight));
	return weight;
}

#endif
