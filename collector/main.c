/* SPDX-License-Identifier: MIT */
/* The collector: takes reports over HTTP and keeps them. Options, start, signals, end. */
#include <errno.h>
#include <getopt.h>
#include <microhttpd.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "collector/http.h"
#include "collector/listen.h"
#include "collector/store.h"
#include "gen/version.h"
#include "lib/clock.h"
#include "lib/file.h"

#define TOKEN_ENVIRONMENT "BOOTMARK_TOKEN"
#define FINISH_S 10		/* how long requests in progress may take at the end */
#define PEM_MAX_BYTES (1 << 20)

enum exit_code { EXIT_FINE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

struct settings {
	const char *listen, *db, *token_file, *tls_cert, *tls_key;
	bool no_token;
	unsigned long max_bytes, timeout_s, max_connections, max_per_address, max_speed;
};

/* Flags and their help, in the order they are shown. */
enum flag {
	FLAG_LISTEN = 256, FLAG_DB, FLAG_TOKEN_FILE, FLAG_NO_TOKEN, FLAG_MAX_BYTES, FLAG_TLS_CERT,
	FLAG_TLS_KEY, FLAG_TIMEOUT, FLAG_MAX_CONNECTIONS, FLAG_MAX_PER_ADDRESS, FLAG_MAX_SPEED,
	FLAG_HELP, FLAG_VERSION,
};

static const struct flag_row {
	enum flag flag;
	const char *name, *argument, *help;
} flag_rows[] = {
	{ FLAG_LISTEN, "listen", "ADDRESS:PORT",
	  "Where to listen; [ADDRESS]:PORT for IPv6; port 0: any." },
	{ FLAG_DB, "db", "FILE", "The SQLite database; made if missing." },
	{ FLAG_TOKEN_FILE, "token-file", "FILE", "Its first line is the token clients must send." },
	{ FLAG_NO_TOKEN, "no-token", NULL, "Ask for no token; only with a loopback address." },
	{ FLAG_MAX_BYTES, "max-bytes", "N", "Largest report taken, in bytes (16777216)." },
	{ FLAG_TLS_CERT, "tls-cert", "FILE", "Serve HTTPS with this certificate chain (PEM)." },
	{ FLAG_TLS_KEY, "tls-key", "FILE", "The certificate's private key (PEM)." },
	{ FLAG_TIMEOUT, "timeout", "SECONDS",
	  "Idle limit (30); a request may take 20 times that." },
	{ FLAG_MAX_CONNECTIONS, "max-connections", "N", "Connections at a time (256)." },
	{ FLAG_MAX_PER_ADDRESS, "max-per-address", "N",
	  "The same from one address (64); 0: no limit." },
	{ FLAG_MAX_SPEED, "max-speed", "N", "Speed tests at a time (8); 0: none." },
	{ FLAG_HELP, "help", NULL, "Show this." },
	{ FLAG_VERSION, "version", NULL, "Show the version." },
};
#define FLAG_N (sizeof(flag_rows) / sizeof(flag_rows[0]))

static void print_help(void)
{
	printf("usage: collector --listen ADDRESS:PORT --db FILE [options]\n"
	       "Takes bootmark reports (PUT /v1/reports/UUID) and keeps them.\n\n");
	for (size_t i = 0; i < FLAG_N; i++) {
		char left[64];

		snprintf(left, sizeof(left), "--%s %s", flag_rows[i].name,
			 flag_rows[i].argument ? flag_rows[i].argument : "");
		printf("  %-24s %s\n", left, flag_rows[i].help);
	}
	printf("\nThe token comes from --token-file, else from the environment (" TOKEN_ENVIRONMENT
	       ").\nSIGTERM and SIGINT end it after the requests in progress.\n");
}

/* A whole number within limits. Prints and returns false where it is none. */
static bool parse_number(const char *name, const char *text, unsigned long min, unsigned long max,
			 unsigned long *number)
{
	char *end;

	errno = 0;
	*number = strtoul(text, &end, 10);
	if (*text >= '0' && *text <= '9' && !*end && !errno && *number >= min && *number <= max)
		return true;
	fprintf(stderr, "collector: --%s %s: not a number from %lu to %lu\n", name, text, min, max);
	return false;
}

static bool take_flag(struct settings *settings, int flag)
{
	switch (flag) {
	case FLAG_LISTEN:
		settings->listen = optarg;
		return true;
	case FLAG_DB:
		settings->db = optarg;
		return true;
	case FLAG_TOKEN_FILE:
		settings->token_file = optarg;
		return true;
	case FLAG_NO_TOKEN:
		settings->no_token = true;
		return true;
	case FLAG_TLS_CERT:
		settings->tls_cert = optarg;
		return true;
	case FLAG_TLS_KEY:
		settings->tls_key = optarg;
		return true;
	case FLAG_MAX_BYTES:	/* SQLite's own limit of a BLOB is 1,000,000,000 bytes */
		return parse_number("max-bytes", optarg, 1024, 900000000, &settings->max_bytes);
	case FLAG_TIMEOUT:
		return parse_number("timeout", optarg, 1, 3600, &settings->timeout_s);
	case FLAG_MAX_CONNECTIONS:
		return parse_number("max-connections", optarg, 4, 100000,
				    &settings->max_connections);
	case FLAG_MAX_PER_ADDRESS:
		return parse_number("max-per-address", optarg, 0, 100000,
				    &settings->max_per_address);
	case FLAG_MAX_SPEED:
		return parse_number("max-speed", optarg, 0, 1000, &settings->max_speed);
	default:
		return false;	/* getopt has said what is wrong */
	}
}

/* Returns EXIT_FINE to go on, else the exit code with the reason said; *done after --help. */
static enum exit_code parse_flags(struct settings *settings, int argc, char **argv, bool *done)
{
	struct option options[FLAG_N + 1] = { 0 };
	int flag;

