/* stdio.c - streams and descriptors, results printed; a plain build prints the same. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>
#include <wchar.h>

static int ends[2];
static char big[200000];

static void listed(const char *format, ...) {
    char text[100];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    puts(text);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    puts("");
}

static void printing(void) {
    printf("%d %s %c %.2f\n", 3, "words", 'c', 2.5);
    fprintf(stdout, "%5s|\n", "ab");
    putchar('x');
    putc('y', stdout);
    fputc('\n', stdout);
    fputs("fputs\n", stdout);
    printf("%zu\n", fwrite("block\n", 2, 3, stdout));
    listed("%s-%d", "list", 7);
    char text[700];
    printf("%d %s\n", snprintf(text, 4, "%d", 123456), text);
    printf("%d\n", sprintf(text, "%0600d", 1));
    char *made = NULL;
    printf("%d %s\n", asprintf(&made, "made %d", 1), made);
    free(made);
}

static void scanning(void) {
    int x = 0, y = 0, n = 0;
    char word[20], set[10], letters[3] = "";
    double d = 0;
    long l = 0;
    short h = 0;
    int got = sscanf("12 word 3.5 abc99 -7xyz 42%",
                     "%d %19s %lf %9[a-c]%ld %hd%2c%*c%n %d%%", &x, word, &d, set, &l, &h,
                     letters, &n, &y);
    printf("%d: %d %s %g %s %ld %d %.2s %d %d\n", got, x, word, d, set, l, h, letters, n, y);
    printf("%d\n", sscanf("", "%d", &x));
}

static void file(void) {
    FILE *f = tmpfile();
    char text[100], *line = NULL;
    size_t room = 0;
    int x = 0;
    ssize_t n;
    fprintf(f, "one\ntwo\nthree 3\n%s", "tail;end");
    printf("at %ld\n", ftell(f));
    rewind(f);
    printf("[%s]", fgets(text, sizeof text, f));
    n = getline(&line, &room, f);
    printf("%zd [%s]", n, line);
    n = fscanf(f, "%s %d", text, &x);
    printf("%zd %s %d\n", n, text, x);
    printf("%d\n", getc(f));
    printf("%d\n", ungetc('!', f));
    n = getdelim(&line, &room, ';', f);
    printf("%zd %s\n", n, line);
    n = (ssize_t)fread(text, 1, 10, f);
    printf("%zd %.3s\n", n, text);
    printf("%d\n", fgetc(f) == EOF);
    printf("%d\n", feof(f) != 0);
    printf("%d\n", fseek(f, 4, SEEK_SET));
    printf("%d\n", fgetc(f));
    fclose(f);
    free(line);
}

static void *talk(void *unused) {
    FILE *f = fdopen(ends[1], "w");
    for (int i = 0; i < 3; i++) {
        fprintf(f, "line %d ", i);
        fflush(f);
        fprintf(f, "of three\n");
    }
    fclose(f);
    return unused;
}

static void *pour(void *unused) {
    memset(big, 'b', sizeof big);
    ssize_t n = write(ends[1], big, sizeof big);
    close(ends[1]);
    return n == (ssize_t)sizeof big ? unused : NULL;
}

static void *reply(void *unused) {
    char text[10];
    ssize_t n = recv(ends[1], text, sizeof text, 0);
    struct iovec parts[2] = {{"re", 2}, {text, (size_t)n}};
    writev(ends[1], parts, 2);
    return unused;
}

static void talking(void) {
    pthread_t thread;
    char text[5000];
    if (pipe(ends) < 0) return;
    pthread_create(&thread, NULL, talk, NULL);
    FILE *f = fdopen(ends[0], "r");
    while (fgets(text, sizeof text, f)) printf("heard %s", text);
    pthread_join(thread, NULL);
    fclose(f);
    if (pipe(ends) < 0) return;
    pthread_create(&thread, NULL, pour, &thread);
    size_t all = 0;
    for (ssize_t n; (n = read(ends[0], text, sizeof text)) > 0;) all += (size_t)n;
    void *full;
    pthread_join(thread, &full);
    printf("%zu %d\n", all, full != NULL);
    close(ends[0]);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0) return;
    pthread_create(&thread, NULL, reply, NULL);
    send(ends[0], "ply", 3, 0);
    pthread_join(thread, NULL);
    ssize_t n = read(ends[0], text, sizeof text);
    printf("%zd %.5s\n", n, text);
}

int main(void) {
    printing();
    scanning();
    file();
    talking();
    fflush(stdout);
    dprintf(1, "at %d\n", 1);
    if (write(1, "end\n", 4) != 4) return 1;
    perror("nothing");
    return 0;
}
