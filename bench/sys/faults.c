/* SPDX-License-Identifier: MIT */
/*
 * Kernel messages that tell of a fault; see faults.h. Each row names what a message must hold, as
 * the kernel's drivers print it (6.x, and older forms that are still met). A message that is normal
 * on a healthy machine must match no row.
 */
#include "bench/sys/faults.h"

#include <ctype.h>
#include <string.h>

#include "bench/model/fields.h"
#include "bench/model/report.h"
#include "bench/sys/kmsg.h"
#include "bench/sys/machine.h"
#include "lib/text.h"

#define SLOW_SATA "SATA link up 1.5 Gbps"

/* Where a message has the name of its device. */
enum place {
	NOWHERE,
	FIRST,		/* its first word */
	AFTER,		/* the word that follows `mark` */
	BEFORE,		/* the word before `mark` */
	PCI,		/* the first PCI address */
	NVME,		/* the first word like nvme0 or nvme0n1 */
	BRACKETS,	/* [sda] */
	SCSI,		/* "0:0:4:0" behind `mark` */
	LABEL,		/* between `mark` and the next parenthesis: it may hold blanks */
};

struct row {
	const char *kind;
	const char *first, *second;	/* both must be in it; the second may be NULL */
	enum place place;
	const char *mark;
};

/* The first row that holds counts. */
static const struct row rows[] = {
	{ "mce", "Machine check events logged", NULL, NOWHERE, NULL },
	{ "mce", "[Hardware Error]", ": Machine Check", LABEL, "[Hardware Error]: " },
	{ "mce", "Machine check: ", "[Hardware Error]", NOWHERE, NULL },
	{ "mce", "[Hardware Error]: Corrected error", NULL, NOWHERE, NULL },
	{ "mce", "[Hardware Error]: Uncorrected", NULL, NOWHERE, NULL },
	{ "mce", "[Hardware Error]: Deferred error", NULL, NOWHERE, NULL },
	{ "mce", "[Hardware Error]: Hardware error from APEI", NULL, NOWHERE, NULL },
	{ "mce", "BERT: Error records from previous boot", NULL, NOWHERE, NULL },
	{ "memory", "EDAC MC", " CE ", LABEL, " on " },
	{ "memory", "EDAC MC", " UE ", LABEL, " on " },
	{ "memory", "section_type: memory error", "[Hardware Error]", NOWHERE, NULL },
	{ "memory", "Memory failure: 0x", NULL, NOWHERE, NULL },
	{ "pcie", "section_type: PCIe error", "[Hardware Error]", NOWHERE, NULL },
	{ "pcie", "AER: ", "error received", PCI, NULL },
	{ "pcie", "AER: ", "error message received", PCI, NULL },
	{ "pcie", "PCIe Bus Error: severity=", NULL, PCI, NULL },
	{ "pcie", "DPC: containment event", NULL, PCI, NULL },
	{ "pcie", "pciehp: Slot(", "Link Down", PCI, NULL },
	{ "pcie", "available PCIe bandwidth, limited by", NULL, PCI, NULL },
	{ "nvme", "timeout, ", "nvme", NVME, NULL },
	{ "nvme", "controller is down", "nvme", NVME, NULL },
	{ "nvme", "Device not ready; aborting", "nvme", NVME, NULL },
	{ "nvme", "Removing after probe failure", "nvme", NVME, NULL },
	{ "nvme", "after reset failure", "nvme", NVME, NULL },
	{ "nvme", "frozen state error detected", "nvme", NVME, NULL },
	{ "nvme", "resetting controller", "nvme", NVME, NULL },
	{ "nvme", "globally duplicate IDs", "nvme", NVME, NULL },
	{ "nvme", "I/O Cmd(", "I/O Error (sct", NVME, NULL },
	{ "ata", ": exception Emask", "ata", FIRST, NULL },
	{ "ata", ": failed command: ", "ata", FIRST, NULL },
	{ "ata", " resetting link", "ata", FIRST, NULL },
	{ "ata", "limiting SATA link speed", "ata", FIRST, NULL },
	{ "ata", SLOW_SATA, "ata", FIRST, NULL },
	{ "ata", "link is slow to respond", "ata", FIRST, NULL },
	{ "ata", "COMRESET failed", "ata", FIRST, NULL },
	{ "ata", "reset failed, giving up", "ata", FIRST, NULL },
	{ "ata", "qc timeout", "ata", FIRST, NULL },
	{ "ata", "failed to IDENTIFY", "ata", FIRST, NULL },
	{ "ata", "revalidation failed", "ata", FIRST, NULL },
	{ "ata", ": disable device", "ata", FIRST, NULL },
	{ "io", " error, dev ", ", sector ", AFTER, " error, dev " },
	{ "io", "Buffer I/O error on dev ", NULL, AFTER, " on dev " },
	{ "io", "Buffer I/O error on device ", NULL, AFTER, " on device " },
	{ "io", "Sense Key : Medium Error", NULL, BRACKETS, NULL },
	{ "io", "Sense Key : Hardware Error", NULL, BRACKETS, NULL },
	{ "io", "FAILED Result: hostbyte=DID_TIME_OUT", NULL, BRACKETS, NULL },
	{ "io", "FAILED Result: hostbyte=DID_NO_CONNECT", NULL, BRACKETS, NULL },
	{ "io", "FAILED Result: hostbyte=DID_BAD_TARGET", NULL, BRACKETS, NULL },
	{ "io", "FAILED Result: hostbyte=DID_TRANSPORT", NULL, BRACKETS, NULL },
	{ "io", "FAILED Result: hostbyte=DID_SOFT_ERROR", NULL, BRACKETS, NULL },
	{ "io", "FAILED Result: hostbyte=DID_ERROR", NULL, BRACKETS, NULL },
	{ "io", "FAILED Result: hostbyte=DID_ABORT", NULL, BRACKETS, NULL },
	{ "io", "attempting task abort", NULL, SCSI, "sd " },
	{ "io", "Device offlined", NULL, SCSI, "sd " },
	{ "io", "rejecting I/O to offline device", NULL, SCSI, "sd " },
	{ "io", ": Disk failure on ", "md/raid", AFTER, " failure on " },
	{ "io", "kicking non-fresh ", "md: ", AFTER, "non-fresh " },
	{ "io", "_cm", "log_info(0x", FIRST, NULL },
	{ "io", "_cm", "fault_state(0x", FIRST, NULL },
	{ "io", "task ", "blocked for more than", NOWHERE, NULL },
	{ "thermal", ": Core temperature above threshold", NULL, BEFORE, ": Core temp" },
	{ "thermal", ": Package temperature above threshold", NULL, BEFORE, ": Package temp" },
	{ "thermal", "critical temperature reached", NULL, NOWHERE, NULL },
	{ "thermal", "High temperature on sensors", NULL, PCI, NULL },
	{ "firmware", "Direct firmware load for ", " failed with error", AFTER, "load for " },
	{ "firmware", "firmware: failed to load ", NULL, AFTER, "failed to load " },
	{ "firmware", "Unable to load firmware ", NULL, AFTER, "load firmware " },
	{ "firmware", "Can't load firmware file ", NULL, AFTER, "firmware file " },
	{ "driver", ": probe of ", " failed with error ", PCI, NULL },
	{ "driver", ": probe with driver ", " failed with error ", PCI, NULL },
	{ "network", "Detected Hardware Unit Hang", NULL, BEFORE, ": Detected Hardware" },
	{ "network", "NETDEV WATCHDOG: CPU: ", " timed out", BEFORE, ": NETDEV WATCHDOG" },
	{ "network", "NETDEV WATCHDOG: ", " timed out", AFTER, "NETDEV WATCHDOG: " },
	{ "network", "PCIe link lost, device now detached", NULL, PCI, NULL },
	{ "network", "Reset adapter unexpectedly", NULL, PCI, NULL },
	{ "network", "unsupported SFP", " module type was detected", PCI, NULL },
	{ "network", "link status definitely down for interface ", NULL, AFTER, "for interface " },
};

