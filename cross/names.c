/*
 * getaddrinfo for a program whose libc is musl, which fails if the answer for one of the two kinds of addresses is an
 * error or does not come, cannot be interrupted, appends domains only to names with few dots, and tells upper from lower
 * case in /etc/hosts. Here each kind is asked for by a thread of its own: what one of them finds is used, a signal ends
 * the waiting, and names and domains are tried as glibc does (docs/decisions/0044).
 *
 * The program is linked with --wrap (cross/build): __real_getaddrinfo is musl's. Only libcurl calls it.
 */
#include <ctype.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>

/* Bytes of the stack of a thread; musl's functions take less than 24 KiB of it. */
#define STACK (64 << 10)
/* Milliseconds that the second kind of addresses is waited for after the first has come. */
#define GRACE 1000
/* The same, once it has not come in that time: this network does not answer such questions. */
#define SHORT_GRACE 50
/* Milliseconds that a lookup takes at most, whatever name servers and domains there are. */
#define PATIENCE 30000
/* Domains that are appended. */
#define DOMAINS 6

int __real_getaddrinfo(const char *restrict, const char *restrict, const struct addrinfo *restrict,
                       struct addrinfo **restrict);
void __real_freeaddrinfo(struct addrinfo *);
/* A signal has asked the process to end. */
int TinyUpdater_isStopping(void);

/* A name that is looked up. Whoever is the last to use it frees it: threads may outlive the call. */
struct lookup {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int users;
    const char *name, *service; /* behind this structure */
    struct addrinfo hints;
    struct part {
        struct lookup *whole;
        int family, is_done, error;
        struct addrinfo *found;
    } parts[2];
    int count;
};

static void leave(struct lookup *lookup) {
    pthread_mutex_lock(&lookup->mutex);
    int left = --lookup->users;
    pthread_mutex_unlock(&lookup->mutex);
    if (left > 0) return;
    for (int i = 0; i < lookup->count; i++)
        if (lookup->parts[i].found != NULL) __real_freeaddrinfo(lookup->parts[i].found);
    pthread_cond_destroy(&lookup->changed);
    pthread_mutex_destroy(&lookup->mutex);
    free(lookup);
}

/* The domains in /etc/resolv.conf that are appended to names, the last list that is there: how many. */
static int read_domains(char domains[DOMAINS][NI_MAXHOST]) {
    char line[1024], *word, *rest;
    int count = 0;
    FILE *file = fopen("/etc/resolv.conf", "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        word = strtok_r(line, " \t\r\n", &rest);
        if (word == NULL || (strcmp(word, "search") != 0 && strcmp(word, "domain") != 0)) continue;
        for (count = 0; count < DOMAINS && (word = strtok_r(NULL, " \t\r\n", &rest)) != NULL;)
            if (strlen(word) < NI_MAXHOST) strcpy(domains[count++], word);
    }
    if (file != NULL) fclose(file);
    return count;
}

/* The first address of the name in /etc/hosts, in any letter case, which musl compares: 0, or -1 without one. */
static int find_in_hosts(const struct lookup *lookup, struct addrinfo hints, struct addrinfo **found) {
    char line[1024], *word, *rest, *address;
    int error = -1;
    FILE *file = fopen("/etc/hosts", "re");
    hints.ai_flags |= AI_NUMERICHOST;
    while (error != 0 && file != NULL && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "#")] = 0;
        address = strtok_r(line, " \t\r\n", &rest);
        while (address != NULL && (word = strtok_r(NULL, " \t\r\n", &rest)) != NULL)
            if (strcasecmp(word, lookup->name) == 0) {
                error = __real_getaddrinfo(address, lookup->service, &hints, found);
                break;
            }
    }
    if (file != NULL) fclose(file);
    return error;
}

static int look_up(const struct lookup *lookup, int family, struct addrinfo **found) {
    struct addrinfo hints = lookup->hints;
    size_t length = strlen(lookup->name);
    char domains[DOMAINS][NI_MAXHOST], full[2 * NI_MAXHOST + 2];
    hints.ai_family = family;
    if (!(hints.ai_flags & AI_NUMERICHOST) && find_in_hosts(lookup, hints, found) == 0) return 0;
    int error = __real_getaddrinfo(lookup->name, lookup->service, &hints, found);
    if (error == 0 || length == 0 || length >= NI_MAXHOST || lookup->name[length - 1] == '.' ||
        (hints.ai_flags & AI_NUMERICHOST))
        return error;
    int count = read_domains(domains);
    for (int i = 0; i < count; i++) {
        /* The dot at the end keeps musl from appending more. */
        snprintf(full, sizeof full, "%s.%s.", lookup->name, domains[i]);
        if (__real_getaddrinfo(full, lookup->service, &hints, found) == 0) return 0;
    }
    return error;
}

