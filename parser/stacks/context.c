/* Which mode a context marker announces. */
#include "parser/stacks/context.h"

int mode_of_marker(uint64_t marker)
{
	switch (marker) {
	case CONTEXT_USER:
	case CONTEXT_USER_DEFERRED:
		return MODE_USER;
	case CONTEXT_KERNEL:
		return MODE_KERNEL;
	case CONTEXT_HV:
		return MODE_HV;
	case CONTEXT_GUEST:
	case CONTEXT_GUEST_KERNEL:
		return MODE_GUEST_KERNEL;
	case CONTEXT_GUEST_USER:
		return MODE_GUEST_USER;
	default:
		return -1;
	}
}
