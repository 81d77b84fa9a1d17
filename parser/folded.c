/* Reads folded text line by line through a source, and finds out whether it has one column of
 * weights or two. Lines that cannot be read are counted and skipped. */
#include "parser/folded.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "parser/file/source.h"
#include "parser/store.h"

#include <ctype.h>
#include <endian.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PEEK_SIZE      4096
#define BLOCK_SIZE     (1u << 17)
#define PART_BYTES     (1u << 20)  /* a smaller part is read before a thread has begun */
#define LINE_MAX_BYTES (64u << 20) /* longer ones are no stacks */

struct folded {
	struct source *source;
	struct warnings *warnings;
	unsigned columns;
	bool ended;
	uint64_t left;	 /* bytes of its part that are not read yet; of all: more than there are */
	bool passing;	 /* the rest of a line that is too long */
	struct buf text; /* bytes read; [pos, len) not handed out */
	size_t pos;
	uint64_t lines, ignored, ignored_line;
	bool has_unit;
	struct folded_unit unit;
	/* in place of all that is above: of OPERAND these ROWS (NULL: not yet); NULL: it is text */
	struct store *store;
	struct store_rows *rows;
	struct store_choice choice;
	bool by_part; /* folded_each() */
	const char *operand;
	char *path;
	struct folded_input input;
	size_t room; /* folded_set_limits() */
	unsigned jobs;
	struct warnings unheard; /* of a part: its source knows what failed */
};

#define UNIT_MARK "# pdtool"

#define NUMBER_SURE 18 /* digits that 64 bits hold, whatever they are */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The digits that end before END, in as many of the 8 bytes there as are digits. *N: how many. */
static uint64_t last_digits(const char *end, unsigned *n)
{
	uint64_t x, other;

	memcpy(&x, end - sizeof(x), sizeof(x));
	x = le64toh(x) ^ 0x3030303030303030; /* the last one is the highest byte */
	other = (((x & 0x7f7f7f7f7f7f7f7f) + 0x7676767676767676) | x) & 0x8080808080808080;
	*n = other ? (unsigned)__builtin_clzll(other) / 8 : 8;
	if (!*n)
		return 0;
	x &= UINT64_MAX << (64 - *n * 8);
	x = x * 10 + (x >> 8);
	return ((x & 0x000000ff000000ff) * (100 + (1000000ull << 32)) +
		(x >> 16 & 0x000000ff000000ff) * (1 + (10000ull << 32))) >>
	       32;
}

/* Take a number and the blanks before it off the end of [TEXT, *END): false when there is none.
 * Digits beyond what 64 bits and FOLDED_DECIMALS hold make it no number. */
static bool take_number(const char *text, const char **end, uint64_t *value, unsigned *decimals)
{
	const char *p = *end, *point = NULL;
	uint64_t sum = 0, scale = 1;
	unsigned few;

	/* mostly: what cannot be too much */
	if (p - text > (ptrdiff_t)sizeof(sum)) {
		sum = last_digits(p, &few);
		if (few && few < sizeof(sum) && p[-1 - (int)few] == ' ') {
			*value = sum;
			*decimals = 0;
			*end = p - few - 1;
			return true;
		}
		sum = 0;
	}
	for (; *end - p < NUMBER_SURE && p > text && is_digit(p[-1]); scale *= 10)
		sum += scale * (uint64_t)(*--p - '0');
	if (p < *end && p > text && p[-1] == ' ') {
		*value = sum;
		*decimals = 0;
		*end = p - 1;
		return true;
	}
	while (p > text && (is_digit(p[-1]) || (p[-1] == '.' && !point))) {
		p--;
		if (*p == '.')
			point = p;
	}
	if (p == *end || p == text || *p == '.' || !isspace((unsigned char)p[-1]))
		return false;
	*value = 0;
	for (const char *d = p; d < *end; d++) {
		if (d != point && (__builtin_mul_overflow(*value, 10, value) ||
				   __builtin_add_overflow(*value, (uint64_t)(*d - '0'), value)))
			return false;
	}
	*decimals = point ? (unsigned)(*end - point - 1) : 0;
	*end = p - 1;
	return *decimals <= FOLDED_DECIMALS;
}

