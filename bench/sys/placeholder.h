/* SPDX-License-Identifier: MIT */
/* Texts that makers leave where a name should be: they identify nothing. */
#ifndef BENCH_SYS_PLACEHOLDER_H
#define BENCH_SYS_PLACEHOLDER_H

#include <stdbool.h>

/* True for "", "To be filled by O.E.M.", "Default string", unreadable bytes only, and the like. */
bool placeholder_text(const char *text);
/*
 * The same, and also what firmware leaves in its table: counting digits ("0123456789"), "NO DIMM",
 * "Manufacturer00", "PartNum3", "Asset-1234567890".
 */
bool placeholder_firmware(const char *text);
/*
 * Like placeholder_text, and also one character repeated ("0000", "XXXX") and counting digits
 * ("0123456789").
 */
bool placeholder_serial(const char *text);

#endif
