/* SPDX-License-Identifier: MIT */
/*
 * The unit tests' Test Anything Protocol: each test_*.c includes this once, makes checks, and ends
 * with `return tap_done();`.
 *
 * Every check prints its file and line when it fails and the test goes on; the plan is printed
 * last, so that a program that dies half way is seen as failed by prove. A check's description is a
 * printf format. Each check returns whether it held, so that a test can leave early.
 */
#ifndef TESTS_UNIT_TAP_H
#define TESTS_UNIT_TAP_H

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
	unsigned int run, failed;
} tap_state;

/* A line of explanation that prove shows: `tap_diag("errno %d", errno)`. */
__attribute__((format(printf, 1, 2)))
static inline void tap_diag(const char *format, ...)
{
	va_list args;

	fflush(stdout);
	fputs("# ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

__attribute__((format(printf, 4, 0)))
static inline bool tap_vcheck(bool held, const char *file, int line, const char *format,
			      va_list args)
{
	tap_state.run++;
	printf("%sok %u - ", held ? "" : "not ", tap_state.run);
	vprintf(format, args);
	putchar('\n');
	fflush(stdout);
	if (!held) {
		tap_state.failed++;
		tap_diag("failed at %s:%d", file, line);
	}
	return held;
}

__attribute__((format(printf, 4, 5)))
static inline bool tap_check(bool held, const char *file, int line, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tap_vcheck(held, file, line, format, args);
	va_end(args);
	return held;
}

__attribute__((format(printf, 5, 6)))
static inline bool tap_check_int(long long got, long long want, const char *file, int line,
				 const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tap_vcheck(got == want, file, line, format, args);
	va_end(args);
	if (got != want)
		tap_diag("got %lld, want %lld", got, want);
	return got == want;
}

__attribute__((format(printf, 5, 6)))
static inline bool tap_check_uint(unsigned long long got, unsigned long long want, const char *file,
				  int line, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tap_vcheck(got == want, file, line, format, args);
	va_end(args);
	if (got != want)
		tap_diag("got %llu, want %llu", got, want);
	return got == want;
}

__attribute__((format(printf, 6, 7)))
static inline bool tap_check_near(double got, double want, double tolerance, const char *file,
				  int line, const char *format, ...)
{
	bool held = fabs(got - want) <= tolerance;	/* a NaN on either side does not hold */
	va_list args;

	va_start(args, format);
	tap_vcheck(held, file, line, format, args);
	va_end(args);
	if (!held)
		tap_diag("got %.17g, want %.17g within %g", got, want, tolerance);
	return held;
}

__attribute__((format(printf, 5, 6)))
static inline bool tap_check_str(const char *got, const char *want, const char *file, int line,
				 const char *format, ...)
{
	bool held = got && want ? !strcmp(got, want) : got == want;
	va_list args;

	va_start(args, format);
	tap_vcheck(held, file, line, format, args);
	va_end(args);
	if (!held)
		tap_diag("got \"%s\", want \"%s\"", got ? got : "(null)", want ? want : "(null)");
	return held;
}

/* ok(condition, "what holds", ...) */
#define ok(condition, ...) tap_check((condition), __FILE__, __LINE__, __VA_ARGS__)
/* is_int(got, want, "what is equal", ...): signed, printed when different */
#define is_int(got, want, ...) tap_check_int((got), (want), __FILE__, __LINE__, __VA_ARGS__)
/* is_uint(got, want, "what is equal", ...): unsigned, 64 bits wide */
#define is_uint(got, want, ...) tap_check_uint((got), (want), __FILE__, __LINE__, __VA_ARGS__)
/* is_near(got, want, tolerance, "what is nearly equal", ...): doubles */
#define is_near(got, want, tolerance, ...) \
	tap_check_near((got), (want), (tolerance), __FILE__, __LINE__, __VA_ARGS__)
/* is_str(got, want, "what is equal", ...): NULL equals only NULL */
#define is_str(got, want, ...) tap_check_str((got), (want), __FILE__, __LINE__, __VA_ARGS__)

/* Counts one check that cannot be made here, with the reason. */
static inline void tap_skip(const char *what, const char *reason)
{
	printf("ok %u - %s # SKIP %s\n", ++tap_state.run, what, reason);
	fflush(stdout);
}

/* Ends this program and prove's whole run: for a broken environment, not for a failed check. */
__attribute__((noreturn))
static inline void tap_bail(const char *reason)
{
	printf("Bail out! %s\n", reason);
	exit(255);
}

/* Prints the plan; its value is main's: 0 when every check held. */
static inline int tap_done(void)
{
	printf("1..%u\n", tap_state.run);
	return tap_state.failed || !tap_state.run;
}

#endif
