#pragma once
#include <curl/curl.h>

// Swift cannot call variadic C functions; each wrapper below fixes the one argument type that an option takes.

// Options that take a number.
static inline CURLcode postern_curl_set_number(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

// Options that take a C string, which libcurl copies.
static inline CURLcode postern_curl_set_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

// CURLOPT_ERRORBUFFER: at least CURL_ERROR_SIZE bytes, which must outlive the handle or be taken back with NULL.
static inline CURLcode postern_curl_set_error_buffer(CURL *handle, char *buffer) {
    return curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, buffer);
}

// CURLOPT_HEADERFUNCTION with its context: sees every reply line while libcurl opens the connection.
static inline CURLcode postern_curl_set_line_callback(
    CURL *handle, size_t (*callback)(char *, size_t, size_t, void *), void *context) {
    CURLcode result = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, callback);
    return result != CURLE_OK ? result : curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
}

// CURLOPT_XFERINFOFUNCTION with its context: asked about once a second while libcurl waits, so that a wait can be given up.
static inline CURLcode postern_curl_set_progress_callback(
    CURL *handle, int (*callback)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t), void *context) {
    CURLcode result = curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, callback);
    if (result == CURLE_OK) result = curl_easy_setopt(handle, CURLOPT_XFERINFODATA, context);
    return result != CURLE_OK ? result : curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
}

// Information that is a number.
static inline CURLcode postern_curl_get_number(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}

// Information that is a socket.
static inline CURLcode postern_curl_get_socket(CURL *handle, CURLINFO info, curl_socket_t *value) {
    return curl_easy_getinfo(handle, info, value);
}
