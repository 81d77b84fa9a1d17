#!/usr/bin/perl
# The leaves of a capture of simpleperf or hiperf that the symbols within it name, decoded from its bytes:
#   recorded.pl FILE      one line for each module and symbol: samples, module's base name, symbol; tabs between them
#   recorded.pl FILE off  one line for each thread and symbol: ns from a switch-out to the next switch-in, thread, symbol
#                         of the sample of sched_switch before it
# A symbol without a size names, in the kernel, all up to the next one that has another address (the last one two
# pages), in files all up to the next one if that has no size either and is not further than a page, else its own
# address. $a, $d, $t, $x of the assembler end a symbol and name nothing. Little-endian files.
use strict;
use warnings;

my ($PAGE, $NONE) = (4096, ~0);
local $/;
open my $in, '<:raw', $ARGV[0] or die "$ARGV[0]: $!";
my $bytes = <$in>;
my ($attr_size, $attrs, $attrs_size, $data, $data_size) = unpack 'Q<5', substr $bytes, 16, 40;

# ---- features ----

my (%section, $at);
$at = $data + $data_size;
for my $id (0 .. 255) {
	next unless ord(substr $bytes, 72 + $id / 8, 1) >> $id % 8 & 1;
	my ($offset, $size) = unpack 'Q<2', substr $bytes, $at, 16;
	$section{$id} = substr $bytes, $offset, $size;
	$at += 16;
}
my $arch = $section{6} ? unpack 'x4Z*', $section{6} : '';

sub varint {
	my ($s, $pos) = @_;
	my ($v, $shift) = (0, 0);
	while (1) {
		my $c = ord substr $$s, $$pos++, 1;
		$v |= ($c & 127) << $shift;
		return $v if $c < 128;
		$shift += 7;
	}
}

# (number, value) pairs of a protobuf message
sub fields {
	my $s = shift;
	my ($pos, @out) = (0);
	while ($pos < length $s) {
		my $key = varint(\$s, \$pos);
		my $value = varint(\$s, \$pos);
		if (($key & 7) == 2) {
			my $len = $value;
			$value = substr $s, $pos, $len;
			$pos += $len;
		}
		push @out, $key >> 3, $value;
	}
	return @out;
}

# How a file's symbols are looked up: kernel, kmodule, elf, dex, map
my @simpleperf = qw(kernel kmodule elf dex map);
my %file;
sub add {
	my $f = shift;
	$file{$f->{kind} eq 'kernel' ? 'kernel' : $f->{path}} //= $f;
}

