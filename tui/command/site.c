/* SPDX-License-Identifier: MIT */
/* site.c - the scheduler of this host: store, configuration, resource manager, thread and socket */
#include "site.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/host/clock.h"
#include "sched/host/door.h"
#include "sched/host/driver.h"
#include "sched/host/event_log.h"
#include "sched/host/files.h"
#include "sched/host/host.h"
#include "sched/host/notifier.h"
#include "sched/host/proxy.h"
#include "sched/host/service.h"
#include "sched/rm/descriptors.h"
#include "sched/rm/host_info.h"
#include "sched/rm/local.h"
#include "sched/rm/notify.h"
#include "sched/rm/shepherd.h"
#include "sched/rm/slurm.h"
#include "sched/rm/system_clock.h"
#include "sched/rm/trusted.h"
#include "simulate.h"
#include "store/store.h"
#include "tui/serve/client.h"
#include "tui/serve/ended_cache.h"
#include "tui/serve/request_server.h"
#include "tui/serve/session.h"
#include "tui/serve/shell.h"

/* --- the shepherd's program --------------------------------------------------------------------------- */

void site_find_shepherd(char out[static SITE_PATH])
{
	ssize_t len = readlink("/proc/self/exe", out, SITE_PATH - sizeof SHEPHERD_PROGRAM - 1);
	char *slash = NULL;

	if (len > 0) {
		out[len] = '\0';
		slash = strrchr(out, '/');
	}
	if (slash != NULL) {
		memcpy(slash + 1, SHEPHERD_PROGRAM, sizeof SHEPHERD_PROGRAM);
		if (access(out, X_OK) == 0)
			return;
	}
	snprintf(out, SITE_PATH, "%s", KAHU_LIBEXECDIR "/" SHEPHERD_PROGRAM);
}

/* --- the resource manager ----------------------------------------------------------------------------- */

#define PATIENCE_MS 10000 /* longest wait for verbs that hold the lock of the store one after the other */

#define TRY_MS 1

#define ENDS_MS 2000 /* maximum time that a scheduler that was told to stop needs to close its socket */

#define PATH_ROOM 4096

/* The configuration that is used if there is no file. */
static const char plain_conf[] =
	"# Defaults without a kahu.conf: jobs run in order of submission, with backfill.\n"
	"systemdefaultjobwalltime = \"1:00:00\"\n";

/*
 * Logs how jobs are contained. Only with HOLD_FULL does the kernel enforce memory limits, so any other level
 * is logged as a warning.
 */
static void tell_level(const struct site *site, enum hold_level level, const char *why)
{
	static const char *const names[] = {
		[HOLD_NONE] = "none", [HOLD_KILL_ONLY] = "kill-only", [HOLD_FULL] = "full"};
	struct str line = {0};

	if (site->event_log == NULL)
		return;
	str_addf(&line, "job containment: %s%s%s", names[level], why[0] != '\0' ? "; " : "", why);
	event_log_say(site->event_log, level == HOLD_FULL ? SERVICE_INFO : SERVICE_WARNING, str_text(&line));
	str_free(&line);
}

/* Returns the path of the file with the last time of the clock (clock.h); the caller frees it. */
static char *clock_file(const struct site *site)
{
	struct str path = {0};
	char *file;

	str_addf(&path, "%s/spool/clock", store_dir(site->store));
	file = mem_string(str_text(&path));
	str_free(&path);
	return file;
}

/*
 * Returns the time at which the clock starts. If the system clock was set while no scheduler was running,
 * this is the time that the previous scheduler recorded, so that the host detects the change and handles it.
 */
static int64_t find_start(const struct site *site)
{
	int64_t now_s = system_clock_s(), kept_s;
	char *file = clock_file(site);

	if (kept_clock_read(file, &kept_s) &&
	    (kept_s - now_s >= CLOCK_STEP_S || now_s - kept_s >= CLOCK_STEP_S))
		now_s = kept_s;
	free(file);
	return now_s;
}

