/* SPDX-License-Identifier: MIT */
/*
 * main.c - runs a fuzzer on its corpus and on mutations of it, without clang's fuzzer
 *
 * Linked with one fuzz_NAME.c it becomes corpus_NAME. It runs every file of
 * tests/fuzz/corpus/NAME (or the files given as arguments), then FUZZ_RUNS seeded mutations of them.
 * The same SEED gives the same inputs on every machine. An input that kills the program
 * or takes longer than INPUT_LIMIT_S is written to a file, whose name is printed.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sched/base/rng.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"

#define INPUT_MAX     ((size_t)1 << 16)
#define INPUT_LIMIT_S 20
#define RUNS_DEFAULT  2000
#define EDITS_MAX     8

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
/* Present only in programs built with a sanitizer, which end without a signal. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak)); /* NOLINT */

struct input {
	uint8_t *bytes;
	size_t size;
};

struct corpus {
	struct input *input;
	size_t count, cap;
};

/* Used by the signal handler. */
static const uint8_t *current_bytes;
static size_t current_size;
static char crash_path[4096];

static void keep_input(void)
{
	int fd = open(crash_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	if (write(fd, current_bytes, current_size) == (ssize_t)current_size) {
		static const char words[] = "# the failing input: ";
		(void)!write(STDOUT_FILENO, words, sizeof words - 1);
		(void)!write(STDOUT_FILENO, crash_path, strlen(crash_path));
		(void)!write(STDOUT_FILENO, "\n", 1);
	}
	close(fd);
}

static void on_fatal_signal(int signal_number)
{
	keep_input();
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

static void watch_for_death(const char *name)
{
	const char *folder = getenv("TMPDIR");
	snprintf(crash_path, sizeof crash_path, "%s/kahu-fuzz-%s.input", folder ? folder : "/tmp", name);
	static const int fatal[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGALRM};
	struct sigaction act = {.sa_handler = on_fatal_signal, .sa_flags = (int)SA_RESETHAND};
	for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
		sigaction(fatal[i], &act, NULL);
	if (__sanitizer_set_death_callback)
		__sanitizer_set_death_callback(keep_input);
}

static void run_input(const uint8_t *bytes, size_t size)
{
	/* A copy of the exact size, so that sanitizers find a read past its end. */
	uint8_t *copy = mem_alloc(size ? size : 1);
	if (size)
		memcpy(copy, bytes, size);
	current_bytes = copy;
	current_size = size;
	alarm(INPUT_LIMIT_S);
	LLVMFuzzerTestOneInput(copy, size);
	alarm(0);
	free(copy);
}

static void corpus_add(struct corpus *c, const uint8_t *bytes, size_t size)
{
	c->input = vec_room(c->input, &c->cap, c->count + 1, sizeof *c->input);
	struct input *in = &c->input[c->count++];
	in->bytes = mem_alloc(size ? size : 1);
	in->size = size;
	if (size)
		memcpy(in->bytes, bytes, size);
}

static bool corpus_read_file(struct corpus *c, const char *path)
{
	static uint8_t buffer[INPUT_MAX];
	FILE *file = fopen(path, "rb");
	if (!file) {
		printf("not ok reading %s: %s\n", path, strerror(errno));
		return false;
	}
	corpus_add(c, buffer, fread(buffer, 1, sizeof buffer, file));
	fclose(file);
	return true;
}

static int is_shown(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* In the order of names, so that a seed gives the same inputs on every machine. */
static bool corpus_read_folder(struct corpus *c, const char *folder)
{
	struct dirent **entry = NULL;
	int n = scandir(folder, &entry, is_shown, alphasort);
	if (n < 0) {
		printf("not ok reading %s: %s\n", folder, strerror(errno));
		return false;
	}
	bool good = true;
	for (int i = 0; i < n; i++) {
		struct str path = {0};
		str_addf(&path, "%s/%s", folder, entry[i]->d_name);
		good = corpus_read_file(c, str_text(&path)) && good;
		str_free(&path);
		free(entry[i]);
	}
	free(entry);
	return good;
}

static void corpus_free(struct corpus *c)
{
	for (size_t i = 0; i < c->count; i++)
		free(c->input[i].bytes);
	free(c->input);
}

/* --- mutations: each changes buf of INPUT_MAX bytes in place and returns the new size --- */

static size_t flip_bit(uint8_t *buf, size_t size, struct rng *rng)
{
	if (size)
		buf[rng_below(rng, size)] ^= (uint8_t)(1U << rng_below(rng, 8));
	return size;
}

static size_t set_byte(uint8_t *buf, size_t size, struct rng *rng)
{
	static const uint8_t special[] = "\0\xff\x80\x7f\n\t \"'#{}=;:-+.,09eE";
	if (size)
		buf[rng_below(rng, size)] = special[rng_below(rng, sizeof special - 1)];
	return size;
}

static size_t cut_range(uint8_t *buf, size_t size, struct rng *rng)
{
	if (size == 0)
		return 0;
	size_t from = rng_below(rng, size);
	size_t len = 1 + rng_below(rng, size - from);
	memmove(buf + from, buf + from + len, size - from - len);
	return size - len;
}

static size_t insert_bytes(uint8_t *buf, size_t size, size_t at, const uint8_t *bytes, size_t len)
{
	if (len > INPUT_MAX - size)
		len = INPUT_MAX - size;
	memmove(buf + at + len, buf + at, size - at);
	memcpy(buf + at, bytes, len);
	return size + len;
}

static size_t repeat_range(uint8_t *buf, size_t size, struct rng *rng)
{
	static uint8_t piece[INPUT_MAX];
	if (size == 0)
		return 0;
	size_t from = rng_below(rng, size);
	size_t len = 1 + rng_below(rng, size - from);
	memcpy(piece, buf + from, len);
	return insert_bytes(buf, size, rng_below(rng, size + 1), piece, len);
}

static size_t insert_number(uint8_t *buf, size_t size, struct rng *rng)
{
	static const char *const number[] = {"-1",
					     "0",
					     "2147483648",
					     "9223372036854775807",
					     "18446744073709551616",
					     "1e999",
					     "nan",
					     "-0.0",
					     "00000000000000000000000000000001"};
	const char *text = number[rng_below(rng, sizeof number / sizeof number[0])];
	return insert_bytes(buf, size, rng_below(rng, size + 1), (const uint8_t *)text, strlen(text));
}

static size_t splice_other(uint8_t *buf, size_t size, const struct corpus *c, struct rng *rng)
{
	const struct input *other = &c->input[rng_below(rng, c->count)];
	if (other->size == 0)
		return size;
	size_t from = rng_below(rng, other->size);
	size_t len = 1 + rng_below(rng, other->size - from);
	return insert_bytes(buf, size, rng_below(rng, size + 1), other->bytes + from, len);
}

static size_t mutate(uint8_t *buf, size_t size, const struct corpus *c, struct rng *rng)
{
	switch (rng_below(rng, 6)) {
	case 0:
		return flip_bit(buf, size, rng);
	case 1:
		return set_byte(buf, size, rng);
	case 2:
		return cut_range(buf, size, rng);
	case 3:
		return repeat_range(buf, size, rng);
	case 4:
		return insert_number(buf, size, rng);
	default:
		return splice_other(buf, size, c, rng);
	}
}

static void run_mutation(const struct corpus *c, uint64_t seed, uint64_t index)
{
	static uint8_t buf[INPUT_MAX];
	struct rng rng;
	rng_seed_at(&rng, seed, index);
	const struct input *from = &c->input[rng_below(&rng, c->count)];
	size_t size = from->size;
	memcpy(buf, from->bytes, size);
	for (uint64_t edits = 1 + rng_below(&rng, EDITS_MAX); edits > 0; edits--)
		size = mutate(buf, size, c, &rng);
	run_input(buf, size);
}

static uint64_t number_from_environment(const char *name, uint64_t default_value)
{
	const char *text = getenv(name);
	return text && *text ? strtoull(text, NULL, 10) : default_value;
}

/* "duration" for build/tests/fuzz/corpus_duration. */
static const char *fuzzer_name(const char *program)
{
	const char *slash = strrchr(program, '/');
	const char *name = slash ? slash + 1 : program;
	return strncmp(name, "corpus_", 7) == 0 ? name + 7 : name;
}

static bool corpus_read(struct corpus *c, const char *name, int argc, char **argv)
{
	bool good = true;
	for (int i = 1; i < argc; i++)
		good = corpus_read_file(c, argv[i]) && good;
	if (argc > 1)
		return good;
	const char *source = getenv("KAHU_SOURCE");
	struct str folder = {0};
	str_addf(&folder, "%s/tests/fuzz/corpus/%s", source ? source : ".", name);
	good = corpus_read_folder(c, str_text(&folder));
	str_free(&folder);
	return good;
}

int main(int argc, char **argv)
{
	const char *name = fuzzer_name(argv[0]);
	uint64_t seed = number_from_environment("SEED", 1);
	uint64_t runs = number_from_environment("FUZZ_RUNS", RUNS_DEFAULT);
	struct corpus corpus = {0};

	setvbuf(stdout, NULL, _IOLBF, 0);
	watch_for_death(name);
	bool good = corpus_read(&corpus, name, argc, argv);
	if (good && corpus.count == 0) {
		printf("not ok the corpus of %s is empty\n", name);
		good = false;
	}
	if (good) {
		for (size_t i = 0; i < corpus.count; i++)
			run_input(corpus.input[i].bytes, corpus.input[i].size);
		printf("ok the %zu inputs of the corpus run without a failure\n", corpus.count);
		printf("# SEED=%llu\n", (unsigned long long)seed);
		for (uint64_t i = 0; i < runs; i++)
			run_mutation(&corpus, seed, i);
		printf("ok %llu mutations of the corpus run without a failure\n", (unsigned long long)runs);
	}
	corpus_free(&corpus);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
