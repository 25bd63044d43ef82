/* column.c - rows into columns. */
#include "column.h"

#include <inttypes.h>
#include <string.h>

enum { STEP = 6, NARROWEST = 26, PAGE = 100, TEXT = 512 };

/* Cut to `width` characters (not bytes: a name may be UTF-8), ".." in place of
 * what is lost; returns how many characters it is wide. */
static int clip(char *text, int width) {
    int wide = 0;
    size_t cut = 0;
    for (size_t i = 0; text[i]; i++) {
        if (((unsigned char)text[i] & 0xc0) == 0x80) continue;
        if (wide == width - 2) cut = i;
        wide++;
    }
    if (wide <= width) return wide;
    memcpy(text + cut, "..", 3);
    return width;
}

static void cell_print(FILE *out, int indent, int width, bool bold, char *text) {
    clip(text, width);
    fprintf(out, "%*s%s%s%s\n", indent, "", bold ? "\033[1m" : "", text,
            bold ? "\033[0m" : "");
}

static void action(const struct hd_row *row, char *text) {
    snprintf(text, TEXT, "%s%s%s%s%s", row->marked ? "* " : "", row->text,
             row->held ? "  [" : "", row->held ? row->held : "", row->held ? "]" : "");
}

/* "bank.c:21  int seen = balance;"; false: nothing is known. */
static bool origin(const struct hd_row *row, struct hd_sources *sources, char *text) {
    const char *source = NULL;
    if (!row->file) return false;
    if (row->line && sources) source = hd_source_line(sources, row->file, row->line);
    const char *slash = strrchr(row->file, '/');
    snprintf(text, TEXT, "| %s:%" PRIu32 "%s%s", slash ? slash + 1 : row->file, row->line,
             source && *source ? "  " : "", source ? source : "");
    return true;
}

static void as_columns(const struct hd_columns *page, struct hd_sources *sources,
                       int column, FILE *out) {
    char text[TEXT];
    fprintf(out, "%*s", STEP, "step  ");
    for (size_t i = 0; i < page->thread_count; i++) {
        snprintf(text, sizeof text, "%s", page->threads[i]);
        int wide = clip(text, column - 1);
        bool last = i + 1 == page->thread_count;
        fprintf(out, "%s%*s", text, last ? 0 : column - wide, "");
    }
    fputc('\n', out);
    for (size_t i = 0; i < page->row_count; i++) {
        const struct hd_row *row = &page->rows[i];
        int indent = (int)row->thread * column;
        if (row->skipped)
            fprintf(out, "%*s%" PRIu64 " more\n", STEP, "...  ", row->skipped);
        fprintf(out, "%4" PRIu64 "  ", row->step);
        action(row, text);
        cell_print(out, indent, column - 1, page->color && row->marked, text);
        if (origin(row, sources, text))
            cell_print(out, STEP + indent, column - 1, false, text);
    }
}

static void as_list(const struct hd_columns *page, struct hd_sources *sources, int width,
                    FILE *out) {
    char text[TEXT];
    int name = 6;
    for (size_t i = 0; i < page->thread_count; i++) {
        int length = (int)strlen(page->threads[i]);
        if (length > name) name = length;
    }
    if (name > 24) name = 24;
    int indent = STEP + name + 2;
    fprintf(out, "%*s%s\n", STEP, "step  ", "thread");
    for (size_t i = 0; i < page->row_count; i++) {
        const struct hd_row *row = &page->rows[i];
        if (row->skipped)
            fprintf(out, "%*s%" PRIu64 " more\n", STEP, "...  ", row->skipped);
        fprintf(out, "%4" PRIu64 "  %-*.*s  ", row->step, name, name,
                page->threads[row->thread]);
        action(row, text);
        cell_print(out, 0, width - indent, page->color && row->marked, text);
        if (origin(row, sources, text))
            cell_print(out, indent, width - indent, false, text);
    }
}

void hd_columns_print(const struct hd_columns *page, struct hd_sources *sources,
                      FILE *out) {
    int width = page->width > 40 ? page->width : PAGE;
    int column = page->thread_count ? (width - STEP) / (int)page->thread_count : width;
    if (page->list || column < NARROWEST) {
        as_list(page, sources, width, out);
    } else {
        as_columns(page, sources, column, out);
    }
}