static bool scale_up(uint64_t *value, unsigned digits)
{
	while (digits--) {
		if (__builtin_mul_overflow(*value, 10, value))
			return false;
	}
	return true;
}

static bool parse_line(const char *text, size_t len, unsigned columns, struct folded_line *out)
{
	const char *end = text + len;
	unsigned decimals[2] = { 0, 0 };

	*out = (struct folded_line){ 0 };
	while (end > text && !is_digit(end[-1]) && isspace((unsigned char)end[-1]))
		end--;
	for (unsigned i = columns; i--;) {
		if (!take_number(text, &end, &out->weight[i], &decimals[i]))
			return false;
		while (i && end > text && isspace((unsigned char)end[-1]))
			end--;
	}
	out->decimals = decimals[0] > decimals[1] ? decimals[0] : decimals[1];
	for (unsigned i = 0; i < columns; i++) {
		if (!scale_up(&out->weight[i], out->decimals - decimals[i]))
			return false;
	}
	/* one blank was the separator: as with flamegraph.pl, others belong to the name */
	out->stack = text;
	out->len = (size_t)(end - text);
	return true;
}

/* ---- the line about the weights ---- */

/* Append TEXT with what would end a word, a frame or the line as '_'. */
static void add_word(struct buf *out, const char *text)
{
	for (; *text; text++)
		buf_char(out, isgraph((unsigned char)*text) && *text != ';' ? *text : '_');
}

void folded_unit_write(const struct folded_unit *u, struct buf *out)
{
	buf_printf(out, UNIT_MARK " sample=%.17g unit=", u->sample);
	add_word(out, u->unit);
	buf_str(out, " event=");
	add_word(out, u->event);
	buf_str(out, " 0");
}

/* The value of KEY, up to the next blank, cut to the SIZE of OUT. */
static void word_of(const char *text, const char *key, char *out, size_t size)
{
	const char *at = strstr(text, key);
	size_t len = at ? strcspn(at + strlen(key), " ") : 0;

	if (len >= size)
		len = size - 1;
	if (len)
		memcpy(out, at + strlen(key), len);
	out[len] = '\0';
}

/* Of texts that were put together the lines must agree. */
static void add_unit(struct folded *f, struct folded_unit u)
{
	if (f->has_unit && memcmp(&f->unit, &u, sizeof(u)) != 0)
		u.sample = 0;
	f->has_unit = true;
	f->unit = u;
}

/* True: LINE, of weight 0, is no stack, but tells of the weights. */
static bool take_unit(struct folded *f, const struct folded_line *line)
{
	char text[512], sample[32];
	struct folded_unit u = { 0 };

	if (line->len >= sizeof(text) || line->len < strlen(UNIT_MARK) ||
	    memcmp(line->stack, UNIT_MARK, strlen(UNIT_MARK)) != 0)
		return false;
	memcpy(text, line->stack, line->len);
	text[line->len] = '\0';
	word_of(text, " sample=", sample, sizeof(sample));
	word_of(text, " unit=", u.unit, sizeof(u.unit));
	word_of(text, " event=", u.event, sizeof(u.event));
	u.sample = strtod(sample, NULL);
	if (!(u.sample > 0 && u.sample < 1e300))
		u.sample = 0;
	add_unit(f, u);
	return true;
}

const struct folded_unit *folded_unit(const struct folded *f)
{
	return f->has_unit ? &f->unit : NULL;
}

const struct folded_input *folded_input(const struct folded *f)
{
	return f->store ? &f->input : NULL;
}

