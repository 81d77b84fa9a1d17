/* Lines of -j, an object each: {"counter-value" : "1106.283911", "unit" : "msec", "event" :
 * "task-clock", "event-runtime" : 1106283911, "pcnt-running" : 100.00, "metric-value" : "0.998",
 * "metric-unit" : ...}. Numbers are texts in some versions. */
#include "analyzers/perfstat/stat_number.h"
#include "parser/base/mem.h"

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct stat_span text_of(const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);

	return json_is_string(v) ? (struct stat_span){ json_string_value(v), json_string_length(v) }
				 : (struct stat_span){ "", 0 };
}

/* "-1.5", 1.5 */
static bool real_of(const json_t *o, const char *key, double *out)
{
	const json_t *v = json_object_get(o, key);

	if (json_is_number(v))
		*out = json_number_value(v);
	return json_is_number(v) ? isfinite(*out) : real_parse(span_trim(text_of(o, key)), out);
}

/* Numbers of JSON have no more digits than a double. */
static bool value_of(const json_t *v, struct stat_number *out)
{
	double d = json_number_value(v);

	*out = (struct stat_number){ 0, 0 };
	if (json_is_string(v))
		return number_parse(
			(struct stat_span){ json_string_value(v), json_string_length(v) }, out);
	if (json_is_integer(v) && json_integer_value(v) >= 0) {
		out->digits = (uint64_t)json_integer_value(v);
		return true;
	}
	if (!json_is_real(v) || !(d >= 0 && d < 9e12))
		return false;
	*out = (struct stat_number){ (uint64_t)llround(d * 1e6), 6 };
	return true;
}

static void take_place(const json_t *o, struct stat_row *out)
{
	static const char *const keys[] = { "core", "die", "socket", "node", "cache", "cluster" };
	double n;

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys) && !out->place.len; i++)
		out->place = text_of(o, keys[i]);
	if (real_of(o, "aggregate-number", &n) && n >= 0 && n < 1e9)
		out->counters = (uint64_t)n;
	if (out->place.len)
		return;
	out->place = text_of(o, "cpu"); /* "0" */
	if (out->place.len)
		return;
	out->place = text_of(o, "thread");
	out->is_thread = out->place.len > 0;
}

static void take_rest(const json_t *o, struct stat_row *out)
{
	double n;

	out->has_time = real_of(o, "interval", &n) && n >= 0 && n < 1e10;
	out->time_ns = out->has_time ? (uint64_t)llround(n * 1e9) : 0;
	out->cgroup = text_of(o, "cgroup");
	out->has_error = real_of(o, "variance", &out->error_pct) && out->error_pct >= 0;
	out->has_running = real_of(o, "event-runtime", &n) && n >= 0 && n < 1.8e19;
	out->running_ns = out->has_running ? (uint64_t)n : 0;
	if (!real_of(o, "pcnt-running", &out->running_pct))
		out->running_pct = 100;
	out->metric_unit = span_trim(text_of(o, "metric-unit"));
	out->has_metric = out->metric_unit.len && !span_is(out->metric_unit, "(null)") &&
			  real_of(o, "metric-value", &out->metric);
}

/* In many languages perf writes 100,00, which is no JSON: with points in place of such commas. */
static json_t *without_commas(struct stat_span line)
{
	char *text = memcpy(xmalloc(line.len + 1), line.start, line.len);
	bool quoted = false;
	json_t *o;

	for (size_t i = 1; i + 1 < line.len; i++) {
		quoted ^= text[i] == '"' && text[i - 1] != '\\';
		if (!quoted && text[i] == ',' && isdigit((unsigned char)text[i - 1]) &&
		    isdigit((unsigned char)text[i + 1]))
			text[i] = '.';
	}
	o = json_loadb(text, line.len, 0, NULL);
	free(text);
	return o;
}

bool stat_row_object(struct stat_rows *r, struct stat_row *out, struct stat_span line)
{
	json_t *o = json_loadb(line.start, line.len, 0, NULL) ?: without_commas(line);
	const json_t *value = json_object_get(o, "counter-value");
	struct stat_span text = text_of(o, "counter-value");

	stat_rows_release(r);
	r->object = o;
	*out = (struct stat_row){ .form = STAT_JSON };
	if (!json_is_object(o))
		return false;
	take_place(o, out);
	take_rest(o, out);
	out->event = text_of(o, "event");
	out->unit = text_of(o, "unit");
	if (!out->event.len) {
		out->more = true;
		return out->has_metric;
	}
	return (text.len && state_parse(text, &out->state) == text.len) ||
	       value_of(value, &out->value);
}

void stat_rows_release(struct stat_rows *r)
{
	json_decref(r->object);
	r->object = NULL;
}
