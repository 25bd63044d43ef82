/* note.c - things worth knowing that accuse nobody, each once. */
#include "checkers/warning.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define NOTES 200     /* a hostile trace must not turn into a flood */
#define CALLS 1000000 /* nor make every event of it slow */

struct note {
    const char *text;
    uint64_t count;
};

struct hd_notes {
    struct hd_arena *arena;
    struct note note[NOTES + 1];
    uint32_t count;
    uint32_t calls;
};

struct hd_notes *hd_notes_new(struct hd_arena *arena) {
    struct hd_notes *notes = hd_arena_get(arena, sizeof *notes);
    notes->arena = arena;
    return notes;
}

void hd_note(struct hd_notes *notes, const char *format, ...) {
    if (notes->calls == CALLS) {
        return;
    }
    notes->calls++;
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (uint32_t i = 0; i < notes->count; i++) {
        if (!strcmp(notes->note[i].text, text)) {
            notes->note[i].count++;
            return;
        }
    }
    if (notes->count == NOTES) {
        notes->note[notes->count++] = (struct note){"further notes were left out", 1};
    } else if (notes->count < NOTES) {
        notes->note[notes->count++] =
            (struct note){hd_arena_string(notes->arena, text), 1};
    }
}

uint32_t hd_notes_count(const struct hd_notes *notes) { return notes->count; }

const char *hd_notes_at(const struct hd_notes *notes, uint32_t index) {
    const struct note *note = &notes->note[index];
    if (note->count == 1) {
        return note->text;
    }
    return hd_arena_print(notes->arena, "%s (%llu times%s)", note->text,
                          (unsigned long long)note->count,
                          notes->calls == CALLS ? " or more" : "");
}
