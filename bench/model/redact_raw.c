/* SPDX-License-Identifier: MIT */
/* Values of a raw text that name a drive; see redact_raw.h. */
#include "bench/model/redact_raw.h"

#include <ctype.h>
#include <string.h>

/* '_' stands for a blank too: smartctl has keys such as "SAS address". */
static const char *const keys[] = {
	"serial_number", "logical_unit_id", "wwn", "eui64", "nguid", "uuid", "sas_address",
	"attached_sas_address", "subsystem_nqn", "nqn", "host_name", "hostname",
};

static bool is_key(const char *text, const char *key, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		char c = text[i] == ' ' ? '_' : (char)tolower((unsigned char)text[i]);

		if (c != key[i])
			return false;
	}
	return text[len] == '"';
}

/* Length of the key that `text` begins with, quotes included; 0: it is none of them. */
static size_t key_at(const char *text)
{
	if (*text != '"')
		return 0;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (is_key(text + 1, keys[i], strlen(keys[i])))
			return strlen(keys[i]) + 2;
	return 0;
}

/* Bytes of a text in quotes, which may be cut. */
static size_t text_bytes(const char *text)
{
	size_t i = 1;

	while (text[i] && text[i] != '"')
		i += text[i] == '\\' && text[i + 1] ? 2 : 1;
	return text[i] ? i + 1 : i;
}

/* Bytes of a JSON value: a text, an object or array with all in it, or a plain word. */
static size_t value_bytes(const char *text)
{
	size_t i = 0, depth = 0;

	if (*text == '"')
		return text_bytes(text);
	if (*text != '{' && *text != '[')
		return strcspn(text, ",}] \n\t");
	do {
		if (text[i] == '"') {
			i += text_bytes(text + i);
			continue;
		}
		if (text[i] == '{' || text[i] == '[')
			depth++;
		else if (text[i] == '}' || text[i] == ']')
			depth--;
		i++;
	} while (text[i] && depth);
	return i;
}

bool redact_raw_at(const char *text, size_t *value, size_t *len)
{
	size_t at = key_at(text), bytes;

	if (!at)
		return false;
	at += strspn(text + at, " \t");
	if (text[at] != ':')
		return false;
	at++;
	at += strspn(text + at, " \t\n");
	bytes = value_bytes(text + at);
	if (!bytes)
		return false;
	*value = at;
	*len = at + bytes;
	return true;
}
