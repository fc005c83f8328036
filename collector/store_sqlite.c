/* SPDX-License-Identifier: MIT */
/*
 * The store in one SQLite file: write-ahead log, synchronous FULL, one connection behind one lock.
 *
 * Bodies are BLOBs and the last column, so that a listing never reads their pages. PRAGMA
 * user_version is the version of the tables; application_id tells our files from others.
 */
#include "collector/store.h"

#include <errno.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/text.h"

#define APPLICATION_ID 0x624d726b	/* "bMrk" */
#define TABLES_VERSION 1
#define BUSY_MS 5000

#define STRING_(x) #x
#define STRING(x) STRING_(x)

static const char make_tables[] =
	"BEGIN IMMEDIATE;"
	"CREATE TABLE report ("
	" seq INTEGER PRIMARY KEY AUTOINCREMENT,"	/* AUTOINCREMENT: never used twice */
	" id TEXT NOT NULL UNIQUE,"
	" received_ms INTEGER NOT NULL,"
	" remote TEXT NOT NULL,"
	" state INTEGER NOT NULL,"
	" label TEXT NOT NULL,"
	" product TEXT NOT NULL,"
	" disk_n INTEGER NOT NULL,"
	" body BLOB NOT NULL);"
	"CREATE TABLE report_history ("
	" seq INTEGER PRIMARY KEY,"			/* the one it had in `report` */
	" id TEXT NOT NULL,"
	" received_ms INTEGER NOT NULL,"
	" replaced_ms INTEGER NOT NULL,"
	" remote TEXT NOT NULL,"
	" state INTEGER NOT NULL,"
	" body BLOB NOT NULL);"
	"CREATE INDEX report_history_id ON report_history(id);"
	"PRAGMA application_id = " STRING(APPLICATION_ID) ";"
	"PRAGMA user_version = " STRING(TABLES_VERSION) ";"
	"COMMIT;";

/* read_head takes the columns in this order. */
#define HEAD_COLUMNS \
	"seq, id, received_ms, remote, state, label, product, disk_n, length(body), " \
	"(SELECT count(*) FROM report_history h WHERE h.id = report.id)"
#define HEAD_COLUMN_N 10

enum statement {
	BEGIN, COMMIT, ROLLBACK, FIND, FIND_OLD, KEEP, DROP, INSERT, GET, LIST, STATEMENTS
};

static const char *const statement_sql[STATEMENTS] = {
	[BEGIN] = "BEGIN IMMEDIATE",
	[COMMIT] = "COMMIT",
	[ROLLBACK] = "ROLLBACK",
	[FIND] = "SELECT state, body = ?2 FROM report WHERE id = ?1",
	[FIND_OLD] = "SELECT 1 FROM report_history WHERE id = ?1 AND body = ?2",
	[KEEP] = "INSERT INTO report_history "
		 "(seq, id, received_ms, replaced_ms, remote, state, body) "
		 "SELECT seq, id, received_ms, ?2, remote, state, body FROM report WHERE id = ?1",
	[DROP] = "DELETE FROM report WHERE id = ?1",
	[INSERT] = "INSERT INTO report "
		   "(id, received_ms, remote, state, label, product, disk_n, body) "
		   "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
	[GET] = "SELECT " HEAD_COLUMNS ", body FROM report WHERE id = ?1",
	[LIST] = "SELECT " HEAD_COLUMNS " FROM report WHERE seq < ?1 ORDER BY seq DESC LIMIT ?2",
};

struct store {
	sqlite3 *db;
	pthread_mutex_t lock;
	sqlite3_stmt *statement[STATEMENTS];
};

/* Our errno for SQLite's result, and its words into `why`. */
static int store_error(struct store *s, int result, char *why)
{
	text_clean_str(why, STORE_WHY_BYTES,
		       s->db ? sqlite3_errmsg(s->db) : sqlite3_errstr(result));
	switch (result & 0xff) {
	case SQLITE_FULL:
		return -ENOSPC;
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return -EBUSY;
	case SQLITE_READONLY:
		return -EROFS;
	case SQLITE_NOMEM:
		return -ENOMEM;
	case SQLITE_NOTADB:
		return -EINVAL;
	case SQLITE_CANTOPEN:
	case SQLITE_PERM:
		return -EACCES;
	default:
		return -EIO;
	}
}

