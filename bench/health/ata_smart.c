/* SPDX-License-Identifier: MIT */
/* SMART data and device statistics of an ATA drive; see ata_smart.h. */
#include "bench/health/ata_smart.h"

#include <errno.h>
#include <fcntl.h>
#include <scsi/sg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "bench/health/attribute.h"
#include "bench/health/plausible.h"
#include "bench/health/value.h"
#include "lib/text.h"

/* ACS-4, clause 7; SMART's features are those of ACS-3, 7.48 */
#define IDENTIFY_DEVICE 0xEC
#define CHECK_POWER_MODE 0xE5
#define READ_LOG_EXT 0x2F
#define SMART 0xB0
#define SMART_READ_DATA 0xD0
#define SMART_RETURN_STATUS 0xDA
#define LOG_STATISTICS 0x04

/* SAT-4 12.2: protocols of ATA PASS-THROUGH, and its byte 2 */
#define PROTOCOL_NONE (3 << 1)
#define PROTOCOL_PIO_IN (4 << 1)
#define BYTES_BY_COUNT 0x0E	/* in blocks, from the drive, the count says how many */
#define WANT_REGISTERS 0x20	/* CK_COND: the drive's registers come back as sense data */

#define DESCRIPTOR_ATA 0x09	/* SAT-4 12.2.7: ATA Status Return sense data descriptor */
#define ASCQ_ATA 0x1D		/* behind ASC 00h: ATA PASS THROUGH INFORMATION AVAILABLE */

struct command {
	uint8_t command, feature, lba_low, lba_mid, lba_high;
	bool extended;
};

bool ata_smart_registers(const uint8_t sense[ATA_SENSE], struct ata_registers *r)
{
	const uint8_t *d = sense + 8;

	/*
	 * Fixed format (70h): information and command-specific bytes, SAT-4 table 180. The same
	 * bytes of another error, such as an adapter's refusal, are no registers.
	 */
	if ((sense[0] & 0x7F) == 0x70) {
		*r = (struct ata_registers){ .count = sense[6], .mid = sense[10],
					     .high = sense[11], .status = sense[4] };
		return sense[12] == 0 && sense[13] == ASCQ_ATA && r->status;
	}
	/* descriptor format (72h), whose first descriptor is that of ATA */
	if ((sense[0] & 0x7F) != 0x72 || d[0] != DESCRIPTOR_ATA || d[1] < 12)
		return false;
	*r = (struct ata_registers){ .count = d[5], .mid = d[9], .high = d[11], .status = d[13] };
	return true;
}

/*
 * Sends one command: with `data` it reads a sector, without it the drive's registers come back.
 * Returns 0 or -errno, -EIO where the drive refuses.
 */
static int send_command(int fd, const struct command *c, unsigned timeout_ms, uint8_t *data,
			struct ata_registers *registers)
{
	uint8_t sense[ATA_SENSE] = { 0 };
	uint8_t cdb[16] = {
		[0] = 0x85,
		[1] = (uint8_t)((data ? PROTOCOL_PIO_IN : PROTOCOL_NONE) | c->extended),
		[2] = data ? BYTES_BY_COUNT : WANT_REGISTERS,
		[4] = c->feature, [6] = data ? 1 : 0, [8] = c->lba_low, [10] = c->lba_mid,
		[12] = c->lba_high, [14] = c->command,
	};
	struct sg_io_hdr io = {
		.interface_id = 'S',
		.dxfer_direction = data ? SG_DXFER_FROM_DEV : SG_DXFER_NONE,
		.cmd_len = sizeof(cdb), .mx_sb_len = sizeof(sense), .dxferp = data,
		.dxfer_len = data ? ATA_SECTOR : 0, .cmdp = cdb, .sbp = sense,
		.timeout = timeout_ms,
	};

	if (data)
		memset(data, 0, ATA_SECTOR);
	if (ioctl(fd, SG_IO, &io) < 0)
		return -errno;
	if (io.host_status)
		return -EIO;
	if (!data)
		return ata_smart_registers(sense, registers) && !(registers->status & 1) ? 0 :
			-EIO;
	return (io.info & SG_INFO_OK_MASK) == SG_INFO_OK && io.resid == 0 ? 0 : -EIO;
}

static uint32_t word(const uint8_t *identify, unsigned i)
{
	return (uint32_t)value_le(identify + 2 * i, 2);
}

static bool sleeps(int fd, unsigned timeout_ms)
{
	static const struct command check = { .command = CHECK_POWER_MODE };
	struct ata_registers r;

	/* ACS-4 7.3: 00h standby, 01h standby_y; anything else spins. One that refuses is asked. */
	return send_command(fd, &check, timeout_ms, NULL, &r) == 0 && r.count <= 1;
}

/* ACS-3 7.48.8: the drive puts C24Fh into the middle of the LBA, or 2CF4h to warn. */
static enum tristate verdict(int fd, unsigned timeout_ms)
{
	static const struct command ask = {
		.command = SMART, .feature = SMART_RETURN_STATUS, .lba_mid = 0x4F, .lba_high = 0xC2,
	};
	struct ata_registers r;

	if (send_command(fd, &ask, timeout_ms, NULL, &r))
		return TRI_UNKNOWN;
	if (r.mid == 0x4F && r.high == 0xC2)
		return TRI_YES;
	return r.mid == 0xF4 && r.high == 0x2C ? TRI_NO : TRI_UNKNOWN;
}

