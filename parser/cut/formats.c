/* Tracing data, as record/tracepoint.c has its layout, with one system: tp. */
#include "parser/cut/formats.h"
#include "parser/base/abi.h"
#include "parser/pack/rewrite.h"

#include <inttypes.h>
#include <string.h>

/* Of a page of the kernel's own buffer; perf wants some text there. */
static const char page[] = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
			   "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
			   "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
			   "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";

static void add_format(const struct capture *f, struct buf *out, uint64_t id)
{
	struct buf text = { 0 };

	buf_printf(&text,
		   "name: %" PRIu64 "\nID: %" PRIu64 "\nformat:\n"
		   "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		   "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		   "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		   "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
		   "\n\tfield:char payload[];\toffset:8;\tsize:0;\tsigned:0;\n"
		   "\nprint fmt: \"\"\n",
		   id, id);
	add_number(f, out, text.len, 8);
	buf_add(out, text.data, text.len);
	buf_release(&text);
}

/* Is the I-th event a tracepoint, the first of its number? */
static bool is_first(const struct event_list *l, size_t i)
{
	const struct event_attr *a = &l->descs[i]->attr;

	for (size_t j = 0; j < i; j++) {
		if (l->descs[j]->attr.type == EVENT_TYPE_TRACEPOINT &&
		    l->descs[j]->attr.config == a->config)
			return false;
	}
	return a->type == EVENT_TYPE_TRACEPOINT && a->config <= UINT32_MAX;
}

void formats_make(const struct capture *f, struct buf *out)
{
	const struct event_list *l = &f->events;
	uint32_t count = 0;

	for (size_t i = 0; i < l->count; i++)
		count += is_first(l, i);
	if (!count)
		return;
	buf_add(out, "\x17\x08\x44tracing0.6", 14);
	buf_add(out, (char[]){ f->header.big, 8 }, 2);
	add_number(f, out, 4096, 4);
	buf_add(out, "header_page", 12);
	add_number(f, out, sizeof(page) - 1, 8);
	buf_add(out, page, sizeof(page) - 1);
	buf_add(out, "header_event", 13);
	add_number(f, out, 0, 8);
	add_number(f, out, 0, 4); /* ftrace's own */
	add_number(f, out, 1, 4);
	buf_add(out, "tp", 3);
	add_number(f, out, count, 4);
	for (size_t i = 0; i < l->count; i++) {
		if (is_first(l, i))
			add_format(f, out, l->descs[i]->attr.config);
	}
	add_number(f, out, 0, 4); /* kallsyms */
	add_number(f, out, 0, 4); /* printk's formats */
	add_number(f, out, 0, 8); /* names of tasks */
}
