# The PLT stubs of an x86-64 file, as objdump and readelf tell them: "OFFSET NAME" for each place in a stub that is
# looked at, several names where several are right.   Usage: perl plt_stubs.pl FILE
# - objdump's own <name@plt>;
# - for each indirect jump in a section of stubs, the relocation of its slot, at its own place and at the stub's begin;
# - for "push number; jmp" (it binds lazily what .plt.sec jumps to), the relocation of that number.
# A relocation without symbol (IRELATIVE) has those of its resolver: an indirect function's, else objdump's *ABS*+0x123;
# or the symbol that the linker put on the stub itself.
use strict;
use warnings;

my $file = shift;
my (@loads, %slot, @number, %ifunc, %symbol, %names);

sub lines {
	open my $pipe, '-|', "@_ 2>/dev/null" or die "plt_stubs.pl: @_: $!";
	return <$pipe>;
}

sub offset {
	my $at = shift;
	for (@loads) {
		my ($offset, $addr, $size) = @$_;
		return $at - $addr + $offset if $at >= $addr && $at < $addr + $size;
	}
	return -1;
}

# The place AT belongs to a stub that begins at BEGIN.
sub named {
	my ($at, $begin, $reloc) = @_;
	return unless $reloc;
	my $names = [$reloc];
	if ($reloc =~ /^\*ABS\*\+0x([0-9a-f]+)$/) {
		my $resolver = hex $1;
		$names = $ifunc{$resolver} || $symbol{$begin} || $symbol{$resolver} || $names;
	}
	$names{offset($at)}{"$_\@plt"} = 1 for @$names;
}

for (lines("readelf -lW '$file'")) {
	push @loads, [hex $1, hex $2, hex $3] if /^ *LOAD +0x(\w+) +0x(\w+) +0x\w+ +0x(\w+)/;
}
for (lines("readelf -sW '$file'")) {
	next unless /^ *\d+: +([0-9a-f]+) +\d+ +(\S+|<OS specific>: 10) +\w+ +\w+ +(\w+) +([^\s@]+)/;
	my ($value, $type, $section, $name) = (hex $1, $2, $3, $4);
	next if $section eq 'UND' || $type !~ /FUNC|OS specific/ || $name =~ /\$plt/;
	push @{($type eq "FUNC" ? \%symbol : \%ifunc)->{$value}}, $name;
}
my $section = '';
for (lines("readelf -rW '$file'")) {
	$section = $1 if /^Relocation section '(\S+)'/;
	next unless /^([0-9a-f]+) +[0-9a-f]+ +R_X86_64_(\w+) +(.*?) *$/;
	my ($at, $type, $rest) = (hex $1, $2, $3);
	my $name = $type =~ /^IRELATIV/ ? '*ABS*+0x' . $rest =~ s/^0+//r
		: $type =~ /^JUMP_SLO|^GLOB_DAT/ && $rest =~ /([^\s@]+)(@\S+)? \+ 0$/ ? $1 : undef;
	$slot{$at} = $name if $name;
	push @number, $name if $section eq '.rela.plt';
}
# Does an instruction begin a stub?
my ($begin, $fresh, $jumped, $push) = (0, 1, 0, undef);
for (lines("objdump -d -j .plt -j .plt.sec -j .plt.got -j .plt.bnd -j .iplt '$file'")) {
	if (/^([0-9a-f]+) <(.+)\@plt>:$/) {
		named(hex $1, hex $1, $2);
	}
	if (/^[0-9a-f]+ <.*>:$/) {
		$fresh = 1;
	}
	next unless /^ *([0-9a-f]+):\t[0-9a-f ]+\t(.*)/;
	my ($at, $insn) = (hex $1, $2);
	if ($insn =~ /^(nop|xchg|int3|cs nop|data16)/) {
		$fresh = 1;
		next;
	}
	($begin, $jumped, $push) = ($at, 0, undef) if $fresh || $insn =~ /^endbr/ || $at % 16 == 0;
	$fresh = 0;
	if ($insn =~ /jmp +\*.*# ([0-9a-f]+)/) {
		named($_, $begin, $slot{hex $1}) for $begin, $at;
		$jumped = 1;
	} elsif ($insn =~ /^push +\$0x([0-9a-f]+)/) {
		$push = hex $1;
	} elsif ($insn =~ /jmp +[0-9a-f]/ && defined $push && !$jumped) {
		named($begin, $begin, $number[$push]);
	}
}
for my $at (sort { $a <=> $b } keys %names) {
	printf "%x %s\n", $at, join ' ', sort keys %{$names{$at}};
}
