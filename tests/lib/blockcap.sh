# Captures of block tracepoints from lines "TIME EVENT DEVICE SECTOR NR RWBS [KEY=VALUE...]", for tests of I/O analysis.
# EVENT is a tracepoint without "block_"; DEVICE is major:minor; keys: pid, comm, cpu, error, bytes (NR * 512 if not given),
# flags (common_flags).
# blockcap OUT [OPTION OF MKPERF...] <LINES     the formats of Linux 6.18; with old=1 those until 4.10: no bytes, "errors"
blockcap() {
	out=$1
	shift
	awk -v old="${old:-}" '
		function tracepoint(name, fields) {
			id[name] = 900 + n++
			printf "tracepoint block:block_%s id=%d fields=\"%s\" print=\"\\\"%%d\\\", REC->dev\"\n", name, id[name], fields
		}
		function event(name) {
			printf "event block:block_%s type=tracepoint config=%d period=1 ids=%d sample_id_all sample_type=IDENTIFIER|IP|TID|TIME|CPU|PERIOD|RAW\n",
				name, id[name], 100 + k++
		}
		BEGIN {
			head = "dev_t dev;sector_t sector;unsigned int nr_sector;"
			prio = old ? "" : "unsigned short ioprio;"
			rwbs = "char rwbs[" (old ? 8 : 10) "];"
			request = head "unsigned int bytes;" prio rwbs "char comm[16];__data_loc char[] cmd"
			names = "io_start rq_insert rq_issue rq_merge"
			m = split(names, list, " ")
			for (i = 1; i <= m; i++) tracepoint(list[i], request)
			tracepoint("rq_complete", head "int " (old ? "errors;" : "error;") prio rwbs "__data_loc char[] cmd")
			tracepoint("rq_requeue", head (old ? "int errors;" : prio) rwbs "__data_loc char[] cmd")
			m = split("bio_queue bio_backmerge bio_frontmerge", bios, " ")
			for (i = 1; i <= m; i++) tracepoint(bios[i], head rwbs "char comm[16]")
			tracepoint("bio_complete", head "int error;" rwbs)
			m = split(names " rq_complete rq_requeue bio_queue bio_backmerge bio_frontmerge bio_complete", all, " ")
			for (i = 1; i <= m; i++) event(all[i])
		}
		/^#/ || !NF { next }
		{
			split("", key)
			for (i = 7; i <= NF; i++) { split($i, kv, "="); key[kv[1]] = kv[2] }
			split($3, dev, ":")
			pid = key["pid"] ? key["pid"] : 7
			comm = "t16:" (key["comm"] ? key["comm"] : "worker")
			error = key["error"] ? key["error"] : 0
			bytes = key["bytes"] != "" ? key["bytes"] : old ? 0 : $5 * 512
			p = old ? "" : "u16:0,"
			r = "t" (old ? 8 : 10) ":" $6
			flags = key["flags"] ? key["flags"] : 0
			body = "u16:" id[$2] ",u8:" flags ",u8:0,u32:" pid ",u32:(" dev[1] "<<20|" dev[2] "),zero:4,u64:" $4 ",u32:" $5 ","
			if ($2 == "rq_complete") body = body "u32:" error "," p r ",u32:0"
			else if ($2 == "rq_requeue") body = body (old ? "u32:0," : p) r ",u32:0"
			else if ($2 == "bio_complete") body = body "u32:" error "," r
			else if ($2 ~ /^bio/) body = body r "," comm
			else body = body "u32:" bytes "," p r "," comm ",u32:0"
			printf "sample event=block:block_%s pid=%d time=%s cpu=%d raw=[%s]\n", $2, pid, $1, key["cpu"], body
		}' >"$out.mkperf"
	"$mkperf" "$@" -o "$out" "$out.mkperf" || echo "FAIL mkperf of $out"
}