static unsigned guess_columns(const char *text, size_t len)
{
	struct folded_line line;
	const char *eol;
	size_t whole = 0;

	for (; (eol = memchr(text, '\n', len)); len -= (size_t)(eol + 1 - text), text = eol + 1) {
		if (eol == text)
			continue;
		if (!parse_line(text, (size_t)(eol - text), 2, &line))
			return 1;
		whole++;
	}
	return whole ? 2 : 1;
}

/* Captures have a magic, and zero bytes close to the start; text has neither. */
static bool looks_like_capture(const char *peek, size_t len)
{
	static const char magics[][8] = { "PERFILE2", "2ELIFREP", "PERFFILE" };

	for (size_t i = 0; len >= 8 && i < ARRAY_SIZE(magics); i++) {
		if (!memcmp(peek, magics[i], 8))
			return true;
	}
	return memchr(peek, 0, len) != NULL;
}

/* The store whose path are the first LEN bytes of PATH, or a part of it: its stacks, in place of
 * lines. */
static int open_store(struct folded **out, const char *path, size_t len, struct warnings *w)
{
	struct folded *f = xcalloc(1, sizeof(*f));
	char *file = xstrdup(path);
	int rc;

	file[len] = '\0';
	rc = store_open(&f->store, file, STORE_READ, w);
	f->operand = path;
	f->path = xstrdup(path);
	f->warnings = w;
	f->columns = 1;
	if (rc == 0)
		rc = store_choice_parse(&f->choice, path + len + (path[len] == ':'), w);
	free(file);
	if (rc < 0) {
		folded_close(f);
		return rc;
	}
	*out = f;
	return 1;
}

/* The rows are of another part. */
static void take_part(struct folded *f)
{
	const char *part = store_rows_part(f->rows);
	struct buf path = { 0 };

	f->has_unit = store_rows_unit(f->rows, &f->unit);
	store_rows_input(f->rows, &f->input);
	if (!part)
		return;
	buf_printf(&path, "%s: ", f->operand);
	if (strcmp(f->choice.each, "capture"))
		buf_printf(&path, "%s=", f->choice.each);
	buf_str(&path, part);
	free(f->path);
	f->path = xstrdup(path.data);
	buf_release(&path);
}

static int open_rows(struct folded *f)
{
	int rc;

	if (f->rows)
		return 0;
	if (!f->by_part)
		f->choice.each = NULL;
	rc = store_rows_open(&f->rows, f->store, &f->choice, f->warnings);
	if (rc == 0)
		take_part(f);
	return rc;
}

int folded_each(struct folded *f, const char *key)
{
	f->by_part = f->store != NULL;
	f->choice.each = f->choice.each ?: key;
	return f->store ? open_rows(f) : 0;
}

void folded_function(struct folded *f, const char *name, bool together)
{
	f->choice.function = name;
	f->choice.together = together;
}

void folded_innermost(struct folded *f)
{
	f->choice.innermost = true;
}

const struct store_choice *folded_choice(const struct folded *f)
{
	return &f->choice;
}

bool folded_is_store(const struct folded *f)
{
	return f->store != NULL;
}

struct store *folded_store(const struct folded *f)
{
	return f->store;
}

struct store_rows *folded_rows(const struct folded *f)
{
	return f->rows;
}

const char *folded_part(const struct folded *f)
{
	return f->rows ? store_rows_part(f->rows) : NULL;
}

int folded_more(struct folded *f)
{
	int rc = f->by_part && f->choice.each ? store_rows_more(f->rows) : 0;

	if (rc == 1)
		take_part(f);
	return rc;
}

