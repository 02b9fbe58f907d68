/* SPDX-License-Identifier: MIT */
/*
 * workload.c - generator for the workload of a busy cluster
 *
 * Sizes, run times and arrivals follow the model of Lublin and Feitelson (2003) with its parameters for all
 * types of jobs together. Parameters that the authors measured on machines of 128 processors are scaled to
 * the size of the machine. The interarrival time is drawn for an average half hour; it is shorter in busy
 * half hours and longer in quiet ones. Wallclock limits follow Tsafrir, Etsion and Feitelson (2005): they are
 * round values, mostly longer than necessary.
 *
 * Gamma variates: G. Marsaglia and W. Tsang, "A simple method for generating gamma variables", ACM TOMS 26
 * (2000); normal variates by Marsaglia's polar method.
 */
#include "workload.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "sched/base/rng.h"
#include "sched/base/vec.h"
#include "swf.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/*
 * Sizes: the probability that a job requests one processor; that it requests another power of two; and that
 * the size of a parallel job is in the lower part of the range.
 */
#define SERIAL_CHANCE 0.244
#define POWER_CHANCE  0.576
#define LOWER_CHANCE  0.86
#define LOG_LOW       0.8
#define LOG_UPPER     2.5 /* start of the upper part, in log2 below the largest size */
#define MODEL_MACHINE 128.0

/*
 * Share of the machine that the largest job requests. It is 1 in the model, but sites do not let one job
 * block all others.
 */
#define LARGEST_SHARE 0.5

struct gamma {
	double shape, scale;
};

/*
 * The natural logarithm of the run time is gamma-distributed, with different parameters for short and for
 * long jobs; the probability that a job is short depends linearly on its size.
 */
static const struct gamma short_run = {4.2, 0.94};
static const struct gamma long_run = {312.0, 0.03};
#define SHORT_CHANCE_SLOPE   (-0.0054)
#define SHORT_CHANCE_AT_ZERO 0.78
#define RUN_LOG_MAX          12.0 /* 45 hours; a longer run time is drawn again */

/* Mean run times of short and of long jobs, truncated at RUN_LOG_MAX, by numerical integration. */
#define SHORT_RUN_MEAN_S 737.69
#define LONG_RUN_MEAN_S  13403.15

/*
 * Natural logarithm of the interarrival time, its maximum, and the mean interarrival time truncated at this
 * maximum.
 */
static const struct gamma gap = {10.2303, 0.4871};
#define GAP_LOG_MAX 9.0
#define GAP_MEAN    418.437

/*
 * Rate of arrivals in each half hour of the day, relative to the average: the density of
 * gamma(8.1737, 3.9631), which begins at 05:30, when the fewest jobs arrive.
 */
#define HALF_HOUR_S INT64_C(1800)
#define DAY_S       INT64_C(86400)
static const double busy[48] = {
	0.563, 0.508, 0.456, 0.408, 0.365, 0.325, 0.289, 0.256, 0.226, 0.200, 0.176, 0.164,
	0.238, 0.329, 0.435, 0.554, 0.684, 0.821, 0.961, 1.100, 1.235, 1.362, 1.477, 1.579,
	1.665, 1.734, 1.785, 1.818, 1.834, 1.833, 1.816, 1.785, 1.742, 1.688, 1.624, 1.554,
	1.478, 1.398, 1.315, 1.231, 1.147, 1.064, 0.983, 0.904, 0.828, 0.756, 0.688, 0.624,
};
#define BUSY_DAY_S 86409.0 /* integral of busy over a day, in seconds */

/* --- users ------------------------------------------------------------------------- */

enum habit {
	CAREFUL, /* requests one of the next two round values */
	USUAL,   /* requests one of the next four round values */
	GENEROUS /* requests the maximum of the class        */
};

static const char *const group_names[] = {"physics", "chemistry", "biology", "climate", "engineering"};
enum group {
	PHYSICS,
	CHEMISTRY,
	BIOLOGY,
	CLIMATE,
	ENGINEERING
};

struct person {
	const char *user, *account, *qos;
	const char *program[2];
	enum group group;
	enum habit habit;
};