/* Files whose absence harms nothing on a server. */
static const char *const harmless[] = { "regulatory.db", "ast_dp501_fw.bin", NULL };

/* What may stand between the name of an interface and "Link is"; whose links are no network's. */
static const char *const kinds_of_link[] = { "NIC", "Copper", "SerDes", "Fiber", "Remote", NULL };
static const char *const other_links[] = { "SATA", "PCIe", NULL };

static bool is_any_of(const char *word, const char *const *list)
{
	while (*list && strcmp(word, *list))
		list++;
	return *list != NULL;
}

static void take_word(const char *from, char *to, size_t size)
{
	from += strspn(from, " \"'");
	text_clean(to, size, from, strcspn(from, " ,:;()[]\"'"));
}

/* The word of `text` that ends at `end`; returns where it begins. */
static const char *take_word_before(const char *text, const char *end, char *to, size_t size)
{
	const char *from;

	while (end > text && strchr(" :", end[-1]))
		end--;
	from = end;
	while (from > text && !strchr(" :()[]", from[-1]))
		from--;
	text_clean(to, size, from, (size_t)(end - from));
	return from;
}

/* "0000:01:00.0", or with the longer domain that VMD has. */
static bool take_pci(const char *text, char *to, size_t size)
{
	for (const char *s = text; *s; s++) {
		size_t domain = strspn(s, "0123456789abcdef");

		if (s > text && isalnum((unsigned char)s[-1]))
			continue;
		if ((domain == 4 || domain == 5) && s[domain] == ':' &&
		    strspn(s + domain + 1, "0123456789abcdef") == 2 && s[domain + 3] == ':' &&
		    strspn(s + domain + 4, "0123456789abcdef") == 2 && s[domain + 6] == '.' &&
		    s[domain + 7] >= '0' && s[domain + 7] <= '7') {
			text_clean(to, size, s, domain + 8);
			return true;
		}
	}
	return false;
}

