/* SANITIZED: is this a build whose own checks look at the whole process, as gcc and clang tell it?
 * Such a build needs more than pdtool does. */
#ifndef PDTOOL_SANITIZED_H
#define PDTOOL_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

#endif