/* Sorted by activity, the most active user first. */
static const struct person people[] = {
	{"eva", "lattice", "normal", {"hmc-run", "propagator"}, PHYSICS, USUAL},
	{"bob", "catalysis", "normal", {"vasp-relax", "cp2k-md"}, CHEMISTRY, GENEROUS},
	{"mei", "protein", "high", {"gmx-prod", "gmx-equil"}, BIOLOGY, CAREFUL},
	{"steve", "ocean", "normal", {"nemo-year", "nemo-restart"}, CLIMATE, USUAL},
	{"john", "turbine", "normal", {"foam-steady", "foam-les"}, ENGINEERING, GENEROUS},
	{"amina", "plasma", "high", {"pic-3d", "gyro-scan"}, PHYSICS, USUAL},
	{"lars", "catalysis", "low", {"orca-opt", "orca-freq"}, CHEMISTRY, USUAL},
	{"ines", "genomes", "normal", {"bwa-align", "assemble"}, BIOLOGY, USUAL},
	{"ravi", "turbine", "normal", {"mesh", "foam-steady"}, ENGINEERING, CAREFUL},
	{"olga", "weather", "high", {"wrf-fcst", "wrf-init"}, CLIMATE, CAREFUL},
	{"tom", "plasma", "normal", {"pic-2d", "post"}, PHYSICS, GENEROUS},
	{"yuki", "protein", "normal", {"namd-min", "namd-prod"}, BIOLOGY, USUAL},
	{"anna", "polymers", "normal", {"lammps-melt", "lammps-pull"}, CHEMISTRY, USUAL},
	{"paul", "acoustics", "low", {"fem-sweep", "fem-modal"}, ENGINEERING, GENEROUS},
	{"leila", "ocean", "normal", {"ice-hind", "ice-test"}, CLIMATE, USUAL},
	{"marco", "lattice", "normal", {"spectrum", "hmc-test"}, PHYSICS, USUAL},
	{"nora", "genomes", "low", {"blast-all", "hmmscan"}, BIOLOGY, GENEROUS},
	{"karl", "polymers", "normal", {"md-short", "rdf"}, CHEMISTRY, CAREFUL},
	{"sofia", "acoustics", "normal", {"bem-scan", "mesh"}, ENGINEERING, USUAL},
	{"ahmed", "weather", "normal", {"regrid", "wrf-ens"}, CLIMATE, USUAL},
	{"julia", "plasma", "low", {"train-net", "tune-net"}, PHYSICS, USUAL},
	{"chen", "catalysis", "normal", {"qe-scf", "qe-bands"}, CHEMISTRY, USUAL},
	{"rosa", "protein", "normal", {"dock-lib", "fold"}, BIOLOGY, GENEROUS},
	{"finn", "turbine", "normal", {"blade-opt", "post"}, ENGINEERING, CAREFUL},
};

static const char *const class_names[] = {"debug", "batch", "long"};
enum class_rank {
	CLASS_DEBUG,
	CLASS_BATCH,
	CLASS_LONG
};

#define MINUTES(n) ((int64_t)(n)*60)
#define HOURS(n)   ((int64_t)(n)*3600)

static const int64_t limits_s[] = {MINUTES(5), MINUTES(10), MINUTES(15), MINUTES(30), HOURS(1),
				   HOURS(2),   HOURS(3),    HOURS(4),    HOURS(6),    HOURS(8),
				   HOURS(12),  HOURS(18),   HOURS(24),   HOURS(36),   HOURS(48)};
#define DEBUG_LIMIT_S  MINUTES(30)
#define BATCH_LIMIT_S  HOURS(24)
#define LONG_LIMIT_S   HOURS(48)
#define TOO_LOW_CHANCE 0.04 /* probability that a limit is shorter than the run time */

static const int64_t memories_mb[] = {500, 1000, 1000, 2000, 2000, 2000, 4000, 4000};

/* --- random variates ---------------------------------------------------------------- */

static double draw_normal(struct rng *rng)
{
	double x;
	double square;

	do {
		double y = 2 * rng_unit(rng) - 1;

		x = 2 * rng_unit(rng) - 1;
		square = x * x + y * y;
	} while (square >= 1 || square <= 0);
	return x * sqrt(-2 * log(square) / square);
}

