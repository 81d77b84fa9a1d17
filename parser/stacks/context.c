/* Which mode a context marker announces. */
#include "parser/stacks/context.h"

int mode_of_marker(uint64_t marker)
{
	switch (marker) {
	case CONTEXT_USER:
	case CONTEXT_USER_DEFERRED:
		return PDT_USER;
	case CONTEXT_KERNEL:
		return PDT_KERNEL;
	case CONTEXT_HV:
		return PDT_HYPERVISOR;
	case CONTEXT_GUEST:
	case CONTEXT_GUEST_KERNEL:
		return PDT_GUEST_KERNEL;
	case CONTEXT_GUEST_USER:
		return PDT_GUEST_USER;
	default:
		return -1;
	}
}
