/* Making the ways to files from the options: what the user named is no path of the input. */
#include "parser/names/access.h"
#include "parser/names/jit/jitmaps.h"
#include "parser/names/reach.h"
#include "parser/names/sources/sources.h"

static void name_trees(struct reach *r, const struct symbol_options *o)
{
	reach_add_tree(r, o->symfs, REACH_ALL);
	reach_add_tree(r, o->source_prefix, REACH_ALL);
	reach_add_tree(r, o->buildid_dir, REACH_ALL);
	reach_add_tree(r, o->debuginfod_cache, REACH_ALL);
	for (size_t i = 0; i < sources_count(o->sources); i++)
		reach_add_tree(r, sources_dir(o->sources, i), REACH_ALL);
	for (size_t i = 0; i < o->perf_map_dir_count; i++)
		reach_add_tree(r, o->perf_map_dirs[i], REACH_MAPS);
}

static void name_files(struct reach *r, const struct symbol_options *o)
{
	reach_add_file(r, o->kallsyms);
	reach_add_file(r, o->vmlinux);
	reach_add_file(r, o->guest_kallsyms);
	for (size_t i = 0; i < sources_count(o->sources); i++)
		reach_add_file(r, sources_file(o->sources, i));
	for (size_t i = 0; i < o->perf_map_count; i++) {
		const char *file;
		uint32_t pid;

		if (jitmap_option(o->perf_maps[i], &pid, &file))
			reach_add_file(r, file);
	}
}

void access_begin(struct symbol_options *o, const struct machine *machine,
		  void (*tell)(void *ctx, struct capture_clock *out), void *ctx)
{
	o->reach = reach_new();
	if (o->boxed)
		reach_is_boxed(o->reach);
	name_trees(o->reach, o);
	name_files(o->reach, o);
	reach_watch(o->reach, o->watch, o->watch_count);
	if (!o->no_host)
		o->host = host_files_new(machine, o->reach, tell, ctx);
}

void access_report(const struct symbol_options *o, struct warnings *w)
{
	reach_report(o->reach, w);
}

int access_check_watched(const struct symbol_options *o, struct warnings *w)
{
	for (size_t i = 0; i < o->watch_count; i++) {
		if (!atomic_load(&o->watch[i].met))
			continue;
		warn_add(w, SEV_FATAL, "usage", "%s is an input (symbols), not overwritten",
			 o->watch[i].path);
		return ERR_USAGE;
	}
	return 0;
}

void access_end(struct symbol_options *o, struct warnings *w)
{
	reach_report(o->reach, w);
	host_files_free(o->host);
	reach_free(o->reach);
}
