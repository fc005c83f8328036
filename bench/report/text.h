/* SPDX-License-Identifier: MIT */
/* The sections of the text report, in the order a person reads them; see text.c. */
#ifndef BENCH_REPORT_TEXT_H
#define BENCH_REPORT_TEXT_H

#include "bench/model/report.h"
#include "bench/report/page.h"

#define TEXT_NOTE_INDENT 6	/* of what stands below a result */

/* text_head.c: which run, how it ended and what was found, in two lines */
void text_put_title(struct page *p, const struct report *r);
/* The same in few words: "Findings: 1 critical, 2 warnings." */
const char *text_verdict(char *buf, size_t size, const struct report *r);
/* text_head.c: how the run ended, and that: "Complete after 41.6 s. Nothing wrong was seen." */
const char *text_outcome(char *buf, size_t size, const struct report *r);
/* text_head.c: the machine, with bench.sh's keys */
void text_put_head(struct page *p, const struct report *r);
/* text_inventory.c: rows of the head */
void text_put_processors(struct page *p, const struct machine_info *m);
void text_put_memory(struct page *p, const struct machine_info *m);
void text_put_devices(struct page *p, const struct machine_info *m);
/* What was found on a disk and its partitions, into PAGE_TEXT_BYTES; "" for nothing. */
const char *text_holds(char *buf, const struct machine_info *m, const char *disk);
/* text_disks.c: one line per disk, then the devices left alone with their reasons */
void text_put_disks(struct page *p, const struct report *r);
/* The state of a disk in one word: "ok", "warn", "FAILED" ... */
const char *text_disk_state(const struct report *r, const char *disk);
/* text_health.c: what each disk says of itself; nothing where none was asked */
void text_put_health(struct page *p, const struct report *r);
/* text_together.c: all disks at once beside the sum of each alone; nothing where there is none */
void text_put_together(struct page *p, const struct report *r);
/* text_results.c: what each test measured, disk by disk */
void text_put_results(struct page *p, const struct report *r);
/* text_machine.c, text_network.c: tests that are about no disk; nothing where there are none */
void text_put_machine(struct page *p, const struct report *r);
void text_put_network(struct page *p, const struct report *r);
/*
 * text_results.c, for all sections of results: a status that is not ok, with its reason, to the end
 * of the line; a text below a result, where it is not empty; the marks of a result below it; and
 * tests that were not to run, once for all of a target that have the reason of `i` (nothing where
 * an earlier one has it).
 */
void text_put_status(struct page *p, unsigned indent, const struct result *t);
void text_put_note(struct page *p, const char *text);
void text_put_marks(struct page *p, const struct result *t);
bool text_is_left_out(const struct result *t);
void text_put_left_out(struct page *p, const struct report *r, size_t i);
/* text_tools.c: what hdparm, dd and bench.sh would have printed; nothing where none was run */
void text_put_tools(struct page *p, const struct report *r);
/* True where text_put_tools has lines for the result: it needs no row in the table. */
bool text_tools_has(const struct result *t);

#endif