/* Draws a gamma variate by the method of Marsaglia and Tsang, which requires a shape of at least 1. */
static double draw_gamma(struct rng *rng, struct gamma g)
{
	double d = g.shape - 1.0 / 3;
	double c = 1 / sqrt(9 * d);

	for (;;) {
		double x = draw_normal(rng);
		double v = 1 + c * x;
		double u = 1 - rng_unit(rng);

		v = v * v * v;
		if (v > 0 && log(u) < 0.5 * x * x + d - d * v + d * log(v))
			return d * v * g.scale;
	}
}

/* Returns exp(x) for a gamma variate x, which is drawn again until it is at most log_max. */
static double draw_exp_gamma(struct rng *rng, struct gamma g, double log_max)
{
	double x;

	do
		x = draw_gamma(rng, g);
	while (x > log_max);
	return exp(x);
}

/* Draws a rank from 0 to count - 1, approximately by Zipf's law: the lower the rank, the more frequent. */
static size_t draw_rank(struct rng *rng, size_t count)
{
	size_t rank = (size_t)exp(rng_unit(rng) * log((double)count + 1)) - 1;

	return rank < count ? rank : count - 1;
}

/* --- sizes and run times ------------------------------------------------------------ */

/*
 * Converts a uniform variate from 0 to 1 to the log2 of the size of a parallel job (two-stage distribution).
 */
static double log_size(const struct workload *w, double at)
{
	if (at < LOWER_CHANCE)
		return w->log_low + (w->log_mid - w->log_low) * at / LOWER_CHANCE;
	return w->log_mid + (w->log_high - w->log_mid) * (at - LOWER_CHANCE) / (1 - LOWER_CHANCE);
}

static double size_of(const struct workload *w, double log2_size, bool power_of_two)
{
	double size = floor(exp2(power_of_two ? floor(log2_size + 0.5) : log2_size) + 0.5);

	return fmax(1, fmin(size, w->largest));
}

static double draw_size(const struct workload *w, struct rng *rng)
{
	double kind = rng_unit(rng);
	double at = rng_unit(rng);

	if (kind < SERIAL_CHANCE)
		return 1;
	return size_of(w, log_size(w, at), kind < SERIAL_CHANCE + POWER_CHANCE);
}

/* Returns the probability that a job of this size is short. */
static double short_chance(const struct workload *w, double size)
{
	double scaled = size * MODEL_MACHINE / (double)w->model.machine_procs;

	return fmax(0, fmin(SHORT_CHANCE_SLOPE * scaled + SHORT_CHANCE_AT_ZERO, 1));
}

/* Returns the mean processor-seconds of a job of this size. */
static double mean_area(const struct workload *w, double size)
{
	double chance = short_chance(w, size);

	return size * (chance * SHORT_RUN_MEAN_S + (1 - chance) * LONG_RUN_MEAN_S);
}

/*
 * Returns the mean processor-seconds of a job of any size, by numerical integration of the two-stage
 * distribution.
 */
static double mean_area_of_all(const struct workload *w)
{
	const int steps = 1000;
	double sum = 0;

	for (int i = 0; i < steps; i++) {
		double x = log_size(w, (i + 0.5) / steps);

		sum += POWER_CHANCE * mean_area(w, size_of(w, x, true));
		sum += (1 - SERIAL_CHANCE - POWER_CHANCE) * mean_area(w, size_of(w, x, false));
	}
	return SERIAL_CHANCE * mean_area(w, 1) + sum / steps;
}

void workload_begin(struct workload *w, const struct workload_model *model)
{
	*w = (struct workload){.model = *model};
	w->largest = fmax(1, floor((double)model->machine_procs * LARGEST_SHARE));
	w->log_high = log2(w->largest);
	w->log_low = fmin(LOG_LOW, w->log_high);
	w->log_mid = fmax(w->log_low, w->log_high - LOG_UPPER);
	w->mean_gap_s = mean_area_of_all(w) * 100 / ((double)model->machine_procs * (double)model->load_pct);
}

/* --- one job ------------------------------------------------------------------------ */

/*
 * Returns the arrival time of a job whose interarrival time, starting at from_s, would be `work` seconds at
 * the average rate of arrivals.
 */
