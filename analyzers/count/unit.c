/* The unit of weights, over all inputs of a result. */
#include "analyzers/count/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char periods[] = "periods"; /* of an event with a unit of its own */

static void add(struct unit *u, const char *name, const char *event)
{
	if (u->any && (strcmp(u->name, name) != 0 ||
		       (!strcmp(name, periods) && strcmp(u->event, event) != 0)))
		u->mixed = true;
	snprintf(u->name, sizeof(u->name), "%s", name);
	snprintf(u->event, sizeof(u->event), "%s", event);
	u->any = true;
}

void unit_of_samples(struct unit *u, const struct samples *s, const struct pdt_desc *d,
		     const char *counts)
{
	add(u, counts ?: pdt_desc_in_ns(d) ? "ns" : periods, pdt_desc_name(d));
	u->weight += (double)s->weight;
	u->squares += (double)s->squares;
}

void unit_of_text(struct unit *u, const struct folded *text, double total)
{
	const struct folded_unit *t = folded_unit(text);

	u->weight += total;
	u->squares += t && t->sample > 0 ? total * t->sample : NAN;
	if (t)
		add(u, t->unit, t->event);
	else
		u->mixed = true;
}

double unit_sample(const struct unit *u)
{
	return u->weight > 0 && u->squares > 0 && !u->mixed ? u->squares / u->weight : 0;
}

const char *unit_name(const struct unit *u)
{
	if (!u->any || u->mixed)
		return NULL;
	return strcmp(u->name, periods) != 0 ? u->name : u->event;
}

bool unit_folded(const struct unit *u, struct folded_unit *out)
{
	*out = (struct folded_unit){ .sample = unit_sample(u) };
	snprintf(out->unit, sizeof(out->unit), "%s", u->name);
	snprintf(out->event, sizeof(out->event), "%s", u->event);
	return out->sample > 0;
}
