/* A consumer in C: what a capture holds, as `pdtool info --counts --format csv` has it. */
#include <inttypes.h>
#include <stdio.h>

#include <pdtool_capture.h>
#include <pdtool_columns.h>

/* A text of the capture in a cell of CSV (RFC 4180). */
static void cell(const char *s)
{
	putchar('"');
	for (; *s; s++)
		printf(*s == '"' ? "\"\"" : "%c", *s);
	putchar('"');
}

static void counts(const struct pdt_session *s)
{
	const struct pdt_desc *d;
	uint64_t count;
	uint32_t type;

	for (size_t i = 0; pdt_record_count(s, i, &type, &count); i++) {
		if (pdt_record_name(type))
			printf("record,%s,%" PRIu64 "\n", pdt_record_name(type), count);
		else
			printf("record,UNKNOWN_%" PRIu32 ",%" PRIu64 "\n", type, count);
	}
	for (size_t i = 0; (d = pdt_desc_at(s, i)) != NULL; i++) {
		printf("event,");
		cell(pdt_desc_name(d));
		printf(",%" PRIu64 "\n", pdt_desc_samples(s, d));
	}
}

int main(int argc, char **argv)
{
	struct pdt_session *s = pdt_new();
	const struct pdt_columns *c;
	const struct pdt_event *e;
	uint64_t samples = 0, told = 0;
	int rc;

	if (!s || argc != 2)
		return 2;
	rc = pdt_open(s, argv[1], 0);
	while (rc == 0 && (rc = pdt_next(s, &e)) == 1) {
		samples += e->kind == PDT_SAMPLE;
		/* after an event a batch, in turn */
		rc = pdt_next_columns(s, &c);
		for (size_t i = 0; rc == 1 && i < c->count; i++)
			samples += c->kind[i] == PDT_SAMPLE;
		rc = rc < 0 ? rc : 0;
	}
	if (rc < 0)
		fprintf(stderr, "%s\n", pdt_message(s));
	else
		counts(s);
	for (size_t i = 0; pdt_desc_at(s, i); i++)
		told += pdt_desc_samples(s, pdt_desc_at(s, i));
	if (rc == 0 && samples != told)
		rc = fprintf(stderr, "%" PRIu64 " samples, %" PRIu64 " told\n", samples, told);
	pdt_close(s);
	return rc != 0;
}
