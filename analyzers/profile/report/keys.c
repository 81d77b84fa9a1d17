/* The keys of rows, as --sort, --fields and --group name them. */
#include "analyzers/profile/report/report.h"

#include <string.h>

const char *const row_key_words[] = {
	[KEY_EVENT] = "event",	   [KEY_COMM] = "comm",	      [KEY_PID] = "pid",
	[KEY_TID] = "tid",	   [KEY_CPU] = "cpu",	      [KEY_TIME] = "time",
	[KEY_PARENT] = "parent",   [KEY_DSO] = "dso",	      [KEY_SYM] = "sym",
	[KEY_SRCFILE] = "srcfile", [KEY_SRCLINE] = "srcline", NULL
};

const char *const field_words[] = { "overhead_children",
				    "overhead",
				    "overhead_us",
				    "overhead_sys",
				    "overhead_guest_us",
				    "overhead_guest_sys",
				    "period",
				    "sample",
				    NULL };

const char *report_key_name(const struct report *r, unsigned key)
{
	return key < ROW_KEYS ? row_key_words[key] : r->more.list[key - ROW_KEYS].name;
}

/* Once is enough, wherever it stands. */
static void add_key(struct rows_options *o, unsigned key)
{
	for (size_t i = 0; i < o->key_count; i++) {
		if (o->keys[i] == key)
			return;
	}
	o->keys[o->key_count++] = key;
}

/* The place of NAME in the list WORDS; -1: it is not there. */
static int word_place(const char *const *words, const char *name)
{
	for (int i = 0; words[i]; i++) {
		if (!strcmp(words[i], name))
			return i;
	}
	return -1;
}

void put_key_words(struct buf *b)
{
	for (size_t i = 0; row_key_words[i]; i++)
		buf_printf(b, "%s, ", row_key_words[i]);
	for (size_t i = 0; more_key_words[i]; i++)
		buf_printf(b, "%s, ", more_key_words[i]);
}

static int refuse_key(const char *option, const char *name, const char *const *first,
		      struct warnings *w)
{
	struct buf b = { 0 };

	for (size_t i = 0; first && first[i]; i++)
		buf_printf(&b, "%s, ", first[i]);
	put_key_words(&b);
	warn_add(w, SEV_FATAL, "unknown-key",
		 "report: --%s %s: expected %sor a field of a tracepoint, [EVENT.]FIELD[/raw]",
		 option, name, b.data);
	buf_release(&b);
	return ERR_USAGE;
}

/* The key NAME, as OPTION has it; negative: there is none. */
static int key_of(struct report *r, const char *name)
{
	int key = word_place(row_key_words, strcmp(name, "symbol") ? name : "sym");

	if (key >= 0)
		return key;
	key = more_keys_add(&r->more, name);
	return key < 0 ? key : ROW_KEYS + key;
}

static void add_usual_keys(struct report *r)
{
	struct rows_options *o = &r->rows.o;

	if (o->view == VIEW_FLAT)
		add_key(o, KEY_COMM);
	add_key(o, KEY_DSO);
	add_key(o, KEY_SYM);
}

static int take_group(struct report *r, struct warnings *w)
{
	int key = r->group ? key_of(r, r->group) : 0;

	if (key < 0)
		return refuse_key("group", r->group, NULL, w);
	if (r->group)
		add_key(&r->rows.o, (unsigned)key);
	return 0;
}

/* As perf has it, a '+' before the first name adds to the usual keys. */
static int take_sort(struct report *r, struct warnings *w)
{
	const struct name_list *l = &r->sort;

	if (l->count && l->list[0][0] == '+')
		add_usual_keys(r);
	for (size_t i = 0; i < l->count; i++) {
		const char *name = l->list[i] + (!i && l->list[i][0] == '+');
		int key;

		if (!strcmp(name, "trace_fields")) {
			r->more.all = true;
			continue;
		}
		key = key_of(r, name);
		if (key < 0)
			return refuse_key("sort", name, NULL, w);
		add_key(&r->rows.o, (unsigned)key);
	}
	return 0;
}

static void add_field(struct report *r, unsigned field)
{
	for (size_t i = 0; i < r->field_count; i++) {
		if (r->fields_shown[i] == field)
			return;
	}
	r->fields_shown[r->field_count++] = field;
}

static int take_fields(struct report *r, struct warnings *w)
{
	static const unsigned kinds[] = { FIELD_CHILDREN_PERCENT,
					  FIELD_PERCENT,
					  FIELD_MODE_PERCENT + ROW_USER,
					  FIELD_MODE_PERCENT + ROW_SYS,
					  FIELD_MODE_PERCENT + ROW_GUEST_USER,
					  FIELD_MODE_PERCENT + ROW_GUEST_SYS,
					  FIELD_WEIGHT,
					  FIELD_SAMPLES };
	const struct name_list *l = &r->fields;

	r->given_fields = l->count && l->list[0][0] != '+';
	for (size_t i = 0; i < l->count; i++) {
		const char *name = l->list[i] + (!i && l->list[i][0] == '+');
		int field = word_place(field_words, name), key;

		if (field >= 0) {
			add_field(r, kinds[field]);
			continue;
		}
		key = key_of(r, name);
		if (key < 0)
			return refuse_key("fields", name, field_words, w);
		add_field(r, FIELD_KEY + (unsigned)key);
		if (!r->given_fields && !r->rows.o.key_count)
			add_usual_keys(r);
		add_key(&r->rows.o, (unsigned)key);
	}
	return 0;
}

/* What --fields says is what there is; else the keys of --sort and --group, or the usual ones. A
 * parent that is looked for is a key, which perf shows, too. */
int report_take_keys(struct report *r, struct warnings *w)
{
	struct rows_options *o = &r->rows.o;
	int rc = take_group(r, w);

	if (rc == 0)
		rc = take_sort(r, w);
	if (rc == 0 && r->group && r->sort.count && o->key_count > 1)
		o->grouped = true;
	if (rc == 0)
		rc = take_fields(r, w);
	if (rc < 0)
		return rc;
	for (size_t i = 0; i < r->field_count; i++)
		o->by_mode |= r->fields_shown[i] >= FIELD_MODE_PERCENT &&
			      r->fields_shown[i] < FIELD_CHILDREN;
	if (!o->key_count && !r->given_fields && !r->more.all)
		add_usual_keys(r);
	if (r->parent)
		add_key(o, KEY_PARENT);
	for (size_t i = 0; r->given_fields && i < o->key_count; i++)
		add_field(r, FIELD_KEY + o->keys[i]);
	o->hierarchy = r->hierarchy;
	o->more_texts = ~0u;
	return 0;
}

void report_add_more_keys(struct report *r)
{
	for (unsigned key = ROW_KEYS; key < ROW_KEYS + r->more.count; key++) {
		add_key(&r->rows.o, key);
		r->rows.key_bits |= KEY_BIT(key);
	}
}
