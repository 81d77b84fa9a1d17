/* SANITIZED: 1 in a build whose own checks look at the whole process, as gcc and clang tell it,
 * else 0. Such a build has a malloc() of its own and needs more than pdtool does. */
#ifndef PDTOOL_SANITIZED_H
#define PDTOOL_SANITIZED_H

#ifdef __has_feature
#define HAS_CHECK(name) __has_feature(name)
#else
#define HAS_CHECK(name) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
	HAS_CHECK(address_sanitizer) || HAS_CHECK(thread_sanitizer) || HAS_CHECK(memory_sanitizer)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

#endif
