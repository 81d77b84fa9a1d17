#!/usr/bin/perl
# What a flame graph of folded text must look like, worked out from the text alone; and what an SVG looks like.
#   flame_layout.pl text FILE WIDTH MINWIDTH [ordered|sorted]     one line for each frame: depth, x, width, title
#   flame_layout.pl svg FILE FRAME_HEIGHT up|down                 the same of a drawing
#   flame_layout.pl compare WANTED GOT                            says what differs by more than a pixel
# A graph is built here by dividing the sorted list of stacks into runs of equal frames, from the root up.
use strict;
use warnings;

sub commas { my $n = reverse sprintf '%.0f', shift; $n =~ s/(\d{3})(?=\d)/$1,/g; return scalar reverse $n }

sub from_text {
	my ($file, $width, $minwidth, $order) = @_;
	open my $in, '<', $file or die "$file: $!";
	my @lines = grep { /\S/ } <$in>;
	chomp @lines;
	@lines = sort @lines if $order eq 'sorted';
	my (@stacks, @starts, $at);
	$at = 0;
	for (@lines) {
		my ($stack, $weight) = /^(.*)\s(\d+(?:\.\d*)?)$/ or next;
		push @stacks, [split /;/, $stack];
		push @starts, $at;
		$at += $weight;
	}
	push @starts, $at;
	my $scale = ($width - 20) / $at;
	my $least = $minwidth =~ /^(.*)%$/ ? $at * $1 / 100 : $minwidth / $scale;
	printf "0\t10\t%.4f\tall (%s samples, 100%%)\n", $width - 20, commas($at);
	my @todo = ([0, scalar @stacks, 0]); # from, to, depth
	while (my $part = shift @todo) {
		my ($from, $to, $depth) = @$part;
		for (my $i = $from; $i < $to;) {
			my $name = $stacks[$i][$depth];
			my $end = $i + 1;
			if (!defined $name) { $i = $end; next }
			$end++ while $end < $to && defined $stacks[$end][$depth] && $stacks[$end][$depth] eq $name;
			my $held = $starts[$end] - $starts[$i];
			if ($held >= $least) {
				my $said = $name;
				$said =~ s/_\[[kwij]\]$//;
				printf "%d\t%.4f\t%.4f\t%s (%s samples, %.2f%%)\n", $depth + 1, 10 + $starts[$i] * $scale, $held * $scale,
					$said, commas($held), 100 * sprintf('%.0f', $held) / $at;
				push @todo, [$i, $end, $depth + 1];
			}
			$i = $end;
		}
	}
}

sub from_svg {
	my ($file, $height, $way) = @_;
	open my $in, '<', $file or die "$file: $!";
	local $/;
	my $svg = <$in>;
	my @frames;
	while ($svg =~ m{<title>([^<]*)</title><rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"}g) { push @frames, [$3, $2, $4, $1] }
	my ($y0) = sort { $way eq 'up' ? $b <=> $a : $a <=> $b } map { $_->[0] } @frames;
	for (@frames) {
		my ($y, $x, $width, $title) = @$_;
		$title =~ s/&lt;/</g; $title =~ s/&gt;/>/g; $title =~ s/&quot;/"/g; $title =~ s/&#39;/'/g; $title =~ s/&amp;/&/g;
		printf "%d\t%s\t%s\t%s\n", abs($y - $y0) / $height, $x, $width, $title;
	}
}

sub frames {
	open my $in, '<', shift or die;
	my @list = map { chomp; [split /\t/, $_, 4] } <$in>;
	return sort { $a->[0] <=> $b->[0] || $a->[1] <=> $b->[1] || $a->[2] <=> $b->[2] || $a->[3] cmp $b->[3] } @list;
}

sub compare {
	my @want = frames(shift);
	my @got = frames(shift);
	die "nothing to compare\n" unless @want > 1;
	print scalar(@want), ' frames wanted, ', scalar(@got), " there\n" if @want != @got;
	for my $i (0 .. $#want) {
		my ($w, $g) = ($want[$i], $got[$i] // [-1, 0, 0, '']);
		print "wanted @$w, got @$g\n"
			if $w->[0] != $g->[0] || abs($w->[1] - $g->[1]) > 1 || abs($w->[2] - $g->[2]) > 1 || $w->[3] ne $g->[3];
	}
}

my $what = shift // '';
if ($what eq 'text') { from_text(@ARGV) } elsif ($what eq 'svg') { from_svg(@ARGV) } else { compare(@ARGV) }
