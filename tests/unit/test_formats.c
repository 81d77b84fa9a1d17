/* Every format on results made by hand, with plain and with hostile names. With an argument it
 * writes what it drew there, for those who want to look at it (tests/oracle/formats.sh). */
#include "formats/format.h"
#include "formats/grid_view.h"
#include "formats/shown.h"
#include "formats/svg/svg_draw.h"
#include "parser/base/buf.h"
#include "parser/base/mem.h"
#include "tests/lib/unit.h"
#include "tests/lib/wf_json.h"
#include "tests/lib/wf_xml.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

extern const struct format format_folded, format_text, format_csv, format_json;

static const char *directory;

/* ---- rendering ---- */

static void render_svg(const struct result *r, const struct style *style, struct out *out)
{
	(void)style;
	if (r->grid)
		svg_grid_draw(r, NULL, out);
	else
		svg_bars_draw(r, NULL, out);
}

static void keep(const char *name, const char *text)
{
	char path[512];
	int fd;

	if (!directory || !name)
		return;
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) && !close(fd));
}

/* What RENDER makes of R; to be freed. NAME: what the file is called if it is kept. */
static char *rendered(void (*render)(const struct result *, const struct style *, struct out *),
		      const struct result *r, const struct style *style, const char *name)
{
	int fd = memfd_create("out", MFD_CLOEXEC);
	struct out out;
	struct stat st;
	char *text;

	out_init(&out, fd);
	render(r, style, &out);
	CHECK(!out_finish(&out) && !fstat(fd, &st));
	text = xmalloc((size_t)st.st_size + 1);
	CHECK_EQ(pread(fd, text, (size_t)st.st_size, 0), st.st_size);
	text[st.st_size] = '\0';
	CHECK_EQ(strlen(text), st.st_size);
	close(fd);
	keep(name, text);
	return text;
}

#define RENDER(format, r, style, name) rendered((format).render, r, style, name)

/* What a CSV's --header sets. */
static const bool no_header, header = true;
static const struct style plain_style = { .options = &no_header },
			  colour_style = { .colour = true, .options = &no_header },
			  header_style = { .options = &header };

/* No line of a heat map is wider than a terminal, and there are no more than a screen of them. */
static void check_size(const struct result *r)
{
	char *text = RENDER(format_text, r, &plain_style, NULL);
	size_t lines = 0;

	for (char *line = text; *line; lines++) {
		char *end = strchr(line, '\n');

		*end = '\0';
		CHECK(shown_width(line) <= 100);
		line = end + 1;
	}
	CHECK(lines <= 30 + 12);
	free(text);
}

/* Through every format that can take it, and each is well-formed. */
static void check_all(const struct result *r, const char *name)
{
	char file[128], *text;

	snprintf(file, sizeof(file), "%s.json", name);
	text = RENDER(format_json, r, &plain_style, file);
	CHECK_STR(wf_json(text) ? wf_json(text) : "well-formed", "well-formed");
	CHECK(!wf_terminal(text, false));
	free(text);
	snprintf(file, sizeof(file), "%s.csv", name);
	text = RENDER(format_csv, r, &header_style, file);
	CHECK(!wf_terminal(text, false));
	free(text);
	if (!r->table && !r->grid)
		return;
	snprintf(file, sizeof(file), "%s.txt", name);
	text = RENDER(format_text, r, &plain_style, file);
	CHECK(!wf_terminal(text, false));
	free(text);
	snprintf(file, sizeof(file), "%s.colour.txt", name);
	text = RENDER(format_text, r, &colour_style, file);
	CHECK(!wf_terminal(text, true));
	free(text);
	snprintf(file, sizeof(file), "%s.svg", name);
	text = rendered(render_svg, r, &plain_style, file);
	CHECK_STR(wf_xml(text) ? wf_xml(text) : "well-formed", "well-formed");
	CHECK(strstr(strstr(text, "</style>"), "<script>"));
	free(text);
}

/* ---- the checkers themselves ---- */