static void *run(void *argument) {
    struct part *part = argument;
    struct addrinfo *found = NULL;
    int error = look_up(part->whole, part->family, &found);
    pthread_mutex_lock(&part->whole->mutex);
    part->found = error == 0 ? found : NULL;
    part->error = error;
    part->is_done = 1;
    pthread_cond_signal(&part->whole->changed);
    pthread_mutex_unlock(&part->whole->mutex);
    leave(part->whole);
    return NULL;
}

static struct lookup *make(const char *name, const char *service, const struct addrinfo *hints) {
    size_t name_size = strlen(name) + 1, service_size = service == NULL ? 0 : strlen(service) + 1;
    struct lookup *lookup = calloc(1, sizeof *lookup + name_size + service_size);
    char *texts = (char *)(lookup + 1);
    pthread_condattr_t attributes;
    lookup->name = memcpy(texts, name, name_size);
    lookup->service = service == NULL ? NULL : memcpy(texts + name_size, service, service_size);
    if (hints != NULL) lookup->hints = *hints;
    int family = lookup->hints.ai_family;
    lookup->count = family == AF_UNSPEC ? 2 : 1;
    for (int i = 0; i < lookup->count; i++) lookup->parts[i].whole = lookup;
    lookup->parts[0].family = family == AF_UNSPEC ? AF_INET6 : family;
    lookup->parts[1].family = AF_INET;
    lookup->users = 1;
    pthread_mutex_init(&lookup->mutex, NULL);
    pthread_condattr_init(&attributes);
    /* Another one may be set meanwhile. */
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&lookup->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    return lookup;
}

/* Where no thread can be made, the lookup is not interrupted. */
static void start(struct lookup *lookup) {
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    for (int i = 0; i < lookup->count; i++) {
        pthread_mutex_lock(&lookup->mutex);
        lookup->users++;
        pthread_mutex_unlock(&lookup->mutex);
        if (pthread_create(&thread, &attributes, run, &lookup->parts[i]) != 0) run(&lookup->parts[i]);
    }
    pthread_attr_destroy(&attributes);
}

/* 64 bits: after 25 days, 31 would not do. */
static int64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Waits until all has come that is worth waiting for. */
static void wait_for(struct lookup *lookup) {
    static int64_t grace = GRACE;
    int64_t end = milliseconds() + PATIENCE;
    int has_grace = 0;
    while (!TinyUpdater_isStopping()) {
        int done = 0, found = 0;
        for (int i = 0; i < lookup->count; i++) {
            done += lookup->parts[i].is_done;
            found += lookup->parts[i].found != NULL;
        }
        if (done == lookup->count) return;
        int64_t now = milliseconds();
        if (found > 0 && !has_grace) {
            has_grace = 1;
            if (end > now + grace) end = now + grace;
        }
        if (now >= end) {
            if (found > 0) grace = SHORT_GRACE;
            return;
        }
        int64_t pause = end - now < 100 ? end - now : 100;
        struct timespec until = {.tv_sec = (now + pause) / 1000, .tv_nsec = (now + pause) % 1000 * 1000000};
        pthread_cond_timedwait(&lookup->changed, &lookup->mutex, &until);
    }
}

/* All that was found, in one block. */
static struct addrinfo *copy(const struct lookup *lookup) {
    struct place {
        struct addrinfo info;
        struct sockaddr_storage address;
    } *places = NULL;
    size_t count = 0;
    for (int i = 0; i < lookup->count; i++)
        for (struct addrinfo *next = lookup->parts[i].found; next != NULL; next = next->ai_next) count++;
    if (count > 0) places = calloc(count, sizeof *places);
    count = 0;
    for (int i = 0; i < lookup->count; i++)
        for (struct addrinfo *next = lookup->parts[i].found; next != NULL; next = next->ai_next, count++) {
            places[count].info = *next;
            places[count].info.ai_canonname = NULL;
            places[count].info.ai_next = NULL;
            memcpy(&places[count].address, next->ai_addr, next->ai_addrlen);
            places[count].info.ai_addr = (struct sockaddr *)&places[count].address;
            if (count > 0) places[count - 1].info.ai_next = &places[count].info;
        }
    return places == NULL ? NULL : &places->info;
}

int __wrap_getaddrinfo(const char *restrict name, const char *restrict service, const struct addrinfo *restrict hints,
                       struct addrinfo **restrict result) {
    int error = EAI_AGAIN;
    if (name == NULL) return EAI_NONAME;
    struct lookup *lookup = make(name, service, hints);
    start(lookup);
    pthread_mutex_lock(&lookup->mutex);
    wait_for(lookup);
    *result = copy(lookup);
    if (lookup->parts[lookup->count - 1].is_done) error = lookup->parts[lookup->count - 1].error;
    pthread_mutex_unlock(&lookup->mutex);
    leave(lookup);
    return *result == NULL ? error : 0;
}

void __wrap_freeaddrinfo(struct addrinfo *list) { free(list); }