static int64_t pass_time(int64_t from_s, double work)
{
	int64_t days = (int64_t)(work / BUSY_DAY_S);
	int64_t at_s = from_s + days * DAY_S;

	work -= (double)days * BUSY_DAY_S;
	for (;;) {
		double rate = busy[at_s % DAY_S / HALF_HOUR_S];
		int64_t left_s = HALF_HOUR_S - at_s % HALF_HOUR_S;

		if (work < rate * (double)left_s)
			return at_s + (int64_t)(work / rate + 0.5);
		work -= rate * (double)left_s;
		at_s += left_s;
	}
}

/* Draws the requested wallclock limit, a round value; generous users request the maximum of the class. */
static int64_t draw_limit(struct rng *rng, enum habit habit, int64_t run_s)
{
	size_t fits = 0;

	while (fits < COUNT(limits_s) - 1 && limits_s[fits] < run_s)
		fits++;
	if (fits > 0 && rng_unit(rng) < TOO_LOW_CHANCE)
		return limits_s[fits - 1];
	if (habit == GENEROUS)
		return run_s <= BATCH_LIMIT_S ? BATCH_LIMIT_S : LONG_LIMIT_S;
	fits += rng_below(rng, habit == CAREFUL ? 2 : 4);
	return limits_s[fits < COUNT(limits_s) ? fits : COUNT(limits_s) - 1];
}

static enum class_rank class_of(const struct workload *w, const struct workload_job *job)
{
	if (job->wall_limit_s > BATCH_LIMIT_S)
		return CLASS_LONG;
	if (job->wall_limit_s <= DEBUG_LIMIT_S && job->procs <= w->model.machine_procs / 8)
		return CLASS_DEBUG;
	return CLASS_BATCH;
}

void workload_job(const struct workload *w, uint64_t index, int64_t previous_s, struct workload_job *out)
{
	struct rng rng;
	double gap_s;
	double size;
	bool is_short;
	size_t who;
	const struct person *person;
	enum class_rank class_rank;

	rng_seed_at(&rng, w->model.seed, index);
	gap_s = draw_exp_gamma(&rng, gap, GAP_LOG_MAX) * w->mean_gap_s / GAP_MEAN;
	size = draw_size(w, &rng);
	is_short = rng_unit(&rng) < short_chance(w, size);
	who = draw_rank(&rng, COUNT(people));
	person = &people[who];
	*out = (struct workload_job){
		.arrival_s = pass_time(previous_s, gap_s),
		.run_s = (int64_t)fmax(1, draw_exp_gamma(&rng, is_short ? short_run : long_run, RUN_LOG_MAX)),
		.mem_mb = memories_mb[rng_below(&rng, COUNT(memories_mb))],
		.procs = (int32_t)size,
		.user_number = (int32_t)who + 1,
		.group_number = (int32_t)person->group + 1,
		.user = person->user,
		.group = group_names[person->group],
		.account = person->account,
		.qos = person->qos,
		.name = person->program[rng_below(&rng, 2)],
	};
	out->wall_limit_s = draw_limit(&rng, person->habit, out->run_s);
	class_rank = class_of(w, out);
	out->class_number = (int32_t)class_rank + 1;
	out->class_name = class_names[class_rank];
}

void workload_trace(const struct workload_model *model, size_t count, int64_t first_s, struct trace *out)
{
	struct workload w;
	int64_t now_s = first_s;

	workload_begin(&w, model);
	*out = (struct trace){
		.job = mem_zero(count, sizeof *out->job),
		.count = count,
		.room = count,
		.max_procs = model->machine_procs,
	};
	for (size_t i = 0; i < count; i++) {
		struct workload_job job;

		workload_job(&w, i + 1, now_s, &job);
		now_s = job.arrival_s;
		out->job[i] = (struct trace_job){
			.number = (int64_t)i + 1,
			.submit_s = job.arrival_s,
			.run_s = job.run_s < job.wall_limit_s ? job.run_s : job.wall_limit_s,
			.wall_limit_s = job.wall_limit_s,
			.mem_mb = job.mem_mb,
			.procs = job.procs,
			.user = job.user_number,
			.group = job.group_number,
			.queue = job.class_number,
			.order = (uint32_t)i,
		};
	}
}
