/* kept.c - functions whose accesses an optimiser likes to merge, move or drop.
 *
 * Behind each: how often its body calls what, at every level. */
#include <stdio.h>
#include <string.h>

int a, b, cells[64];
static int only_written;
struct two {
    int x, y;
};
char bytes[256], others[256];

int read_twice(void) { int x = a; int y = a; return x * y; }                /* read4 2 */
int read_between(void) { int x = a; int y = b; int z = a; return x * y * z; } /* read4 3 */
void write_twice(void) { a = 1; a = 2; }                                      /* write4 2 */
int write_then_read(void) { a = 1; return a; }                                /* read4 1 */
int read_early(int c) { int x = a; if (c) return x * 3; return 0; }           /* read4 1 */
int one_of_two(int c, struct two *p) { return c ? p->x : p->y; }              /* read4 2 */
void never_read(void) { only_written = 1; only_written = 2; }                 /* write4 2 */
int sum_in_loop(int n) { int s = 0; for (int i = 0; i < n; i++) s += a; return s; } /* read4 1 */
void add_in_loop(int n) { for (int i = 0; i < n; i++) a += i; }               /* write4 1 */
void spin(void) { while (!a) { } }                                            /* read4 1 */
void spin_with_limit(void) { for (int i = 0; i < 1000 && !a; i++) { } }       /* read4 1 */
void read_unused(void) { int x = a; (void)x; }                                /* read4 1 */
void read_in_vain(int n) { for (int i = 0; i < n; i++) { int x = cells[i]; (void)x; } } /* read4 1 */
void store_if(int c) { if (c) a = b; }                                        /* write4 1 */
static int get(void) { return a; }                                            /* read4 1 */
int get_twice(void) { return get() * get(); }                                 /* get 2 */
void get_unused(void) { get(); }                                              /* get 1 */
int length_twice(char *s) { int n = strlen(s); s[0] = 'x'; return n * strlen(s); } /* strlen 2 */
void clear(void) { memset(bytes, 0, 64); }                                    /* memset 1 */
void copy(void) { memcpy(bytes, others, 64); }                                /* memcpy 1 */
void print_word(void) { sprintf(bytes, "stop"); }                             /* sprintf 1 */
void print_text(char *s) { sprintf(bytes, "%s", s); }                         /* sprintf 1 */
void print_some(void) { snprintf(bytes, sizeof bytes, "%s", "stop"); }        /* snprintf 1 */
int equal(char *s) { return strcmp(s, "ab") == 0; }                           /* strcmp 1 */
void fill_by_hand(void) { for (int i = 0; i < 64; i++) cells[i] = 0; }        /* write4 1 */
int through_either(int c, int *p, int *q) { int *r = c ? p : q; return *r; }  /* read4 1 */
int both_pairs(struct two *p, struct two *q) { return p->x == q->x && p->y == q->y; } /* read4 4 */
int forwarded(int v) { a = v; b = a; return a; }                              /* read4 2 */
int same_in_arms(int c) { if (c) return a + 1; return a + 2; }                /* read4 2 */
long tail_call(long n) { if (n == 0) return a; return tail_call(n - 1); }     /* tail_call 1 */
static int small(int x) { b = x; return b; }                                  /* write4 1 */
int call_small(int x) { return small(x) + 1; }                                /* small 1 */
static inline int tiny(int x) { return a + x; }
int call_tiny(int x) { return tiny(x) + tiny(b); } /* test_cc_kept.sh */