/*
 * Opens the resource manager of this host. struct host_info is allocated, because it is too large for the
 * stack.
 */
static bool open_manager(struct site *site, int64_t now_s, struct rm *out, struct err *err)
{
	struct host_info *host = mem_zero(1, sizeof *host);
	char shepherd[SITE_PATH];
	struct str spool = {0}, why = {0};
	struct local_setup setup = {.shepherd = shepherd,
				    .root = "/",
				    .now_s = now_s,
				    .soft_files = site->soft_files,
				    .host = host};

	site_find_shepherd(shepherd);
	str_addf(&spool, "%s/spool", store_dir(site->store));
	setup.spool = str_text(&spool);
	*out = (struct rm){.ops = NULL};
	if (host_info_read("/", NULL, host, err)) {
		host->level = host_info_cgroup_enter("/", host->cgroup, sizeof host->cgroup, &why);
		tell_level(site, host->level, str_text(&why));
		site->cgroup = host->cgroup[0] != '\0' ? mem_string(host->cgroup) : NULL;
		*out = local_new(&setup, err);
	}
	str_free(&spool);
	str_free(&why);
	free(host);
	return out->ops != NULL;
}

/* Opens Slurm as the resource manager, which is watched. */
static bool open_slurm(int64_t now_s, struct rm *out, struct err *err)
{
	const struct slurm_setup setup = {
		.path = getenv("PATH"), .config = getenv("SLURM_CONF"), .timeout_ms = SLURM_TIMEOUT_MS};

	*out = slurm_new(&setup, now_s, err);
	return out->ops != NULL;
}

/* --- the configuration -------------------------------------------------------------------------------- */

static void warn(void *self, const char *text)
{
	const struct site *site = self;

	if (site->warn != NULL)
		site->warn(site->event_log, text);
}

static size_t find_programs(const struct snapshot *s, const char *out[static SITE_TEXT_COUNT + 1])
{
	static const enum site_text texts[] = {SITE_PROLOG, SITE_EPILOG, SITE_NOTIFY_PROGRAM,
					       SITE_MAIL_PROGRAM};
	size_t count = 0;

	if (s->local_program != 0)
		out[count++] = snapshot_string(s, s->local_program);
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		const char *program = snapshot_site_text(s, texts[i]);

		if (program != NULL && program[0] != '\0')
			out[count++] = program;
	}
	return count;
}

/*
 * Forbids the programs of a configuration that another user can change, and logs which programs are not run
 * and why.
 */
static void judge_programs(struct site *site, struct driver *driver, const struct err *barred)
{
	const char *program[SITE_TEXT_COUNT + 1];
	size_t count = find_programs(driver_view(driver), program);
	struct str line = {0};
	struct err why;

	site->barred = barred->text[0] != '\0';
	driver_bar_programs(driver, barred->text);
	if (site->barred && count > 0) {
		str_addf(&line, "programs of the configuration are not run, because %s", barred->text);
		warn(site, str_text(&line));
	}
	for (size_t i = 0; i < count && !site->barred; i++)
		if (!trusted_program(program[i], &why))
			warn(site, why.text);
	str_free(&line);
}

/* Reads the configuration file and applies it if it differs from the configuration in force. */
static enum cmd_status take_text(struct site *site, struct driver *driver, const char *file, struct err *err)
{
	const struct snapshot *s = driver_view(driver);
	enum cmd_status status = CMD_REFUSED;
	struct str text = {0};
	struct err barred;

	if (file_read_config(file, &text, &barred, err))
		status = strcmp(str_text(&text), snapshot_string(s, s->config_text)) == 0
				 ? CMD_DONE
				 : simulate_configure(driver, file_name(file), str_text(&text), NULL, NULL, 0,
						      err);
	str_free(&text);
	if (status == CMD_DONE)
		judge_programs(site, driver, &barred);
	return status;
}

/*
 * Sets *out to the value of an option outside sections, as a number; leaves *out unchanged if the
 * configuration does not set the option.
 */
