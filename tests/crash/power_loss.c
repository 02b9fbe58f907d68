/* SPDX-License-Identifier: MIT */
/*
 * power_loss.c - builds images of a disk after a power loss, from the log of faults.so
 *
 *     power_loss note LOG WORD...          adds a note to the log: "ack 12 4"
 *     power_loss records LOG               prints how many records there are
 *     power_loss notes LOG CUT             prints the notes among the first CUT records
 *     power_loss image LOG CUT SEED FOLDER builds the image after the first CUT records
 *
 * Writes to a file before its last fsync or fdatasync, or with O_DSYNC, are in the image. Each
 * later write is in the image completely, in part (by sectors), or not at all, whatever the fate of later
 * writes. Names in a folder that were created, renamed or removed before its last fsync are in the image; of
 * the later changes only the first ones, because file systems keep the order of names. A sync of a file does
 * not make its name durable.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sched/base/rng.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"

#define SECTOR        512
#define NAME_MAX_SIZE 1024

/* --- the log ---------------------------------------------------------------------------------------- */

struct record {
	char op[16], path[NAME_MAX_SIZE], other[NAME_MAX_SIZE];
	uint64_t at;
	size_t size;
	const unsigned char *bytes;
};

struct log {
	unsigned char *bytes;
	size_t size, read;
};

static void die(const char *what, const char *which)
{
	fprintf(stderr, "power_loss: %s: %s: %s\n", which, what, strerror(errno));
	exit(3);
}

static struct log open_log(const char *path)
{
	struct log log = {.bytes = NULL};
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) != 0)
		die("cannot be opened", path);
	log.bytes = mem_alloc((size_t)st.st_size + 1);
	while (log.size < (size_t)st.st_size) {
		ssize_t n = read(fd, log.bytes + log.size, (size_t)st.st_size - log.size);

		if (n <= 0)
			die("cannot be read", path);
		log.size += (size_t)n;
	}
	log.bytes[log.size] = '\0';
	close(fd);
	return log;
}

/* Copies the word at line; returns the position after the blank that follows it. */
static const char *take_word(const char *line, char *out, size_t size)
{
	size_t len = strcspn(line, " \n");

	snprintf(out, size, "%.*s", (int)len, line);
	return line + len + (line[len] == ' ');
}

static bool next_record(struct log *log, struct record *out)
{
	const char *line = (const char *)log->bytes + log->read;
	const char *end = memchr(line, '\n', log->size - log->read);

	char *number;

	if (end == NULL)
		return false;
	line = take_word(line, out->op, sizeof out->op);
	line = take_word(line, out->path, sizeof out->path);
	line = take_word(line, out->other, sizeof out->other);
	out->at = strtoull(line, &number, 10);
	out->size = strtoull(number, &number, 10);
	if (number != end) {
		errno = EBADMSG;
		die("is no log of faults.so", out->op);
	}
	out->bytes = (const unsigned char *)end + 1;
	log->read = (size_t)(out->bytes - log->bytes) + out->size;
	return log->read <= log->size;
}

/* --- the disk ------------------------------------------------------------------------------------------ */

/* A write that may not have reached the disk; bytes NULL: a change of the file's size to at. */
struct pending {
	uint64_t at;
	size_t size;
	const unsigned char *bytes;
};

struct file {
	unsigned char *bytes; /* the content that has reached the disk */
	size_t size, room;
	struct pending *pending;
	size_t count, pending_room;
	bool is_folder;
	mode_t mode;
};

struct name {
	char *path;
	size_t file;
};

/* A change of names: creation, renaming or removal. */
struct renaming {
	char *from, *to; /* from NULL: created; to NULL: removed */
	size_t file;
	bool sure;
};

struct disk {
	struct file *file;
	size_t file_count, file_room;
	struct name *live; /* the names that programs see */
	size_t live_count, live_room;
	struct renaming *renaming;
	size_t renaming_count, renaming_room;
};

static size_t find_name(const struct name *name, size_t count, const char *path)
{
	size_t i = 0;

	while (i < count && strcmp(name[i].path, path) != 0)
		i++;
	return i;
}

static void put_name(struct name **list, size_t *count, size_t *room, const char *path, size_t file)
{
	size_t i = find_name(*list, *count, path);

	if (i == *count) {
		*list = vec_room(*list, room, *count + 1, sizeof **list);
		(*list)[(*count)++].path = strdup(path);
	}
	(*list)[i].file = file;
}

static void drop_name(struct name *list, size_t *count, const char *path)
{
	size_t i = find_name(list, *count, path);

	if (i == *count)
		return;
	free(list[i].path);
	list[i] = list[--*count];
}

