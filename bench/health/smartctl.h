/* SPDX-License-Identifier: MIT */
/* smartctl: where it is, and how it is called. A program of its own, never part of ours. */
#ifndef BENCH_HEALTH_SMARTCTL_H
#define BENCH_HEALTH_SMARTCTL_H

#include <stdbool.h>
#include <stddef.h>

#include "bench/health/ask.h"

#define SMARTCTL_PATH_BYTES 1024

/*
 * Finds the program: beside our own executable, then /bin/smartctl, then in PATH and where
 * administrators' programs are usually kept. False where there is none.
 */
bool smartctl_find(char path[SMARTCTL_PATH_BYTES]);
/*
 * A question for everything a device says, as `type` (smartctl's -d; "" lets smartctl choose). A
 * drive that sleeps is not woken. The texts must outlive the question.
 */
void smartctl_ask_device(struct ask *a, const char *path, const char *device, const char *type);
/* A question for the devices behind RAID controllers; opens none of them. */
void smartctl_ask_scan(struct ask *a, const char *path);

#endif