static void read_choice(const struct config_list *list, const char *name, uint8_t *out)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct config_value *value = &list->item[i].value;

		if (value->row != NULL && value->row->scope[0] == '\0' && strcmp(value->row->name, name) == 0)
			*out = (uint8_t)value->value.whole;
	}
}

bool site_read_manager(const char *file, uint8_t *manager, uint8_t *mode, struct err *err)
{
	struct config_list list = {0};
	struct str text = {0};
	struct err barred;
	bool good = true;

	*manager = MANAGER_LOCAL;
	*mode = MODE_DRIVE;
	if (file[0] != '\0') {
		good = file_read_config(file, &text, &barred, err) &&
		       config_list_read(file, str_text(&text), text.len, &list, err);
		read_choice(&list, "manager", manager);
		read_choice(&list, "mode", mode);
	}
	config_list_free(&list);
	str_free(&text);
	if (good && *manager == MANAGER_SLURM && *mode != MODE_SHADOW)
		return err_set(err, "%s: manager = slurm works only with mode = shadow; add it", file);
	if (good && *manager != MANAGER_SLURM && *mode == MODE_SHADOW)
		return err_set(err,
			       "%s: mode = shadow works only with manager = slurm; add it, or remove mode",
			       file);
	return good;
}

/* A manager cannot be exchanged while the scheduler runs. */
static void warn_of_manager(struct site *site, const struct driver *driver)
{
	bool slurm = driver_view(driver)->policy.site.manager == MANAGER_SLURM;

	if (slurm != (driver_view(driver)->watched != 0))
		warn(site,
		     "manager has changed in the configuration; this takes effect when the scheduler is "
		     "started again");
}

static enum cmd_status configure(struct site *site, struct driver *driver, const struct shell *shell,
				 struct err *err)
{
	static const struct err trusted;
	char file[PATH_ROOM];
	enum cmd_status status = CMD_DONE;

	if (!session_config_file(shell->config, file, sizeof file, err))
		return CMD_REFUSED;
	if (file[0] != '\0')
		return take_text(site, driver, file, err);
	if (driver_view(driver)->seq == 0)
		status = simulate_configure(driver, "built-in configuration", plain_conf, NULL, NULL, 0, err);
	if (status == CMD_DONE)
		judge_programs(site, driver, &trusted);
	return status;
}

/*
 * Reads the configuration again. The server calls it in the scheduler's thread. Settings that were changed
 * live stay in force.
 */
static enum driver_outcome reload(void *self, struct driver *driver, struct err *err)
{
	struct site *site = self;
	char file[PATH_ROOM];
	enum cmd_status status = CMD_REFUSED;

	if (!session_config_file(site->shell->config, file, sizeof file, err))
		return DRIVER_REFUSED;
	if (file[0] == '\0')
		err_set(err, "no configuration file; 'kahu init' writes an initial one");
	else
		status = configure(site, driver, site->shell, err);
	if (status == CMD_DONE)
		warn_of_manager(site, driver);
	if (status == CMD_DONE)
		return DRIVER_DONE;
	return status == CMD_FAILED ? DRIVER_FAILED : DRIVER_REFUSED;
}

/* Stops the scheduler in the same way as SIGTERM from another process. */
static void stop(void *self)
{
	(void)self;
	kill(getpid(), SIGTERM);
}

/* --- driver and door ---------------------------------------------------------------------------------- */

static enum cmd_status open_driver(struct site *site, const struct shell *shell, int64_t now_s,
				   struct driver **out, struct err *err)
{
	char file[PATH_ROOM];
	uint8_t manager, mode;
	struct rm rm;
	enum cmd_status status;