int folded_open(struct folded **out, struct source **source, const char *path, struct warnings *w)
{
	char peek[PEEK_SIZE];
	size_t n;
	int rc;

	*out = NULL;
	*source = NULL;
	n = access(path, F_OK) ? store_path_bytes(path) : 0;
	if (n)
		return open_store(out, path, n, w);
	rc = source_is_directory(path, w);
	if (rc)
		return rc < 0 ? rc : 0;
	rc = source_open(source, path, w);
	if (rc < 0)
		return rc;
	n = source_peek(*source, peek, sizeof(peek));
	if (store_is(peek, n) && strcmp(path, "-")) {
		source_close(*source);
		*source = NULL;
		return open_store(out, path, strlen(path), w);
	}
	if (looks_like_capture(peek, n))
		return 0;
	*out = xcalloc(1, sizeof(**out));
	(*out)->source = *source;
	(*out)->warnings = w;
	(*out)->columns = guess_columns(peek, n);
	(*out)->left = UINT64_MAX;
	*source = NULL;
	return 1;
}

void folded_close(struct folded *f)
{
	if (!f)
		return;
	store_rows_free(f->rows);
	store_choice_release(&f->choice);
	store_close(f->store);
	free(f->path);
	source_close(f->source);
	warnings_release(&f->unheard);
	buf_release(&f->text);
	free(f);
}

void folded_set_limits(struct folded *f, size_t bytes, unsigned jobs)
{
	f->room = bytes;
	f->jobs = jobs;
}

size_t folded_room(const struct folded *f)
{
	return f->room;
}

unsigned folded_jobs(const struct folded *f)
{
	return f->jobs;
}

const char *folded_path(const struct folded *f)
{
	return f->path ? f->path : source_path(f->source);
}

uint64_t folded_bytes(const struct folded *f)
{
	uint64_t size = f->source ? source_size(f->source) : UINT64_MAX;

	return size == UINT64_MAX ? 0 : size;
}

void folded_one_column(struct folded *f)
{
	f->columns = 1;
}

unsigned folded_columns(const struct folded *f)
{
	return f->columns;
}

static int read_more(struct folded *f)
{
	size_t want = f->left < BLOCK_SIZE ? (size_t)f->left : BLOCK_SIZE;
	ssize_t n;

	if (f->pos)
		memmove(f->text.data, f->text.data + f->pos, f->text.len - f->pos);
	f->text.len -= f->pos;
	f->pos = 0;
	n = source_read(f->source, buf_reserve(&f->text, BLOCK_SIZE), want, f->warnings);
	if (n < 0)
		return (int)n;
	f->text.len += (size_t)n;
	f->left -= (size_t)n;
	f->ended = n < (ssize_t)BLOCK_SIZE;
	return 0;
}

/* The LEN bytes at START are a line, or the end of one. */
static void hand_out(struct folded *f, const char *start, const char **text, size_t *len)
{
	f->passing |= *len > LINE_MAX_BYTES;
	*text = start;
	if (f->passing) {
		*text = "...";
		*len = 3;
	}
	f->passing = false;
	f->lines++;
}

int folded_line_text(struct folded *f, const char **text, size_t *len)
{
	size_t searched = 0;

	if (f->store)
		return 0;
	for (;;) {
		const char *start = f->text.data ? f->text.data + f->pos : NULL;
		size_t left = f->text.len - f->pos;
		const char *eol =
			left > searched ? memchr(start + searched, '\n', left - searched) : NULL;
		int rc;

		if (eol || (f->ended && (left || f->passing))) {
			*len = eol ? (size_t)(eol - start) : left;
			f->pos += *len + (eol != NULL);
			hand_out(f, start, text, len);
			return 1;
		}
		if (f->ended)
			return 0;
		if (left > LINE_MAX_BYTES) {
			f->passing = true;
			f->pos = f->text.len;
			left = 0;
		}
		searched = left;
		rc = read_more(f);
		if (rc < 0)
			return rc;
	}
}

/* No line end, nor anything else, needs to follow it. */
static bool is_blank(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && (text[n] == ' ' || text[n] == '\t' || text[n] == '\r'))
		n++;
	return n == len;
}

static int next_row(struct folded *f, struct folded_line *line)
{
	int rc = open_rows(f);

	*line = (struct folded_line){ 0 };
	return rc < 0 ? rc : store_rows_next(f->rows, &line->stack, &line->len, &line->weight[0]);
}