	for (size_t i = 0; i < FLAG_N; i++)
		options[i] = (struct option){
			.name = flag_rows[i].name, .val = (int)flag_rows[i].flag,
			.has_arg = flag_rows[i].argument ? required_argument : no_argument,
		};
	while ((flag = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (flag == FLAG_HELP || flag == FLAG_VERSION) {
			*done = true;
			if (flag == FLAG_HELP)
				print_help();
			else
				printf("collector %s (libmicrohttpd %s)\n", BOOTMARK_VERSION,
				       MHD_get_version());
			return EXIT_FINE;
		}
		if (!take_flag(settings, flag))
			return EXIT_USAGE;
	}
	if (optind < argc)
		fprintf(stderr, "collector: unexpected argument: %s\n", argv[optind]);
	else if (!settings->listen || !settings->db)
		fprintf(stderr,
			"collector: --listen ADDRESS:PORT and --db FILE are needed; see --help\n");
	else if (!settings->tls_cert != !settings->tls_key)
		fprintf(stderr, "collector: --tls-cert and --tls-key belong together\n");
	else
		return EXIT_FINE;
	return EXIT_USAGE;
}

/* Whether a token can stand in a header: visible ASCII, without blanks. */
static bool is_token(const char *text)
{
	size_t i;

	for (i = 0; text[i]; i++)
		if (text[i] <= ' ' || text[i] > '~')
			return false;
	return i > 0;
}

/* Finds the token; *token (malloc'ed) stays NULL where none is to be asked for. */
static enum exit_code find_token(const struct settings *settings, bool loopback, char **token)
{
	const char *environment = getenv(TOKEN_ENVIRONMENT);
	const char *from = settings->token_file ? settings->token_file : TOKEN_ENVIRONMENT;
	size_t len;
	int err;