static void test_checkers(void)
{
	static const char *const json_good[] = { "{}", " [1,-0.5e3,\"a\\u00e9\\n\",null] ",
						 "{\"a\":{\"b\":[[],{}]},\"c\":true}" };
	static const char *const json_bad[] = {
		"",	      "{",     "[1,]",	"{\"a\":}",	      "[01]",	   "[\"\x01\"]",
		"[\"\xff\"]", "[nan]", "{} {}", "[\"\xed\xa0\x80\"]", "[\"\\x\"]", "{a:1}"
	};
	static const char *const xml_good[] = {
		"<?xml version=\"1.0\"?>\n<a b=\"&lt;\"><c/>d</a>\n", "<a><![CDATA[<b>]]></a>"
	};
	static const char *const xml_bad[] = { "<a>",	      "<a></b>",      "<a b=c/>",
					       "<a>&x;</a>",  "<a>\x1b</a>",  "<a/><b/>",
					       "<a>\xff</a>", "<a b=\"<\"/>", "x<a/>" };

	for (size_t i = 0; i < ARRAY_SIZE(json_good); i++)
		CHECK(!wf_json(json_good[i]));
	for (size_t i = 0; i < ARRAY_SIZE(json_bad); i++)
		CHECK(wf_json(json_bad[i]));
	for (size_t i = 0; i < ARRAY_SIZE(xml_good); i++)
		CHECK(!wf_xml(xml_good[i]));
	for (size_t i = 0; i < ARRAY_SIZE(xml_bad); i++)
		CHECK(wf_xml(xml_bad[i]));
	CHECK(!wf_terminal("a\033[1;31mb\n", true));
	CHECK(wf_terminal("a\033[1;31mb\n", false) && wf_terminal("\033]0;x\a", true));
	CHECK(wf_terminal("\xc2\x9b", true) && wf_terminal("\r", true));
}

/* ---- results made by hand ---- */

static const struct fact some_facts[] = { { "capture", "perf.data" },
					  { "event", "cpu-clock" },
					  { "event", "\"task\"\tclock\\" },
					  { "unresolved", "3.1 %" } };

static struct result with_facts(const char *title)
{
	return (struct result){ .title = title,
				.count_name = "samples",
				.facts = some_facts,
				.fact_count = ARRAY_SIZE(some_facts) };
}

static struct cells packed(const struct cell *list, size_t count)
{
	struct cells c = { 0 };

	for (size_t i = 0; i < count; i++)
		cells_add(&c, &list[i]);
	return c;
}

/* ---- json and csv, to the letter ---- */

static void test_table(void)
{
	static const struct column columns[] = { { "name", COLUMN_TEXT, 0, NULL },
						 { "count", COLUMN_COUNT, 0, NULL },
						 { "change", COLUMN_DELTA, 0, NULL },
						 { "share_percent", COLUMN_REAL, 2, NULL } };
	static const struct cell cells[] = {
		{ .text = "a,\"b\"" },
		{ .count = UINT64_MAX },
		{ .delta = INT64_MIN },
		{ .real = 12.345 },
		{ .text = "\x1b[31m\xff\xe2\x80\xa8</script>" },
		{ .empty = true },
		{ .delta = 5 },
		{ .real = NAN },
		{ .text = NULL },
		{ .count = 0 },
		{ .empty = true, .text = "new" },
		{ .real = INFINITY },
	};
	static const uint8_t marks[] = { MARK_MORE, MARK_NONE, MARK_NOISE };
	struct cells all = packed(cells, ARRAY_SIZE(cells));
	const struct table_part t = { columns, 4, &all, 3, marks, 1, 0, NULL };
	struct result r = with_facts("A \"title\"");
	char *text;

	r.table = &t;
	check_all(&r, "table");
	text = RENDER(format_json, &r, &plain_style, NULL);
	CHECK_STR(text,
		  "{\"title\":\"A \\\"title\\\"\",\n\"count_name\":\"samples\",\n\"facts\":{\n"
		  "\"capture\":\"perf.data\",\n\"event\":[\"cpu-clock\","
		  "\"\\\"task\\\"\\u0009clock\\\\\"],\n\"unresolved\":\"3.1 %\"},\n"
		  "\"table\":{\"columns\":[\"name\",\"count\",\"change\",\"share_percent\"],\n"
		  "\"types\":[\"text\",\"count\",\"delta\",\"real\"],\n\"rows\":[\n"
		  "[\"a,\\\"b\\\"\",18446744073709551615,-9223372036854775808,12.35],\n"
		  "[\"\\u001b[31m\xef\xbf\xbd\\u2028\\u003c/script>\",null,5,null],\n"
		  "[null,0,\"new\",null]],\n\"marks\":[\"more\",\"none\",\"noise\"]}}\n");
	free(text);
	text = RENDER(format_csv, &r, &plain_style, NULL);
	CHECK_STR(text, "name,count,change,share_percent\n"
			"\"a,\"\"b\"\"\",18446744073709551615,-9223372036854775808,12.35\n"
			"\xef\xbf\xbd[31m\xef\xbf\xbd\xe2\x80\xa8</script>,,5,\n,0,new,\n");
	free(text);
	cells_release(&all);
}

