/* SPDX-License-Identifier: MIT */
/*
 * The report: everything a run found, as the writers in bench/report/ see it. Tests measure, this
 * model stores, writers print; docs/report.schema.json describes its JSON form.
 *
 * Invariants: all texts are valid UTF-8; an empty text or a false `has_` flag means "absent"; lists
 * are owned by the report and freed by report_free.
 */
#ifndef BENCH_MODEL_REPORT_H
#define BENCH_MODEL_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/model/health.h"
#include "bench/model/machine.h"
#include "bench/model/result.h"
#include "bench/sys/disk.h"

#define REPORT_SCHEMA "bootmark/1"
#define REPORT_TEXT_BYTES 256
/* Name of a note on an unknown option, a bad value or a cut command line: a finding rule. */
#define REPORT_NOTE_OPTION "option"
#define REPORT_NOTE_KERNEL "kernel: "	/* then a symbol: the kernel differs from Debian's in it */

enum run_state {
	RUN_RUNNING,		/* the run goes on, or ended without saying so */
	RUN_COMPLETE,		/* every planned test has a final status */
	RUN_PARTIAL,		/* ended early; state_reason says why */
	RUN_IMPORTED,		/* nothing was measured: read from pasted text */
	RUN_STATE_COUNT
};
extern const char *const run_state_words[RUN_STATE_COUNT];

struct tool_info {
	char version[64];	/* of bootmark */
	char compiler[128];
	char kernel[REPORT_TEXT_BYTES];		/* release and version of the running kernel */
	char kernel_config_sha256[65];		/* "" where /proc/config.gz is absent */
	bool has_engine_iops;
	double engine_iops;	/* the null engine's IOPS: what our own loop costs */
	char engine[16];
};

struct run_info {
	char id[37];		/* UUID of the run, lower case */
	char label[REPORT_TEXT_BYTES];
	char profile[16];
	enum run_state state;
	char state_reason[RESULT_REASON_BYTES];
	int64_t started_s;	/* wall clock, seconds since 1970 UTC; 0: not known */
	bool clock_trusted;	/* false: the clock was corrected or never set from a source */
	char clock_note[REPORT_TEXT_BYTES];
	uint64_t elapsed_ns;	/* monotonic; 0: not known */
	uint64_t planned_ns;	/* how long the plan announced that all would take at most */
	char clocksource[32];
	char write_consent[REPORT_TEXT_BYTES];	/* what was asked and what it granted */
	bool redacted;		/* report_redact was here: identities are left out on purpose */
};

/* What a person should know, with the evidence in the sentence. Ordered by severity. */
enum finding_severity { FINDING_CRITICAL, FINDING_WARNING, FINDING_INFO, FINDING_SEVERITY_COUNT };
extern const char *const finding_severity_words[FINDING_SEVERITY_COUNT];

struct finding {
	enum finding_severity severity;
	char rule[40];		/* name of a row of the finding table */
	char target[DISK_NAME_BYTES];
	char sentence[REPORT_TEXT_BYTES];
	char advice[REPORT_TEXT_BYTES];	/* what to do about it; "" for nothing */
};

/* A test on several disks at once, beside the sum of each alone; see together.h. */
struct shared_limit {
	char test[40];			/* of the phase together */
	char controller[DISK_TEXT_BYTES];	/* on which all of them hang; "": on several */
	uint32_t disk_n;
	enum metric_unit unit;		/* of both sums */
	double alone, together;		/* sums over the disks */
	bool limited;			/* what they share carries no more than `together` */
};

struct report {
	struct tool_info tool;
	struct run_info run;
	struct machine_info machine;
	struct disk_list disks;		/* all devices seen, also those left alone */
	struct health *health;		/* of disks, also of those behind RAID controllers */
	size_t health_n, health_room;
	struct result *result;
	size_t result_n, result_room;
	struct finding *finding;
	size_t finding_n, finding_room;
	struct shared_limit *shared_limit;
	size_t shared_limit_n, shared_limit_room;
	struct named_text *option;	/* options given, secrets masked */
	size_t option_n, option_room;
	struct named_text *note;	/* option problems, kernel deviations ... */
	size_t note_n, note_room;
	char *kernel_log;		/* tail with I/O errors, lines; NULL: not readable */
	/* what report_redact took out, kept to find it in texts that come later; never written */
	char (*secret)[REPORT_TEXT_BYTES];
	size_t secret_n, secret_room;
};

/* Elements of an array of fixed size that found room, of `n` that were counted. */
#define REPORT_KEPT(n, array) report_kept(n, sizeof(array) / sizeof((array)[0]))

static inline size_t report_kept(size_t n, size_t room)
{
	return n < room ? n : room;
}

/* All values absent, no id. */
void report_init(struct report *r);
void report_free(struct report *r);
/* Append copies; return 0 or -ENOMEM. */
int report_add_result(struct report *r, const struct result *result);
/* Takes `health->raw` over, also where it fails. */
int report_add_health(struct report *r, const struct health *health);
int report_add_shared_limit(struct report *r, const struct shared_limit *limit);
int report_add_option(struct report *r, const char *name, const char *text);
int report_add_note(struct report *r, const char *name, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int report_add_finding(struct report *r, enum finding_severity severity, const char *rule,
		       const char *target, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
/* True for a UUID in the form the report uses: lower-case hexadecimal digits in 8-4-4-4-12. */
bool report_id_valid(const char *id);
/* Finds the disk of that kernel name, or NULL. */
const struct disk *report_disk(const struct report *r, const char *name);
/*
 * Record `i` of the list `health` where it is the one its disk is known by: the last that was read,
 * else the last. Else NULL.
 */
const struct health *report_health_last(const struct report *r, size_t i);
/* The record of the same disk from the start of the run; NULL: none, or `h` is it. */
const struct health *report_health_before(const struct report *r, const struct health *h);
/* The record that a disk is known by, or NULL. */
const struct health *report_health_of(const struct report *r, const char *disk);
/*
 * Ends a run that did not end itself: results still planned or running become RESULT_SKIPPED with
 * `reason`, the state RUN_PARTIAL. A complete report is left as it is.
 */
void report_close(struct report *r, const char *reason);
/*
 * Empties serials, WWNs, MACs, label and identities (option redact) and replaces them, and all that
 * looks like a MAC address, wherever else they appear: options, notes, reasons, findings, kernel
 * log. Disks keep kernel name and model. What was taken out once is remembered: call it again after
 * anything was added. Returns 0 or -ENOMEM; then the report must not be shown.
 */
int report_redact(struct report *r);
/*
 * Runs every finding rule (finding_table) over the report, replacing earlier findings; ordered by
 * severity, then by rule. Call it after run.state is set. Returns 0 or -ENOMEM.
 */
int report_find(struct report *r);

/*
 * bench/report/json.c: the whole report as JSON text (malloc'ed, caller frees) or NULL (-ENOMEM).
 */
char *report_json_write(const struct report *r, size_t *len_bytes);
/*
 * Reads a stored report. Returns 0, -EINVAL (no JSON, wrong schema or wrong types: `why` says what
 * and where) or -ENOMEM. Unknown keys are ignored; missing optional keys become absent values.
 */
int report_json_read(struct report *r, const char *text, size_t len_bytes, char *why,
		     size_t why_bytes);
/* bench/report/text.c: the report as 80-column text (malloc'ed, caller frees) or NULL. */
char *report_text_write(const struct report *r, size_t *len_bytes);

#endif