sub read_file {
	my $s = shift;
	while (length $s) {
		my $size = unpack 'V', $s;
		my ($path, $type, $vaddr, $count) = unpack 'Z*VQ<V', my $rest = substr $s, 4, $size;
		my $pos = length($path) + 1 + 16;
		my @symbols;
		for (1 .. $count) {
			my ($addr, $len, $name) = unpack 'Q<VZ*', substr $rest, $pos;
			push @symbols, [$addr, $len, $name];
			$pos += 13 + length $name;
		}
		my $offset;
		$offset = unpack 'Q<', substr $rest, $pos if ($type == 1 || $type == 2) && $pos < $size;
		undef $offset if defined $offset && $offset == $NONE;
		add({ path => $path, kind => $simpleperf[$type] // '', vaddr => $vaddr, offset => $offset, symbols => \@symbols });
		$s = substr $s, 4 + $size;
	}
}

sub read_file2 {
	my $s = shift;
	while (length $s) {
		my $size = unpack 'V', $s;
		my @fields = fields(substr $s, 4, $size);
		my %f = (path => '', kind => 'kernel', vaddr => 0, symbols => []);
		while (my ($number, $value) = splice @fields, 0, 2) {
			$f{path} = $value if $number == 1;
			$f{kind} = $simpleperf[$value] // '' if $number == 2;
			$f{vaddr} = $value if $number == 3;
			if ($number == 4) {
				my %m = (1, 0, 2, 0, 3, '', fields($value));
				push @{$f{symbols}}, [$m{1}, $m{2}, $m{3}];
			}
			if ($number == 6 || $number == 7) {
				my %m = (1, 0, fields($value));
				$f{offset} = $m{1};
			}
		}
		add(\%f);
		$s = substr $s, 4 + $size;
	}
}

sub read_hiperf {
	my $s = shift;
	my $pos = 4;
	my $text = sub {
		my $len = unpack 'V', substr $s, $pos;
		$pos += 4 + $len;
		return unpack 'Z*', substr $s, $pos - $len, $len;
	};
	for (1 .. unpack 'V', $s) {
		my $path = $text->();
		my ($type, $vaddr, $offset) = unpack 'VQ<Q<', substr $s, $pos;
		$pos += 20;
		my $id = $text->();
		my $count = unpack 'V', substr $s, $pos;
		$pos += 4;
		my $kind = $type == 0 ? 'kernel' : $type == 1 ? 'kmodule' : 'elf';
		my @symbols;
		for (1 .. $count) {
			my ($addr, $len) = unpack 'Q<V', substr $s, $pos;
			$pos += 12;
			$addr &= ~1 if $kind eq 'elf' && $arch =~ /^(arm|aarch)/;
			push @symbols, [$addr, $len, $text->()];
		}
		add({ path => $path, kind => $kind, vaddr => $vaddr, offset => $offset, symbols => \@symbols });
	}
}

read_file($section{128}) if $section{128};
read_file2($section{132}) if $section{132};
read_hiperf($section{192}) if $section{192};

# Sorted, with ends: [start, end, name]
for my $f (values %file) {
	my @sorted = sort { $a->[0] <=> $b->[0] } @{$f->{symbols}};
	my %unsized = map { $_->[0] => 1 } grep { !$_->[1] } @sorted;
	my $next;
	for my $i (reverse 0 .. $#sorted) {
		my ($start, $len, $name) = @{$sorted[$i]};
		$next = $sorted[$i + 1][0] if $i < $#sorted && $sorted[$i + 1][0] != $start;
		my $end = $len ? $start + $len
			: $f->{kind} eq 'kernel' ? $next // ($start | $PAGE - 1) + 1 + $PAGE
			: defined $next && $unsized{$next} && $next - $start <= $PAGE ? $next : $start + 1;
		$sorted[$i] = [$start, $end, $name =~ /^\$[adtx](\.|$)/ ? undef : $name];
	}
	$f->{sorted} = \@sorted;
}

sub name_at {
	my ($f, $addr) = @_;
	my $s = $f->{sorted};
	my ($low, $high) = (0, scalar @$s);
	while ($low < $high) {
		my $mid = int(($low + $high) / 2);
		if ($s->[$mid][0] <= $addr) { $low = $mid + 1 } else { $high = $mid }
	}
	while ($low--) {
		my ($start, $end, $name) = @{$s->[$low]};
		return $name if defined $name && $addr < $end;
	}
	return undef;
}

# ---- records ----

my ($IP, $TID, $TIME, $ADDR, $ID, $CPU, $STREAM, $IDENTIFIER) = (1, 2, 4, 8, 64, 128, 512, 65536);
my (@events, %by_id);
for (my $i = 0; $i < $attrs_size; $i += $attr_size) {
	my ($type, $flags) = unpack 'x24Q<x8Q<', substr $bytes, $attrs + $i, 48;
	my ($ids, $size) = unpack 'Q<2', substr $bytes, $attrs + $i + $attr_size - 16, 16;
	push @events, [$type, $flags >> 18 & 1, unpack 'V', substr $bytes, $attrs + $i, 4];
	$by_id{$_} = $events[-1] for unpack 'Q<*', substr $bytes, $ids, $size;
}

my @records;
for (my $pos = $data; $pos + 8 <= $data + $data_size;) {
	my ($type, $misc, $size) = unpack 'Vvv', substr $bytes, $pos, 8;
	my $body = substr $bytes, $pos + 8, $size - 8;
	my ($fields, $trailer) = @{$events[0]};
	my $time = 0;
	if ($type == 9) {
		my $skip = 0;
		if ($fields & $IDENTIFIER) {
			$fields = $by_id{unpack 'Q<', $body}[0];
			$skip = 8;
		}
		my $ip = $fields & $IP ? unpack "x${skip}Q<", $body : 0;
		$skip += 8 if $fields & $IP;
		my $pid = unpack "x${skip}l<", $body;
		$skip += 8;
		$time = unpack "x${skip}Q<", $body if $fields & $TIME;
		my $tid = unpack 'x' . ($skip - 4) . 'l<', $body;
		push @records, [$time, 'sample', $misc & 7, $pid, $ip, $tid, $by_id{$fields & $IDENTIFIER ? unpack 'Q<', $body
			: unpack 'x' . ($skip + 8 * grep { $fields & $_ } $TIME, $ADDR) . 'Q<', $body}];
	} elsif ($type < 64) {
		if ($trailer && $fields & $TIME) {
			my $behind = 8 * grep { $fields & $_ } $IDENTIFIER, $CPU, $STREAM, $ID;
			$time = unpack 'Q<', substr $body, -$behind - 8, 8;
		}
		if ($type == 1 || $type == 10) {
			my ($pid, $tid, $start, $len, $pgoff) = unpack 'l<l<Q<3', $body;
			my $prot = $type == 10 ? unpack 'x56V', $body : $misc & 0x2000 ? 0 : 4;
			push @records, [$time, 'map', $misc & 7, $pid, { start => $start, end => $start + $len, pgoff => $pgoff, prot => $prot,
				name => unpack $type == 10 ? 'x64Z*' : 'x32Z*', $body }];
		} elsif ($type == 14) { # its trailer begins with pid and tid
			push @records, [$time, 'switch', $misc & 0x2000, 0, 0, unpack 'x4l<', $body];
		} elsif ($type == 7) {
			my ($pid, $ppid) = unpack 'l<2', $body;
			push @records, [$time, 'fork', $ppid, $pid] if $pid != $ppid;
		} elsif ($type == 3 && $misc & 0x2000) {
			push @records, [$time, 'exec', 0, unpack 'l<', $body];
		}
	}
	$pos += $size;
}

# ---- samples ----

my (%maps, %named, %first, @kernel, %out, %off, %left);
for (grep { $_->[1] eq 'map' && $_->[4]{prot} & 4 } @records) {
	my $m = $_->[4];
	$first{$m->{name}} = $m->{pgoff} unless defined $first{$m->{name}} && $first{$m->{name}} <= $m->{pgoff};
}

sub insert {
	my ($list, $new) = @_;
	my @kept;
	for my $m (@$list) {
		push @kept, { %$m, end => $m->{end} < $new->{start} ? $m->{end} : $new->{start} } if $m->{start} < $new->{start};
		push @kept, { %$m, start => $new->{end}, pgoff => $m->{pgoff} + $new->{end} - $m->{start} }
			if $m->{end} > $new->{end} && $m->{start} >= $new->{start} && $m->{start} < $new->{end};
		push @kept, { %$m, start => $new->{end}, pgoff => $m->{pgoff} + $new->{end} - $m->{start} }
			if $m->{end} > $new->{end} && $m->{start} < $new->{start};
		push @kept, $m if $m->{start} >= $new->{end};
	}
	@$list = (@kept, $new);
}

sub leaf {
	my ($mode, $pid, $ip) = @_;
	if ($mode == 1) {
		my ($m) = grep { $ip >= $_->{start} && $ip < $_->{end} } @kernel;
		return ($m ? $m->{name} : '[kernel.kallsyms]', $file{kernel}, $ip);
	}
	my ($m) = grep { $ip >= $_->{start} && $ip < $_->{end} } @{$maps{$pid} // []};
	return unless $m;
	my $f = $file{$m->{name}} or return;
	my $addr = $ip - $m->{start} + $m->{pgoff};
	$addr = $ip if $m->{prot} & 0x4000;
	$addr += $f->{vaddr} - ($f->{offset} // $first{$m->{name}} // 0) if $f->{kind} eq 'elf' && !($m->{prot} & 0x4000);
	return ($m->{prot} & 0x4000 ? '[JIT app cache]' : $m->{name}, $f, $addr);
}

for (sort { $records[$a][0] <=> $records[$b][0] || $a <=> $b } 0 .. $#records) {
	my ($time, $what, $mode, $pid, $more, $tid, $event) = @{$records[$_]};
	if ($what eq 'map') {
		insert($maps{$pid} //= [], $more) if $mode != 1;
		$more->{name} = "[$more->{name}]" if $mode == 1 && $more->{name} !~ /^[\[\/]/;
		push @kernel, $more if $mode == 1 && $more->{name} !~ /^\[kernel/;
	} elsif ($what eq 'fork') {
		$maps{$pid} = [@{$maps{$mode} // []}];
	} elsif ($what eq 'exec') {
		$maps{$pid} = [];
	} elsif ($what eq 'switch') {
		if ($mode) {
			$out{$tid} = [$time, delete $left{$tid}];
		} elsif (my $o = delete $out{$tid}) {
			$off{"$tid\t" . ($o->[1] // '')} += $time - $o->[0];
		}
	} else {
		my ($module, $f, $addr) = leaf($mode, $pid, $more);
		my $name = $f ? name_at($f, $addr) : undef;
		$left{$tid} = $name if $event && $event->[2] == 2;
		next unless defined $name;
		$name =~ s/ \[[^ ]*\]$// if $f->{kind} eq 'kernel';
		$module =~ s/.*\///;
		$named{"$module\t$name"}++;
	}
}
%named = %off if @ARGV > 1;
print "$named{$_}\t$_\n" for sort keys %named;
