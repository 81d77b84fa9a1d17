#!/usr/bin/perl
# The call trees of `report --stdio -s comm,sym`, perf's or pdtool's, as lines "ROW<tab>PATH<tab>VALUE", PATH from the row
# down; a function that stands below another without a value has "-". Bars, blanks and the order of brothers do not matter,
# nor whether a tree begins with the function of its row. What passes through an address without a name is left out: perf has
# a line for each address.
use strict;
use warnings;

my ($row, $head, @at) = ('', 0);
my $nameless = qr/^(0x[0-9a-f]+|[0-9a-f]{16}|0|\[(?!\.\.\.\]).*\])$/;

sub put {
	my ($path, $value) = @_;
	return if grep { /$nameless/ } $row, split /;/, $path;
	$path =~ s/^\Q$row\E;// if $head;
	$value =~ tr/,//d;
	print "$row\t$path\t$value\n" unless $head && $path eq $row;
}
while (<>) {
	chomp;
	s/\s+$//;
	next if /^#/ || /^[ |]*$/;
	if (/^ *[0-9.]+% +(?:[0-9.]+% +)?\S+ +(?:\[.\] )?(.+)$/ && !/--/) {
		($row, $head, @at) = ($1, 0);
		next;
	}
	next if $row eq '';
	my ($column, $name, $value);
	if (/^(.*?)[| ]--([0-9][0-9.,]*%?(?: [a-z]+)?)--(.*)$/) {
		($column, $value, $name) = (length $1, $2, $3);
		pop @at while @at && $at[-1][0] > $column;
		my $path = (@at ? "$at[-1][1];" : '') . $name;
		push @at, [ $column + 11, $path ];
	} elsif (/^( {12})---(.*)$/) {
		($value, $name) = ('-', $2);
		@at = ([ 15, $name ]);
		$head = $name eq $row;
	} elsif (/^([ |]+)(\S.*)$/) {
		($column, $value, $name) = (length $1, '-', $2);
		pop @at while @at && $at[-1][0] > $column;
		push @at, [ $column, (@at ? "$at[-1][1];" : '') . $name ];
	} else {
		print "not understood: $_\n";
		next;
	}
	put($at[-1][1], $value);
}
