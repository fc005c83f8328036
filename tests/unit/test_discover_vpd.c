/* SPDX-License-Identifier: MIT */
/* Decoders of SCSI pages: right answers from right pages, and no trust in any length. */
#include <stdint.h>

#include "bench/sys/capacity.h"
#include "bench/sys/vpd.h"
#include "lib/text.h"
#include "tests/unit/tap.h"

#define BYTES(text) (const uint8_t *)(text), sizeof(text) - 1

static void serials(void)
{
	static const struct {
		const char *what, *page;
		size_t len;
		const char *want;
	} rows[] = {
#define ROW(what, page, want) { what, page, sizeof(page) - 1, want }
		ROW("plain", "\0\x80\0\x04" "AB12", "AB12"),
		ROW("padded at both ends", "\0\x80\0\x0a" "  AB 12  \0", "AB 12"),
		ROW("longer than it says", "\0\x80\0\x02" "AB12", "AB"),
		ROW("shorter than it says", "\0\x80\0\x40" "AB", "AB"),
		ROW("says 64 KiB", "\0\x80\xff\xff" "AB", "AB"),
		ROW("empty", "\0\x80\0\0", ""),
		ROW("blanks", "\0\x80\0\x03" "   ", ""),
		ROW("another page", "\0\x83\0\x04" "AB12", ""),
		ROW("cut in its head", "\0\x80\0", ""),
		ROW("nothing", "", ""),
		ROW("raw bytes", "\0\x80\0\x03" "A\xff\x01", "A\xEF\xBF\xBD\xEF\xBF\xBD"),
#undef ROW
	};
	char text[64];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		bool got = vpd_serial((const uint8_t *)rows[i].page, rows[i].len, text,
				      sizeof(text));

		is_str(text, rows[i].want, "page 80h, %s", rows[i].what);
		is_int(got, rows[i].want[0] != '\0', "page 80h, %s: said so", rows[i].what);
	}
	vpd_serial(BYTES("\0\x80\0\x08" "ABCDEFGH"), text, 4);
	is_str(text, "ABC", "page 80h: cut to the room there is");
}

#define NAA "\x01\x03\0\x08\x50\x00\xc5\x00\x00\x00\x00\x07"
#define NAA_PORT "\x61\x93\0\x08\x50\x00\xc5\x00\x00\x00\x00\x08"
#define NAA6 "\x01\x03\0\x10\x60\x05\x08\xb1\x00\x1c\x0e\x2b\x3d\x7a\x9f\x88\x12\x34\x56\x78"
#define EUI "\x01\x02\0\x08\x00\x25\x38\x8b\x01\x23\x45\x67"
#define T10 "\x02\x01\0\x10" "QEMU    DISK0001"
#define NAME "\x03\x08\0\x08" "iqn.x:01"

static void lun_names(void)
{
	static const struct {
		const char *what, *page;
		size_t len;
		const char *want;
	} rows[] = {
#define ROW(what, length, list, want) \
	{ what, "\0\x83\0" length list, sizeof("\0\x83\0" length list) - 1, want }
		ROW("NAA", "\x0c", NAA, "naa.5000c50000000007"),
		ROW("NAA behind a target port's", "\x18", NAA_PORT NAA, "naa.5000c50000000007"),
		ROW("only a target port's", "\x0c", NAA_PORT, ""),
		ROW("NAA before EUI-64 and T10", "\x30", T10 EUI NAA, "naa.5000c50000000007"),
		ROW("the longer NAA", "\x20", NAA NAA6, "naa.600508b1001c0e2b3d7a9f8812345678"),
		ROW("EUI-64 before T10", "\x20", T10 EUI, "eui.0025388b01234567"),
		ROW("name string before T10", "\x20", T10 NAME, "iqn.x:01"),
		ROW("T10", "\x14", T10, "t10.QEMU DISK0001"),
		ROW("NAA of a strange length", "\x08", "\x01\x03\0\x04\x50\x00\xc5\x00", ""),
		ROW("NAA in ASCII", "\x0c", "\x02\x03\0\x08" "5000c500", ""),
		ROW("designator longer than the page", "\x0c",
		    "\x01\x03\0\x20\x50\x00\xc5\x00\0\0\0\x07", ""),
		ROW("designators of no length", "\x0c", "\x01\x03\0\0\x01\x03\0\0\x01\x03\0\0", ""),
		ROW("a half descriptor at the end", "\x0e", NAA "\x01\x03", "naa.5000c50000000007"),
		ROW("page that says less than it has", "\x0c", NAA NAA6, "naa.5000c50000000007"),
		ROW("page that says more than it has", "\xff", NAA, "naa.5000c50000000007"),
#undef ROW
	};
	char text[128];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		bool got = vpd_lun_name((const uint8_t *)rows[i].page, rows[i].len, text,
					sizeof(text));

		is_str(text, rows[i].want, "page 83h, %s", rows[i].what);
		is_int(got, rows[i].want[0] != '\0', "page 83h, %s: said so", rows[i].what);
	}
	ok(!vpd_lun_name(BYTES("\0\x83\0\x0c" NAA), text, 20) && !text[0],
	   "page 83h: a name that does not fit is not cut");
}

