/* SPDX-License-Identifier: MIT */
/* The network words of a kernel command line: see ip_param.h. */
#include "init/ip_param.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/text.h"

#define WORD_BYTES 256		/* a longer ip= is no address */
#define FIELDS_MAX 10		/* klibc's has up to ten */

static void note(struct net_params *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void note(struct net_params *p, const char *fmt, ...)
{
	char text[IP_PARAM_NOTE_BYTES * 2];
	va_list args;

	if (p->note_n < IP_PARAM_NOTES) {
		va_start(args, fmt);
		vsnprintf(text, sizeof(text), fmt, args);
		va_end(args);
		text_clean_str(p->note[p->note_n], IP_PARAM_NOTE_BYTES, text);
	}
	p->note_n++;
}

bool ip_param_address(const char *text, uint32_t *address)
{
	uint32_t sum = 0;

	for (int part = 0; part < 4; part++) {
		uint32_t n = 0;
		int digits = 0;

		if (part && *text++ != '.')
			return false;
		while (isdigit((unsigned char)*text) && digits < 4) {
			n = n * 10 + (uint32_t)(*text++ - '0');
			digits++;
		}
		if (!digits || n > 255)
			return false;
		sum = sum << 8 | n;
	}
	if (*text)
		return false;
	*address = sum;
	return true;
}

bool ip_param_mask(const char *text, uint8_t *prefix)
{
	uint32_t mask, rest;
	uint8_t n = 0;

	if (ip_param_address(text, &mask)) {
		rest = ~mask;
		if (rest & (rest + 1))
			return false;	/* ones and zeros mixed */
		while (mask) {
			mask <<= 1;
			n++;
		}
		*prefix = n;
		return true;
	}
	if (!isdigit((unsigned char)text[0]) ||
	    (text[1] && (!isdigit((unsigned char)text[1]) || text[2])))
		return false;
	n = (uint8_t)(text[0] - '0');
	if (text[1])
		n = (uint8_t)(n * 10 + (text[1] - '0'));
	if (n > 32)
		return false;
	*prefix = n;
	return true;
}

uint8_t ip_param_class_prefix(uint32_t address)
{
	if (address < 0x80000000)
		return 8;
	if (address < 0xC0000000)
		return 16;
	return address < 0xE0000000 ? 24 : 32;
}

bool ip_param_is_host(uint32_t address)
{
	uint32_t top = address >> 24;

	return top != 0 && top != 127 && top < 224;
}

bool ip_param_is_name(const char *text)
{
	size_t len = strlen(text);

	if (!len || len >= IP_PARAM_NAME_BYTES || !strcmp(text, ".") || !strcmp(text, ".."))
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isgraph((unsigned char)text[i]) || text[i] == '/')
			return false;
	return true;
}

const char *ip_text(uint32_t address, char buf[IP_TEXT_BYTES])
{
	snprintf(buf, IP_TEXT_BYTES, "%u.%u.%u.%u", (unsigned int)(address >> 24),
		 (unsigned int)(address >> 16 & 255), (unsigned int)(address >> 8 & 255),
		 (unsigned int)(address & 255));
	return buf;
}

