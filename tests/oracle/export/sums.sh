# What pdtool's own commands say of captures that were exported, and go tool pprof of its form; sourced behind lib/test.sh.
# Of all events the rows of report: EVENT, what, who, weight.
reported() {
	for what in sym comm,tid; do
		"$pdtool" report -q --no-children --limit 0 --format csv -s "event,$what" "$@" >rows.csv 2>err
		records <rows.csv | awk -F '\t' -v OFS='\t' -v what="$what" '{
			if (what == "sym") print $(NF - 1), "sym", $NF, $(NF - 3)
			else print $(NF - 2), "thread", $(NF - 1), $NF, $(NF - 4) }'
	done | awk -F '\t' -v OFS='\t' '{ w = $NF; NF--; sub(/\t4294967295$/, "\t-1"); n[$0] += w } END { for (k in n) if (n[k]) printf "%s\t%.0f\n", k, n[k] }' | sort
}

# The same of a profile, as go tool pprof shows it whole. A single event has no name there: it is EVENT.
raw() { # EVENT FILE
	go tool pprof -raw "$2" 2>err | perl -e '
		my ($event, @events, $part, @samples, %leaf, %n) = shift;
		while (<STDIN>) {
			if (/^(Samples|Locations|Mappings)/) { $part = $1; next }
			if (!defined $part) { next }
			if ($part eq "Samples" && !@events) { s/\[dflt\]//g; @events = map { s{/.*}{}r } split; next }
			if ($part eq "Samples" && /^\s+([\d ]+): (\d+)/) { push @samples, [[split " ", $1], $2] }
			elsif ($part eq "Samples" && /thread:\[(.*)\/(-?\d+)\]/) { push @{$samples[-1]}, "$1\t$2" }
			elsif ($part eq "Locations" && /^\s+(\d+): 0x[0-9a-f]+ (?:M=\d+ )?(?:\[F\] )?(.*) \S*:\d+(?::\d+)? s=/) { $leaf{$1} = $2 }
		}
		for my $s (@samples) {
			for (my $i = 1; $i < @events; $i += 2) {
				my $name = @events == 2 ? $event : $events[$i];
				$n{"$name\tsym\t$leaf{$s->[1]}"} += $s->[0][$i];
				$n{"$name\tthread\t$s->[2]"} += $s->[0][$i];
			}
		}
		$n{$_} && print "$_\t$n{$_}\n" for keys %n;' "$1" | sort
}

# How long each thread ran, waited for a CPU and was blocked.
thread_states() {
	"$pdtool" sched latency -q --format csv "$@" 2>err | awk -F, -v OFS='\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } {
		tid = $at["tid"]; n["Running\t" tid] += $at["run_ns"]; n["Runnable\t" tid] += $at["wait_ns"]; n["Blocked\t" tid] += $at["blocked_ns"] }
		END { for (k in n) if (n[k]) printf "%s\t%.0f\n", k, n[k] }' | sort
}