	if (!session_config_file(shell->config, file, sizeof file, err) ||
	    !site_read_manager(file, &manager, &mode, err))
		return CMD_REFUSED;
	if (!(manager == MANAGER_SLURM ? open_slurm(now_s, &rm, err) : open_manager(site, now_s, &rm, err)))
		return CMD_FAILED;
	site->proxies = proxies_new(); /* not before the scheduler has entered its cgroup */
	site->ended_cache = ended_cache_new(store_ledger(site->store));
	ended_cache_recall(site->ended_cache, site->store, system_clock_s() - ENDED_CACHE_RECALLED_S, NULL);
	*out = driver_new(rm, ended_cache_ledger(site->ended_cache), err);
	if (*out == NULL)
		return CMD_FAILED;
	driver_expect_many(*out);
	if (driver_view(*out)->sim.active) {
		err_set(err, "the store %s contains a simulated cluster; use a separate store for real jobs",
			store_dir(site->store));
		status = CMD_REFUSED;
	} else {
		status = configure(site, *out, shell, err);
	}
	if (status != CMD_DONE)
		driver_free(*out);
	return status;
}

static enum cmd_status open_door(struct site *site, const struct shell *shell, struct err *err)
{
	bool everybody = geteuid() == 0;
	char dir[PATH_ROOM];
	struct request_server_setup setup = {.dir = dir,
					     .ended_cache = site->ended_cache,
					     .store = site->store,
					     .site = {.reload = reload, .stop = stop, .self = site},
					     .proxies = site->proxies,
					     .listening = site->listening,
					     .everybody = everybody};

	if (!session_socket_dir(shell->store, dir, sizeof dir, err))
		return CMD_REFUSED;
	if (mkdir(dir, everybody ? 0755 : 0700) != 0 && errno != EEXIST) {
		err_set(err, "cannot create the socket directory %s: %s", dir, strerror(errno));
		return CMD_FAILED;
	}
	site->listening = 0;
	site->server = request_server_open(&setup, err);
	return site->server != NULL ? CMD_DONE : CMD_FAILED;
}

/* --- log and notifications ---------------------------------------------------------------------------- */

static bool open_notifier(struct site *site, struct err *err)
{
	char runner[SITE_PATH];
	struct notify_setup setup = {.cgroup = site->cgroup,
				     .soft_files = site->soft_files,
				     .limit_ms = NOTIFY_LIMIT_MS,
				     .warn_apart_ms = NOTIFY_WARN_APART_MS,
				     .warn = warn,
				     .self = site};

	site_find_shepherd(runner);
	if (geteuid() == 0)
		setup.runner = runner;
	site->notify = notify_new(&setup, err);
	if (site->notify == NULL)
		return false;
	site->notifier = notifier_new(ended_cache_ledger(site->ended_cache), site->notify);
	return true;
}

static void tell(void *self, const struct ledger_step *step, const struct state *st,
		 const struct driver_stats *stats)
{
	const struct site *site = self;

	if (site->event_log != NULL)
		event_log_tell(site->event_log, step, st, stats);
	notifier_bar_programs(site->notifier, site->barred);
	notifier_tell(site->notifier, step, st, stats);
}

/*
 * Warns if there are too few file descriptors. Connections get at most half of them (door.h); the other half
 * is for running jobs and the store.
 */
static void tell_descriptors(const struct site *site)
{
	const int64_t wanted = 2 * DOOR_ALL, has = descriptors_limit();
	struct str line = {0};

	if (has >= wanted || site->warn == NULL)
		return;
	str_addf(&line,
		 "file descriptors: RLIMIT_NOFILE is %" PRId64 ", but should be %" PRId64
		 ": half of it for %d connections, the rest for running jobs and the store; at most %" PRId64
		 " connections are accepted; raise the hard limit (ulimit -Hn, LimitNOFILE=)",
		 has, wanted, DOOR_ALL, has / 2);
	site->warn(site->event_log, str_text(&line));
	str_free(&line);
}

/* --- opening and closing ------------------------------------------------------------------------------ */

static enum cmd_status start(struct site *site, const struct shell *shell, struct err *err)
{
	struct driver *driver;
	struct host_setup setup = {.start_s = find_start(site), .speed = 1, .real = true};
	enum cmd_status status = open_driver(site, shell, setup.start_s, &driver, err);
	char *file;