static void test_stacks(void)
{
	static const char *const names[] = { "main", "unused", "a \"b\"", "c" };
	static const uint32_t frames[] = { 0, 3, 0, 3, 2 };
	static const struct stack_row rows[] = { { 1250, 0, 2, 0 }, { 7, 2, 3, 2 } };
	static const uint64_t before[] = { 3, 0 };
	struct stacks_part p = { names, frames, rows, 2, 2, NULL, 1, NULL, NULL };
	struct result r = { .stacks = &p };
	char *text;

	check_all(&r, "stacks");
	text = RENDER(format_json, &r, &plain_style, NULL);
	CHECK_STR(text,
		  "{\"title\":null,\n\"count_name\":null,\n\"facts\":{},\n\"stacks\":{"
		  "\"names\":[\"main\",\"c\",\"a \\\"b\\\"\"],\n\"rows\":[\n"
		  "{\"stack\":[0,1],\"weight\":12.5},\n{\"stack\":[0,1,2],\"weight\":0.07}]}}\n");
	free(text);
	text = RENDER(format_csv, &r, &plain_style, NULL);
	CHECK_STR(text, "stack,weight\nmain;c,12.5\n\"main;c;a \"\"b\"\"\",0.07\n");
	free(text);
	p.before = before;
	p.scale = 0.5;
	check_all(&r, "stacks2");
	text = RENDER(format_csv, &r, &plain_style, NULL);
	CHECK_STR(text, "stack,before,after\nmain;c,0.015,12.5\n\"main;c;a \"\"b\"\"\",0,0.07\n");
	free(text);
	text = RENDER(format_json, &r, &plain_style, NULL);
	CHECK(strstr(text, "\"scale\":0.5,\n\"rows\":[\n{\"stack\":[0,1],\"before\":0.03,"));
	free(text);
	text = RENDER(format_folded, &r, &plain_style, NULL);
	CHECK_STR(text, "main;c 0.015 12.5\nmain;c;a \"b\" 0 0.07\n");
	free(text);
}

static void test_timeline(void)
{
	static const char *const names[] = { "x", "run" };
	static const struct span spans[] = { { 5, 9, 1, 0 }, { 6, 7, 1, 1 } };
	static const struct lane lanes[] = { { "cpu 0", spans, 2, 2 }, { "cpu 1", NULL, 0, 0 } };
	const struct timeline_part t = { .names = names,
					 .lanes = lanes,
					 .lane_count = 2,
					 .start_ns = 5,
					 .end_ns = 9,
					 .unit = "ns" };
	struct result r = { .timeline = &t };
	char *text;

	check_all(&r, "timeline");
	text = RENDER(format_json, &r, &plain_style, NULL);
	CHECK(strstr(text,
		     "\"timeline\":{\"unit\":\"ns\",\"start\":5,\"end\":9,\"names\":[\"run\"],\n"
		     "\"lanes\":[\n{\"name\":\"cpu 0\",\"spans\":[\n[5,9,0,0],\n[6,7,1,0]]},\n"
		     "{\"name\":\"cpu 1\",\"spans\":[]}]}}\n"));
	free(text);
	text = RENDER(format_csv, &r, &plain_style, NULL);
	CHECK_STR(text, "lane,depth,start_ns,end_ns,name\ncpu 0,0,5,9,run\ncpu 0,1,6,7,run\n");
	free(text);
}

/* ---- grids ---- */

