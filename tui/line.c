/* SPDX-License-Identifier: MIT */
/*
 * line.c - the shell's door: words in, a report and an exit status out
 *
 * Takes the options that every verb has from the words, opens what the verb needs and
 * hands the rest to the command table. A report opens the store without a lock, also
 * while a scheduler runs; a verb that changes something holds the lock while it does.
 * A stopped store is looked at as of its last moment.
 */
#include "line.h"

#include <errno.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sched/base/vec.h"
#include "sched/host/driver.h"
#include "store/store.h"
#include "tui/commands/caller.h"
#include "tui/commands/cmd.h"
#include "tui/commands/post.h"
#include "tui/session.h"
#include "tui/visit.h"

/* --- the options of every verb -------------------------------------------------------- */

#define OPTION_WIDTH 16

struct line_option {
	const char *name, *value, *help;
	size_t offset; /* in struct shell: const char * when there is a value, else bool */
};

static const struct line_option line_options[] = {
	{"--store", "DIR", "the store; else $KAHU_STORE, else the usual place",
	 offsetof(struct shell, store)},
	{"--config", "FILE", "the configuration; else $KAHU_CONF, else the usual place",
	 offsetof(struct shell, config)},
	{"--script", "FILE", "drive the console from a script, no terminal needed",
	 offsetof(struct shell, script)},
	{"--json", NULL, "print JSON", offsetof(struct shell, json)},
	{"--ascii", NULL, "print and draw nothing but ASCII", offsetof(struct shell, ascii)},
	{"--no-color", NULL, "no colours, as with NO_COLOR set", offsetof(struct shell, no_color)},
	{"--readonly", NULL, "refuse every change", offsetof(struct shell, readonly)},
	{"--linear", NULL, "plain text from top to bottom, for screen readers; without a verb: the queue",
	 offsetof(struct shell, linear)},
	{"-b", NULL, "batch: without a verb, print the queue instead of opening the console",
	 offsetof(struct shell, batch)},
};

void line_print_options(struct str *out)
{
	char name[32];

	for (size_t i = 0; i < sizeof line_options / sizeof line_options[0]; i++) {
		const struct line_option *o = &line_options[i];

		snprintf(name, sizeof name, "%s%s%s", o->name, o->value ? " " : "", o->value ? o->value : "");
		cmd_print_entry(name, OPTION_WIDTH, o->help, out);
	}
}

static const struct line_option *find_line_option(const char *word, const char **value)
{
	size_t len = strcspn(word, "=");

	*value = word[len] == '=' ? word + len + 1 : NULL;
	for (size_t i = 0; i < sizeof line_options / sizeof line_options[0]; i++)
		if (strncmp(line_options[i].name, word, len) == 0 && line_options[i].name[len] == '\0')
			return &line_options[i];
	return NULL;
}

static void set_option(struct shell *shell, const struct line_option *option, const char *value)
{
	char *field = (char *)shell + option->offset;

	if (option->value)
		memcpy(field, &value, sizeof value);
	else
		*(bool *)field = true;
}

/* The words of a command line with the options of every verb taken out. */
struct line {
	struct shell shell;
	char **word; /* room for all of argv */
	int count;
	const struct cmd *verb; /* NULL until its word was seen, or when there is none such */
};

/* An option of the verb itself stays among the words, with what belongs to it. */
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
	const struct line_option *option = find_line_option(argv[*at], &value);

	if (!option) {
		line->word[line->count++] = argv[*at];
		return true;
	}
	if (!option->value && value)
		return err_set(err, "option %s takes no value, got '%s'", option->name, value);
	if (option->value && !value && *at + 1 >= argc)
		return err_set(err, "option %s needs %s behind it", option->name, option->value);
	if (option->value && !value)
		value = argv[++*at];
	if (option->value && value[0] == '\0')
		return err_set(err, "option %s needs %s behind it, got nothing", option->name, option->value);
	set_option(&line->shell, option, value);
	return true;
}

