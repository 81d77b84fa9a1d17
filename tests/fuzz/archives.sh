# Small archives of symbols in all forms, and symbols.data, a capture that looks into them; made in the working directory.
bin=$data/symfs/tmp/bw/pub/binaries/bin
id=2ba9ba2ac31439ae5e26888b1398bd772f59cd5c
cp "$data/recorded/x86_64/binaries/replaced.data" symbols.data
mkdir -p "syms/bin/app/$id" syms/.build-id/2b "syms/[kernel.kallsyms]/$id" &&
	cp "$bin/app" "syms/bin/app/$id/elf" &&
	ln -s "../../bin/app/$id" "syms/.build-id/2b/${id#2b}" &&
	ln "syms/bin/app/$id/elf" syms/second &&
	printf '%s\n' 'ffffffff81000000 T _text' 'ffffffff81001000 T toy' >"syms/[kernel.kallsyms]/$id/kallsyms" &&
	tar -C syms -cf perf.tar --sort=name . &&
	gzip -k perf.tar && bzip2 -k perf.tar && xz -k perf.tar && zstd -q -k perf.tar && tar -cf all.tar symbols.data perf.tar.bz2 || exit 1
