#!/bin/sh
# policy.sh SCRIPT STYLE: the page's Content-Security-Policy, which lets nothing run and nothing load but these two, known
# by their hashes (base64 of SHA-256: https://www.w3.org/TR/CSP3/).
hash() {
	sha256sum <"$1" | awk '
	BEGIN { digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/" }
	function value(hex) { return index("0123456789abcdef", hex) - 1 }
	{
		hex = substr($1, 1, 64) "00"
		for (i = 1; i <= 64; i += 3) {
			v = value(substr(hex, i, 1)) * 256 + value(substr(hex, i + 1, 1)) * 16 + value(substr(hex, i + 2, 1))
			out = out substr(digits, int(v / 64) + 1, 1) substr(digits, v % 64 + 1, 1)
		}
		print substr(out, 1, 43) "="
	}'
}
printf "default-src 'none'; script-src 'sha256-%s'; style-src 'sha256-%s'; base-uri 'none'; form-action 'none'" "$(hash "$1")" "$(hash "$2")"
