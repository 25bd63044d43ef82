/* explored.c - what heddle_explore answers, from a plain main. */
#include <heddle.h>

#include <assert.h>
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

/* Look and write back in two lock regions. */
void deposit(void) {
    pthread_mutex_lock(&lock);
    int seen = total;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    total = seen + 1;
    pthread_mutex_unlock(&lock);
}

static void *deposit_once(void *argument) {
    deposit();
    return argument;
}

static void two_deposits(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, deposit_once, NULL);
    pthread_create(&two, NULL, deposit_once, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
}

static void observed(void *argument) {
    (void)argument;
    two_deposits();
    heddle_observe("total", total);
}

static void printed(void *argument) {
    printf("%s\n", (const char *)argument);
    observed(argument);
    printf("the last line\n");
}

static void asserted(void *argument) {
    *(char *)argument = 'X';
    two_deposits();
    assert(total == 2);
}

static void *count_system_threads(void *count) {
    DIR *folder = opendir("/proc/self/task");
    struct dirent *entry;
    while (folder && (entry = readdir(folder)) != NULL) *(int *)count += entry->d_name[0] != '.';
    if (folder) closedir(folder);
    return NULL;
}

/* While another thread is there. */
static int system_threads(void) {
    pthread_t one, two;
    int count = 0;
    pthread_create(&one, NULL, deposit_once, NULL);
    pthread_create(&two, NULL, count_system_threads, &count);
    pthread_join(two, NULL);
    pthread_join(one, NULL);
    total = 0;
    return count;
}

static void say(const char *what, int rc, const struct heddle_result *result) {
    printf("%s: %d %s: %s\n", what, rc, result->kind ? result->kind : "-",
           result->message ? result->message : "-");
    fflush(stdout);
}

int main(void) {
    struct heddle_result result;
    char text[] = "the first line";
    printf("before: %d of the system\n", system_threads());
    fflush(stdout);
    int rc = heddle_explore(observed, NULL, NULL, &result);
    say("observed", rc, &result);
    rc = heddle_explore(printed, text, NULL, &result);
    say("printed", rc, &result);
    printf("%s", result.output);
    rc = heddle_explore(asserted, text, NULL, &result);
    say("asserted", rc, &result);
    printf("still %s, %d\n", text, total);

    static const char *const wrong[] = {"nosuch", "pct:x"};
    for (int i = 0; i < 2; i++) {
        struct heddle_options options = {.strategy = wrong[i]};
        memset(&result, 0xee, sizeof result);
        rc = heddle_explore(observed, NULL, &options, &result);
        say(wrong[i], rc, &result);
    }
    printf("after: %d of the system\n", system_threads());
    two_deposits();
    printf("after: %d\n", total);
    return 0;
}
