#!/usr/bin/perl
# The spans that a drawing of a timeline holds for its script, as the CSV of the same result, and with
# "causes", what brought them about: lane,start_ns,cause,before_ns,from. Usage: timeline.pl SVG [causes]
use strict;
use warnings;

my ($file, $causes) = @ARGV;
open my $in, '<', $file or die "$file: $!\n";
my $text = do { local $/; <$in> };
$text =~ /pdtoolTimeline\(\{(.*)\}\);/s or die "no data\n";
my $data = $1;
my @alphabet = ('A' .. 'Z', 'a' .. 'z', 0 .. 9, '-', '_');
my %digit = map { $alphabet[$_] => $_ } 0 .. 63;

# the strings of an array of them
sub strings {
	my ($name) = @_;
	my ($list) = $data =~ /^$name:\[((?:"(?:[^"\\]|\\.)*",?)*)\]/m or die "no $name\n";
	my @all = $list =~ /"((?:[^"\\]|\\.)*)"/g;
	s/\\u([0-9a-f]{4})/chr hex $1/ge for @all;
	return @all;
}

my @names = strings('names');
my @cause = strings('causes');
my ($s, $ns) = $data =~ /start:\["(\d+)",(\d+)\]/ or die "no start\n";
my $start = $s * 1e9 + $ns;
my @lanes = map { s/\\u([0-9a-f]{4})/chr hex $1/ger } $data =~ /^(?:lanes:\[)?\["((?:[^"\\]|\\.)*)",\[\[/mg;
my ($rest) = $data =~ /^lanes:\[(.*)/ms;
my @csv;
my $lane = -1;
for my $part (split /^(?=\["|lanes)/m, $rest) {
	$lane++;
	my ($depth, @spans) = (0);
	while ($part =~ /\[(\d+),"([A-Za-z0-9_-]*)"\]/g) {
		my ($count, $code, @numbers, $value, $one) = ($1, $2);
		($value, $one) = (0, 1);
		for (split //, $code) {
			$value += ($digit{$_} & 31) * $one;
			$one *= 32;
			next if $digit{$_} & 32;
			push @numbers, $value;
			($value, $one) = (0, 1);
		}
		my $at = $start;
		for (1 .. $count) {
			my $head = shift @numbers;
			$at += shift @numbers if $head & 1;
			my $length = shift @numbers;
			push @spans, [$at, $depth, $at + $length, $names[$head >> 2]];
			if ($head & 2) {
				my ($why, $before, $from) = splice @numbers, 0, 3;
				printf "%s,%.0f,%s,%.0f,%s\n", $lanes[$lane], $at, $cause[$why], $before, $from ? $lanes[$from - 1] : ''
					if $causes;
			}
			$at += $length;
		}
		die "$lanes[$lane]: numbers left over\n" if @numbers;
		$depth++;
	}
	printf "%s,%d,%.0f,%.0f,%s\n", $lanes[$lane], $_->[1], $_->[0], $_->[2], $_->[3]
		for $causes ? () : sort { $a->[0] <=> $b->[0] || $a->[1] <=> $b->[1] } @spans;
}