static void take_nvme(const char *text, char *to, size_t size)
{
	for (const char *s = text; (s = strstr(s, "nvme")); s += 4)
		if (isdigit((unsigned char)s[4]) && (s == text || s[-1] == ' ')) {
			take_word(s, to, size);
			return;
		}
}

static void name_device(const struct row *r, const char *text, char *to, size_t size)
{
	const char *at = r->mark ? strstr(text, r->mark) : NULL;
	size_t n;

	to[0] = '\0';
	switch (r->place) {
	case NOWHERE:
		break;
	case FIRST:
		take_word(text, to, size);
		break;
	case AFTER:
		if (at)
			take_word(at + strlen(r->mark), to, size);
		break;
	case BEFORE:
		if (at)
			take_word_before(text, at, to, size);
		break;
	case PCI:
		take_pci(text, to, size);
		break;
	case NVME:
		take_nvme(text, to, size);
		break;
	case BRACKETS:
		at = strchr(text, '[');
		if (at)
			take_word(at + 1, to, size);
		break;
	case SCSI:
		if (!at)
			break;
		at += strlen(r->mark);
		n = strspn(at, "0123456789:");
		while (n > 0 && at[n - 1] == ':')
			n--;
		text_clean(to, size, at, n);
		break;
	case LABEL:
		if (at)
			text_clean(to, size, at + strlen(r->mark),
				   strcspn(at + strlen(r->mark), "(:"));
		break;
	}
}

/* Numbers and what hangs on them ("0x40d0002", "1a") count as equal. */
static bool same_but_numbers(const char *a, const char *b)
{
	while (*a && *b) {
		bool number = isdigit((unsigned char)*a);

		if (number != (bool)isdigit((unsigned char)*b) || (!number && *a != *b))
			return false;
		if (!number) {
			a++;
			b++;
			continue;
		}
		while (isalnum((unsigned char)*a))
			a++;
		while (isalnum((unsigned char)*b))
			b++;
	}
	return *a == *b;
}

static void count(struct machine_info *m, const char *kind, const char *device, const char *text)
{
	struct kernel_fault *fault, seen = { .count = 1 };

	text_copy(seen.kind, sizeof(seen.kind), kind);
	text_copy(seen.device, sizeof(seen.device), device);
	text_clean_str(seen.text, sizeof(seen.text), text);
	for (size_t i = 0; i < REPORT_KEPT(m->fault_n, m->fault); i++) {
		fault = &m->fault[i];
		if (!strcmp(fault->kind, kind) && !strcmp(fault->device, seen.device) &&
		    same_but_numbers(fault->text, seen.text)) {
			fault->count += fault->count < UINT32_MAX;
			return;
		}
	}
	fault = fields_add(&fields_machine, m, "kernel_faults");
	if (fault)
		*fault = seen;
}

