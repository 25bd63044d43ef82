/* count.c - threads take the next text until there is none left. */
#include "count.h"

#include <ctype.h>
#include <pthread.h>

struct work {
    pthread_mutex_t guard;
    const char *const *texts;
    size_t number, next;
    long words;
};

static long words_of(const char *text) {
    long words = 0;
    for (int inside = 0; *text; text++) {
        int letter = isalnum((unsigned char)*text) != 0;
        words += letter && !inside;
        inside = letter;
    }
    return words;
}

static void *counter(void *arg) {
    struct work *work = arg;
    for (;;) {
        pthread_mutex_lock(&work->guard);
        size_t mine = work->next;
        if (mine < work->number) work->next++;
        pthread_mutex_unlock(&work->guard);
        if (mine >= work->number) return NULL;
        long words = words_of(work->texts[mine]);
        pthread_mutex_lock(&work->guard);
        work->words += words;
        pthread_mutex_unlock(&work->guard);
    }
}

long count_words(const char *const *texts, size_t number, unsigned threads) {
    struct work work = {PTHREAD_MUTEX_INITIALIZER, texts, number, 0, 0};
    pthread_t thread[16];
    if (threads > 16) threads = 16;
    for (unsigned i = 0; i < threads; i++) pthread_create(&thread[i], NULL, counter, &work);
    for (unsigned i = 0; i < threads; i++) pthread_join(thread[i], NULL);
    pthread_mutex_destroy(&work.guard);
    return work.words;
}
