/* SPDX-License-Identifier: MIT */
/* Texts that makers leave where a name should be; compared without regard to case. */
#include "bench/sys/placeholder.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#include "lib/text.h"

static const char *const fillers[] = {
	"To be filled by O.E.M.", "To be filled by O.E.M", "To be filled by OEM", "O.E.M.", "OEM",
	"Default string", "Default", "Not specified", "Not available", "Not applicable",
	"Not provided", "Not present", "Not set", "None", "N/A", "NA", "Null", "(null)", "Empty",
	"Unknown", "Undefined", "Invalid", "No serial", "No serial number", "Serial",
	"Serial number",
	"System serial number", "System product name", "System manufacturer", "System version",
	"System name", "Chassis serial number", "Base board serial number", "Board serial number",
	"Product name", "Type1ProductConfigId", "xxxxxxx", "...", "-", "<BAD INDEX>",
	"<OUT OF SPEC>", "BAD INDEX", "Uninitialized", "Chassis manufacture",
};

static const char *const counting[] = {
	"0123456789ABCDEF0123", "0123456789ABCDEF", "1234567890ABCDEF", "123456789ABCDEF",
	"01234567890123456789AB", "01234567890123456789", "01234567", "0123456789", "1234567890",
	"123456789", "12345678", "ABCDEFGH", "SN123456789",
};

/* What firmware leaves for a module, a case or a board. */
static const char *const firmware_fillers[] = {
	"No Module Installed", "No Module", "No DIMM", "No DIMM Installed", "Not Installed",
	"[Empty]", "Module Manufacturer", "Manufacturer", "Module Part Number",
	"Module Serial Number", "Part Number", "Asset Tag", "No Asset Tag",
	"No Asset Information", "Chassis Asset Tag", "System Asset Tag", "Chassis Version",
	"Chassis Manufacturer", "Board Version", "Board Asset Tag", "Base Board Version",
	"Base Board Asset Tag", "Base Board Product Name", "Base Board Manufacturer", "Sku",
	"Family", "System SKU", "System Family", "SKUNumber", "SKU Number", "Default_string",
	"CPU", "Processor", "Fill By OEM", "Version", "Product Version", "SKU=NotProvided",
	"Undefined Manufacturer", "Unknown Manufacturer", "Unknown Serial", "No Enclosure",
};

/* The same, with digits behind them. */
static const char *const numbered_fillers[] = {
	"Manufacturer", "ModuleManufacturer", "ModulePartNumber", "ModuleSerialNumber", "PartNum",
	"SerNum", "AssetTagNum", "Asset-",
};

/* True where nothing is left but blanks, dots and U+FFFD (bytes that were no text). */
static bool holds_nothing(const char *text)
{
	for (const char *s = text; *s; s++) {
		if (!strncmp(s, "\xEF\xBF\xBD", 3))
			s += 2;
		else if (!strchr(" .-_?*", *s))
			return false;
	}
	return true;
}

static bool listed(const char *text, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (text_same(text, list[i]))
			return true;
	return false;
}

bool placeholder_text(const char *text)
{
	return holds_nothing(text) || listed(text, fillers, sizeof(fillers) / sizeof(*fillers));
}

bool placeholder_firmware(const char *text)
{
	/* Dell's "SKU=NotProvided;ModelName=..." is no order number either */
	size_t n = strcspn(text, ";");
	char head[64];

	if (placeholder_text(text) || listed(text, counting, sizeof(counting) / sizeof(*counting)))
		return true;
	if (n >= sizeof(head))
		return false;
	memcpy(head, text, n);
	head[n] = '\0';
	if (listed(head, firmware_fillers, sizeof(firmware_fillers) / sizeof(*firmware_fillers)))
		return true;
	while (n > 0 && isdigit((unsigned char)head[n - 1]))
		head[--n] = '\0';
	return listed(head, numbered_fillers,
		      sizeof(numbered_fillers) / sizeof(*numbered_fillers));
}

bool placeholder_serial(const char *text)
{
	size_t n = 0;

	if (placeholder_text(text) || listed(text, counting, sizeof(counting) / sizeof(*counting)))
		return true;
	while (text[n] && tolower((unsigned char)text[n]) == tolower((unsigned char)text[0]))
		n++;
	/* one character says little, but "X" or "7" may be all a small maker prints; "0" is none */
	return text[n] == '\0' && (n > 1 || text[0] == '0');
}
