#pragma once
#include <microhttpd.h>
#include <string.h>
#include <sys/eventfd.h>

/// What a daemon is started with. The callbacks get `context` first.
struct postern_daemon_options {
  int listener;
  unsigned int connections;
  unsigned int idle_seconds;
  size_t connection_memory;
  void *context;
  MHD_AccessHandlerCallback access;
  MHD_RequestCompletedCallback completed;
  MHD_NotifyConnectionCallback connection;
  void *(*target)(void *context, const char *target, struct MHD_Connection *connection);
};

/// The identity: libmicrohttpd would otherwise decode "%2F" and "%00" in place. It wants the length of the result.
static inline size_t postern_keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
  (void) context;
  (void) connection;
  return strlen(text);
}

/// Glibc's Swift module leaves sys/eventfd.h out. -1 on failure.
static inline int postern_event_descriptor(void) {
  return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

/// MHD_start_daemon is variadic, which Swift cannot call. NULL on failure.
static inline struct MHD_Daemon *postern_start_daemon(const struct postern_daemon_options *options) {
  return MHD_start_daemon(
    MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, options->access, options->context,
    MHD_OPTION_LISTEN_SOCKET, (MHD_socket) options->listener,
    MHD_OPTION_CONNECTION_LIMIT, options->connections,
    MHD_OPTION_CONNECTION_TIMEOUT, options->idle_seconds,
    MHD_OPTION_CONNECTION_MEMORY_LIMIT, options->connection_memory,
    MHD_OPTION_STRICT_FOR_CLIENT, (int) 1,
    MHD_OPTION_NOTIFY_COMPLETED, options->completed, options->context,
    MHD_OPTION_NOTIFY_CONNECTION, options->connection, options->context,
    MHD_OPTION_URI_LOG_CALLBACK, options->target, options->context,
    MHD_OPTION_UNESCAPE_CALLBACK, postern_keep_escapes, NULL,
    MHD_OPTION_END);
}

/// MHD_get_daemon_info is variadic, which Swift cannot call. -1 when unknown.
static inline int postern_daemon_epoll(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info == NULL ? -1 : info->epoll_fd;
}

/// MHD_get_connection_info is variadic, which Swift cannot call. What the connection notification stored.
static inline void *postern_connection_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info == NULL ? NULL : info->socket_context;
}

/// MHD_get_connection_info is variadic, which Swift cannot call. -1 when unknown.
static inline int postern_connection_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : info->connect_fd;
}

/// MHD_get_connection_info is variadic, which Swift cannot call. NULL when unknown.
static inline const struct sockaddr *postern_connection_address(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info == NULL ? NULL : info->client_addr;
}

/// MHD_get_connection_info is variadic, which Swift cannot call. Bytes from the method to the empty line, both included.
static inline size_t postern_connection_header_size(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info == NULL ? 0 : info->header_size;
}