/* What matches a row and is no fault all the same. */
static bool is_harmless(const struct machine_info *m, const struct row *r, const char *device)
{
	if (is_any_of(device, harmless))
		return true;
	if (!strcmp(r->kind, "ata"))	/* a made-up speed, in virtual machines */
		return strncmp(device, "ata", 3) || !isdigit((unsigned char)device[3]) ||
		       (!strcmp(r->first, SLOW_SATA) && m->virtualisation[0] &&
			strcmp(m->virtualisation, "none"));
	if (!strcmp(r->kind, "io"))	/* no medium in the drive */
		return !strncmp(device, "fd", 2) || !strncmp(device, "sr", 2);
	/* platform devices of the firmware, most of which no driver can serve */
	return !strcmp(r->kind, "driver") && !device[0];
}

/* An optical drive's link has that speed: its fault is taken back when it names itself. */
static void forget_optical(struct machine_info *m, const char *text)
{
	char port[32];

	if (strncmp(text, "ata", 3) || !strstr(text, ": ATAPI: "))
		return;
	text_clean(port, sizeof(port), text, strcspn(text, ".:"));
	for (size_t i = 0; i < REPORT_KEPT(m->fault_n, m->fault); i++)
		if (!strcmp(m->fault[i].device, port) && strstr(m->fault[i].text, SLOW_SATA)) {
			size_t left = REPORT_KEPT(m->fault_n, m->fault) - 1;

			memmove(&m->fault[i], &m->fault[i + 1], (left - i) * sizeof(m->fault[0]));
			memset(&m->fault[left], 0, sizeof(m->fault[0]));
			m->fault_n = (uint32_t)left;
			return;
		}
}

/*
 * "eno1 NIC Link is Down", "eno1: NIC Copper Link is Down", "eno1: Link is down", "eno1: Link up":
 * the interface and whether it has a link now. False where the message is about something else.
 */
static bool link_changed(const char *text, char name[32], bool *is_up)
{
	static const char *const forms[] = { "Link is ", "link is ", "Link ", "link " };
	const char *at = NULL, *end = NULL;

	for (size_t i = 0; i < 4 && !end; i++) {
		at = strstr(text, forms[i]);
		if (at && at > text && at[-1] == ' ')
			end = at + strlen(forms[i]);
	}
	if (!end || (strncasecmp(end, "up", 2) && strncasecmp(end, "down", 4)))
		return false;
	*is_up = tolower((unsigned char)*end) == 'u';
	do
		at = take_word_before(text, at, name, 32);
	while (at > text && is_any_of(name, kinds_of_link));
	return name[0] && !is_any_of(name, kinds_of_link) && !is_any_of(name, other_links);
}

/* A link that goes down after it was up. */
static bool is_flap(struct faults *f, const char *text, char name[32])
{
	bool is_up;
	size_t i = 0;

	if (!link_changed(text, name, &is_up))
		return false;
	while (i < f->up_n && strcmp(f->up[i], name))
		i++;
	if (is_up && i == f->up_n && i < FAULTS_LINKS)
		text_copy(f->up[f->up_n++], sizeof(f->up[0]), name);
	return !is_up && i < f->up_n;
}

bool faults_add(struct faults *f, struct machine_info *m, const char *text)
{
	char device[64];

	forget_optical(m, text);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct row *r = &rows[i];

		if (!strstr(text, r->first) || (r->second && !strstr(text, r->second)))
			continue;
		name_device(r, text, device, sizeof(device));
		if (!strcmp(r->kind, "ata"))	/* "ata1.00": the port, whatever hangs there */
			device[strcspn(device, ".")] = '\0';
		if (is_harmless(m, r, device))
			return false;
		count(m, r->kind, device, text);
		return true;
	}
	if (!is_flap(f, text, device))
		return false;
	count(m, "network", device, text);
	return true;
}

struct reading {
	struct faults faults;
	struct machine_info *machine;
};

static void take_record(void *context, const char *record, size_t len)
{
	struct reading *r = context;
	char line[KMSG_LINE_BYTES];
	const char *text;

	kmsg_line(record, len, line);
	text = strstr(line, "] ");
	if (text && kmsg_is_kernels(record, len))
		faults_add(&r->faults, r->machine, text + 2);
}

void machine_read_faults(struct machine_info *m)
{
	struct reading r = { .machine = m };

	memset(m->fault, 0, sizeof(m->fault));
	m->fault_n = 0;
	kmsg_read(take_record, &r);
}
