/* A loadable kernel module's file (ET_REL, "ext4.ko", "ext4.ko.xz" ...): where it may be, and where
 * the kernel puts its code.
 *
 * The recorded mapping begins with the module's code. kernel/module/main.c (layout_sections) lays
 * the sections of code that stay out in their order, each at its alignment; .text is the first, but
 * for machines that make room for trampolines before it. */
#ifndef PDTOOL_SYMBOLS_KMODULE_H
#define PDTOOL_SYMBOLS_KMODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/base/arena.h"
#include "parser/names/elf/elffile.h"
#include "parser/names/provider.h"

/* Offer the files of the module of S below ROOT: true when the search may end. */
bool kmodule_offer(const struct search *s, enum trust trust, const char *root);

/* "/lib/modules/6.1/kernel/fs/ext4/ext4.ko.xz", "[ext4]" (perf: kmod_path__parse) and "ext4"
 * (hiperf) are all [ext4]. PATH itself, or in ARENA. */
const char *kmodule_shown(const char *path, struct arena *arena);

/* By section index: the distance of its first byte from that of .text in memory. */
struct section_places {
	uint64_t *list;
	size_t count;
};

/* What is not code, or comes before .text, is at some place of its own from here on. */
#define PLACE_ELSEWHERE 0x40000000u

/* ERR_FORMAT: F is no module, or has no .text. */
int section_places_find(struct section_places *p, struct elf_file *f) CHECKED;
void section_places_release(struct section_places *p);

#endif
