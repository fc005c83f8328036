/* SPDX-License-Identifier: MIT */
/* The end of the boot: reboot, poweroff, halt, or a shell and then a reboot. */
#ifndef INIT_END_H
#define INIT_END_H

struct boot;

/* In the order of the choices of the options `end` and, one further on, `onfail`. */
enum end_action { END_REBOOT, END_POWEROFF, END_HALT, END_SHELL, END_COUNT };

const char *end_word(enum end_action action);

/* What the options say: `end`, or `onfail` where the report was not delivered. */
enum end_action end_choose(const struct boot *b);

/* Does it, by one way after another; see docs/init.md, "The end". Never returns. */
_Noreturn void end_machine(struct boot *b, enum end_action action);

#endif
