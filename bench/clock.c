/* Moves the wall clock of one process by the seconds that the file named in GWRAY_CLOCK holds; LD_PRELOAD.
   Only what tells the time of day moves. Waits go on by the machine's own clock, as they do after a real jump. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long shift(void) {
    static _Thread_local long seconds, read_at = -1;
    struct timespec now;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    const char *path = getenv("GWRAY_CLOCK");
    if (path && now.tv_sec != read_at) {
        char text[32] = {0};
        int file = open(path, O_RDONLY | O_CLOEXEC);
        read_at = now.tv_sec;
        if (file >= 0) {
            if (read(file, text, sizeof text - 1) > 0) seconds = atol(text);
            close(file);
        }
    }
    return seconds;
}

int clock_gettime(clockid_t clock, struct timespec *out) {
    int failed = syscall(SYS_clock_gettime, clock, out);
    if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) out->tv_sec += shift();
    return failed;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone) {
    if (syscall(SYS_gettimeofday, out, zone)) return -1;
    out->tv_sec += shift();
    return 0;
}

time_t time(time_t *out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    if (out) *out = now.tv_sec;
    return now.tv_sec;
}

int timespec_get(struct timespec *out, int base) {
    return base == TIME_UTC && !clock_gettime(CLOCK_REALTIME, out) ? base : 0;
}

int pthread_cond_timedwait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict until) {
    static int (*real)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
    struct timespec then = *until;
    if (!real) real = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2"); /* on x86-64: not the oldest */
    if (!real) real = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
    if (!(cond->__data.__wrefs & 2)) then.tv_sec -= shift(); /* bit 1: it waits by the monotonic clock */
    return real(cond, mutex, &then);
}