/* A statement ready for new values; they are put on its parameters by the caller. */
static sqlite3_stmt *statement_reset(struct store *s, enum statement which)
{
	sqlite3_reset(s->statement[which]);
	sqlite3_clear_bindings(s->statement[which]);
	return s->statement[which];
}

/* Steps once and resets where there is no row to read: left open, it would hold its snapshot. */
static int statement_step(sqlite3_stmt *statement)
{
	int result = sqlite3_step(statement);

	if (result != SQLITE_ROW)
		sqlite3_reset(statement);
	return result;
}

/* The texts given live until the statement is reset: nothing is copied. */
static void bind_text(sqlite3_stmt *statement, int at, const char *text)
{
	sqlite3_bind_text(statement, at, text, -1, SQLITE_STATIC);
}

static int simple_number(sqlite3 *db, const char *sql, int *number)
{
	sqlite3_stmt *statement;
	int result = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);

	if (result != SQLITE_OK)
		return result;
	result = sqlite3_step(statement);
	*number = result == SQLITE_ROW ? sqlite3_column_int(statement, 0) : 0;
	sqlite3_finalize(statement);
	return result == SQLITE_ROW ? SQLITE_OK : result;
}

/* Makes the tables in an empty file; accepts ours; refuses any other. Returns 0 or -errno. */
static int check_tables(struct store *s, char *why)
{
	int version, application, objects, result;

	result = simple_number(s->db, "PRAGMA user_version", &version);
	if (result == SQLITE_OK)
		result = simple_number(s->db, "PRAGMA application_id", &application);
	if (result == SQLITE_OK)
		result = simple_number(s->db, "SELECT count(*) FROM sqlite_schema", &objects);
	if (result != SQLITE_OK)
		return store_error(s, result, why);
	if (objects == 0 && version == 0 && application == 0) {
		result = sqlite3_exec(s->db, make_tables, NULL, NULL, NULL);
		return result == SQLITE_OK ? 0 : store_error(s, result, why);
	}
	if (application != APPLICATION_ID) {
		snprintf(why, STORE_WHY_BYTES, "it is another program's database");
		return -EINVAL;
	}
	if (version != TABLES_VERSION) {
		snprintf(why, STORE_WHY_BYTES,
			 "its tables have version %d and this collector knows version %d only",
			 version, TABLES_VERSION);
		return -EINVAL;
	}
	return 0;
}

static int prepare_all(struct store *s, char *why)
{
	for (int i = 0; i < STATEMENTS; i++) {
		int result = sqlite3_prepare_v3(s->db, statement_sql[i], -1,
						SQLITE_PREPARE_PERSISTENT, &s->statement[i], NULL);

		if (result != SQLITE_OK)
			return store_error(s, result, why);
	}
	return 0;
}

int store_open(struct store **store, const char *path, char *why)
{
	struct store *s = calloc(1, sizeof(*s));
	int result, err;

	*store = NULL;
	if (!s) {
		snprintf(why, STORE_WHY_BYTES, "out of memory");
		return -ENOMEM;
	}
	pthread_mutex_init(&s->lock, NULL);
	result = sqlite3_open_v2(path, &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
				 SQLITE_OPEN_FULLMUTEX, NULL);
	if (result == SQLITE_OK)
		result = sqlite3_extended_result_codes(s->db, 1);
	if (result == SQLITE_OK)
		result = sqlite3_busy_timeout(s->db, BUSY_MS);
	err = result == SQLITE_OK ? check_tables(s, why) : store_error(s, result, why);
	/* only now: journal_mode writes, and a file of others is left as it is */
	if (!err) {
		result = sqlite3_exec(s->db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL",
				      NULL, NULL, NULL);
		err = result == SQLITE_OK ? prepare_all(s, why) : store_error(s, result, why);
	}
	if (err) {
		store_close(s);
		return err;
	}
	*store = s;
	return 0;
}

