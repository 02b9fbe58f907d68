/* SPDX-License-Identifier: MIT */
/*
 * past.c - journal, history and past states for clients
 */
#include "past.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "crash_restart.h"
#include "mask.h"
#include "publisher.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/rm/monotonic.h"
#include "sched/rm/wallclock.h"
#include "sched/state/state.h"
#include "state_file.h"
#include "store/codec.h"

/* --- journal and history for clients ------------------------------------------------------------------- */

/* --- the scheduler's side ----------------------------------------------------------------------- */

struct piece {
	struct store *store;
	const struct past_wish *wish;
	const struct past_reader *reader;
	struct str bytes;
	size_t count;
	uint64_t looked; /* bytes of the job records that were read to find the owners of jobs */
	bool failed;     /* with the reason in err */
	struct err err;
};

/* May the piece have another record? This is tested after each record, so a piece has at least one, however
 * large. */
static bool takes_more(const struct piece *p)
{
	return p->count < PAST_PIECE && p->bytes.len < PAST_PIECE_BYTES && p->looked < PAST_LOOKED_BYTES;
}

static bool is_own(const struct past_reader *reader, const struct ended_job *ended)
{
	const char *user = ended->record.cred[CRED_USER];

	return reader->user == NULL || (user != NULL && strcmp(user, reader->user) == 0);
}

struct judged_end {
	struct piece *piece;
	bool is_own;
};

static bool judge_end(void *self, const struct ended_job *ended)
{
	struct judged_end *judged = self;

	judged->is_own = is_own(judged->piece->reader, ended);
	judged->piece->looked += state_submission_bytes(&ended->record);
	return true;
}

/* Does the job whose end the event reports belong to the reader? Only the history knows the owner of an ended
 * job, for as long as it keeps the job. */
static bool is_own_end(struct piece *p, const struct event *ev)
{
	struct judged_end judged = {.piece = p};

	if (!store_ended_job(p->store, ev->time_s, ev->job, judge_end, &judged, &p->err))
		p->failed = true;
	return judged.is_own;
}

/* A failure reason may name files of the job, so it is sent only to the job's user and to readers who see
 * everything. */
static bool add_entry(void *self, const struct event *ev)
{
	struct piece *p = self;
	struct key key = key_number(p->count++);
	struct event shown = *ev;

	if (p->reader->user != NULL && shown.kind == EVENT_DEFER && shown.defer.reason != NULL &&
	    (p->reader->owns == NULL || !p->reader->owns(p->reader->self, shown.job)))
		shown.defer.reason = NULL;
	if (p->reader->user != NULL && shown.kind == EVENT_END && shown.end.why != NULL && !is_own_end(p, ev))
		shown.end.why = NULL;
	put_event(&p->bytes, &key, &shown);
	return !p->failed && takes_more(p);
}

static bool add_journal(struct store *store, struct piece *p, struct err *err)
{
	return store_journal(store, p->wish->from, p->wish->backward, add_entry, p, err) &&
	       (!p->failed || err_set(err, "%s", p->err.text));
}

/* Returns those words of a list, such as "gpu:2 tape:1" or "fast big", that name features or generic
 * resources of the site; NULL: none. */
static const char *site_words(const struct past_reader *reader, enum trait_kind kind, const char *text,
			      struct arena *arena)
{
	char *words, *rest = NULL;
	struct str kept = {0};
	const char *out;

	if (text == NULL || reader->is_site_trait == NULL)
		return NULL;
	words = mem_string(text);
	for (char *word = strtok_r(words, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
		char *end = word + strcspn(word, ":"), behind = *end;
		bool shown;

		*end = '\0';
		shown = reader->is_site_trait(reader->self, kind, word);
		*end = behind;
		if (shown)
			str_addf(&kept, "%s%s", kept.len > 0 ? " " : "", word);
	}
	out = kept.len > 0 ? arena_string(arena, str_text(&kept)) : NULL;
	free(words);
	str_free(&kept);
	return out;
}

static struct ended_job of_another(const struct ended_job *ended, const struct past_reader *reader,
				   struct arena *arena)
{
	static const enum cred_type theirs[] = {CRED_USER, CRED_GROUP, CRED_ACCOUNT};
	struct ended_job out = *ended;
	const char *class_name = ended->record.cred[CRED_CLASS];