static bool read_line(struct line *line, int argc, char **argv, struct err *err)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--") == 0) {
			while (i < argc)
				line->word[line->count++] = argv[i++];
		} else if (!cmd_is_option(argv[i])) {
			if (line->count == 0)
				line->verb = cmd_find(argv[i], NULL);
			line->word[line->count++] = argv[i];
		} else if (!keep_own_option(line, argc, argv, &i) &&
			   !take_line_option(line, argc, argv, &i, err)) {
			return false;
		}
	}
	line->word[line->count] = NULL;
	return true;
}

/* --- the state a verb works on ---------------------------------------------------------- */

struct opened {
	const struct shell *shell;
	struct store *store;
	struct state *state;   /* of a report                */
	struct driver *driver; /* of a verb that changes it  */
	struct caller *caller; /* a scheduler runs: of both  */
};

static bool store_exists(const char *dir)
{
	struct stat st;

	return stat(dir, &st) == 0 || errno != ENOENT;
}

/* It is there, or may be, behind a door that is closed to us. */
static bool store_is_closed(const char *dir)
{
	struct stat st;

	if (stat(dir, &st) == 0 && !S_ISDIR(st.st_mode))
		return false;
	return access(dir, R_OK | X_OK) != 0 && errno == EACCES;
}

static bool open_for_report(struct opened *opened, struct cmd_env *env, const char *dir)
{
	struct ledger ledger;

	opened->store = store_open(dir, STORE_READ, &env->err);
	if (!opened->store)
		return false;
	opened->state = state_new();
	ledger = store_ledger(opened->store);
	if (!ledger.ops->load(ledger.self, opened->state, &env->err))
		return false;
	env->s = state_view(opened->state);
	return true;
}

static bool open_for_change(struct opened *opened, struct cmd_env *env, const char *dir)
{
	opened->store = store_open(dir, STORE_CHANGE, &env->err);
	if (!opened->store)
		return false;
	opened->driver = driver_new((struct rm){0}, store_ledger(opened->store), &env->err);
	if (!opened->driver)
		return false;
	env->s = driver_view(opened->driver);
	return true;
}

/*
 * The state of a scheduler that runs; what is in the store besides only its owner can read. A store of one's
 * own that nobody runs is not the scheduler's.
 */
static bool open_running(struct opened *opened, struct cmd_env *env)
{
	char dir[4096];

	env->s = caller_state(opened->caller, &env->now_s, &env->err);
	env->caller = opened->caller;
	if (env->s != NULL && !env->acts && session_store_dir(opened->shell->store, dir, sizeof dir, NULL) &&
	    store_holder(dir) > 0)
		env->store = opened->store = store_open(dir, STORE_READ, NULL);
	return env->s != NULL;
}

static enum cmd_status refuse(struct cmd_env *env, const char *why)
{
	err_set(&env->err, "%s", why);
	return CMD_REFUSED;
}

/* Where there is no store that it could change, a submission needs a scheduler. */
static int hope_ms(const struct shell *shell, const struct cmd *cmd)
{
	char dir[4096];

	if (!(cmd->flags & CMD_SUBMITS) || !session_store_dir(shell->store, dir, sizeof dir, NULL))
		return 0;
	return store_exists(dir) && !store_is_closed(dir) ? 0 : CALLER_HOPE_MS;
}

static struct caller *find_scheduler(struct cmd_env *env, const struct cmd *cmd, bool *runs)
{
	const struct shell *shell = env->shell;

	return env->acts ? caller_await(shell->store, hope_ms(shell, cmd), runs, &env->err)
			 : caller_find(shell->store, runs, &env->err);
}

static enum cmd_status open_state(struct cmd_env *env, const struct cmd *cmd)
{
	struct opened *opened = env->door;
	char dir[4096];
	bool runs;