	if (status != CMD_DONE)
		return status;
	tell_descriptors(site);
	status = open_notifier(site, err) ? open_door(site, shell, err) : CMD_FAILED;
	if (status != CMD_DONE) {
		driver_free(driver);
		return status;
	}
	driver_set_tell(driver, tell, site);
	driver_set_toll(driver, request_server_take_toll, site->server);
	setup.driver = driver;
	setup.guest = request_server_guest(site->server);
	setup.watchdog_ms = site->watchdog_ms;
	setup.urgent = geteuid() == 0;
	setup.clock_file = file = clock_file(site);
	site->host = host_start(&setup, err);
	free(file);
	return site->host != NULL ? CMD_DONE : CMD_FAILED;
}

/*
 * Is the scheduler at the other end going to stay? A scheduler that is stopping also accepts connections, but
 * closes them with its socket, at most ends_ms later.
 */
static bool stays(int connection, int ends_ms)
{
	struct pollfd fd = {.fd = connection, .events = POLLIN};
	char byte;

	while (poll(&fd, 1, ends_ms) < 0 && errno == EINTR)
		;
	return recv(connection, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0 || errno == EAGAIN;
}

/*
 * Is the process that holds the lock a scheduler? It may also be a verb that changes a stopped store, or a
 * child that a killed scheduler had forked: the child has the lock and the socket until it calls exec. Such a
 * verb or child holds the lock only briefly.
 */
static bool is_served(const struct shell *shell, int holder, int ends_ms)
{
	char dir[PATH_ROOM];
	int connection;
	bool served;

	if (holder == 0 || (kill(holder, 0) != 0 && errno == ESRCH))
		return false;
	if (!session_socket_dir(shell->store, dir, sizeof dir, NULL))
		return false;
	connection = door_knock(dir, NULL);
	served = connection >= 0 && stays(connection, ends_ms);
	if (connection >= 0)
		close(connection);
	return served;
}

/*
 * Opens the store. If another process holds its lock, waits for up to PATIENCE_MS, because verbs hold the
 * lock only briefly; does not wait if that process is a scheduler that keeps running. CMD_REFUSED: the lock
 * is held; site->served is set if a scheduler holds it.
 */
static enum cmd_status open_store(struct site *site, const char *dir, struct err *err)
{
	const struct timespec pause = {.tv_nsec = TRY_MS * 1000000L};
	bool busy;

	for (int waited_ms = 0;; waited_ms += TRY_MS) {
		site->store = store_open(dir, STORE_CHANGE, err);
		if (site->store != NULL)
			return CMD_DONE;
		busy = errno == EBUSY;
		site->served = busy && is_served(site->shell, store_holder(dir), site->yields ? 0 : ENDS_MS);
		if (!busy || site->served || waited_ms >= PATIENCE_MS)
			return busy ? CMD_REFUSED : CMD_FAILED;
		nanosleep(&pause, NULL);
	}
}

static enum cmd_status adopt_store(struct site *site, const char *dir, int lock, struct err *err)
{
	site->store = store_adopt(dir, lock, err);
	return site->store != NULL ? CMD_DONE : CMD_FAILED;
}

/* Descriptors that another process has handed over; -1 = none. */
struct handed {
	int lock, door;
};

/*
 * Returns the descriptors that another process has handed over, and removes the entry in the environment that
 * announces them.
 */
static struct handed handover_take(void)
{
	struct handed handed = {-1, -1};

	if (getenv(HANDOVER_ENTRY) != NULL && fcntl(HANDOVER_LOCK_FD, F_GETFD) >= 0 &&
	    fcntl(HANDOVER_DOOR_FD, F_GETFD) >= 0)
		handed = (struct handed){HANDOVER_LOCK_FD, HANDOVER_DOOR_FD};
	unsetenv(HANDOVER_ENTRY);
	return handed;
}

enum cmd_status site_open(struct site *site, const struct shell *shell, struct err *err)
{
	char dir[PATH_ROOM];
	enum cmd_status status;
	struct handed handed = handover_take();

	if (!session_store_dir(shell->store, dir, sizeof dir, err))
		return CMD_REFUSED;
	site->shell = shell;
	site->soft_files = descriptors_raise();
	site->listening = handed.door > 0 ? handed.door : 0;
	status = handed.lock >= 0 ? adopt_store(site, dir, handed.lock, err) : open_store(site, dir, err);
	if (status == CMD_DONE) {
		store_ask_to_wait(site->store, true);
		store_prune(site->store, true);
		status = start(site, shell, err);
	}
	if (status == CMD_DONE)
		store_ask_to_wait(site->store, false);
	else
		site_close(site);
	return status;
}

void site_survive_crashes(const struct site *site)
{
	struct str words = {0};

	crash_arm(store_lock_of(site->store), request_server_listening(site->server));
	if (crash_describe(&words) && site->event_log != NULL)
		event_log_say(site->event_log, SERVICE_WARNING, str_text(&words));
	str_free(&words);
}

/* Sends a request, because the state belongs to the scheduler's thread. */
enum cmd_status site_reload(const struct site *site, struct err *err)
{
	char dir[PATH_ROOM];
	struct client *client = NULL;
	enum driver_outcome outcome = DRIVER_FAILED;

	if (session_socket_dir(site->shell->store, dir, sizeof dir, err))
		client = client_open(dir, err);
	if (client != NULL)
		outcome = client_reload(client, err);
	client_close(client);
	return outcome == DRIVER_DONE ? CMD_DONE : CMD_FAILED;
}

void site_close(struct site *site)
{
	crash_disarm();
	if (site->store != NULL)
		store_ask_to_wait(site->store, true);
	if (site->host != NULL)
		host_stop(site->host);
	request_server_close(site->server);
	proxies_end(site->proxies);
	notify_free(site->notify);
	notifier_free(site->notifier);
	if (site->listening > 0)
		close(site->listening);
	ended_cache_free(site->ended_cache);
	if (site->store != NULL)
		store_close(site->store);
	free(site->cgroup);
	*site = (struct site){.served = site->served};
}

/* --- handover to a new process ------------------------------------------------------------------------ */

/*
 * The new process has the lock and the socket as descriptors with fixed numbers, announced by an entry in its
 * environment. When the new process answers a request, the handover is complete. Its messages go to a log in
 * the folder of the store.
 */

#define FREE_FD 10 /* the descriptors are first copied to numbers from this one on */

#define LOG "serve.log"

#define LOG_OLD "serve.log.old"

static bool put_at(int from, int to)
{
	return from >= 0 && dup2(from, to) == to;
}

/* Opens /dev/null as standard input and output, and a new log as standard error; keeps the previous log. */
static bool open_standard(const char *store)
{
	struct str log = {0}, old = {0};
	int nothing = open("/dev/null", O_RDWR), words;
	bool good;

	str_addf(&log, "%s/" LOG, store);
	str_addf(&old, "%s/" LOG_OLD, store);
	(void)rename(str_text(&log), str_text(&old));
	words = open(str_text(&log), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0600);
	good = put_at(nothing, STDIN_FILENO) && put_at(nothing, STDOUT_FILENO) &&
	       put_at(words >= 0 ? words : nothing, STDERR_FILENO);
	str_free(&log);
	str_free(&old);
	return good;
}

/*
 * If the file of the program was replaced, /proc/self/exe ends in " (deleted)", and the new program has the
 * path before it.
 */
const char *handover_program(void)
{
	static char path[PATH_ROOM];
	const char gone[] = " (deleted)";
	ssize_t len = readlink("/proc/self/exe", path, sizeof path - 1);
	size_t tail = sizeof gone - 1;

	if (len <= 0)
		return "/proc/self/exe";
	path[len] = '\0';
	if ((size_t)len > tail && strcmp(path + len - tail, gone) == 0)
		path[(size_t)len - tail] = '\0';
	return access(path, X_OK) == 0 ? path : "/proc/self/exe";
}

/*
 * Returns the absolute form of a path, which chdir() does not affect; the path itself if it cannot be
 * resolved.
 */
static const char *whole_path(const char *path, char room[static PATH_ROOM])
{
	return path != NULL && realpath(path, room) != NULL ? room : path;
}

static void keep_places(void)
{
	static const char *const names[] = {"KAHU_STORE", "KAHU_CONF", "KAHU_RUN"};
	char room[PATH_ROOM];

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const char *path = getenv(names[i]);

		if (path != NULL && path[0] != '\0')
			(void)setenv(names[i], whole_path(path, room), 1);
	}
}