	out.why = out.output = out.errors = out.mail = out.mail_to = NULL;
	out.record.launch_size = 0;
	if (out.record.base_reason != NULL ||
	    (out.record.hold_reason != NULL && mask_is_held_after_defers(out.record.hold_reason)))
		out.record.base_reason = out.record.hold_reason = NULL;
	if (reader->names)
		return out;
	for (size_t i = 0; i < sizeof theirs / sizeof theirs[0]; i++)
		out.record.cred[theirs[i]] = NULL;
	if (class_name != NULL &&
	    (reader->is_site_class == NULL || !reader->is_site_class(reader->self, class_name)))
		out.record.cred[CRED_CLASS] = NULL;
	out.record.name = out.record.hold_reason = out.record.base_reason = NULL;
	out.record.features = site_words(reader, TRAIT_FEATURE, out.record.features, arena);
	out.record.prefer = site_words(reader, TRAIT_FEATURE, out.record.prefer, arena);
	out.record.gres = site_words(reader, TRAIT_GRES, out.record.gres, arena);
	return out;
}

static bool add_job(void *self, const struct ended_job *ended)
{
	struct piece *p = self;
	struct key key = key_number(p->count);
	struct arena arena = {0};
	struct ended_job masked;

	masked = is_own(p->reader, ended) ? *ended : of_another(ended, p->reader, &arena);
	put_ended(&p->bytes, &key, &masked);
	arena_free(&arena);
	p->count++;
	return takes_more(p);
}

/* May the reader ask for the jobs of this user? If names are hidden, only for the reader's own jobs:
 * otherwise the reader could find the owner of a job by asking for each name. */
static bool may_want(const struct past_reader *reader, const char *user)
{
	return user == NULL || reader->names || reader->user == NULL || strcmp(user, reader->user) == 0;
}

static bool add_jobs(struct store *store, struct piece *p, struct past_piece *out, struct err *err)
{
	struct history_walk walk = {.most = PAST_LOOKS};
	struct history_filter jobs = p->wish->jobs;
	bool good;

	if (p->wish->own && p->reader->user != NULL)
		jobs.user = p->reader->user;
	good = !may_want(p->reader, jobs.user) || store_history_find(store, &jobs, &walk, add_job, p, err);

	out->at = walk.at;
	out->more = walk.more;
	return good;
}

int past_file(struct store *store, const struct past_wish *wish, const struct past_reader *reader,
	      struct past_piece *out, struct err *err)
{
	struct piece p = {.store = store, .wish = wish, .reader = reader};
	bool good;
	int fd;

	*out = (struct past_piece){.count = 0};
	good = wish->journal ? add_journal(store, &p, err) : add_jobs(store, &p, out, err);
	fd = good ? memory_file("kahu-past", p.bytes.data, p.bytes.len, err) : -1;
	out->count = p.count;
	out->size = p.bytes.len;
	str_free(&p.bytes);
	return fd;
}

/* --- the client's side --------------------------------------------------------------------------- */

static bool read_entry(struct bytes *bytes, const struct key *key, struct past_wish *wish,
		       struct past_visit *visit, struct codec_scratch *scratch, struct err *err)
{
	struct event ev;

	if (!get_event(bytes, key, &ev, scratch, err))
		return false;
	wish->from = wish->backward ? ev.seq - 1 : ev.seq + 1;
	visit->stopped = !visit->entry(visit->self, &ev);
	return true;
}

static bool read_job(struct bytes *bytes, const struct key *key, struct past_visit *visit,
		     struct codec_scratch *scratch, struct err *err)
{
	struct ended_job ended;

	if (!get_ended(bytes, key, &ended, scratch, err))
		return false;
	visit->stopped = !visit->job(visit->self, &ended);
	return true;
}

bool past_read(const void *data, size_t size, size_t count, struct past_wish *wish, struct past_visit *visit,
	       struct err *err)
{
	struct bytes bytes = {data, size};
	struct codec_scratch scratch = {.bypassed = NULL};
	bool good = true;

