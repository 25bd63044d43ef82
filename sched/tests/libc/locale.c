/* locale.c - the locale is changed by threads other than the first: libc locks it by their numbers. */
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
static void *twice(void *arg) {
    printf("a");
    setlocale(LC_ALL, "C");
    setlocale(LC_ALL, "POSIX");
    return arg;
}
static void *once(void *arg) {
    setlocale(LC_ALL, "C.UTF-8");
    printf("b");
    return arg;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, twice, NULL);
    pthread_create(&u, NULL, once, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    setlocale(LC_ALL, "C");
    return 0;
}
