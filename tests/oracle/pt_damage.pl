# perl pt_damage.pl PDTOOL CAPTURE AUX TRUTH COUNT: change one byte of the trace in CAPTURE, COUNT times, and look what
# branches come out. Prints "N of COUNT": those where a branch is missing that is told of neither in the part of the trace
# with the changed byte nor by what was decoded already. AUX: the records of mkperf with the trace; TRUTH: "FROM TO" a line.
use strict;
my ($pdtool, $capture, $aux, $truth, $count) = @ARGV;
sub slurp { open(my $f, '<:raw', $_[0]) || die "$_[0]: $!"; local $/; <$f> }
my $data = slurp($capture);
my @want = split /\n/, slurp($truth);
my ($trace, @place) = ('');
for (split /\n/, slurp($aux)) {
	my ($bytes) = /payload=(\w+)/ or next;
	$bytes = pack('H*', $bytes);
	my $at = index($data, $bytes);
	die "a piece of trace is not there" if $at < 0;
	push @place, $at .. $at + length($bytes) - 1;
	$trace .= $bytes;
}
my ($psb, @sync) = ("\x02\x82" x 8);
for (my $at = 0; ($at = index($trace, $psb, $at)) >= 0; $at++) { push @sync, $at }

sub decode {
	open(my $f, '>:raw', 'damaged.data') || die;
	print $f $_[0];
	close($f);
	my @got = `$pdtool script -q --itrace=b -F ip,addr --allow-unverified --symfs / damaged.data 2>damaged.err`;
	die 'exit status ' . ($? >> 8) . ' (' . ($? & 127) . "): " . slurp('damaged.err') if ($? & 127) || ($? >> 8) > 1;
	return map { /(\w+) => +(\w+)/ ? "$1 $2" : () } @got;
}

# how many branches there are up to each point of synchronisation
my @known;
for my $k (0 .. $#sync) {
	my $cut = $data;
	substr($cut, $place[$_], 1) = "\0" for $sync[$k] .. $#place;
	my @got = decode($cut);
	push @known, scalar @got;
}
push @known, scalar @want;
my $bad = 0;
srand(1);
for (1 .. $count) {
	my $at = int(rand(length $trace));
	my $damaged = $data;
	substr($damaged, $place[$at], 1) = chr(int(rand(256)));
	my @got = decode($damaged);
	my ($k) = grep { $sync[$_] <= $at && ($_ == $#sync || $sync[$_ + 1] > $at) } 0 .. $#sync;
	# before: but for direct branches, which no packet tells of; behind: from the first packet on
	my $before = $known[$k] - 12;
	my @behind = $k < $#sync ? @want[$known[$k + 1] + 3 .. $#want] : ();
	my $good = $before <= 0 || "@got[0 .. $before - 1]" eq "@want[0 .. $before - 1]";
	$good &&= "@got[@got - @behind .. $#got]" eq "@behind" if @behind && @got >= @behind;
	$good = 0 if @got < @behind;
	$bad++ if !$good;
}
print "$bad of $count\n";