static void test_small_grid(void)
{
	static const uint64_t edges[] = { 0, 10, 100, 1000 };
	static const uint64_t cells[] = { 1, 0, 4, 0, 0, 9, 16, 0, 0, 0, 0, 1 };
	static const struct grid_gap gaps[] = { { 25, 28, "lost" } };
	const struct grid_part g = { .x = { "time_ns", COLUMN_TIME_NS, 0, NULL },
				     .x_first = 10,
				     .x_step = 10,
				     .columns = 4,
				     .y = { "latency_ns", COLUMN_NS, 0, NULL },
				     .rows = 3,
				     .edges = edges,
				     .cells = cells,
				     .cell = { "count", COLUMN_COUNT, 0, NULL },
				     .gaps = gaps,
				     .gap_count = 1 };
	struct result r = { .grid = &g };
	char *text;

	check_all(&r, "small");
	text = RENDER(format_text, &r, &plain_style, NULL);
	CHECK_STR(text, "Count by Time in steps of 10 ns and Latency from\n"
			"100 ns | / \xe2\x96\x92|\n 10 ns | \xe2\x96\x88\xe2\x96\x88 |\n"
			"  0 ns |\xe2\x96\x92/\xe2\x96\x93 |\n       +----+\n"
			"            50 ns\n"
			"\xe2\x96\x92 from 1  \xe2\x96\x93 from 4  \xe2\x96\x88 from 9\n"
			"most 16, total 31\n"
			"/ gap: lost\n");
	free(text);
	text = RENDER(format_json, &r, &plain_style, NULL);
	CHECK(strstr(text, "\"grid\":{\"x\":{\"name\":\"time_ns\",\"first\":10,\"step\":10,"
			   "\"columns\":4},\n\"y\":{\"name\":\"latency_ns\","
			   "\"edges\":[0,10,100,1000]},\n\"cell_name\":\"count\",\"cells\":[\n"
			   "[1,0,4,0],\n[0,9,16,0],\n[0,0,0,1]],\n"
			   "\"gaps\":[{\"start\":25,\"end\":28,\"cause\":\"lost\"}]}}\n"));
	free(text);
	text = rendered(render_svg, &r, &plain_style, NULL);
	CHECK(strstr(text, "<title>30 ns to 40 ns\n10 ns to 100 ns\n16: 51.61% of all, 80.00% of "
			   "the column\nup to here 20: 100.00% of the column</title>"));
	CHECK(strstr(text, "<title>gap: lost\n25 ns to 28 ns</title>"));
	CHECK(strstr(text, "data-n=\"10 ns to 100 ns\" data-v=\"0 9 16 0\""));
	free(text);
}

/* More lanes than are drawn, on the axes of their sum: lane I has I + 1 in one cell. */
static void test_lanes(void)
{
	static const uint64_t edges[] = { 0, 10, 100 };
	uint64_t cells[20][6] = { { 0 } }, sums[6] = { 0 };
	struct grid_part lanes[20], g = { .x = { "time_ns", COLUMN_TIME_NS, 0, NULL },
					  .x_step = 10,
					  .columns = 3,
					  .y = { "latency_ns", COLUMN_NS, 0, NULL },
					  .rows = 2,
					  .edges = edges,
					  .cells = sums,
					  .cell = { "count", COLUMN_COUNT, 0, NULL } };
	static const struct grid_event events[] = { { 15, 9, 64, 0, 1 },
						    { 11, 9, 72, 1, 1 },
						    { 29, 3, UINT64_MAX, 0, 2 } };
	static const char *const labels[] = { "R, <fio>", "W" };
	struct result r = { .grid = &g, .grid_lanes = lanes };
	char names[20][16], *text;

	for (size_t i = 0; i < 20; i++) {
		snprintf(names[i], sizeof(names[i]), "disk<%zu>", i);
		cells[i][i % 6] = i + 1;
		sums[i % 6] += i + 1;
		lanes[i] = g;
		lanes[i].name = names[i];
		lanes[i].cells = cells[i];
	}
	g.events = events;
	g.event_count = 3;
	g.event_total = 210;
	g.event_labels = labels;
	g.event_label_count = 2;
	g.event_number = (struct column){ "sector", COLUMN_ID, 0, NULL };
	r.grid_lane_count = 3;
	check_all(&r, "lanes");
	text = rendered(render_svg, &r, &plain_style, NULL);
	CHECK(strstr(text, "data-v=\"1 1 0 15 9 64 0|1 1 0 11 9 72 1|"
			   "2 2 0 29 3 18446744073709551615 0\">"
			   "<g data-n=\"R, &lt;fio&gt;\"/><g data-n=\"W\"/></g>"));
	free(text);
	text = RENDER(format_json, &r, &plain_style, NULL);
	CHECK(strstr(text, "\n\"grid_lanes\":[\n{\"name\":\"disk<0>\",\"cells\":[\n[1,0,0],\n"
			   "[0,0,0]]},\n{\"name\":\"disk<1>\",\"cells\":[\n[0,2,0],"));
	free(text);
	r.grid_lane_count = 20;
	check_all(&r, "lanes20");
	text = RENDER(format_text, &r, &plain_style, NULL);
	CHECK(strstr(text, "disk<15>") && !strstr(text, "disk<16>"));
	CHECK(strstr(text, "\n4 more lanes are not shown\n"));
	/* one scale: 16 is the most of what is shown, and 1 is not as dark */
	CHECK(strstr(text, "\ndisk<0>\n10 ns |   |\n 0 ns |\xe2\x96\x92  |\n"));
	free(text);
	text = rendered(render_svg, &r, &plain_style, NULL);
	CHECK(strstr(text, ">disk&lt;15&gt;<") && !strstr(text, ">disk&lt;16&gt;<"));
	CHECK(strstr(text, "4 more lanes are not drawn"));
	CHECK(strstr(text, ">16<"));
	free(text);
}