	for (size_t i = 0; i < count && good && !visit->stopped; i++) {
		struct key key = key_number(i);

		good = wish->journal ? read_entry(&bytes, &key, wish, visit, &scratch, err)
				     : read_job(&bytes, &key, visit, &scratch, err);
	}
	codec_scratch_free(&scratch);
	return good;
}

/* --- past states, made by a background thread ---------------------------------------------------------- */

/*
 * The requests are in one list, protected by a mutex. The thread takes the first waiting request. A request
 * that is dropped while its state is being made is freed by the thread. Only the thread uses the cache of
 * files and the count of files per user.
 */

enum stage {
	STAGE_WAITS,
	STAGE_MAKING,
	STAGE_DONE
};

#define BACKGROUND_NICE 10

#define KEPT_BYTES ((size_t)4 << 20) /* memory of cached past states; the newest state may take more */

struct past_request {
	struct past_request *next;
	struct person to;
	bool whole;
	struct store_moment moment; /* the requested moment; when done, the exact moment of the state */
	int fd;                     /* when done: the file, or -1 = failed, see err */
	struct err err;
	enum stage stage; /* protected by the lock, like the following fields */
	bool forgotten;
};

/* A user who received files. The record expires at until_ms. */
struct served {
	uid_t uid;
	int64_t until_ms;
};

struct past_worker {
	struct store *store;
	struct publisher *kept; /* used only by the thread, like the following fields */
	struct served *served;
	size_t served_count, served_room;
	int fd;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t work;
	struct past_request *first; /* protected by the lock; in the order of arrival */
	bool stop;
};

/* --- the thread -------------------------------------------------------------------------------- */

static struct served *served_of(struct past_worker *r, uid_t uid, int64_t now_ms)
{
	struct served *found = NULL;
	size_t kept = 0;

	r->served = vec_room(r->served, &r->served_room, r->served_count + 1, sizeof *r->served);
	for (size_t i = 0; i < r->served_count; i++)
		if (r->served[i].until_ms > now_ms)
			r->served[kept++] = r->served[i];
	for (size_t i = 0; i < kept && found == NULL; i++)
		if (r->served[i].uid == uid)
			found = &r->served[i];
	if (found == NULL) {
		found = &r->served[kept++];
		*found = (struct served){.uid = uid, .until_ms = now_ms};
	}
	r->served_count = kept;
	return found;
}

/* May the user receive another file? Each file moves until_ms by PAST_REQUEST_GAP_MS; until_ms may be at most
 * PAST_REQUESTS_AT_ONCE such steps in the future. */
static bool may_have(struct past_worker *r, uid_t uid, struct err *err)
{
	int64_t now_ms = monotonic_ms();
	struct served *served;

	if (uid == 0 || uid == geteuid())
		return true;
	served = served_of(r, uid, now_ms);
	if (served->until_ms - now_ms > (PAST_REQUESTS_AT_ONCE - 1) * PAST_REQUEST_GAP_MS)
		return err_set(err, "%d past states were requested in a row; try again in a moment",
			       PAST_REQUESTS_AT_ONCE);
	served->until_ms += PAST_REQUEST_GAP_MS;
	return true;
}

static int make_file(struct past_worker *r, uint64_t seq, const struct past_request *w, struct err *err)
{
	int fd = publisher_kept(r->kept, seq, &w->to, w->whole);
	struct state *st;

	if (fd >= 0 || !may_have(r, w->to.uid, err))
		return fd;
	st = store_state_after(r->store, seq, err);
	if (st != NULL)
		fd = publisher_make(r->kept, state_view(st), &w->to, w->whole, err);
	state_free(st);
	return fd;
}

static void make(struct past_worker *r, struct past_request *w)
{
	struct store_moment *m = &w->moment;

	if (m->seq == 0 ? store_moment_of_time(r->store, m->time_s, m, wallclock, &w->err)
			: store_moment_of_entry(r->store, m->seq, m, wallclock, &w->err))
		w->fd = make_file(r, m->seq, w, &w->err);
}

static void free_one(struct past_request *w)
{
	if (w->fd >= 0)
		close(w->fd);
	free(w);
}

/* Removes a request from the list. Called with the lock held. */
static void take_out(struct past_worker *r, const struct past_request *w)
{
	struct past_request **at = &r->first;

	while (*at != w)
		at = &(*at)->next;
	*at = w->next;
}

/* Returns the first request that waits; NULL: none. Called with the lock held. */
static struct past_request *first_waiting(const struct past_worker *r)
{
	struct past_request *w = r->first;