static void add_renaming(struct disk *d, const char *from, const char *to, size_t file)
{
	struct renaming *r;

	d->renaming = vec_room(d->renaming, &d->renaming_room, d->renaming_count + 1, sizeof *d->renaming);
	r = &d->renaming[d->renaming_count++];
	*r = (struct renaming){.from = from != NULL ? strdup(from) : NULL,
			       .to = to != NULL ? strdup(to) : NULL,
			       .file = file};
}

static struct file *live_file(struct disk *d, const char *path)
{
	size_t i = find_name(d->live, d->live_count, path);

	return i < d->live_count ? &d->file[d->live[i].file] : NULL;
}

static void create(struct disk *d, const struct record *r, bool is_folder)
{
	d->file = vec_room(d->file, &d->file_room, d->file_count + 1, sizeof *d->file);
	d->file[d->file_count] = (struct file){.is_folder = is_folder, .mode = (mode_t)r->at};
	put_name(&d->live, &d->live_count, &d->live_room, r->path, d->file_count);
	add_renaming(d, NULL, r->path, d->file_count);
	d->file_count++;
}

/* --- data ---------------------------------------------------------------------------------------------- */

static void resize(struct file *f, size_t size)
{
	f->bytes = vec_room(f->bytes, &f->room, size + 1, 1);
	if (size > f->size)
		memset(f->bytes + f->size, 0, size - f->size);
	f->size = size;
}

static void apply(struct file *f, const struct pending *p, size_t from, size_t to)
{
	if (p->bytes == NULL) {
		resize(f, p->at);
		return;
	}
	if (p->at + to > f->size)
		resize(f, p->at + to);
	memcpy(f->bytes + p->at + from, p->bytes + from, to - from);
}

static void add_pending(struct file *f, const struct record *r, bool truncates)
{
	f->pending = vec_room(f->pending, &f->pending_room, f->count + 1, sizeof *f->pending);
	f->pending[f->count++] = (struct pending){r->at, r->size, truncates ? NULL : r->bytes};
}

static void sync_file(struct file *f)
{
	for (size_t i = 0; i < f->count; i++)
		apply(f, &f->pending[i], 0, f->pending[i].size);
	f->count = 0;
}

/* True if a path is directly in the folder. */
static bool is_in(const char *folder, const char *path)
{
	size_t len = strlen(folder);

	if (path == NULL)
		return false;
	if (strcmp(folder, ".") == 0)
		return strchr(path, '/') == NULL;
	return strncmp(path, folder, len) == 0 && path[len] == '/' && strchr(path + len + 1, '/') == NULL;
}

static void sync_folder(struct disk *d, const char *folder)
{
	for (size_t i = 0; i < d->renaming_count; i++)
		if (is_in(folder, d->renaming[i].from) || is_in(folder, d->renaming[i].to))
			d->renaming[i].sure = true;
}

static void replay(struct disk *d, const struct record *r)
{
	struct file *f = live_file(d, r->path);

	if (strcmp(r->op, "create") == 0 || strcmp(r->op, "mkdir") == 0) {
		create(d, r, r->op[0] == 'm');
	} else if (strcmp(r->op, "rename") == 0 && f != NULL) {
		size_t file = (size_t)(f - d->file);

		drop_name(d->live, &d->live_count, r->path);
		put_name(&d->live, &d->live_count, &d->live_room, r->other, file);
		add_renaming(d, r->path, r->other, file);
	} else if (strcmp(r->op, "unlink") == 0) {
		drop_name(d->live, &d->live_count, r->path);
		add_renaming(d, r->path, NULL, 0);
	} else if (strcmp(r->op, "sync") == 0 && (f == NULL || f->is_folder)) {
		sync_folder(d, r->path);
	} else if (f != NULL && strcmp(r->op, "sync") == 0) {
		sync_file(f);
	} else if (f != NULL && strcmp(r->op, "dwrite") == 0) {
		apply(f, &(struct pending){r->at, r->size, r->bytes}, 0, r->size);
	} else if (f != NULL && strcmp(r->op, "write") == 0) {
		add_pending(f, r, false);
	} else if (f != NULL && strcmp(r->op, "truncate") == 0) {
		add_pending(f, r, true);
	}
}

/* --- the loss ------------------------------------------------------------------------------------------ */

/* The fate of a file's unsynced writes. */
enum fate {
	FATE_LOST,  /* all are lost */
	FATE_KEPT,  /* all are in the image */
	FATE_MIXED, /* each is lost or kept at random */
	FATE_TORN,  /* each sector is lost or kept at random */
	FATE_COUNT
};