	if (env->acts && opened->shell->readonly)
		return refuse(env,
			      "--readonly: nothing is changed; leave the option out to change something");
	if (opened->shell->config && !(cmd->flags & CMD_ANY_STATE)) {
		err_set(&env->err,
			"%s works on a store, which has its configuration in it; leave --config %s out, or "
			"change a value with 'kahu tune'",
			cmd->name, opened->shell->config);
		return CMD_USAGE;
	}
	opened->caller = find_scheduler(env, cmd, &runs);
	if (runs && opened->caller == NULL)
		return CMD_FAILED;
	if (runs)
		return (cmd->flags & CMD_SUBMITS) || open_running(opened, env) ? CMD_DONE : CMD_FAILED;
	env->who = session_user(); /* a scheduler that runs knows who it is */
	if (!session_store_dir(opened->shell->store, dir, sizeof dir, &env->err))
		return CMD_REFUSED;
	if (!store_exists(dir)) {
		if (cmd->flags & CMD_ANY_STATE)
			return CMD_DONE;
		err_set(&env->err,
			"no scheduler runs here, and there is no store in %s: 'kahu serve' runs real jobs "
			"(those "
			"that run already go on), 'kahu demo --store %s' makes a simulated cluster",
			dir, dir);
		return CMD_REFUSED;
	}
	if (store_is_closed(dir) && !(cmd->flags & CMD_ANY_STATE)) {
		err_set(&env->err,
			"no scheduler runs here, and the store %s is not %s's to open: who owns it starts "
			"the "
			"scheduler with 'kahu serve'",
			dir, session_user());
		return CMD_REFUSED;
	}
	if (env->acts ? !open_for_change(opened, env, dir) : !open_for_report(opened, env, dir))
		return env->acts && store_holder(dir) > 0 ? CMD_REFUSED : CMD_FAILED;
	env->store = opened->store;
	env->now_s = env->s->now_s;
	return CMD_DONE;
}

static void close_state(struct opened *opened)
{
	caller_close(opened->caller);
	if (opened->driver)
		driver_free(opened->driver);
	if (opened->state)
		state_free(opened->state);
	if (opened->store)
		store_close(opened->store);
}

/* --- running ------------------------------------------------------------------------------ */

static bool locale_is_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/* Columns of the terminal that reads along; 0 when it is none. */
static int terminal_width(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
		return 0;
	return size.ws_col;
}

/* Says the sentence of a verb that did not work. */
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
	fprintf(stderr, "kahu: the output could not be written: %s\n", strerror(errno));
	return CMD_FAILED;
}

static int run_verb(const struct shell *shell, int argc, char **argv)
{
	struct str out = {0};
	struct cmd_changes changes = {0};
	struct opened opened = {.shell = shell};
	const struct cmd *cmd = cmd_find(argv[0], NULL);
	bool submits = cmd != NULL && (cmd->flags & CMD_SUBMITS);
	struct cmd_env env = {.who = submits ? "" : session_user(),
			      .json = shell->json,
			      .ascii = shell->ascii || !locale_is_utf8(),
			      .width = terminal_width(),
			      .out = &out,
			      .changes = &changes,
			      .shell = shell,
			      .open = open_state,
			      .door = &opened};
	enum cmd_status status = cmd_run(&env, argc, argv);

	if (status == CMD_DONE)
		status = post_changes(&env, &(struct post_to){opened.driver, opened.caller});
	status = write_out(&out, status);
	complain(status, &env.err);
	cmd_changes_clear(&changes);
	close_state(&opened);
	str_free(&out);
	return status == CMD_DONE ? env.exit_status : (int)status;
}

static enum cmd_status run_console(const struct shell *shell)
{
	struct err err = {{0}};
	enum cmd_status status = visit_run(shell, &err);

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

/* A program that is linked to under a verb's name is that verb. */
static char *called_as(char *path)
{
	char *slash = strrchr(path, '/');
	char *name = slash ? slash + 1 : path;

	return strcmp(name, "kahu") != 0 && cmd_find(name, NULL) ? name : NULL;
}

int line_run(int argc, char **argv)
{
	struct line line = {.word = mem_zero((size_t)argc + 2, sizeof *line.word)};
	struct err err = {{0}};
	int status = CMD_USAGE;
	char *name = argc > 0 ? called_as(argv[0]) : NULL;

	if (name) {
		line.verb = cmd_find(name, NULL);
		line.word[line.count++] = name;
	}
	if (read_line(&line, argc, argv, &err))
		status = run_words(&line);
	else
		complain(CMD_USAGE, &err);
	free(line.word);
	return status;
}