static int hex_value(char c)
{
	const char *digits = "0123456789abcdef";
	const char *at = c ? strchr(digits, tolower((unsigned char)c)) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* Six pairs of hex digits with `separator` between them, nothing else. */
static bool parse_mac(const char *text, char separator, uint8_t mac[MAC_BYTES])
{
	uint8_t bytes[MAC_BYTES];

	for (int i = 0; i < MAC_BYTES; i++) {
		int high, low;

		if (i && *text++ != separator)
			return false;
		high = hex_value(text[0]);
		low = high < 0 ? -1 : hex_value(text[1]);
		if (low < 0)
			return false;
		bytes[i] = (uint8_t)(high << 4 | low);
		text += 2;
	}
	if (*text)
		return false;
	memcpy(mac, bytes, MAC_BYTES);
	return true;
}

/* pxelinux writes 01-aa-bb-...; 01 is ARP's number for Ethernet. Both are often left out. */
static void take_bootif(struct net_params *p, const char *value)
{
	const char *mac = value;

	if (!strncmp(mac, "01-", 3) && strlen(mac) == 20)
		mac += 3;
	if (parse_mac(mac, '-', p->bootif) || parse_mac(mac, ':', p->bootif))
		p->has_bootif = true;
	else if (*value)
		note(p, "BOOTIF=%s is no MAC address of Ethernet and is ignored", value);
}

static void take_nameserver(struct net_params *p, const char *value)
{
	uint32_t address;

	if (!ip_param_address(value, &address) || !address)
		note(p, "nameserver=%s is no IPv4 address and is ignored", value);
	else if (p->dns_n == IP_PARAM_DNS_MAX)
		note(p, "nameserver=%s is one too many and is ignored", value);
	else
		p->dns[p->dns_n++] = address;
}

enum proto { PROTO_DHCP, PROTO_OFF, PROTO_EMPTY, PROTO_UNKNOWN };

static enum proto proto_of(const char *word)
{
	static const struct {
		const char *word;
		enum proto proto;
	} words[] = {
		{ "dhcp", PROTO_DHCP },	 { "on", PROTO_DHCP }, { "any", PROTO_DHCP },
		{ "both", PROTO_DHCP },	 { "off", PROTO_OFF }, { "none", PROTO_OFF },
		{ "static", PROTO_OFF }, { "", PROTO_EMPTY },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(word, words[i].word))
			return words[i].proto;
	return PROTO_UNKNOWN;
}

static bool take_device(struct ip_param *ip, const char *word)
{
	if (!*word)
		return true;
	if (parse_mac(word, '-', ip->mac)) {
		ip->has_mac = true;
		return true;
	}
	if (!ip_param_is_name(word))
		return false;
	text_copy(ip->device, sizeof(ip->device), word);
	return true;
}

/* Splits at ':'; every field is there, maybe empty. Returns how many the text has. */
static unsigned int split(char *text, const char *field[FIELDS_MAX])
{
	unsigned int n = 0;

	for (int i = 0; i < FIELDS_MAX; i++)
		field[i] = "";
	for (;;) {
		char *colon = strchr(text, ':');

		if (n < FIELDS_MAX)
			field[n] = text;
		n++;
		if (!colon)
			return n;
		*colon = '\0';
		text = colon + 1;
	}
}

/* The long form. Returns NULL, or what is wrong. */
static const char *take_fields(struct ip_param *ip, const char *const field[FIELDS_MAX])
{
	enum proto proto = proto_of(field[6]);

	if (*field[0] &&
	    (!ip_param_address(field[0], &ip->address) || !ip_param_is_host(ip->address)))
		return "its client is no IPv4 address of a host";
	if (*field[2] && !ip_param_address(field[2], &ip->gateway))
		return "its gateway is no IPv4 address";
	if (!*field[3])
		ip->prefix = ip_param_class_prefix(ip->address);
	else if (!ip_param_mask(field[3], &ip->prefix) || !ip->prefix)
		return "its mask is neither dotted nor a prefix length";
	if (!take_device(ip, field[5]))
		return "its device is no interface name";
	if (proto == PROTO_UNKNOWN)
		return "its protocol is unknown";
	for (int i = 0; i < 2; i++)
		if (*field[7 + i] && !ip_param_address(field[7 + i], &ip->dns[i]))
			ip->dns[i] = 0;	/* dracut puts an MTU or a MAC there */
	/* A given address is used, whatever the protocol field says. */
	ip->dhcp = !ip->address && proto != PROTO_OFF;
	if (!ip->address && !ip->dhcp)
		return "it asks for nothing";
	return NULL;
}

static void take_ip(struct net_params *p, const char *value)
{
	struct ip_param ip = { 0 };
	const char *field[FIELDS_MAX], *wrong = NULL;
	char text[WORD_BYTES];
	unsigned int n;

	if (proto_of(value) == PROTO_OFF) {
		p->off = true;
		return;
	}
	text_copy(text, sizeof(text), value);
	n = split(text, field);
	if (strlen(value) >= sizeof(text) || n > FIELDS_MAX)
		wrong = "it is too long";
	else if (strchr(value, '['))
		wrong = "static IPv6 addresses are not supported";
	else if (n == 1 && proto_of(field[0]) <= PROTO_EMPTY)
		ip.dhcp = true;
	else if (n == 2 && proto_of(field[1]) == PROTO_DHCP && take_device(&ip, field[0]))
		ip.dhcp = true;
	else
		wrong = take_fields(&ip, field);
	if (!wrong && p->ip_n == IP_PARAM_MAX)
		wrong = "it is one too many";
	if (wrong)
		note(p, "ip=%s is ignored: %s", value, wrong);
	else
		p->ip[p->ip_n++] = ip;
}

static void take_word(struct net_params *p, const char *word)
{
	if (!strncmp(word, "ip=", 3))
		take_ip(p, word + 3);
	else if (!strncmp(word, "BOOTIF=", 7))
		take_bootif(p, word + 7);
	else if (!strncmp(word, "nameserver=", 11))
		take_nameserver(p, word + 11);
}

void ip_param_parse(struct net_params *p, const char *line, size_t len)
{
	size_t at = 0;

	memset(p, 0, sizeof(*p));
	while (at < len) {
		char word[WORD_BYTES + 16];
		bool quoted = false;
		size_t n = 0;

		/* As the kernel splits: blanks, but not inside double quotes. */
		while (at < len && (quoted || !isspace((unsigned char)line[at]))) {
			char c = line[at++];

			if (c == '"')
				quoted = !quoted;
			else if (n < sizeof(word) - 1)
				word[n++] = c ? c : '?';
		}
		word[n] = '\0';
		take_word(p, word);
		while (at < len && isspace((unsigned char)line[at]))
			at++;
	}
	if (p->ip_n)
		p->off = false;
}
