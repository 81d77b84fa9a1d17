/* What the driver of the fault sweep and the preloaded object share, in a file that both map. */
#ifndef TESTS_LIB_FAULTSHIM_H
#define TESTS_LIB_FAULTSHIM_H

enum fault_kind {
	FAULT_ALLOC, /* malloc, calloc, realloc, aligned_alloc, posix_memalign */
	FAULT_MAP,   /* mmap, mremap */
	FAULT_READ,  /* read, pread, readv, fread, fgets, getline, readdir, readlink */
	FAULT_WRITE, /* write, pwrite, writev */
	FAULT_OPEN,  /* open, openat, fopen, opendir, mkstemp, dup */
	FAULT_STAT,  /* stat, lstat, fstat, access */
	FAULT_TASK,  /* pthread_create, fork, pipe */
	FAULT_FILE,  /* ftruncate, fsync, rename, lseek, close */
	FAULT_KINDS,
};

struct fault_state {
	enum fault_kind kind;
	int error;	/* the errno of what fails */
	int from_there; /* all later ones fail, too */
	long at;	/* the call that fails, from 1; 0: none */
	long fired;	/* how many failed */
	long count[FAULT_KINDS];
	char what[512]; /* the first one that failed, for people */
};

#endif