struct made_grid {
	struct grid_part g;
	uint64_t *cells;
	uint64_t edges[256];
	const char *labels[256];
	char names[256][32];
};

static void make_grid(struct made_grid *m, size_t columns, size_t rows)
{
	memset(m, 0, sizeof(*m));
	m->cells = xcalloc(columns * rows + 1, sizeof(*m->cells));
	m->g = (struct grid_part){ .x = { "time_ns", COLUMN_TIME_NS, 0, NULL },
				   .x_first = 5123456000000,
				   .x_step = 100000000,
				   .columns = columns,
				   .y = { "latency_ns", COLUMN_NS, 0, NULL },
				   .rows = rows,
				   .edges = m->edges,
				   .cells = m->cells,
				   .cell = { "count", COLUMN_COUNT, 0, NULL } };
	for (size_t i = 0; i <= rows; i++)
		m->edges[i] = i ? (uint64_t)(1000 * pow(1e5, (double)i / (double)rows)) : 1000;
	for (size_t i = 0; i < rows; i++) {
		snprintf(m->names[i], sizeof(m->names[i]), "function_%zu<int>", i);
		m->labels[i] = m->names[i];
	}
}

static void test_ranges(void)
{
	uint64_t p50[90], p99[90], depth[90];
	const struct grid_series lines[] = { { { "p50_ns", COLUMN_NS, 0, NULL }, p50 },
					     { { "p99_ns", COLUMN_NS, 0, NULL }, p99 } };
	const struct grid_series strips[] = { { { "depth", COLUMN_COUNT, 0, NULL }, depth },
					      { { "busy_ns", COLUMN_NS, 0, NULL }, p99 } };
	static const struct grid_gap gaps[] = {
		{ 5125000000000, 5125900000000, "throttled" },
		{ 5126000000000, 5126100000000, "lost" },
	};
	struct result r = with_facts("Latency of block I/O");
	struct made_grid m;
	uint64_t seed = 1;
	char *text;

	make_grid(&m, 90, 40);
	for (size_t i = 0; i < 60000; i++) {
		double u = ((double)unit_random(&seed) + 1) / 2147483649.0;
		double v = ((double)unit_random(&seed) + 1) / 2147483649.0;
		size_t c = (size_t)(unit_random(&seed) % 90);
		double y = 14 + 6 * sqrt(-2 * log(u)) * cos(6.2831853 * v) + 8 * sin((double)c / 9);

		if ((c < 15 || c > 25) && y >= 0 && y < 40)
			m.cells[(size_t)y * 90 + c]++;
	}
	for (size_t i = 0; i < 90; i++) {
		p50[i] = i < 15 || i > 25 ? 100000 + 80000 * (i % 7) : GRID_NONE;
		p99[i] = i < 15 || i > 25 ? p50[i] * 40 : GRID_NONE;
		depth[i] = i % 32;
	}
	m.g.lines = lines;
	m.g.strips = strips;
	m.g.line_count = m.g.strip_count = 2;
	m.g.gaps = gaps;
	m.g.gap_count = 2;
	m.g.has_wall = m.g.wall_is_exact = true;
	m.g.wall_ns = 1763720000000000000;
	r.grid = &m.g;
	check_all(&r, "ranges");
	check_size(&r);
	text = RENDER(format_json, &r, &plain_style, NULL);
	CHECK(strstr(text, "],\n\"lines\":[\n{\"name\":\"p50_ns\",\"values\":[100000,180000,"));
	CHECK(strstr(text, ",null,null,"));
	CHECK(strstr(text, "],\n\"strips\":[\n{\"name\":\"depth\",\"values\":[0,1,2,3,"));
	free(text);
	free(m.cells);
}

