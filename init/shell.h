/* SPDX-License-Identifier: MIT */
/* A shell on the consoles, only where `end=shell` or `onfail=shell` asks for one. */
#ifndef INIT_SHELL_H
#define INIT_SHELL_H

/*
 * Starts /bin/sh on every console that takes input, each in a session of its own with the console
 * as controlling terminal, and waits until somebody leaves one of them or none is left. Returns 0,
 * or -ENODEV where there was no console to put one on.
 */
int shell_on_consoles(void);

#endif
