// A consumer in C++: folded stacks, of the first event, as `pdtool collapse` has them.
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include <pdtool.h>

namespace
{

struct Close {
	void operator()(pdt_session *s) const
	{
		pdt_close(s);
	}
};

std::string file(const char *module)
{
	std::string path = module ? module : "unknown";

	return "[" + path.substr(path.rfind('/') + 1) + "]";
}

std::string frames(const pdt_session *s, uint32_t stack)
{
	std::string out;

	const pdt_stack k = pdt_stack_at(s, stack);

	for (uint32_t i = k.depth; i-- > 0;) {
		uint32_t l = k.locations[i];

		for (size_t k = pdt_function_count(s, l); k-- > 0;) {
			const char *name = pdt_function_at(s, l, k).name;

			out += ";" + (name ? name : file(pdt_location_module(s, l)));
		}
	}
	return out;
}

} // namespace

int main(int argc, char **argv)
{
	std::unique_ptr<pdt_session, Close> s(pdt_new());
	std::map<std::pair<std::string, uint32_t>, uint64_t> weights;
	std::map<std::string, uint64_t> lines;
	const pdt_event *e;
	int rc = s ? pdt_set(s.get(), PDT_NO_HOST, "1") : PDT_ERR_MEMORY;

	if (rc == 0 && argc > 2)
		rc = pdt_set(s.get(), PDT_SYMFS, argv[2]);
	if (rc == 0 && argc > 1)
		rc = pdt_open(s.get(), argv[1],
			      PDT_WANT_STACKS | PDT_WANT_COMMS | PDT_WANT_INLINES);
	while (rc == 0 && (rc = pdt_next(s.get(), &e)) == 1) {
		const char *comm = pdt_comm(s.get(), e->comm);

		rc = 0;
		if (e->desc != pdt_desc_at(s.get(), 0))
			continue;
		weights[{ comm ? comm : "?", e->stack }] += e->weight;
	}
	if (rc == 0)
		rc = pdt_resolve(s.get());
	if (rc < 0) {
		std::cerr << (s ? pdt_message(s.get()) : pdt_error_text(rc)) << "\n";
		return 1;
	}
	for (const auto &w : weights)
		lines[w.first.first + frames(s.get(), w.first.second)] += w.second;
	for (const auto &l : lines)
		std::cout << l.first << " " << l.second << "\n";
	return 0;
}