/* Restores the signal handling of a program that was started by a shell. */
static void reset_signals(void)
{
	sigset_t none;

	sigemptyset(&none);
	signal(SIGHUP, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGTSTP, SIG_DFL);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void run_program(const struct shell *shell)
{
	static char kahu[] = "kahu", serve[] = "serve", to_store[] = "--store", to_config[] = "--config";
	char store[PATH_ROOM], config[PATH_ROOM];
	char *argv[8] = {kahu, serve};
	int count = 2;

	if (shell->store != NULL) {
		argv[count++] = to_store;
		argv[count++] = (char *)(uintptr_t)whole_path(shell->store, store);
	}
	if (shell->config != NULL) {
		argv[count++] = to_config;
		argv[count++] = (char *)(uintptr_t)whole_path(shell->config, config);
	}
	keep_places();
	(void)setenv(HANDOVER_ENTRY, "1", 1);
	if (chdir("/") == 0)
		execv(handover_program(), argv);
}

static void become_server(const struct shell *shell, const char *store, struct handed handed)
{
	int lock, door;

	setsid();
	lock = fcntl(handed.lock, F_DUPFD, FREE_FD);
	door = fcntl(handed.door, F_DUPFD, FREE_FD);
	if (open_standard(store) && put_at(lock, HANDOVER_LOCK_FD) && put_at(door, HANDOVER_DOOR_FD) &&
	    close_range(HANDOVER_DOOR_FD + 1, ~0U, 0) == 0) {
		reset_signals();
		run_program(shell);
	}
	fprintf(stderr, "kahu: cannot restart the scheduler: %s\n", strerror(errno));
	fflush(stderr);
	_exit(127);
}

static void close_handed(struct handed handed)
{
	if (handed.lock >= 0)
		close(handed.lock);
	if (handed.door >= 0)
		close(handed.door);
}

/* Does the new process answer a request? If not, sets err. */
static bool answers(const char *dir, struct err *err)
{
	struct client *client = client_open(dir, err);
	int64_t now_s;
	bool good = client != NULL && client_state(client, &now_s, err) != NULL;

	client_close(client);
	return good;
}

bool handover(struct site *site, const struct shell *shell, struct err *err)
{
	struct handed handed;
	char dir[PATH_ROOM], store[PATH_ROOM];
	pid_t child = -1;
	bool good;

	signal(SIGHUP, SIG_IGN); /* if the terminal is lost, the kernel may send SIGHUP more than once */
	good = session_socket_dir(shell->store, dir, sizeof dir, err);
	snprintf(store, sizeof store, "%s", store_dir(site->store));
	host_stop(site->host);
	site->host = NULL;
	handed = (struct handed){.lock = store_hand_over(site->store),
				 .door = request_server_hand_over(site->server)};
	site_close(site);
	if (good && (handed.lock < 0 || handed.door < 0))
		good = err_set(err, "cannot hand over lock and socket: %s", strerror(errno));
	fflush(NULL);
	if (good && (child = fork()) == 0)
		become_server(shell, store, handed);
	close_handed(handed);
	good = good && child > 0 && answers(dir, err);
	if (good)
		printf("The scheduler continues as process %d. 'kahu' opens the console again, 'kahu sched "
		       "stop' stops the scheduler.\n",
		       (int)child);
	else
		err_prefix(err,
			   "the scheduler did not continue (its log is %s/" LOG
			   "); running jobs continue, and 'kahu serve' starts it again",
			   store);
	return good;
}
