/* Messages about events that a capture does not have, or that were not asked for. */
#include "analyzers/count/missing.h"
#include "parser/base/abi.h"
#include "parser/eventname.h"

#include <inttypes.h>

#define NAMES_MAX 12

void event_names(const struct pdt_session *s, size_t most, struct buf *out)
{
	size_t count = pdt_desc_count(s);

	for (size_t i = 0; i < count && i < most; i++)
		buf_printf(out, "%s%s", i ? ", " : "", pdt_desc_name(pdt_desc_at(s, i)));
	if (count > most)
		buf_printf(out, " and %zu more", count - most);
	if (!count)
		buf_str(out, "none");
}

bool other_events(const struct pdt_session *s, const char *chosen, struct buf *out)
{
	const struct pdt_desc *d;
	struct event_choice choice = { 0 };
	bool found = false;

	for (size_t i = 0; (d = pdt_desc_at(s, i)) != NULL; i++) {
		uint64_t n = pdt_desc_samples(s, d);
		bool same = chosen && event_named(&choice, events_of(s), chosen, d);

		found |= same;
		if (n && !same)
			buf_printf(out, "%s%s (%" PRIu64 " samples)", out->len ? ", " : "",
				   pdt_desc_name(d), n);
	}
	event_choice_release(&choice);
	return found;
}

int missing_events(const struct pdt_session *s, const char *what, const char *command,
		   struct warnings *w)
{
	struct buf have = { 0 };

	event_names(s, NAMES_MAX, &have);
	warn_add(w, SEV_FATAL, "missing-events", "%s: no %s events (found: %s). Record with: %s",
		 pdt_text(s, PDT_PATH), what, have.data, command);
	buf_release(&have);
	return ERR_USAGE;
}

static bool has_records(const struct pdt_session *s, uint32_t wanted)
{
	uint32_t type;
	uint64_t count;

	for (size_t i = 0; pdt_record_count(s, i, &type, &count); i++) {
		if (type == wanted)
			return true;
	}
	return false;
}

static bool has_part(const struct pdt_session *s, enum sample_part part)
{
	static const uint64_t bits[] = { [PART_CPU] = SAMPLE_CPU,
					 [PART_TIME] = SAMPLE_TIME,
					 [PART_CGROUP] = SAMPLE_CGROUP,
					 [PART_WEIGHT] = SAMPLE_WEIGHT | SAMPLE_WEIGHT_STRUCT };
	const struct pdt_desc *d;

	if (part == PART_NAMESPACES)
		return has_records(s, RECORD_NAMESPACES);
	if (part == PART_STACK)
		return pdt_number(s, PDT_CHAINS) || pdt_number(s, PDT_USER_STACKS);
	for (size_t i = 0; (d = pdt_desc_at(s, i)) != NULL; i++) {
		if (pdt_desc_number(s, d, PDT_DESC_SAMPLE_TYPE) & bits[part])
			return true;
	}
	return false;
}

void missing_part(const struct pdt_session *s, enum sample_part part, struct warnings *w)
{
	static const struct {
		const char *kind, *text;
	} lacks[] = {
		[PART_STACK] = { "no-chains", "no call chains were recorded (perf record -g)" },
		[PART_CPU] = { "no-cpu",
			       "samples do not tell their CPU (perf record --sample-cpu)" },
		[PART_TIME] = { "no-time", "samples do not tell their time (perf record -T)" },
		[PART_CGROUP] = { "no-cgroup",
				  "samples do not tell their cgroup (perf record --all-cgroups)" },
		[PART_WEIGHT] = { "no-weight",
				  "samples do not tell their weight (perf record -W)" },
		[PART_NAMESPACES] = { "no-namespaces",
				      "no namespaces were recorded (perf record --namespaces)" },
	};

	if (pdt_number(s, PDT_SAMPLES) && !has_part(s, part))
		warn_add(w, SEV_NOTE, lacks[part].kind, "%s: %s", pdt_text(s, PDT_PATH),
			 lacks[part].text);
}

int check_one_event(const struct pdt_session *s, const char *option, const char *name,
		    struct warnings *w)
{
	struct buf several = { 0 };
	int rc = name && event_ambiguous(events_of(s), name, &several) ? ERR_USAGE : 0;

	if (rc < 0)
		warn_add(w, SEV_FATAL, "several-events",
			 "%s: --%s %s means several events, name one of them: %s",
			 pdt_text(s, PDT_PATH), option, name, several.data);
	buf_release(&several);
	return rc;
}
