/* SPDX-License-Identifier: MIT */
/*
 * command_line.c - the command line: global options, the state that a verb uses, and the console
 *
 * Removes the global options from the words, runs the verb, and returns the exit status of the program. The
 * state is opened only when the verb needs it.
 */
#include "command_line.h"

#include <errno.h>
#include <langinfo.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cmd.h"
#include "cmd_console.h"
#include "cmd_list.h"
#include "post.h"
#include "sched/base/err.h"
#include "sched/base/str.h"
#include "sched/base/vec.h"
#include "sched/host/door.h"
#include "sched/host/driver.h"
#include "sched/rm/monotonic.h"
#include "simulate.h"
#include "site.h"
#include "store/store.h"
#include "tui/serve/client.h"
#include "tui/serve/remote.h"
#include "tui/serve/session.h"
#include "tui/serve/shell.h"

/* --- the state of a verb ------------------------------------------------------------------------------ */

/*
 * A verb uses the state of the running scheduler; if none is running, that of the store. A report opens the
 * store without a lock; a verb that makes changes holds the lock while it runs.
 */

#define PATH_ROOM    4096
#define LOOK_MS      20
#define LOOKS_FOR_MS 10000 /* longest wait for a scheduler to answer */

/* The scheduler or store that a verb uses. All members except shell are zero at first. */
struct target {
	const struct shell *shell;
	struct store *store;
	struct state *state;   /* state for a report on a stopped store */
	struct driver *driver; /* driver for changes of a stopped store */
	struct client *client; /* connection to the running scheduler */
	bool busy;             /* another process has the store's lock   */
	bool unread;           /* opening the store for reading has failed */
};

static bool store_exists(const char *dir)
{
	struct stat st;

	return stat(dir, &st) == 0 || errno != ENOENT;
}

/*
 * Returns true if this user has no permission to open the store. A folder above it may also hide whether the
 * store exists.
 */
static bool store_is_closed(const char *dir)
{
	struct stat st;

	if (stat(dir, &st) == 0 && !S_ISDIR(st.st_mode))
		return false;
	return access(dir, R_OK | X_OK) != 0 && errno == EACCES;
}

/*
 * Is dir the store of a scheduler that root has installed on this host? Returns false for root, and if the
 * user has named another store.
 */