int folded_next(struct folded *f, struct folded_line *line)
{
	const char *text;
	size_t len;
	int rc;

	if (f->store)
		return next_row(f, line);
	while ((rc = folded_line_text(f, &text, &len)) == 1) {
		if (parse_line(text, len, f->columns, line)) {
			if (line->weight[0] || !take_unit(f, line))
				return 1;
			continue;
		}
		if (is_blank(text, len))
			continue;
		if (!f->ignored++)
			f->ignored_line = f->lines;
	}
	return rc;
}

int folded_check(const struct folded *f, struct warnings *w)
{
	bool none = f->ignored && f->ignored == f->lines;

	if (none)
		warn_add(w, SEV_FATAL, "folded",
			 "%s: neither a perf capture nor folded stacks (line 1: expected "
			 "\"frame;frame NUMBER\")",
			 source_path(f->source));
	else if (f->ignored)
		warn_add(w, SEV_WARN, "folded",
			 "%s: %" PRIu64 " of %" PRIu64 " lines are not stacks, the first is line "
			 "%" PRIu64,
			 source_path(f->source), f->ignored, f->lines, f->ignored_line);
	return none ? ERR_FORMAT : 0;
}

/* ---- in parts ---- */

/* Where the first line begins behind OFFSET. */
static uint64_t line_behind(struct source *s, uint64_t offset)
{
	char block[PEEK_SIZE];
	ssize_t n;

	while ((n = source_pread(s, block, sizeof(block), offset)) > 0) {
		const char *eol = memchr(block, '\n', (size_t)n);

		if (eol)
			return offset + (uint64_t)(eol + 1 - block);
		offset += (uint64_t)n;
	}
	return offset;
}

/* NULL: the file is not what it was. */
static struct folded *open_part(const struct folded *whole, uint64_t from, uint64_t bytes)
{
	struct folded *f = xcalloc(1, sizeof(*f));

	f->warnings = &f->unheard;
	f->columns = whole->columns;
	f->left = bytes;
	if (source_open(&f->source, source_path(whole->source), f->warnings) < 0 ||
	    !source_is(f->source, whole->source)) {
		folded_close(f);
		return NULL;
	}
	source_seek(f->source, from);
	return f;
}

size_t folded_split(struct folded *f, struct folded **parts, size_t n)
{
	uint64_t size = folded_bytes(f), first, from, to;
	size_t count = 0;

	if (f->store || !source_seekable(f->source) || !source_reopens(f->source))
		return 0;
	n = n < size / PART_BYTES ? n : (size_t)(size / PART_BYTES);
	first = from = n > 1 ? line_behind(f->source, size / n) : 0;
	for (size_t i = 1; i < n; i++, from = to, count++) {
		to = i + 1 < n ? line_behind(f->source, size / n * (i + 1)) : UINT64_MAX;
		parts[count] = open_part(f, from, to - from);
		if (!parts[count]) {
			folded_unsplit(f, parts, count);
			return 0;
		}
	}
	if (count)
		f->left = first;
	return count;
}

void folded_unsplit(struct folded *f, struct folded **parts, size_t n)
{
	f->left = UINT64_MAX;
	f->ended = false;
	for (size_t i = 0; i < n; i++)
		folded_close(parts[i]);
}

int folded_join(struct folded *f, struct folded **parts, size_t n)
{
	int rc = 0;

	for (size_t i = 0; i < n; i++) {
		const struct folded *part = parts[i];

		if (!f->ignored)
			f->ignored_line = f->lines + part->ignored_line;
		f->ignored += part->ignored;
		f->lines += part->lines;
		if (part->has_unit)
			add_unit(f, part->unit);
		rc = rc < 0 ? rc : source_failed(part->source, f->warnings);
		folded_close(parts[i]);
	}
	return rc;
}
