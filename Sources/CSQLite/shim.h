#pragma once
#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast that Swift cannot import. An empty value may come with a null pointer, which SQLite would take for NULL.
static inline int postern_sqlite3_bind_text(sqlite3_stmt *_Nonnull statement, int index, const char *_Nullable bytes, int count) {
    return sqlite3_bind_text(statement, index, count ? bytes : "", count, SQLITE_TRANSIENT);
}

// As above.
static inline int postern_sqlite3_bind_blob(sqlite3_stmt *_Nonnull statement, int index, const void *_Nullable bytes, int count) {
    return sqlite3_bind_blob(statement, index, count ? bytes : "", count, SQLITE_TRANSIENT);
}

// sqlite3_db_config is variadic, which Swift cannot call; this is the form that switches something on or off.
static inline int postern_sqlite3_switch(sqlite3 *_Nonnull database, int option, int on) {
    return sqlite3_db_config(database, option, on, (int *)0);
}