static void test_labels(void)
{
	struct result r = with_facts("CPU time by function");
	struct made_grid m;
	uint64_t seed = 2;

	make_grid(&m, 150, 70);
	m.g.labels = m.labels;
	m.g.edges = NULL;
	m.g.y = (struct column){ "name", COLUMN_TEXT, 0, NULL };
	m.g.cell = (struct column){ "cpu_ns", COLUMN_NS, 0, NULL };
	m.g.stacked = true;
	m.g.has_wall = true;
	m.g.wall_ns = 1763720000000000000;
	for (size_t i = 0; i < 150 * 70; i++) {
		double wave = 1 + sin((double)(i % 150) / 20 + (double)(i / 150));

		m.cells[i] = (uint64_t)(wave * 60) * (unit_random(&seed) % 1000000) / (1 + i / 150);
	}
	r.grid = &m.g;
	check_all(&r, "labels");
	check_size(&r);
	free(m.cells);
}

/* The largest that is drawn cell by cell, and more than that. */
static void test_big(void)
{
	struct result r = with_facts(NULL);
	struct made_grid m;
	uint64_t seed = 3;

	make_grid(&m, 2000, 200);
	for (size_t i = 0; i < 2000 * 200; i++)
		m.cells[i] = unit_random(&seed) % 1000 * (unit_random(&seed) % 1000);
	r.grid = &m.g;
	check_all(&r, "big");
	check_size(&r);
	free(m.cells);
	make_grid(&m, 7001, 250);
	for (size_t i = 0; i < 7001; i++)
		m.cells[i % 250 * 7001 + i] = UINT64_MAX / 2;
	r.grid = &m.g;
	check_all(&r, "huge");
	check_size(&r);
	free(m.cells);
}

/* Nothing, one of each, and numbers at the end of what there is. */
static void test_odd_grids(void)
{
	static const size_t sizes[][2] = { { 0, 0 }, { 0, 3 }, { 3, 0 }, { 1, 1 } };
	struct result r = { 0 };
	struct made_grid m;

	for (size_t i = 0; i < 8; i++) {
		make_grid(&m, sizes[i % 4][0], sizes[i % 4][1]);
		m.g.labels = i < 4 ? NULL : m.labels;
		m.g.stacked = i >= 4;
		r.grid = &m.g;
		check_all(&r, "odd");
		m.cells[0] = UINT64_MAX;
		m.g.x_first = UINT64_MAX - 5;
		m.g.x_step = UINT64_MAX;
		m.edges[m.g.rows] = UINT64_MAX;
		m.g.has_wall = true;
		m.g.wall_ns = i % 2 ? INT64_MIN : INT64_MAX;
		check_all(&r, "odd");
		free(m.cells);
	}
}