static bool roots_is_down(const char *dir)
{
	char usual[PATH_ROOM];
	struct stat st;

	return geteuid() != 0 && getenv("KAHU_STORE") == NULL && getenv("KAHU_RUN") == NULL &&
	       session_store_dir(NULL, usual, sizeof usual, NULL) && strcmp(usual, dir) == 0 &&
	       stat(KAHU_LOCALSTATEDIR, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == 0;
}

/* Only the owner of a store directory opens the store. */
static bool is_of_another_user(const char *dir)
{
	struct stat st;

	return stat(dir, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid != geteuid();
}

/*
 * Can the verb use the store without a scheduler? Returns false with err set if there is no store, or this
 * user cannot open it.
 */
static bool has_store(const char *dir, struct err *err)
{
	if (!store_exists(dir) && roots_is_down(dir))
		return err_set(err, "the system scheduler, whose store is " KAHU_LOCALSTATEDIR
				    ", is not running; ask an administrator to start it");
	if (!store_exists(dir))
		return err_set(err,
			       "no scheduler is running, and there is no store in %s; 'kahu serve' starts a "
			       "scheduler for real jobs, 'kahu demo --store %s' a simulated cluster",
			       dir, dir);
	if (store_is_closed(dir) || is_of_another_user(dir))
		return err_set(err,
			       "no scheduler is running, and the store %s cannot be opened by %s; its owner "
			       "can start the scheduler with 'kahu serve'",
			       dir, session_user());
	return true;
}

static enum cmd_status may_be_asked(const struct target *target, struct cmd_env *env, const struct cmd *cmd)
{
	if (env->acts && target->shell->readonly) {
		err_set(&env->err, "--readonly forbids changes; remove the option");
		return CMD_REFUSED;
	}
	if (target->shell->config == NULL || (cmd->flags & CMD_ANY_STATE))
		return CMD_DONE;
	err_set(&env->err,
		"%s uses the configuration of the store; remove --config %s, or change a value with 'kahu "
		"tune'",
		cmd->name, target->shell->config);
	return CMD_USAGE;
}

static bool open_for_report(struct target *target, struct cmd_env *env, const char *dir)
{
	struct ledger ledger;

	target->store = store_open(dir, STORE_READ, &env->err);
	target->unread = target->store == NULL;
	if (!target->store)
		return false;
	target->state = state_new();
	ledger = store_ledger(target->store);
	if (!ledger.ops->load(ledger.self, target->state, &env->err))
		return false;
	env->s = state_view(target->state);
	return true;
}

static bool open_to_change(struct target *target, const char *dir, struct err *err)
{
	target->store = store_open(dir, STORE_CHANGE, err);
	target->busy = target->store == NULL && errno == EBUSY;
	if (!target->store)
		return false;
	target->driver = driver_new((struct rm){0}, store_ledger(target->store), err);
	return target->driver != NULL;
}

static bool open_for_change(struct target *target, struct cmd_env *env, const char *dir)
{
	if (!open_to_change(target, dir, &env->err))
		return false;
	env->s = driver_view(target->driver);
	return true;
}

static enum cmd_status open_stopped(struct target *target, struct cmd_env *env, const struct cmd *cmd)
{
	char dir[PATH_ROOM];

	env->who = session_user(); /* user of events; a running scheduler determines the user itself */
	if (!session_store_dir(target->shell->store, dir, sizeof dir, &env->err))
		return CMD_REFUSED;
	if (!(cmd->flags & CMD_ANY_STATE) && !has_store(dir, &env->err))
		return CMD_REFUSED;
	if (!store_exists(dir))
		return CMD_DONE;
	if (env->acts ? !open_for_change(target, env, dir) : !open_for_report(target, env, dir))
		return target->busy ? CMD_REFUSED : CMD_FAILED;
	env->store = target->store;
	env->now_s = env->s->now_s;
	return CMD_DONE;
}

/*
 * Gets the state from the scheduler. Also opens the store for reports, if this user can read it and a process
 * holds its lock.
 */
static bool open_running(struct target *target, struct cmd_env *env)
{
	char dir[PATH_ROOM];

	env->s = client_state(target->client, &env->now_s, &env->err);
	if (env->s != NULL && !env->acts && session_store_dir(target->shell->store, dir, sizeof dir, NULL) &&
	    store_holder(dir) > 0)
		env->store = target->store = store_open(dir, STORE_READ, NULL);
	return env->s != NULL;
}

static enum cmd_status ask_running(struct target *target, struct cmd_env *env, const struct cmd *cmd)
{
	char dir[PATH_ROOM];

	if (target->client == NULL)
		return CMD_FAILED;
	if (env->acts && session_store_dir(env->shell->store, dir, sizeof dir, NULL) && !store_is_closed(dir))
		client_expect_nobody(target->client, dir);
	env->client = target->client;
	return (cmd->flags & CMD_SUBMITS) || open_running(target, env) ? CMD_DONE : CMD_FAILED;
}

/*
 * Returns how long to wait for a scheduler of which there is no sign yet. Only a verb that submits jobs
 * waits, and only if there is no store that it could change itself; for all others the result is 0.
 */
static int hope_ms(const struct shell *shell, const struct cmd *cmd)
{
	char dir[PATH_ROOM];

	if (!(cmd->flags & CMD_SUBMITS) || !session_store_dir(shell->store, dir, sizeof dir, NULL))
		return 0;
	return store_exists(dir) && !store_is_closed(dir) ? 0 : CLIENT_HOPE_MS;
}

/*
 * Finds the running scheduler. For verbs that make changes or follow jobs, also waits for a scheduler that is
 * starting.
 */
static struct client *find_scheduler(struct cmd_env *env, const struct cmd *cmd, bool *runs)
{
	const struct shell *shell = env->shell;
	bool only_tells = cmd->authority == CMD_ANYONE && (cmd->flags & CMD_SHELL) == 0;

	return env->acts || !only_tells ? client_await(shell->store, hope_ms(shell, cmd), runs, &env->err)
					: client_find(shell->store, runs, &env->err);
}

/*
 * Should the verb look for a scheduler and the store again? A process that took the lock since the last look
 * may be a scheduler that is starting, or a verb that ends soon. A store that could not be read may be one
 * that another process is creating.
 */
static bool is_worth_another_look(const struct target *target)
{
	const struct timespec pause = {.tv_nsec = LOOK_MS * 1000000L};
	char dir[PATH_ROOM];

	if ((!target->busy && !target->unread) ||
	    !session_store_dir(target->shell->store, dir, sizeof dir, NULL) || !store_is_soon_free(dir) ||
	    (target->unread && store_holder(dir) == 0))
		return false;
	if (target->unread)
		nanosleep(&pause, NULL);
	return true;
}

/*
 * Returns true if the scheduler ended before it sent its state: nothing has happened yet, so the caller
 * searches for a scheduler again. Returns false after until_ms.
 */
static bool went_unheard(struct target *target, struct cmd_env *env, int64_t until_ms)
{
	if (!client_is_lost(target->client) || monotonic_ms() >= until_ms)
		return false;
	client_close(target->client);
	target->client = env->client = NULL;
	return true;
}

/*
 * Opens the state for a verb. Implements cmd_env.open; env->door is the struct target. Waits for processes
 * that hold the lock only briefly, and for a scheduler that is starting.
 */
static enum cmd_status target_open(struct cmd_env *env, const struct cmd *cmd)
{
	struct target *target = env->door;
	enum cmd_status status = may_be_asked(target, env, cmd);
	int64_t until_ms = monotonic_ms() + LOOKS_FOR_MS;
	bool runs;

	if (status != CMD_DONE)
		return status;
	do {
		target->client = find_scheduler(env, cmd, &runs);
		status = runs ? ask_running(target, env, cmd) : open_stopped(target, env, cmd);
	} while (runs ? went_unheard(target, env, until_ms) : is_worth_another_look(target));
	/* submit --dry-run works without a state */
	if (status != CMD_DONE && env->dry_run && (cmd->flags & CMD_SUBMITS) != 0) {
		env->client = NULL;
		return CMD_DONE;
	}
	return status;
}

/*
 * Opens the store for changes after the scheduler has ended, and waits for verbs that hold its lock only
 * briefly. Returns NULL if the store cannot be changed by this process.
 */
static struct driver *target_open_instead(struct target *target)
{
	const struct timespec pause = {.tv_nsec = LOOK_MS * 1000000L};
	int64_t until_ms = monotonic_ms() + LOOKS_FOR_MS;
	char dir[PATH_ROOM];

	if (target->store != NULL || !session_store_dir(target->shell->store, dir, sizeof dir, NULL) ||
	    !store_exists(dir) || store_is_closed(dir))
		return NULL;
	while (!open_to_change(target, dir, NULL) && target->busy && monotonic_ms() < until_ms)
		nanosleep(&pause, NULL);
	return target->driver;
}

/* Resets target to its initial state. */
static void target_close(struct target *target)
{
	client_close(target->client);
	if (target->driver)
		driver_free(target->driver);
	if (target->state)
		state_free(target->state);
	if (target->store)
		store_close(target->store);
	*target = (struct target){.shell = target->shell};
}

/* --- the console, without a verb ---------------------------------------------------------------------- */

static struct session session_for(const struct shell *shell)
{
	return (struct session){
		.readonly = shell->readonly,
		.ascii = shell->ascii,
		.color = !shell->no_color,
		.who = session_user(),
	};
}

/* Does the command line use root's scheduler, which serves all users? */
static bool is_roots(const struct shell *shell)
{
	return shell->store == NULL && getenv("KAHU_STORE") == NULL && getenv("KAHU_RUN") == NULL &&
	       access(KAHU_RUNSTATEDIR "/" DOOR_SOCKET, F_OK) == 0;
}

/* Opens the store for reading. Returns NULL if this user cannot read it. */
static struct store *open_store_of(const struct shell *shell)
{
	char dir[PATH_ROOM];

	if ((geteuid() != 0 && is_roots(shell)) || !session_store_dir(shell->store, dir, sizeof dir, NULL))
		return NULL;
	return store_open(dir, STORE_READ, NULL);
}

static enum cmd_status attach(const struct shell *shell, struct remote *remote, struct err *err)
{
	struct session session = session_for(shell);
	enum cmd_status status;

	session.attached = true;
	session.source = source_of_remote(remote);
	session.store = open_store_of(shell);
	status = (enum cmd_status)shell->console->run(&session, shell->script, err);
	remote_close(remote);
	if (session.store != NULL)
		store_close(session.store);
	return status;
}

static bool exists(const char *dir, const char *name)
{
	struct str path = {0};
	struct stat st;
	bool found;

	str_addf(&path, "%s/%s", dir, name);
	found = stat(str_text(&path), &st) == 0;
	str_free(&path);
	return found;
}

/* Is there a store without a spool? It has no real jobs: it contains a simulated cluster or is empty. */
static bool is_simulated(const struct shell *shell)
{
	char dir[PATH_ROOM];

	return session_store_dir(shell->store, dir, sizeof dir, NULL) && exists(dir, "data.mdb") &&
	       !exists(dir, "spool");
}

static enum cmd_status simulate(const struct shell *shell, struct err *err)
{
	struct session session = {.store = NULL};
	enum cmd_status status = simulate_resume(shell, &session, err);

	if (status == CMD_DONE)
		status = simulate_show(shell, &session, err);
	session_close(&session);
	return status;
}

/*
 * May the console start a scheduler? Only if there is a store or a configuration. Otherwise, err says why
 * not.
 */
static bool is_wanted(const struct shell *shell, struct err *err)
{
	char dir[PATH_ROOM], config[PATH_ROOM];
	struct stat st;

	if (!session_store_dir(shell->store, dir, sizeof dir, err) ||
	    !session_config_file(shell->config, config, sizeof config, err))
		return false;
	return stat(dir, &st) == 0 || config[0] != '\0' ||
	       err_set(err,
		       "no store in %s and no configuration; 'kahu init' prepares this host to run jobs, "
		       "'kahu demo' shows a simulated cluster",
		       dir);
}

/* Attaches the console to a scheduler that has started since the search for one. */
static enum cmd_status attach_instead(const struct shell *shell, struct err *err)
{
	struct err why = {{0}};
	bool runs;
	struct remote *remote = remote_open(shell->store, &runs, &why);

	return remote != NULL ? attach(shell, remote, err) : CMD_REFUSED;
}

/* Runs the scheduler in this process while the console is open. */
static enum cmd_status run_scheduler(const struct shell *shell, struct err *err)
{
	struct session session = session_for(shell);
	struct site site = {.yields = true};
	enum cmd_status status = site_open(&site, shell, err);

	if (status != CMD_DONE)
		return status == CMD_REFUSED ? attach_instead(shell, err) : status;
	session.source = source_of_host(site.host);
	session.store = site.store;
	status = (enum cmd_status)shell->console->run(&session, shell->script, err);
	if (session.detach) {
		struct err why = {{0}};

		if (handover(&site, shell, &why))
			return status;
		fprintf(stderr, "kahu: %s\n", why.text);
		return CMD_FAILED;
	}
	site_close(&site);
	return status;
}

/*
 * Opens the console: on the running scheduler, else on the simulated cluster in the store, else on a new
 * scheduler of this host in this process. Returns when the user quits.
 */
static enum cmd_status run_console_session(const struct shell *shell, struct err *err)
{
	bool runs;
	struct remote *remote = remote_open(shell->store, &runs, err);

	if (remote != NULL)
		return attach(shell, remote, err);
	if (runs)
		return CMD_FAILED;
	if (!is_wanted(shell, err))
		return CMD_REFUSED;
	if (shell->script == NULL && !shell->console->has_terminal(err))
		return CMD_USAGE;
	return is_simulated(shell) ? simulate(shell, err) : run_scheduler(shell, err);
}

/* --- words of the command line ------------------------------------------------------------------------ */

#define TRIES 8 /* how often a verb is repeated because the scheduler ended during it */

/* A command line without its global options. */
struct line {
	struct shell shell;
	char **word; /* has room for all of argv */
	int count;
	const struct cmd *verb; /* NULL if no verb has been read yet, or it is unknown */
};

/*
 * Moves an option of the verb itself, with its value, to the words of the verb. Returns false if the verb has
 * no such option.
 */
static bool keep_own_option(struct line *line, int argc, char **argv, int *at)
{
	const char *value;
	const struct cmd_option *own = line->verb ? cmd_find_option(line->verb, argv[*at], &value) : NULL;

	if (!own)
		return false;
	line->word[line->count++] = argv[*at];
	if (own->value && !value && *at + 1 < argc)
		line->word[line->count++] = argv[++*at];
	return true;
}

static bool take_line_option(struct line *line, int argc, char **argv, int *at, struct err *err)
{
	const char *value;
	const struct cmd_global_option *option = cmd_find_global_option(argv[*at], &value);

	if (!option) {
		line->word[line->count++] = argv[*at];
		return true;
	}
	if (!option->value && value)
		return err_set(err, "option %s takes no value, got '%s'", option->name, value);
	if (option->value && !value && *at + 1 >= argc)
		return err_set(err, "option %s needs a value: %s", option->name, option->value);
	if (option->value && !value)
		value = argv[++*at];
	if (option->value && value[0] == '\0')
		return err_set(err, "option %s needs a value: %s", option->name, option->value);
	cmd_set_global_option(&line->shell, option, value);
	return true;
}

/*
 * Reads the words of submit, run, sbatch and srun. Everything after the script or command belongs to it, so
 * global options must come before it. Single letters are options of the verb: sbatch, for example, has a -b.
 * Returns false with err set on failure.
 */
static bool read_submission(struct line *line, int argc, char **argv, int at, struct err *err)
{
	for (; at < argc && argv[at][0] == '-' && argv[at][1] != '\0' && strcmp(argv[at], "--") != 0; at++) {
		bool value = line->verb->needs_word(argv[at]) && at + 1 < argc;

		if (argv[at][1] != '-' || value) {
			line->word[line->count++] = argv[at];
			if (value)
				line->word[line->count++] = argv[++at];
		} else if (!take_line_option(line, argc, argv, &at, err)) {
			return false;
		}
	}
	while (at < argc)
		line->word[line->count++] = argv[at++];
	line->word[line->count] = NULL;
	return true;
}

static bool read_line(struct line *line, int argc, char **argv, struct err *err)
{
	for (int i = 1; i < argc; i++) {
		if (line->verb != NULL && (line->verb->flags & CMD_SUBMITS) != 0)
			return read_submission(line, argc, argv, i, err);
		if (strcmp(argv[i], "--") == 0) {
			while (i < argc)
				line->word[line->count++] = argv[i++];
		} else if (!cmd_is_option(argv[i])) {
			if (line->count == 0)
				line->verb = cmd_find(&cmd_verbs, argv[i], NULL);
			line->word[line->count++] = argv[i];
		} else if (!keep_own_option(line, argc, argv, &i) &&
			   !take_line_option(line, argc, argv, &i, err)) {
			return false;
		}
	}
	line->word[line->count] = NULL;
	return true;
}

/* --- running a verb ----------------------------------------------------------------------------------- */

static bool locale_is_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/* Returns the number of columns of standard output; 0 if it is not a terminal. */
static int terminal_width(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
		return 0;
	return size.ws_col;
}

/* Prints the message of a verb that failed. */
static void complain(enum cmd_status status, const struct err *err)
{
	if (status != CMD_DONE && err->text[0])
		fprintf(stderr, "kahu: %s\n", err->text);
}

static enum cmd_status write_out(const struct str *out, enum cmd_status status)
{
	bool whole = fwrite(str_text(out), 1, out->len, stdout) == out->len;

	if (fflush(stdout) == 0 && whole)
		return status;
	fprintf(stderr, "kahu: cannot write the output: %s\n", strerror(errno));
	return CMD_FAILED;
}

static struct driver *instead(void *self)
{
	return target_open_instead(self);
}

/*
 * Can a failed verb be repeated? Only if the scheduler ended during its request: nothing has been printed or
 * changed yet.
 */
static bool may_be_run_again(const struct cmd *cmd, const struct target *target, enum cmd_status status)
{
	return status == CMD_FAILED && cmd != NULL && (cmd->flags & CMD_SHELL) == 0 &&
	       client_is_lost(target->client);
}

static int run_verb(const struct shell *shell, int argc, char **argv)
{
	struct str out = {0};
	struct cmd_changes changes = {0};
	struct target target = {.shell = shell};
	const struct cmd *cmd = cmd_find(&cmd_verbs, argv[0], NULL);
	bool submits = cmd != NULL && (cmd->flags & CMD_SUBMITS);
	const struct cmd_env begin = {.verbs = &cmd_verbs,
				      .who = submits ? "" : session_user(),
				      .json = shell->json,
				      .ascii = shell->ascii || !locale_is_utf8(),
				      .width = terminal_width(),
				      .out = &out,
				      .changes = &changes,
				      .shell = shell,
				      .open = target_open,
				      .door = &target};
	struct cmd_env env = begin;
	enum cmd_status status = cmd_run(&env, argc, argv);

	for (int i = 0; i < TRIES && may_be_run_again(cmd, &target, status); i++) {
		str_clear(&out);
		cmd_changes_clear(&changes);
		target_close(&target);
		env = begin;
		status = cmd_run(&env, argc, argv);
	}
	if (status == CMD_DONE)
		status = post_changes(&env, &(struct post_to){.driver = target.driver,
							      .client = target.client,
							      .instead = instead,
							      .self = &target});
	status = write_out(&out, status);
	complain(status, &env.err);
	cmd_changes_clear(&changes);
	target_close(&target);
	str_free(&out);
	return status == CMD_DONE ? env.exit_status : (int)status;
}

static enum cmd_status run_console(const struct shell *shell)
{
	struct err err = {{0}};
	enum cmd_status status = run_console_session(shell, &err);

	complain(status, &err);
	return status;
}

static int run_words(struct line *line)
{
	static char help[] = "help", version[] = "version", queue[] = "queue";
	const char *first = line->count > 0 ? line->word[0] : "";

	if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0)
		line->word[0] = help;
	else if (strcmp(first, "--version") == 0)
		line->word[0] = version;
	else if (line->count == 0 && (line->shell.batch || line->shell.linear))
		line->word[line->count++] = queue;
	else if (line->count == 0)
		return (int)run_console(&line->shell);
	return run_verb(&line->shell, line->count, line->word);
}

/*
 * Returns the verb that the program is named after: it may be run through a link with the name of a verb.
 * NULL for "kahu" and other names.
 */
static char *called_as(char *path)
{
	char *slash = strrchr(path, '/');
	char *name = slash ? slash + 1 : path;

	return strcmp(name, "kahu") != 0 && cmd_find(&cmd_verbs, name, NULL) ? name : NULL;
}

int command_line_run(int argc, char **argv, const struct cmd_console *console)
{
	struct line line = {.word = mem_zero((size_t)argc + 2, sizeof *line.word),
			    .shell = {.console = console, .verbs = &cmd_verbs}};
	struct err err = {{0}};
	int status = CMD_USAGE;
	char *name = argc > 0 ? called_as(argv[0]) : NULL;

	if (name) {
		line.verb = cmd_find(&cmd_verbs, name, NULL);
		line.word[line.count++] = name;
	}
	if (read_line(&line, argc, argv, &err))
		status = run_words(&line);
	else
		complain(CMD_USAGE, &err);
	free(line.word);
	return status;
}
