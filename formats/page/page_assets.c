/* The page's script, style and body, as formats/svg has its own: the script is made of all *.js
 * here, in the Makefile's order, and the policy knows its hash. */
#define ASSET(name, file)                                                       \
	__asm__(".pushsection .rodata\n"                                        \
		".globl " #name "\n" #name ":\n.incbin \"" file "\"\n.byte 0\n" \
		".popsection\n")

ASSET(page_script, "page.js");
ASSET(page_css, "formats/page/page.css");
ASSET(page_body, "formats/page/body.html");
ASSET(page_policy, "policy.txt");