static void put_words(uint8_t page[572], size_t word, const char *text)
{
	for (size_t i = 0; i < strlen(text); i++)
		page[60 + 2 * word + (i ^ 1)] = (uint8_t)text[i];
}

static void ata(void)
{
	uint8_t page[572] = { 0, 0x89, 0x02, 0x38 };
	struct vpd_ata a;

	page[56] = 0xEC;
	put_words(page, 10, "            WMAM0001");
	put_words(page, 23, "1.0     ");
	put_words(page, 27, "WDC WD80");
	ok(vpd_ata(page, sizeof(page), &a), "page 89h is decoded");
	is_str(a.serial, "WMAM0001", "page 89h: serial number");
	is_str(a.firmware, "1.0", "page 89h: firmware");
	is_str(a.model, "WDC WD80", "page 89h: model");
	is_int(a.is_serial_ata, -1, "page 89h: an old disk does not say its transport");
	page[60 + 2 * 76] = 0x06;
	vpd_ata(page, sizeof(page), &a);
	is_int(a.is_serial_ata, 1, "page 89h: word 76 tells SATA");
	page[60 + 2 * 76] = page[60 + 2 * 76 + 1] = 0xff;
	vpd_ata(page, sizeof(page), &a);
	is_int(a.is_serial_ata, -1, "page 89h: word 76 of all ones tells nothing");
	page[60 + 2 * 222] = 0x20;
	vpd_ata(page, sizeof(page), &a);
	is_int(a.is_serial_ata, 0, "page 89h: word 222 tells parallel ATA");
	page[60 + 2 * 222 + 1] = 0x10;
	vpd_ata(page, sizeof(page), &a);
	is_int(a.is_serial_ata, 1, "page 89h: word 222 tells SATA");
	ok(a.is_device, "page 89h: command ECh is a disk's");
	ok(!vpd_ata(page, sizeof(page) - 1, &a), "page 89h: one byte short");
	page[56] = 0;
	ok(!vpd_ata(page, sizeof(page), &a), "page 89h: no identify command, no identify data");
	page[56] = 0xEC;
	memset(page + 60, 0, 512);
	ok(!vpd_ata(page, sizeof(page), &a), "page 89h: zeros say nothing");
}

static void rotation_and_capacity(void)
{
	is_int(vpd_rotation(BYTES("\0\xb1\0\x3c\x1c\x20")), 7200, "page B1h: 7,200 per minute");
	is_int(vpd_rotation(BYTES("\0\xb1\0\x3c\0\x01")), 1, "page B1h: solid state");
	is_int(vpd_rotation(BYTES("\0\xb1\0\x3c\0")), -1, "page B1h: cut");
	is_int(vpd_rotation(BYTES("\0\xb0\0\x3c\0\x01")), -1, "another page");
	is_uint(capacity_decode16(BYTES("\0\0\0\0\x74\x70\x6d\xaf\0\0\x02\x08")), 520,
		"READ CAPACITY (16): 520 bytes");
	is_uint(capacity_decode16(BYTES("\0\0\0\0\x74\x70\x6d\xaf\0\0\x02")), 0, "the same, cut");
	is_uint(capacity_decode10(BYTES("\x74\x70\x6d\xaf\0\0\x02\x10")), 528,
		"READ CAPACITY (10): 528 bytes");
	is_uint(capacity_decode10(BYTES("\x74\x70\x6d")), 0, "the same, cut");
}

/* Random pages with the right code; the sanitizers and the checks below see what goes wrong. */
static void random_pages(void)
{
	static const uint8_t codes[] = { 0x80, 0x83, 0x89, 0xb1 };
	uint32_t seed = 1;
	unsigned bad = 0;

	for (int round = 0; round < 200000; round++) {
		size_t len = (size_t)round % 640;
		uint8_t *page = malloc(len ? len : 1);	/* of this size,
			so that reading past it is seen */
		char text[48];
		struct vpd_ata a;

		for (size_t i = 0; page && i < len; i++) {
			seed = seed * 1664525u + 1013904223u;
			page[i] = (uint8_t)(seed >> 24);
		}
		if (!page)
			tap_bail("no memory");
		if (len > 1)
			page[1] = codes[round % 4];
		if (len > 7 && round % 3)	/* small descriptors make long lists */
			for (size_t i = 7; i < len; i += 4)
				page[i] &= 0x0f;
		if (len > 56 && round % 5)
			page[56] = 0xEC;
		vpd_serial(page, len, text, sizeof(text));
		bad += !text_is_utf8(text, strlen(text));
		vpd_lun_name(page, len, text, sizeof(text));
		bad += !text_is_utf8(text, strlen(text));
		vpd_ata(page, len, &a);
		bad += !text_is_utf8(a.model, strlen(a.model));
		vpd_rotation(page, len);
		capacity_decode16(page, len);
		free(page);
	}
	is_uint(bad, 0, "200,000 random pages give clean text");
}

int main(void)
{
	serials();
	lun_names();
	ata();
	rotation_and_capacity();
	random_pages();
	return tap_done();
}
