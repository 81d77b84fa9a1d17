/* Histograms of what was chosen, from whichever store. */
#include "parser/store/click.h"
#include "parser/store/latency/latency.h"
#include "parser/store/store.h"

int latency_check_choice(const struct store_choice *c, struct warnings *w)
{
	bool frames = false;

	for (size_t i = 0; i < c->pattern_count; i++)
		frames |= c->patterns[i].key[0] != 'c';
	if (!frames && !c->event)
		return 0;
	warn_add(w, SEV_FATAL, "usage",
		 "store: event=, module= and symbol= choose stacks, which waits, offcpu and io have"
		 " not");
	return ERR_USAGE;
}

int store_latency_read(struct store *s, const struct store_latency_asking *a,
		       struct store_latency_read *read, struct warnings *w)
{
	const struct store_choice *c = a->choice;
	struct picks picks = { .whole = true };
	int rc = latency_check_choice(c, w);

	if (rc < 0)
		return rc;
	s->sql.warnings = w;
	if (s->click) {
		click_warn_to(s->click, w);
		rc = click_captures(s->click, &s->sql, c);
	}
	if (rc == 0)
		rc = picks_make(&picks, &s->sql, c);
	if (rc == 0 && s->click)
		rc = click_latency_read(s->click, a, &picks, &read->without);
	else if (rc == 0)
		rc = latency_read(&s->sql, a, &picks, &read->without);
	read->captures = picks.count;
	picks_release(&picks);
	return rc;
}