static void lose_pending(struct file *f, struct rng *rng)
{
	enum fate fate = (enum fate)rng_below(rng, FATE_COUNT);

	for (size_t i = 0; i < f->count; i++) {
		const struct pending *p = &f->pending[i];

		if (fate == FATE_KEPT || (fate == FATE_MIXED && rng_below(rng, 2) == 0))
			apply(f, p, 0, p->size);
		if (fate != FATE_TORN || p->bytes == NULL)
			continue;
		for (size_t from = 0; from < p->size; from += SECTOR)
			if (rng_below(rng, 2) == 0)
				apply(f, p, from, from + SECTOR < p->size ? from + SECTOR : p->size);
	}
}

/* The durable changes of names, and the other ones up to a random one. */
static struct name *lose_names(const struct disk *d, struct rng *rng, size_t *count)
{
	struct name *kept = NULL;
	size_t room = 0, unsure = 0, last;

	for (size_t i = 0; i < d->renaming_count; i++)
		unsure += !d->renaming[i].sure;
	last = rng_below(rng, unsure + 1);
	*count = 0;
	for (size_t i = 0; i < d->renaming_count; i++) {
		const struct renaming *r = &d->renaming[i];

		if (!r->sure && last == 0)
			continue;
		last -= !r->sure;
		if (r->from != NULL)
			drop_name(kept, count, r->from);
		if (r->to != NULL)
			put_name(&kept, count, &room, r->to, r->file);
	}
	return kept;
}

static void write_out(const char *folder, const struct name *name, const struct file *f)
{
	struct str path = {0};
	int fd;

	str_addf(&path, "%s/%s", folder, name->path);
	if (f->is_folder) {
		if (mkdir(str_text(&path), 0700) != 0 && errno != EEXIST && errno != ENOENT)
			die("cannot be made", str_text(&path));
	} else {
		fd = open(str_text(&path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
		/* Without its folder, whose name is lost, the file is lost, too. */
		if (fd < 0 && errno != ENOENT)
			die("cannot be made", str_text(&path));
		if (fd >= 0 && write(fd, f->bytes, f->size) != (ssize_t)f->size)
			die("cannot be written", str_text(&path));
		if (fd >= 0)
			close(fd);
	}
	str_free(&path);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct name *)a)->path, ((const struct name *)b)->path);
}

static void build_image(const char *log_path, uint64_t cut, uint64_t seed, const char *folder)
{
	struct log log = open_log(log_path);
	struct disk disk = {.file = NULL};
	struct record r;
	struct rng rng;
	struct name *kept;
	size_t count;

	rng_seed_at(&rng, seed, cut);
	for (uint64_t i = 0; i < cut && next_record(&log, &r); i++)
		replay(&disk, &r);
	for (size_t i = 0; i < disk.file_count; i++)
		lose_pending(&disk.file[i], &rng);
	kept = lose_names(&disk, &rng, &count);
	if (count > 0)
		qsort(kept, count, sizeof *kept, compare_names); /* a folder comes before its content */
	for (size_t i = 0; i < count; i++)
		write_out(folder, &kept[i], &disk.file[kept[i].file]);
}

/* --- notes ------------------------------------------------------------------------------------------- */

static void add_note(const char *path, char **word)
{
	struct str text = {0}, record = {0};
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);

	for (; *word != NULL; word++)
		str_addf(&text, "%s%s", text.len > 0 ? " " : "", *word);
	str_addf(&record, "note - - 0 %zu\n%s", text.len, str_text(&text));
	if (fd < 0 || write(fd, record.data, record.len) != (ssize_t)record.len)
		die("cannot be added to", path);
	close(fd);
	str_free(&text);
	str_free(&record);
}

static void print_notes(const char *path, uint64_t cut)
{
	struct log log = open_log(path);
	struct record r;

	for (uint64_t i = 0; i < cut && next_record(&log, &r); i++)
		if (strcmp(r.op, "note") == 0)
			printf("%.*s\n", (int)r.size, (const char *)r.bytes);
	free(log.bytes);
}

static void count_records(const char *path)
{
	struct log log = open_log(path);
	struct record r;
	uint64_t count = 0;

	while (next_record(&log, &r))
		count++;
	printf("%" PRIu64 "\n", count);
	free(log.bytes);
}

int main(int argc, char **argv)
{
	const char *verb = argc > 2 ? argv[1] : "";

	if (strcmp(verb, "note") == 0)
		add_note(argv[2], argv + 3);
	else if (strcmp(verb, "records") == 0)
		count_records(argv[2]);
	else if (strcmp(verb, "notes") == 0 && argc == 4)
		print_notes(argv[2], strtoull(argv[3], NULL, 10));
	else if (strcmp(verb, "image") == 0 && argc == 6)
		build_image(argv[2], strtoull(argv[3], NULL, 10), strtoull(argv[4], NULL, 10), argv[5]);
	else
		return fprintf(stderr, "usage: power_loss note|records|notes|image LOG ...\n"), 2;
	return 0;
}