void store_close(struct store *s)
{
	if (!s)
		return;
	for (int i = 0; i < STATEMENTS; i++)
		sqlite3_finalize(s->statement[i]);
	sqlite3_close(s->db);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

/* Looks for the id: SQLITE_ROW with *same and *have, SQLITE_DONE where it is new, or an error. */
static int find_report(struct store *s, const struct report_head *head, const void *body,
		       size_t len, bool *same, enum report_state *have)
{
	sqlite3_stmt *find = statement_reset(s, FIND);
	int result;

	bind_text(find, 1, head->id);
	sqlite3_bind_blob64(find, 2, body, len, SQLITE_STATIC);
	result = statement_step(find);
	if (result != SQLITE_ROW)
		return result;
	*have = (enum report_state)sqlite3_column_int(find, 0);
	*same = sqlite3_column_int(find, 1);
	sqlite3_reset(find);
	if (*same)
		return SQLITE_ROW;
	/* a late repeat of a version that was replaced since has nothing new to say either */
	find = statement_reset(s, FIND_OLD);
	bind_text(find, 1, head->id);
	sqlite3_bind_blob64(find, 2, body, len, SQLITE_STATIC);
	result = statement_step(find);
	*same = result == SQLITE_ROW;
	sqlite3_reset(find);
	return result == SQLITE_DONE ? SQLITE_ROW : result;
}

/* Moves the present version of the id to the history. Returns SQLITE_DONE or an error. */
static int keep_report(struct store *s, const struct report_head *head)
{
	sqlite3_stmt *statement = statement_reset(s, KEEP);
	int result;

	bind_text(statement, 1, head->id);
	sqlite3_bind_int64(statement, 2, head->received_ms);
	result = statement_step(statement);
	if (result != SQLITE_DONE)
		return result;
	statement = statement_reset(s, DROP);
	bind_text(statement, 1, head->id);
	return statement_step(statement);
}

static int insert_report(struct store *s, const struct report_head *head, const void *body,
			 size_t len)
{
	sqlite3_stmt *statement = statement_reset(s, INSERT);
	int result;

	bind_text(statement, 1, head->id);
	sqlite3_bind_int64(statement, 2, head->received_ms);
	bind_text(statement, 3, head->remote);
	sqlite3_bind_int(statement, 4, (int)head->state);
	bind_text(statement, 5, head->label);
	bind_text(statement, 6, head->product);
	sqlite3_bind_int64(statement, 7, head->disk_n);
	sqlite3_bind_blob64(statement, 8, body, len, SQLITE_STATIC);
	result = statement_step(statement);
	/* the body is the caller's: no pointer to it stays behind */
	statement_reset(s, INSERT);
	return result;
}

/* The inside of store_put's transaction. Returns SQLITE_DONE or an error. */
static int put_report(struct store *s, const struct report_head *head, const void *body, size_t len,
		      bool (*may_replace)(enum report_state have, enum report_state given),
		      enum store_outcome *outcome, enum report_state *have)
{
	bool same = false;
	int result = find_report(s, head, body, len, &same, have);

	if (result != SQLITE_ROW && result != SQLITE_DONE)
		return result;
	if (result == SQLITE_DONE) {
		*outcome = STORE_NEW;
		return insert_report(s, head, body, len);
	}
	if (same) {
		*outcome = STORE_SAME;
		return SQLITE_DONE;
	}
	if (!may_replace(*have, head->state)) {
		*outcome = STORE_REFUSED;
		return SQLITE_DONE;
	}
	*outcome = STORE_REPLACED;
	result = keep_report(s, head);
	return result == SQLITE_DONE ? insert_report(s, head, body, len) : result;
}

int store_put(struct store *s, const struct report_head *head, const void *body, size_t len,
	      bool (*may_replace)(enum report_state have, enum report_state given),
	      enum store_outcome *outcome, enum report_state *have, char *why)
{
	int result, err = 0;

	pthread_mutex_lock(&s->lock);
	result = statement_step(statement_reset(s, BEGIN));
	if (result == SQLITE_DONE) {
		result = put_report(s, head, body, len, may_replace, outcome, have);
		if (result == SQLITE_DONE)
			result = statement_step(statement_reset(s, COMMIT));
	}
	if (result != SQLITE_DONE) {
		err = store_error(s, result, why);
		/* some errors have rolled back by themselves: then there is nothing to undo */
		for (int i = 0; i < STATEMENTS; i++)
			statement_reset(s, (enum statement)i);
		if (!sqlite3_get_autocommit(s->db))
			statement_step(statement_reset(s, ROLLBACK));
	}
	pthread_mutex_unlock(&s->lock);
	return err;
}

static void read_text(char *to, size_t size, sqlite3_stmt *statement, int column)
{
	const char *text = (const char *)sqlite3_column_text(statement, column);

	text_copy(to, size, text ? text : "");
}

/* Fills a head from a row of HEAD_COLUMNS. */
static void read_head(struct report_head *head, sqlite3_stmt *statement)
{
	int state = sqlite3_column_int(statement, 4);

	memset(head, 0, sizeof(*head));
	head->seq = sqlite3_column_int64(statement, 0);
	read_text(head->id, sizeof(head->id), statement, 1);
	head->received_ms = sqlite3_column_int64(statement, 2);
	read_text(head->remote, sizeof(head->remote), statement, 3);
	if (state >= 0 && state < REPORT_STATES)
		head->state = (enum report_state)state;
	read_text(head->label, sizeof(head->label), statement, 5);
	read_text(head->product, sizeof(head->product), statement, 6);
	head->disk_n = (uint32_t)sqlite3_column_int64(statement, 7);
	head->body_bytes = (uint64_t)sqlite3_column_int64(statement, 8);
	head->replaced_n = (uint32_t)sqlite3_column_int64(statement, 9);
}

int store_get(struct store *s, const char *id, struct report_head *head, void **body, char *why)
{
	sqlite3_stmt *get;
	int result, err = 0;

	*body = NULL;
	pthread_mutex_lock(&s->lock);
	get = statement_reset(s, GET);
	bind_text(get, 1, id);
	result = statement_step(get);
	if (result == SQLITE_ROW) {
		const void *bytes = sqlite3_column_blob(get, HEAD_COLUMN_N);
		int len = sqlite3_column_bytes(get, HEAD_COLUMN_N);

		read_head(head, get);
		*body = bytes ? malloc((size_t)len) : NULL;
		if (*body) {
			memcpy(*body, bytes, (size_t)len);
		} else {
			snprintf(why, STORE_WHY_BYTES, "out of memory");
			err = -ENOMEM;
		}
	} else if (result == SQLITE_DONE) {
		snprintf(why, STORE_WHY_BYTES, "no such report");
		err = -ENOENT;
	} else {
		err = store_error(s, result, why);
	}
	statement_reset(s, GET);
	pthread_mutex_unlock(&s->lock);
	return err;
}

int store_list(struct store *s, int64_t before, unsigned int limit,
	       int (*each)(void *context, const struct report_head *head), void *context, char *why)
{
	sqlite3_stmt *list;
	int result, err = 0;

	pthread_mutex_lock(&s->lock);
	list = statement_reset(s, LIST);
	sqlite3_bind_int64(list, 1, before > 0 ? before : INT64_MAX);
	sqlite3_bind_int64(list, 2, limit);
	while (!err && (result = statement_step(list)) != SQLITE_DONE) {
		struct report_head head;

		if (result != SQLITE_ROW) {
			err = store_error(s, result, why);
			break;
		}
		read_head(&head, list);
		err = each(context, &head);
	}
	statement_reset(s, LIST);
	pthread_mutex_unlock(&s->lock);
	return err;
}