static void test_view(void)
{
	static const uint64_t values[] = { 1,	      9, GRID_NONE, GRID_NONE, GRID_NONE,
					   GRID_NONE, 3, 4,	    5,	       7 };
	static const struct grid_series series = { { "depth", COLUMN_COUNT, 0, NULL }, values };
	struct made_grid m;
	struct grid_view v;
	char text[GRID_RANGE_TEXT];
	uint64_t sum = 0;

	make_grid(&m, 10, 7);
	for (size_t i = 0; i < 70; i++)
		sum += m.cells[i] = i * i;
	grid_view_init(&v, &m.g, 4, 3);
	CHECK_EQ(v.columns, 4);
	CHECK_EQ(v.rows, 3);
	CHECK_EQ(v.total, sum);
	CHECK_EQ(v.cells[0], 0 + 1 + 4 + 100 + 121 + 144 + 400 + 441 + 484);
	CHECK_EQ(grid_view_series(&v, &series, 0), 9);
	CHECK_EQ(grid_view_series(&v, &series, 1), GRID_NONE);
	CHECK_EQ(grid_view_series(&v, &series, 3), 7);
	CHECK_EQ(grid_view_edge(&v, 3), m.edges[7]);
	CHECK_EQ(grid_view_x(&v, 4), 5124456000000);
	CHECK_EQ(grid_view_column(&v, 5124455999999), 3);
	CHECK_EQ(grid_view_column(&v, 5124456000000), 4);
	grid_view_release(&v);
	m.g.labels = m.labels;
	grid_view_init(&v, &m.g, 10, 3);
	CHECK_EQ(v.rows, 3);
	CHECK_EQ(v.rest, 5);
	CHECK_EQ(v.total, sum);
	CHECK_STR(grid_view_row_name(&v, 0, text), m.labels[5]);
	CHECK_STR(grid_view_row_name(&v, 1, text), m.labels[6]);
	CHECK_STR(grid_view_row_name(&v, 2, text), "(5 more)");
	grid_view_release(&v);
	free(m.cells);
}

/* ---- bars ---- */

static void test_bars(void)
{
	static const struct column columns[] = { { "comm", COLUMN_TEXT, 0, NULL },
						 { "symbol", COLUMN_TEXT, 0, NULL },
						 { "self_ns", COLUMN_NS, 0, NULL },
						 { "delta", COLUMN_DELTA, 0, NULL } };
	static char names[250][40];
	static struct cell cells[250 * 4];
	static uint8_t marks[250];
	struct cells all;
	struct table_part t = { columns, 4, &all, 250, marks, 2, 0, NULL };
	struct result r = with_facts("Hottest functions");
	char *text;

	for (size_t i = 0; i < 250; i++) {
		snprintf(names[i], sizeof(names[i]), "std::vector<T%zu>::push_back", i);
		cells[i * 4].text = i % 3 ? "server" : "client";
		cells[i * 4 + 1].text = names[i];
		cells[i * 4 + 2].count = 100000000 / (i + 1);
		cells[i * 4 + 3].delta = 10 - (int64_t)i * (i % 2 ? 1 : -2);
		marks[i] = (uint8_t)(i % 4);
	}
	all = packed(cells, ARRAY_SIZE(cells));
	r.table = &t;
	check_all(&r, "bars");
	text = rendered(render_svg, &r, &plain_style, NULL);
	CHECK(strstr(text, ">50 more rows are not drawn; Self (ms): "));
	CHECK(strstr(text, ">Self (ms)</text>") && strstr(text, ">100.000</text>"));
	free(text);
	text = RENDER(format_text, &r, &((const struct style){ .width = 45, .height = 24 }), NULL);
	CHECK(strstr(text, "\n100.000  client   std::vector<T0>::push_back\n"));
	free(text);
	t.bar_column = 3;
	t.row_count = 40;
	check_all(&r, "bars_delta");
	t = (struct table_part){ 0 };
	check_all(&r, "bars_none");
	cells_release(&all);
}

/* ---- hostile names ---- */

static char *hostile_name(uint64_t *seed)
{
	static const char *const pieces[] = { "\"",
					      "'",
					      "<",
					      ">",
					      "&",
					      "]]>",
					      "\\",
					      "\x1b[2J",
					      "\xc2\x9b",
					      "\r",
					      "\n",
					      "\t",
					      "\x7f",
					      "\xff",
					      "\xed\xa0\x80",
					      "\xc0\xaf",
					      "\xf4\x90\x80\x80",
					      "\xf0\x80\x80\x80",
					      "\xef\xbf\xbf",
					      "\xe2\x80\xa8",
					      "</text><script>window.ran=1</script>",
					      "--",
					      "${x}",
					      "\xe2",
					      "\x01",
					      "&#0;",
					      "|",
					      ",",
					      "0*5",
					      "%s%n",
					      "<!--",
					      "\xe2\x80\xae",
					      "a",
					      "function" };
	struct buf b = { 0 };
	size_t want = unit_random(seed) % 50 ? unit_random(seed) % 40 : 65536;

	buf_str(&b, "");
	while (b.len < want)
		buf_str(&b, pieces[unit_random(seed) % ARRAY_SIZE(pieces)]);
	return b.data;
}