/* Pages of log 04h that page 0 lists (ACS-4 9.5.3: byte 8 how many, the numbers behind it). */
static void read_pages(int fd, unsigned timeout_ms, struct ata_smart *a)
{
	struct command c = { .command = READ_LOG_EXT, .lba_low = LOG_STATISTICS,
			     .extended = true };
	const uint8_t *list = a->page[0];

	if (send_command(fd, &c, timeout_ms, a->page[0], NULL))
		return;
	a->has_page[0] = true;
	for (unsigned i = 0; i < list[8] && i < ATA_SECTOR - 9; i++) {
		uint8_t page = list[9 + i];

		if (page == 0 || page >= ATA_STATS_PAGES || a->has_page[page])
			continue;
		c.lba_mid = page;
		a->has_page[page] = !send_command(fd, &c, timeout_ms, a->page[page], NULL);
	}
}

int ata_smart_read(const char *node, unsigned timeout_ms, struct ata_smart *a)
{
	static const struct command identify = { .command = IDENTIFY_DEVICE };
	static const struct command data = {
		.command = SMART, .feature = SMART_READ_DATA, .lba_mid = 0x4F, .lba_high = 0xC2,
	};
	int fd = open(node, O_RDONLY | O_CLOEXEC | O_NONBLOCK), err = 0;

	memset(a, 0, sizeof(*a));
	a->passed = TRI_UNKNOWN;
	if (fd < 0)
		return -errno;
	a->sleeps = sleeps(fd, timeout_ms);
	if (!a->sleeps)
		err = send_command(fd, &identify, timeout_ms, a->identify, NULL);
	/* ACS-3 7.12.7: word 82 bit 0 SMART is there, word 85 bit 0 it is on */
	if (!err && !a->sleeps && (word(a->identify, 82) & 1) && (word(a->identify, 85) & 1)) {
		a->has_smart = !send_command(fd, &data, timeout_ms, a->smart, NULL);
		a->passed = verdict(fd, timeout_ms);
	}
	/* word 87 bit 5: logs of their own command are supported */
	if (!err && !a->sleeps && (word(a->identify, 87) & 0xC020) == 0x4020)
		read_pages(fd, timeout_ms, a);
	close(fd);
	return err;
}

/* ATA strings have the bytes of each word in reverse (ACS-3 3.4.9). */
static void ata_text(const uint8_t *from, unsigned bytes, char *to, size_t size)
{
	char swapped[64];

	for (unsigned i = 0; i < bytes; i++)
		swapped[i] = (char)from[i ^ 1];
	text_clean(to, size, swapped, strnlen(swapped, bytes));
}

static uint32_t block_bytes(const uint8_t *identify)
{
	/* word 106: bit 14 set and 15 clear it is valid, bit 12 words 117-118 tell */
	uint32_t bytes = 2 * (word(identify, 117) | word(identify, 118) << 16);

	if ((word(identify, 106) & 0xD000) != 0x5000 || bytes < ATA_SECTOR || bytes > 1 << 20)
		return ATA_SECTOR;
	return bytes;
}

/*
 * The table of attributes: 30 entries of 12 bytes from byte 2 on, each id, flags (2), value, worst,
 * raw (6); SFF-8035i, and the practice of all makers since.
 */
static void decode_attributes(const uint8_t *smart, struct health *h)
{
	for (int last = 0; last < 2; last++) {
		for (unsigned i = 0; i < 30; i++) {
			const uint8_t *at = smart + 2 + 12 * i;
			struct attribute a = { .id = at[0], .value = at[3],
					       .raw = value_le(at + 5, 6) };

			/* as smartctl's default: a name tells less than none */
			a.name = a.id == 194 || a.id == ATTRIBUTE_LAST ? "Temperature" : NULL;
			if (a.id && last == (a.id == ATTRIBUTE_LAST))
				attribute_take(&a, h);
		}
	}
}

static bool sum_is_right(const uint8_t *sector)
{
	uint8_t sum = 0;

	for (unsigned i = 0; i < ATA_SECTOR; i++)
		sum = (uint8_t)(sum + sector[i]);
	return sum == 0;
}

void ata_smart_decode(const struct ata_smart *a, struct health *h)
{
	text_copy(h->protocol, sizeof(h->protocol), "ata");
	if (a->sleeps) {
		h->state = HEALTH_STANDBY;
		text_copy(h->reason, sizeof(h->reason), "it sleeps and was not woken");
		return;
	}
	/* ACS-3 7.12.7: words 10-19 serial number, 23-26 firmware, 27-46 model, 217 rotation */
	ata_text(a->identify + 20, 20, h->serial, sizeof(h->serial));
	ata_text(a->identify + 46, 8, h->firmware, sizeof(h->firmware));
	ata_text(a->identify + 54, 40, h->model, sizeof(h->model));
	if (word(a->identify, 217) > 0x400 && word(a->identify, 217) < 0xFFFF)
		h->rotation_rpm = word(a->identify, 217);
	h->passed = a->passed;
	for (unsigned page = 1; page < ATA_STATS_PAGES; page++)
		if (a->has_page[page])
			ata_stats_page(h, page, a->page[page], block_bytes(a->identify));
	if (a->has_smart)
		decode_attributes(a->smart, h);
	if (a->has_smart && !sum_is_right(a->smart))
		plausible_doubt(h, "source", "the checksum of the SMART data is wrong");
	h->state = a->has_smart || a->has_page[0] ? HEALTH_READ : HEALTH_UNSUPPORTED;
	if (h->state == HEALTH_UNSUPPORTED)
		text_copy(h->reason, sizeof(h->reason), "it has no SMART data, or SMART is "
			  "switched off in it");
	plausible_check(h);
}