	*token = NULL;
	if (settings->no_token && loopback)
		return EXIT_FINE;
	if (settings->no_token) {
		fprintf(stderr, "collector: --no-token: anyone could send and read reports at %s: "
			"give a loopback address or a token\n", settings->listen);
		return EXIT_USAGE;
	}
	if (settings->token_file) {
		err = file_load(settings->token_file, 65536, token, &len);
		if (err) {
			fprintf(stderr, "collector: token file %s: %s\n", settings->token_file,
				strerror(-err));
			return EXIT_FAILED;
		}
		(*token)[strcspn(*token, "\r\n")] = '\0';
	} else if (environment) {
		*token = strdup(environment);
		unsetenv(TOKEN_ENVIRONMENT);
	} else {
		fprintf(stderr,
			"collector: no token: give --token-file FILE or set " TOKEN_ENVIRONMENT
			" (or --no-token on a loopback address)\n");
		return EXIT_USAGE;
	}
	if (*token && is_token(*token))
		return EXIT_FINE;
	fprintf(stderr, "collector: the token from %s is empty or holds blanks or control "
		"characters: write one line, for instance of `openssl rand -hex 32`\n", from);
	return EXIT_FAILED;
}

/* Loads certificate and key where asked. Prints the reason of a failure. */
static bool load_tls(const struct settings *settings, char **cert, char **key)
{
	const char *path = settings->tls_cert;
	size_t len;
	int err;

	if (!path)
		return true;
	if (MHD_is_feature_supported(MHD_FEATURE_TLS) != MHD_YES) {
		fprintf(stderr, "collector: --tls-cert: this libmicrohttpd has no TLS: put a proxy "
			"in front\n");
		return false;
	}
	err = file_load(path, PEM_MAX_BYTES, cert, &len);
	if (!err) {
		path = settings->tls_key;
		err = file_load(path, PEM_MAX_BYTES, key, &len);
	}
	if (err)
		fprintf(stderr, "collector: %s: %s\n", path, strerror(-err));
	return !err;
}

/* Waits for the end, then lets the requests in progress finish; a second signal hurries. */
static void serve_until_signal(struct server *server, const sigset_t *signals)
{
	const struct timespec second = { .tv_sec = 1 }, moment = { .tv_nsec = 20000000 };
	uint64_t end_ns;

	while (sigtimedwait(signals, NULL, &second) < 0)
		server_tick(server);
	server_quiesce(server);
	end_ns = clock_ns() + FINISH_S * NS_PER_S;
	while (server_active(server) > 0 && clock_ns() < end_ns)
		if (sigtimedwait(signals, NULL, &moment) >= 0)
			break;
}

static enum exit_code serve(const struct settings *settings, const struct server_setup *setup,
			    const char *name)
{
	struct server *server;
	sigset_t signals;
	int err;

	sigemptyset(&signals);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGINT);
	/* before there are threads, which inherit it */
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	signal(SIGPIPE, SIG_IGN);
	err = server_start(&server, setup);
	if (err) {
		fprintf(stderr, "collector: the HTTP server did not start: %s%s\n", strerror(-err),
			settings->tls_cert ? "; do --tls-cert and --tls-key belong together?" : "");
		return EXIT_FAILED;
	}
	printf("collector: listening on %s://%s\n", setup->tls_cert ? "https" : "http", name);
	fflush(stdout);
	serve_until_signal(server, &signals);
	server_stop(server);
	return EXIT_FINE;
}

int main(int argc, char **argv)
{
	struct settings settings = { .max_bytes = 16777216, .timeout_s = 30, .max_connections = 256,
				     .max_per_address = 64, .max_speed = 8 };
	char *token = NULL, *cert = NULL, *key = NULL;
	char name[LISTEN_NAME_BYTES], why[STORE_WHY_BYTES];
	struct store *store = NULL;
	bool loopback, done = false;
	enum exit_code code;
	int fd, err;

	umask(077);	/* reports hold serial numbers: the database is its owner's alone */
	code = parse_flags(&settings, argc, argv, &done);
	if (code != EXIT_FINE || done)
		return code;
	fd = listen_open(settings.listen, name, &loopback, why, sizeof(why));
	if (fd < 0) {
		fprintf(stderr, "collector: --listen %s: %s\n", settings.listen, why);
		return fd == -EINVAL ? EXIT_USAGE : EXIT_FAILED;
	}
	code = find_token(&settings, loopback, &token);
	if (code == EXIT_FINE && !load_tls(&settings, &cert, &key))
		code = EXIT_FAILED;
	if (code == EXIT_FINE) {
		err = store_open(&store, settings.db, why);
		if (err) {
			fprintf(stderr, "collector: database %s: %s\n", settings.db, why);
			code = EXIT_FAILED;
		}
	}
	if (code == EXIT_FINE) {
		const struct server_setup setup = {
			.listen_fd = fd,
			.store = store,
			.token = token,
			.tls_cert = cert,
			.tls_key = key,
			.max_bytes = settings.max_bytes,
			.timeout_s = (unsigned int)settings.timeout_s,
			.max_connections = (unsigned int)settings.max_connections,
			.max_per_address = (unsigned int)settings.max_per_address,
			.max_speed = (unsigned int)settings.max_speed,
		};

		code = serve(&settings, &setup, name);
	}
	store_close(store);
	close(fd);
	free(token);
	free(cert);
	free(key);
	return code;
}
