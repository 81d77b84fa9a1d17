# Hostile tar archives with right checksums, COUNT of them, from SEED: hostile-0.tar ... in the working directory. What
# is in them: FILE's bytes, whole, cut or changed, under names that lead elsewhere, with sizes that lie, as all types.
use strict;
my ($count, $seed, $file) = @ARGV;
srand $seed;
open my $f, "<", $file or die;
my $elf = do { local $/; <$f> };
my $id = "2ba9ba2ac31439ae5e26888b1398bd772f59cd5c";
my @names = ("../../escaped", "/tmp/pdtool-escaped", "bin/app/$id/elf", "[kernel.kallsyms]/$id/kallsyms", ".build-id/2b/" . substr($id, 2),
	"perf-1.map", "jit-1.dump", "inner.tar", "a/" x 60 . "b", "\xff\x01\n", "", "/", "./", "loop/loop/loop", "tmp/bw/pub/binaries/bin/app",
	"//tmp//bw/pub/binaries/bin/app", "x" x 99, "kallsyms", "vmlinux");
my @all = (("0") x 8, "\0", "1", "2", "3", "4", "5", "6", "7", "L", "K", "x", "g", "S", "V", "M", "N", "D", "\xff");
sub pick { $_[rand @_] }
sub member {
	my ($name, $size, $type, $link) = @_;
	my $h = pack "a100a8a8a8a12a12a8aa100a6a2a32a32a8a8a155x12", $name, "0000644", "0000000", "0000000", "", "00000000000",
		" " x 8, $type, $link, pick("ustar", "ustar "), pick("00", " \0"), "", "", "", "", pick("", "", "", "../..");
	substr($h, 124, 12) = $size < 8 ** 11 && $size >= 0 ? sprintf("%011o\0", $size) : "\x80" . pack("x3q>", $size);
	substr($h, rand 512, 1) = chr rand 256 if rand() < 0.1;
	substr($h, 148, 8) = " " x 8;
	substr($h, 148, 8) = sprintf "%06o\0 ", unpack "%32C*", $h;
	$h;
}
sub body {
	my $b = pick($elf, $elf, substr($elf, 0, rand length $elf), "ffffffff81000000 T _text\n" x (1 + rand 50), "GNU.sparse.major=1\n",
		"30 path=../../escaped\n", "22 GNU.sparse.size=" . pick(5, 1 << 40, -1) . "\n", "99999999999 size=1\n", "x" x rand 3000, "");
	substr($b, rand length $b, 1) = chr rand 256 for 1 .. (length $b && rand() < 0.5 ? rand 8 : 0);
	$b;
}
sub archive {
	my ($depth) = @_;
	my $out = "";
	for (1 .. 1 + rand 6) {
		my $b = $depth && rand() < 0.15 ? archive($depth - 1) : body();
		my $size = rand() < 0.8 ? length $b : pick(0, 1, 511, 1 << 20, 1 << 33, 1 << 60, -1, -512, 0x7fffffffffffffff);
		$out .= member(pick(@names), $size, pick(@all), pick("", @names)) . $b . "\0" x (-length($b) % 512);
	}
	$out .= "\0" x 1024 if rand() < 0.7;
	$out;
}
for my $i (0 .. $count - 1) {
	open my $o, ">", "hostile-$i.tar" or die;
	print $o archive(2);
}
