/* http.c - as much of HTTP as the server needs. */
#include "jigsaw.h"

#include <stdio.h>
#include <string.h>

/* Copies up to a stop character; NULL: there is none, or no room. */
static const char *word(const char *from, char stop, char *out, size_t room) {
    size_t n = 0;
    while (from[n] && from[n] != stop && n + 1 < room) {
        out[n] = from[n];
        n++;
    }
    out[n] = '\0';
    return from[n] == stop ? from + n + 1 : NULL;
}

bool http_parse(const char *text, struct http_request *out) {
    const char *at = word(text, ' ', out->method, sizeof out->method);
    if (!at || *at != '/') return false;
    at = word(at + 1, '/', out->directory, sizeof out->directory);
    if (!at) return false;
    at = word(at, ' ', out->name, sizeof out->name);
    return at && strncmp(at, "HTTP/1.", 7) == 0;
}

void http_answer(char *out, size_t size, int status, const char *body, long length) {
    snprintf(out, size, "HTTP/1.0 %d\r\nContent-Length: %ld\r\n\r\n%s", status, length, body);
}
