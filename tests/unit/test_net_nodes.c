/* SPDX-License-Identifier: MIT */
/* The list of nodes: files, inline lists, the builtin one. Bad lines are notes. */
#include "bench/net/nodes.h"

#include <errno.h>
#include <unistd.h>

#include "lib/text.h"
#include "tests/unit/tap.h"

static struct nodes nodes;
static struct options options;

static void lines(const char *text)
{
	memset(&nodes, 0, sizeof(nodes));
	nodes_add_lines(&nodes, text, strlen(text));
}

static void good_lines(void)
{
	lines("# name\turl\n\n   \n  Tokyo, JP \thttp://a.example/100MB.bin \r\n"
	      "Spare\t\thttps://b.example:8443/x?y=z\thttps://b.example/v1/speed\tmore\n"
	      "\tlast\thttp://[2001:db8::1]/f");
	is_uint(nodes.n, 3, "three nodes");
	is_uint(nodes.note_n, 0, "and nothing to tell");
	is_str(nodes.node[0].name, "Tokyo, JP", "a name");
	is_str(nodes.node[0].url, "http://a.example/100MB.bin", "its address, trimmed");
	is_str(nodes.node[0].upload, "", "none to send to");
	is_str(nodes.node[1].url, "https://b.example:8443/x?y=z", "another");
	is_str(nodes.node[1].upload, "https://b.example/v1/speed", "with one to send to");
	is_str(nodes.node[2].name, "last", "the last line needs no end");
}

static const struct bad {
	const char *line, *why;
} bad_table[] = {
	{ "only a name", "line 1: no tab between name and address: it is left out" },
	{ "name\t", "line 1: no tab between name and address: it is left out" },
	{ "n\tftp://a.example/", "line 1: an address begins with http:// or https://: it is left "
	  "out" },
	{ "n\tfile:///etc/passwd", NULL },
	{ "n\thttp://", "line 1: the address has no host: it is left out" },
	{ "n\thttp://a b/", NULL },
	{ "n\thttp://a.example/\x01", NULL },
	{ "n\thttp://a.example/\xff\xfe", NULL },
	{ "n\thttp://a.example:99999/", "line 1: the address has no proper host or port: it is "
	  "left out" },
	{ "n\thttp://a.example:0/", NULL },
	{ "n\thttp://a.example:8o/", NULL },
	{ "n\thttp://[::1/", NULL },
	{ "n\thttp://[fe80::1%25eth0]/", NULL },
	{ "n\thttp://$(reboot)/", NULL },
	{ "n\thttp://a.example/\tgopher://b/", NULL },
	{ "n\thttp://a.example\\@b.example/", NULL },
	{ "\xef\xbb\xbf\xff\t\x80", NULL },
};

static void bad_lines(void)
{
	static const char zero[] = "a\thttp://a.example/\0x\nb\thttp://b.example/\n";
	char text[8 * URL_BYTES];
	size_t len = 0;

	for (size_t i = 0; i < sizeof(bad_table) / sizeof(bad_table[0]); i++) {
		snprintf(text, sizeof(text), "%s\ngood\thttp://good.example/\n",
			 bad_table[i].line);
		lines(text);
		is_uint(nodes.n, 1, "bad line %zu is left out, and the next one taken", i);
		is_uint(nodes.note_n, 1, "with a note");
		ok(text_is_utf8(nodes.note[0], strlen(nodes.note[0])), "of clean text");
		if (bad_table[i].why)
			is_str(nodes.note[0], bad_table[i].why, "that says why");
	}
	memset(&nodes, 0, sizeof(nodes));
	nodes_add_lines(&nodes, zero, sizeof(zero) - 1);
	is_uint(nodes.n, 1, "a line with a byte 0 is left out");
	is_str(nodes.node[0].name, "b", "and no other");
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	lines(text);
	is_uint(nodes.n, 0, "an endless line is none");
	is_uint(nodes.note_n, 1, "and noted");
	lines("a\thttp://a.example/\na\thttp://b.example/\n");
	is_uint(nodes.n, 1, "a name counts once");
	is_str(nodes.note[0], "line 2: there is a node a already: it is left out", "that is told");
	for (unsigned i = 0; i < 100; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "n%u\thttp://a/\n", i);
	lines(text);
	is_uint(nodes.n, NODES_MAX, "there is an end");
	is_uint(nodes.note_n, 100 - NODES_MAX, "and all beyond are counted");
	nodes_add_lines(&nodes, NULL, 0);
	ok(true, "no list is no harm");
}

static void hostile_names(void)
{
	lines("\x1b[2J<script>\t\thttp://a.example/\n\xff\xff\thttp://b.example/\n");
	is_uint(nodes.n, 2, "names may hold any byte");
	ok(text_is_utf8(nodes.node[0].name, strlen(nodes.node[0].name)) &&
	   !strchr(nodes.node[0].name, 0x1b), "and become clean");
	ok(nodes.node[1].name[0], "never empty");
}

static void settings(void)
{
	is_int(nodes_load(&nodes, "none"), 0, "none");
	is_uint(nodes.n, 0, "holds nothing");
	is_int(nodes_load(&nodes, ""), 0, "nor does an empty value");
	is_uint(nodes.n, 0, "hold anything");
	is_int(nodes_load(&nodes, "builtin"), 0, "builtin");
	ok(nodes.n >= 10, "has some: %u", nodes.n);
	is_uint(nodes.note_n, 0, "all of which can be used");
	is_int(nodes_load(&nodes, "near=http://a.example/x, http://b.example/y?a=b,,"
			  "c=https://c.example:1/"), 0, "inline");
	is_uint(nodes.n, 3, "three of them");
	is_uint(nodes.note_n, 0, "without notes");
	is_str(nodes.node[0].name, "near", "with a name");
	is_str(nodes.node[1].name, "b.example", "or the host's");
	is_str(nodes.node[1].url, "http://b.example/y?a=b", "a = behind it is the address's own");
	is_int(nodes_load(&nodes, "a=ftp://x,b,http://c.example/"), 0, "bad items");
	is_uint(nodes.n, 1, "are left out");
	is_uint(nodes.note_n, 2, "and told");
	is_int(nodes_load(&nodes, "/nowhere/at/all"), -ENOENT, "a file that is not there");
	is_int(nodes_load(&nodes, "/"), -EISDIR, "a folder is no file");
}

static void checks(void)
{
	options_init(&options);
	is_int(nodes_check(&options), 0, "nothing asked, nothing wrong");
	is_uint(options.note_n, 0, "and nothing told");
	options_set(&options, "nodes", "/nowhere", OPT_FROM_KERNEL);
	is_int(nodes_check(&options), 0, "the appliance goes on");
	is_str(options_last_note(&options), "nodes: /nowhere: No such file or directory",
	       "and says what is wrong");
	options_set(&options, "nodes", "/nowhere", OPT_FROM_FLAG);
	is_int(nodes_check(&options), -EINVAL, "a person is told at once");
	options_set(&options, "nodes", "x=http://a.example/,y=z://", OPT_FROM_FLAG);
	is_int(nodes_check(&options), 0, "but one that works is enough");
}

int main(void)
{
	good_lines();
	bad_lines();
	hostile_names();
	settings();
	checks();
	return tap_done();
}
