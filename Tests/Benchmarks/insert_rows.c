/* The reference for durable accepts: inserts what an accepted sendOobCode inserts, a code and its mail, as fast as SQLite takes them, 64
 * in a transaction, in a write-ahead log with synchronous=FULL.
 *
 * insert_rows DATABASE SECONDS
 *
 * DATABASE was made by the service and holds one row in action_codes and one in outbox, which the new ones are copies of, except for what
 * differs from mail to mail. Prints accepts a second. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

enum { PER_TRANSACTION = 64, MOST_COLUMNS = 64 };

enum kind { SAME, NUMBER, TOKEN, CODE, HASH, ADDRESS, MILLISECONDS };

struct table {
    sqlite3_stmt *insert;
    int columns;
    enum kind kinds[MOST_COLUMNS];
    sqlite3_value *values[MOST_COLUMNS];
};

static sqlite3 *database;

static void check(int result) {
    if (result == SQLITE_OK || result == SQLITE_ROW || result == SQLITE_DONE) return;
    fprintf(stderr, "insert_rows: %s\n", sqlite3_errmsg(database));
    exit(1);
}

static void run(const char *sql) { check(sqlite3_exec(database, sql, NULL, NULL, NULL)); }

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static enum kind kind_of(const char *table, const char *column) {
    int is_outbox = strcmp(table, "outbox") == 0;
    if (strcmp(column, "id") == 0) return is_outbox ? NUMBER : CODE;
    if (strcmp(column, "code_id") == 0) return CODE;
    if (strcmp(column, "message_token") == 0) return TOKEN;
    if (strcmp(column, "address_hash") == 0) return HASH;
    if (strcmp(column, "email") == 0) return ADDRESS;
    if (strcmp(column, "created_at") == 0 || strcmp(column, "due_at") == 0 || strcmp(column, "expires_at") == 0) return MILLISECONDS;
    return SAME;
}

static struct table prepare(const char *name) {
    struct table table;
    char sql[512] = "";
    sqlite3_stmt *row;
    snprintf(sql, sizeof sql, "SELECT * FROM %s", name);
    check(sqlite3_prepare_v2(database, sql, -1, &row, NULL));
    if (sqlite3_step(row) != SQLITE_ROW || (table.columns = sqlite3_column_count(row)) > MOST_COLUMNS) {
        fprintf(stderr, "insert_rows: no row to copy in %s\n", name);
        exit(1);
    }
    int length = snprintf(sql, sizeof sql, "INSERT INTO %s VALUES (?", name);
    for (int column = 0; column < table.columns; column++) {
        table.kinds[column] = kind_of(name, sqlite3_column_name(row, column));
        table.values[column] = sqlite3_value_dup(sqlite3_column_value(row, column));
        if (column > 0) length += snprintf(sql + length, sizeof sql - (size_t)length, ", ?");
    }
    snprintf(sql + length, sizeof sql - (size_t)length, ")");
    sqlite3_finalize(row);
    check(sqlite3_prepare_v2(database, sql, -1, &table.insert, NULL));
    return table;
}

static void insert(struct table *table, const unsigned char *code, double elapsed, long number) {
    unsigned char random[32];
    char address[64];
    for (int column = 0; column < table->columns; column++) {
        sqlite3_value *value = table->values[column];
        int parameter = column + 1;
        switch (table->kinds[column]) {
        case SAME: check(sqlite3_bind_value(table->insert, parameter, value)); break;
        case NUMBER: check(sqlite3_bind_null(table->insert, parameter)); break;
        case CODE: check(sqlite3_bind_blob(table->insert, parameter, code, sqlite3_value_bytes(value), SQLITE_TRANSIENT)); break;
        case TOKEN:
            if (getrandom(random, sizeof random, 0) != sizeof random) exit(1);
            check(sqlite3_bind_blob(table->insert, parameter, random, sqlite3_value_bytes(value), SQLITE_TRANSIENT));
            break;
        case HASH: {
            sqlite3_int64 hash;
            memcpy(&hash, code, sizeof hash);
            check(sqlite3_bind_int64(table->insert, parameter, hash));
            break;
        }
        case ADDRESS:
            snprintf(address, sizeof address, "reference-1-%ld@people.example.com", number);
            check(sqlite3_bind_text(table->insert, parameter, address, -1, SQLITE_TRANSIENT));
            break;
        case MILLISECONDS:
            check(sqlite3_bind_int64(table->insert, parameter, sqlite3_value_int64(value) + (sqlite3_int64)(elapsed * 1000)));
            break;
        }
    }
    check(sqlite3_step(table->insert));
    check(sqlite3_reset(table->insert));
}

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "usage: insert_rows DATABASE SECONDS\n");
        return 64;
    }
    check(sqlite3_open_v2(arguments[1], &database, SQLITE_OPEN_READWRITE, NULL));
    run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 1000; PRAGMA cache_size = -4096;");
    struct table codes = prepare("action_codes"), mails = prepare("outbox");
    double start = seconds(), end = start + atof(arguments[2]), now = start;
    long accepts = 0;
    while (now < end) {
        run("BEGIN IMMEDIATE");
        for (int index = 0; index < PER_TRANSACTION; index++) {
            unsigned char code[32];
            if (getrandom(code, sizeof code, 0) != sizeof code) exit(1);
            insert(&codes, code, now - start, accepts);
            insert(&mails, code, now - start, accepts);
            accepts++;
        }
        run("COMMIT");
        now = seconds();
    }
    printf("%.1f\n", (double)accepts / (now - start));
    return 0;
}
