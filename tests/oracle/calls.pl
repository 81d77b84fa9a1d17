# The pairs of `pdtool heatmap --preset syscall --by id --format json` against the log of the program whose calls they are
# (tests/live/calls.c): calls.pl JSON LOG. Prints what the log's threads and numbers come to:
#
#     calls C pairs P untrue U unseen S interrupted I late NS
#
# UNTRUE: pairs that lie in no call of the log. UNSEEN: calls without a pair. INTERRUPTED: pairs above one to a call, in calls with
# a handler's call within. LATE: by how much all the calls together are longer than their pairs, and the largest: "sum,max".
# Then for each number "NUMBER COUNT SUM MAX" of the pairs, which the lanes must say, too.
use strict;
use warnings;

local $/;
open my $json, '<', $ARGV[0] or die "$ARGV[0]: $!";
# The bare perl of Debian has no JSON: pdtool's own has a lane's name before its cells, and the points as lists of numbers.
my ($parts, $lanes) = split /"grid_lanes":/, <$json>;
my @lanes = $lanes =~ /\{"name":"([^"]*)","cells"/g;
my ($list) = $parts =~ /"list":\[((?:\[[0-9,]+\],?)*)\]/ or die "$ARGV[0]: no points";
open my $log, '<', $ARGV[1] or die "$ARGV[1]: $!";
my (%calls, %known, %sums);
my ($count, $pairs, $untrue, $unseen, $more, $late, $latest) = (0) x 7;

for (split /\n/, <$log>) {
	my ($tid, $number, $begin, $end) = split;
	push @{ $calls{"$tid $number"} }, { begin => $begin, end => $end, pairs => 0, ns => 0 };
	$known{$tid} = 1;
	$count++;
}
for my $list (values %calls) {
	@$list = sort { $a->{begin} <=> $b->{begin} } @$list;
}
while ($list =~ /\[([0-9,]+)\]/g) {
	my ($lane, $end, $ns, $tid) = split /,/, $1;
	my ($number) = $lanes[$lane] =~ /^id (\d+)$/ or next;
	my $log = $calls{"$tid $number"} or next;
	my ($call) = grep { $_->{begin} <= $end - $ns && $end <= $_->{end} } @$log;
	$pairs++;
	$sums{$number}{n}++;
	$sums{$number}{sum} += $ns;
	$sums{$number}{max} = $ns if $ns > ($sums{$number}{max} // 0);
	$untrue++ unless $call;
	next unless $call;
	$call->{pairs}++;
	$call->{ns} += $ns;
}
for my $call (map { @$_ } values %calls) {
	my $by = $call->{end} - $call->{begin} - $call->{ns};
	$unseen++ unless $call->{pairs};
	$more += $call->{pairs} - 1 if $call->{pairs} > 1;
	next if $call->{pairs} != 1;
	$late += $by;
	$latest = $by if $by > $latest;
}
print "calls $count pairs $pairs untrue $untrue unseen $unseen interrupted $more late $late,$latest\n";
print "id $_: $sums{$_}{n} $sums{$_}{sum} $sums{$_}{max}\n" for sort { $a <=> $b } keys %sums;
