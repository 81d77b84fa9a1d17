/* What both engines' SQL has in common. */
#include "parser/store/questions/questions.h"
#include "parser/base/buf.h"
#include "parser/store/latency/latency.h"

int store_question_sql(const struct store_asking *a, struct buf *out, struct warnings *w)
{
	if (a->question != STORE_SCHEMA && a->question != STORE_COVERAGE &&
	    a->question != STORE_LENGTHS && !a->choice->event) {
		warn_add(w, SEV_FATAL, "usage",
			 "store sql: expected the event, STORE:event=NAME: weights of two cannot be"
			 " summed up");
		return ERR_USAGE;
	}
	if (a->question == STORE_TREND && !a->function) {
		warn_add(w, SEV_FATAL, "usage", "store sql: trend: expected --function NAME");
		return ERR_USAGE;
	}
	if (a->question == STORE_GRAFANA && !a->remote) {
		warn_add(w, SEV_FATAL, "usage",
			 "store sql: grafana: expected a store on ClickHouse");
		return ERR_USAGE;
	}
	if (a->question == STORE_LENGTHS && latency_check_choice(a->choice, w) < 0)
		return ERR_USAGE;
	if (a->remote)
		click_question(a, out);
	else
		file_question(a, out);
	return 0;
}