	while (w != NULL && w->stage != STAGE_WAITS)
		w = w->next;
	return w;
}

static void announce(const struct past_worker *r)
{
	uint64_t one = 1;

	/*
	 * write() can only fail if the counter is at its maximum, and then the descriptor is readable anyway
	 */
	if (write(r->fd, &one, sizeof one) < 0)
		return;
}

/* Makes the state of a request. Called with the lock held, which is released while the state is being
 * made. */
static void make_one(struct past_worker *r, struct past_request *w)
{
	w->stage = STAGE_MAKING;
	pthread_mutex_unlock(&r->lock);
	crash_begin(w->to.uid);
	make(r, w);
	crash_end();
	pthread_mutex_lock(&r->lock);
	w->stage = STAGE_DONE;
	if (w->forgotten) {
		take_out(r, w);
		free_one(w);
	} else {
		announce(r);
	}
}

static void *go_along(void *self)
{
	struct past_worker *r = self;

	setpriority(PRIO_PROCESS, 0, BACKGROUND_NICE); /* on Linux this affects only the calling thread */
	pthread_mutex_lock(&r->lock);
	while (!r->stop) {
		struct past_request *w = first_waiting(r);

		if (w != NULL)
			make_one(r, w);
		else
			pthread_cond_wait(&r->work, &r->lock);
	}
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

/* --- start and stop ----------------------------------------------------------------------------------- */

/* Signals are handled by other threads. */
static int start_thread(struct past_worker *r)
{
	sigset_t all, before;
	int status;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	status = pthread_create(&r->thread, NULL, go_along, r);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return status;
}

static void free_worker(struct past_worker *r)
{
	while (r->first != NULL) {
		struct past_request *next = r->first->next;

		free_one(r->first);
		r->first = next;
	}
	if (r->fd >= 0)
		close(r->fd);
	pthread_cond_destroy(&r->work);
	pthread_mutex_destroy(&r->lock);
	publisher_free(r->kept);
	free(r->served);
	free(r);
}

struct past_worker *past_worker_new(struct store *store, struct proxies *proxies, struct err *err)
{
	struct past_worker *r = mem_zero(1, sizeof *r);
	int status;

	r->store = store;
	r->kept = publisher_new(KEPT_BYTES, 1, proxies);
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->work, NULL);
	r->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	status = r->fd < 0 ? errno : start_thread(r);
	if (status == 0)
		return r;
	err_set(err, "past states are not available: cannot start a thread: %s", strerror(status));
	free_worker(r);
	return NULL;
}

void past_worker_free(struct past_worker *r)
{
	if (r == NULL)
		return;
	pthread_mutex_lock(&r->lock);
	r->stop = true;
	pthread_cond_signal(&r->work);
	pthread_mutex_unlock(&r->lock);
	pthread_join(r->thread, NULL);
	free_worker(r);
}

int past_worker_fd(const struct past_worker *r)
{
	return r->fd;
}

void past_worker_clear(struct past_worker *r)
{
	uint64_t count;

	if (read(r->fd, &count, sizeof count) < 0)
		return; /* nothing was announced */
}

/* --- requests ----------------------------------------------------------------------------------------- */

/* May the user make another request? If not, err says why. Called with the lock held. */
static bool has_place(const struct past_worker *r, uid_t uid, struct err *err)
{
	size_t count = 0;

	for (const struct past_request *w = r->first; w != NULL; w = w->next) {
		if (w->to.uid == uid && !w->forgotten)
			return err_set(err, "another past state is being read for this user; try again when "
					    "it is complete");
		count += !w->forgotten;
	}
	return count < PAST_REQUESTS_MAX ||
	       err_set(err, "%d other past states are being read; try again in a moment", PAST_REQUESTS_MAX);
}

struct past_request *past_worker_ask(struct past_worker *r, const struct person *to, bool whole,
				     struct store_moment moment, struct err *err)
{
	struct past_request *w = NULL, **at;

	pthread_mutex_lock(&r->lock);
	if (has_place(r, to->uid, err)) {
		w = mem_zero(1, sizeof *w);
		*w = (struct past_request){.to = *to, .whole = whole, .moment = moment, .fd = -1};
		for (at = &r->first; *at != NULL; at = &(*at)->next)
			;
		*at = w;
		pthread_cond_signal(&r->work);
	}
	pthread_mutex_unlock(&r->lock);
	return w;
}

bool past_request_is_done(struct past_worker *r, const struct past_request *w)
{
	bool done;

	pthread_mutex_lock(&r->lock);
	done = w->stage == STAGE_DONE;
	pthread_mutex_unlock(&r->lock);
	return done;
}

int past_request_take(struct past_request *w, struct store_moment *moment, struct err *err)
{
	int fd = w->fd;

	if (fd < 0)
		*err = w->err;
	*moment = w->moment;
	w->fd = -1;
	return fd;
}

void past_worker_forget(struct past_worker *r, struct past_request *w)
{
	bool mine;

	if (w == NULL)
		return;
	pthread_mutex_lock(&r->lock);
	w->forgotten = true;
	mine = w->stage != STAGE_MAKING;
	if (mine)
		take_out(r, w);
	pthread_mutex_unlock(&r->lock);
	if (mine)
		free_one(w);
}