#define HOSTILE 24

static void check_hostile(char **n, size_t round, uint64_t *seed)
{
	char name[32];
	const struct fact facts[] = { { n[0], n[1] }, { n[0], n[2] }, { n[3], n[4] } };
	const struct column columns[] = { { n[5], COLUMN_TEXT, 0, NULL },
					  { n[6], COLUMN_REAL, 3, NULL },
					  { n[7], COLUMN_TEXT, 0, NULL } };
	const struct cell cells[] = { { .text = n[8] },	 { .real = -1e300 }, { .text = n[9] },
				      { .text = n[10] }, { .real = 1e300 },  { .text = n[11] } };
	const uint64_t amounts[] = { unit_random(seed), 0, 3, unit_random(seed) };
	const char *const labels[] = { n[12], n[13] };
	const struct grid_gap gap = { 1, 2, n[14] };
	const struct grid_series series = { { n[22], COLUMN_NS, 0, NULL }, amounts };
	const uint32_t frames[] = { 0, 1 };
	const struct stack_row row = { 1, 0, 2, 0 };
	const char *const frame_names[] = { n[15], n[16] };
	const struct span span = { 1, 2, 1, 0 };
	const struct lane lane = { n[17], &span, 1, 1 };
	struct cells all = packed(cells, ARRAY_SIZE(cells));
	const struct table_part t = { columns, 3, &all, 2, NULL, 1, 0, NULL };
	const struct stacks_part s = { frame_names, frames, &row, 1, 0, NULL, 1, NULL, NULL };
	const uint8_t kinds[] = { SPAN_TASK, SPAN_DISK };
	const char *const groups[] = { NULL, n[19] };
	const struct arrow arrow = { 0, 1, 0, 0, n[14] };
	const struct timeline_part tl = { .names = frame_names,
					  .lanes = &lane,
					  .lane_count = 1,
					  .end_ns = 5,
					  .unit = n[18],
					  .noun = n[13],
					  .kinds = kinds,
					  .groups = round % 2 ? groups : NULL,
					  .grouped = "commands",
					  .empty = "idle",
					  .arrows = &arrow,
					  .arrow_count = 1,
					  .step_ns = 7 };
	struct grid_part g = { .x = { n[19], COLUMN_TIME_NS, 0, NULL },
			       .x_step = 1,
			       .columns = 2,
			       .y = { n[20], COLUMN_TEXT, 0, NULL },
			       .rows = 2,
			       .labels = labels,
			       .cells = amounts,
			       .cell = { n[21], COLUMN_BYTES, 0, NULL },
			       .gaps = &gap,
			       .gap_count = 1,
			       .strips = &series,
			       .strip_count = 1,
			       .stacked = true };
	const struct result results[] = {
		{ .table = &t }, { .grid = &g }, { .stacks = &s }, { .timeline = &tl }
	};

	for (size_t i = 0; i < ARRAY_SIZE(results); i++) {
		struct result r = results[i];

		r.title = n[22];
		r.count_name = n[23];
		r.facts = facts;
		r.fact_count = ARRAY_SIZE(facts);
		snprintf(name, sizeof(name), "hostile%zu", round % 8 * 4 + i);
		check_all(&r, name);
	}
	cells_release(&all);
}

static void test_hostile(void)
{
	char *names[HOSTILE];
	uint64_t seed = 7;

	for (size_t round = 0; round < 200; round++) {
		for (size_t i = 0; i < HOSTILE; i++)
			names[i] = hostile_name(&seed);
		check_hostile(names, round, &seed);
		for (size_t i = 0; i < HOSTILE; i++)
			free(names[i]);
	}
}

int main(int argc, char **argv)
{
	directory = argc > 1 ? argv[1] : NULL;
	test_checkers();
	test_table();
	test_stacks();
	test_timeline();
	test_small_grid();
	test_lanes();
	test_view();
	test_ranges();
	test_labels();
	test_big();
	test_odd_grids();
	test_bars();
	test_hostile();
	return unit_end();
}
