/* parser/trace/callstack: depths of calls, by what traces show of them. */
#include <stdint.h>

#include "parser/pdtool_record.h"
#include "parser/trace/callstack.h"
#include "tests/lib/unit.h"

#define CALL   PDT_FLOW_CALL
#define RETURN PDT_FLOW_RETURN

static struct call_stacks stacks;
static uint32_t tid = 7, cpu = UINT32_MAX;

/* Of a branch of five bytes. */
static uint32_t go(uint64_t from, uint64_t to, uint32_t flags)
{
	const struct trace_event e = {
		.flow = { FLOW_BRANCH, PDT_FLOW_BRANCH | flags, from, to, .insn_size = 5 },
		.pid = tid,
		.tid = tid,
		.cpu = cpu,
	};

	return call_stacks_next(&stacks, &e);
}

static void test_calls(void)
{
	CHECK_EQ(go(0x1000, 0x2000, CALL), 1);
	CHECK_EQ(go(0x2000, 0x3000, CALL), 2);
	CHECK_EQ(go(0x3000, 0x3100, 0), 2);
	CHECK_EQ(go(0x3100, 0x3105, CALL), 2); /* where it is, no more */
	CHECK_EQ(go(0x3200, 0x2005, RETURN), 2);
	CHECK_EQ(go(0x2010, 0x9000, RETURN), 2); /* nobody called it */
	CHECK_EQ(go(0x2020, 0x3000, CALL), 2);
	CHECK_EQ(go(0x3000, 0x4000, CALL), 3);
	CHECK_EQ(go(0x4000, 0x1005, RETURN), 1); /* longjmp() */
	CHECK_EQ(go(0x1010, 0, CALL), 0);		/* out of the trace */
}

/* What the trace ended with does not return when it goes on. */
static void test_ends(void)
{
	CHECK_EQ(go(0x1000, 0x2000, CALL), 1);
	CHECK_EQ(go(0x2000, 0x3000, CALL | PDT_FLOW_END), 2);
	CHECK_EQ(go(0, 0x2005, PDT_FLOW_BEGIN), 1);
	CHECK_EQ(go(0x2010, 0x3000, CALL | PDT_FLOW_END), 2);
	CHECK_EQ(go(0, 0x7000, PDT_FLOW_BEGIN), 1);
	CHECK_EQ(go(0, 0x1005, PDT_FLOW_BEGIN), 0);
}

static void test_threads(void)
{
	CHECK_EQ(go(0x1000, 0x2000, CALL), 1);
	tid = 8;
	CHECK_EQ(go(0x1000, 0x2000, CALL), 1);
	tid = 7;
	CHECK_EQ(go(0x2000, 0x3000, CALL), 2);
	cpu = 1; /* a trace of its own */
	CHECK_EQ(go(0x3000, 0x4000, CALL), 1);
	tid = 0; /* idle tasks */
	CHECK_EQ(go(0x1000, 0x2000, CALL), 1);
	cpu = 2;
	CHECK_EQ(go(0x1000, 0x2000, CALL), 1);
	cpu = 1;
	CHECK_EQ(go(0x2000, 0x3000, CALL), 2);
	tid = 7;
	cpu = UINT32_MAX;
}

static void test_bound(void)
{
	call_stacks_release(&stacks);
	for (uint32_t i = 1; i <= CALL_DEPTH_MAX; i++)
		CHECK_EQ(go(0x1000, 0x2000, CALL), i);
	CHECK_EQ(go(0x1000, 0x2000, CALL), CALL_DEPTH_MAX);
	CHECK_EQ(go(0x2000, 0x1005, RETURN), CALL_DEPTH_MAX);
	CHECK_EQ(go(0x1000, 0x2000, CALL), CALL_DEPTH_MAX);
}

int main(void)
{
	test_calls();
	test_ends();
	test_threads();
	test_bound();
	call_stacks_release(&stacks);
	return unit_end();
}
