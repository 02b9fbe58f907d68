/* SPDX-License-Identifier: MIT */
/*
 * config_rows.c - which options exist?
 *
 * Names are Maui's in lower case (Administrator's Guide 5.1, 7.1.4, 8.2, Appendix F); what
 * Maui indexes by a name in brackets stands in a section of that name. Weights and caps
 * come from the list of factors, once for the whole system and once for a partition.
 */
#include "config.h"

#include <string.h>

#include "factors.h"
#include "sched/base/duration.h"

/* The largest weight times the largest value stays far below what a double can hold. */
#define WEIGHT_MAX 1e12
#define CAP_MAX    1e18

/* Bounds for what people mean; anything beyond is a typing error. */
#define NODE_PROCS_MAX 1000000

/* The xfactor of a job that has not waited is 1: a target must be above it. */
#define XFTARGET_MIN 1.001
#define XFTARGET_MAX 1e6

static const char *const accrual_choices[] = {
	[ACCRUAL_ALWAYS] = "always",
	[ACCRUAL_QUEUE] = "queuepolicy",
	[ACCRUAL_FULL] = "fullpolicy",
	NULL,
};

static const char *const backfill_choices[] = {
	[BACKFILL_FIRSTFIT] = "firstfit",
	[BACKFILL_NONE] = "none",
	NULL,
};

static const char *const reservation_choices[] = {
	[RESERVE_CURRENTHIGHEST] = "currenthighest",
	[RESERVE_HIGHEST] = "highest",
	[RESERVE_NEVER] = "never",
	NULL,
};

/* Rows of a struct prio_weights that lies `base` bytes into the owner of the scope. */
#define WEIGHT(scope_, base, field, keyword, fallback_, what)                                                \
	{                                                                                                    \
		.scope = scope_, .name = keyword "weight", .type = OPTION_REAL, .min = -WEIGHT_MAX,          \
		.max = WEIGHT_MAX, .fallback = fallback_, .unit = "", .help = "Weight of " what ".",         \
		.offset = (base) + offsetof(struct prio_weights, field)                                      \
	}
#define CAP(scope_, base, field, keyword, fallback_, unit_)                                                  \
	{                                                                                                    \
		.scope = scope_, .name = keyword "cap", .type = OPTION_REAL, .min = 0, .max = CAP_MAX,       \
		.fallback = fallback_, .unit = unit_,                                                        \
		.help = "What counts at most before " keyword "weight; 0 is no cap.",                        \
		.offset = (base) + offsetof(struct prio_weights, field)                                      \
	}

#define SYSTEM(field) offsetof(struct policy, field)
#define ALL           SYSTEM(weights)

#define ALL_COMPONENT(c, keyword, what)                                                                      \
	WEIGHT("", ALL, component[PRIO_##c], keyword, "1", what),                                            \
		CAP("", ALL, component_cap[PRIO_##c], keyword, "0", ""),
#define ALL_FACTOR(f, c, name, keyword, column, unit, weight, what)                                          \
	WEIGHT("", ALL, factor[PRIO_##f], keyword, weight, what),                                            \
		CAP("", ALL, factor_cap[PRIO_##f], keyword, "0", unit),

/* What a partition does not set is as in the whole system. */
#define PART_COMPONENT(c, keyword, what)                                                                     \
	WEIGHT("partition", 0, component[PRIO_##c], keyword, NULL, what),                                    \
		CAP("partition", 0, component_cap[PRIO_##c], keyword, NULL, ""),
#define PART_FACTOR(f, c, name, keyword, column, unit, weight, what)                                         \
	WEIGHT("partition", 0, factor[PRIO_##f], keyword, NULL, what),                                       \
		CAP("partition", 0, factor_cap[PRIO_##f], keyword, NULL, unit),

/* Rows of credentials. */
#define POINTS(scope_, name_, field, help_)                                                                  \
	{                                                                                                    \
		.scope = scope_, .name = name_, .type = OPTION_REAL, .min = -WEIGHT_MAX, .max = WEIGHT_MAX,  \
		.fallback = "0", .unit = "", .help = help_, .offset = offsetof(struct cred_attr, field)      \
	}
#define PRIORITY(scope) POINTS(scope, "priority", priority, "Points of this " scope "; may be negative.")
#define QT_TARGET(scope_)                                                                                    \
	{                                                                                                    \
		.scope = scope_, .name = "qttarget", .type = OPTION_DURATION, .min = 1,                      \
		.max = (double)DURATION_MAX_S, .unit = "",                                                   \
		.help = "How long a job of this " scope_ " should wait at most.",                            \
		.offset = offsetof(struct cred_attr, qt_target_s)                                            \
	}
#define XF_TARGET(scope_)                                                                                    \
	{                                                                                                    \
		.scope = scope_, .name = "xftarget", .type = OPTION_REAL, .min = XFTARGET_MIN,               \
		.max = XFTARGET_MAX, .unit = "",                                                             \
		.help = "Which xfactor a job of this " scope_ " should reach at most.",                      \
		.offset = offsetof(struct cred_attr, xf_target)                                              \
	}

#define NODE_MEMORY(name_, field, help_)                                                                     \
	{                                                                                                    \
		.scope = "node", .name = name_, .type = OPTION_MEMORY, .min = 0,                             \
		.max = (double)MEMORY_MAX_MB, .unit = "MB", .help = help_,                                   \
		.offset = offsetof(struct config_node, field)                                                \
	}

const struct option config_rows[] = {
	{.scope = "",
	 .name = "backfillpolicy",
	 .type = OPTION_CHOICE,
	 .choices = backfill_choices,
	 .fallback = "firstfit",
	 .unit = "",
	 .help = "Whether jobs may start past earlier ones that they do not delay.",
	 .offset = SYSTEM(backfill)},
	{.scope = "",
	 .name = "reservationpolicy",
	 .type = OPTION_CHOICE,
	 .choices = reservation_choices,
	 .fallback = "currenthighest",
	 .unit = "",
	 .help = "Which waiting jobs are promised a start: the highest of each pass, or kept once promised.",
	 .offset = SYSTEM(reservation)},
	{.scope = "",
	 .name = "reservationdepth",
	 .type = OPTION_COUNT,
	 .min = 0,
	 .max = (double)RESERVATION_DEPTH_ALL,
	 .fallback = "1",
	 .unit = "jobs",
	 .help = "How many waiting jobs are promised a start.",
	 .offset = SYSTEM(reservation_depth[0])},
	{.scope = "",
	 .name = "systemdefaultjobwalltime",
	 .type = OPTION_DURATION,
	 .min = 1,
	 .max = (double)DURATION_MAX_S,
	 .fallback = "1:00:00",
	 .unit = "",
	 .help = "The wallclock limit of a job that names none.",
	 .offset = SYSTEM(default_wall_s)},
	{.scope = "",
	 .name = "jobprioaccrualpolicy",
	 .type = OPTION_CHOICE,
	 .choices = accrual_choices,
	 .fallback = "queuepolicy",
	 .unit = "",
	 .help = "What stops the effective queue time of a job that may not run.",
	 .offset = SYSTEM(accrual)},
	{.scope = "",
	 .name = "xfminwclimit",
	 .type = OPTION_DURATION,
	 .min = 0,
	 .max = (double)DURATION_MAX_S,
	 .fallback = "0:02:00",
	 .unit = "",
	 .help = "Jobs with a shorter wallclock limit have the xfactor of this one.",
	 .offset = SYSTEM(xfactor_min_wall_s)},
	{.scope = "",
	 .name = "enablenegjobpriority",
	 .type = OPTION_BOOL,
	 .fallback = "false",
	 .unit = "",
	 .help = "Whether priorities may fall below 1.",
	 .offset = SYSTEM(allow_negative)},
	{.scope = "",
	 .name = "rejectnegpriojobs",
	 .type = OPTION_BOOL,
	 .fallback = "false",
	 .unit = "",
	 .help = "Whether a job with a negative priority is blocked.",
	 .offset = SYSTEM(reject_negative)},
	/* clang-format off */
	PRIO_COMPONENT_LIST(ALL_COMPONENT)
	PRIO_FACTOR_LIST(ALL_FACTOR)
	/* clang-format on */
	PRIORITY("user"),
	QT_TARGET("user"),
	XF_TARGET("user"),
	PRIORITY("group"),
	PRIORITY("account"),
	PRIORITY("qos"),
	POINTS("qos", "qtweight", qt_weight, "Added to queuetimeweight for jobs of this qos."),
	POINTS("qos", "xfweight", xf_weight, "Added to xfactorweight for jobs of this qos."),
	QT_TARGET("qos"),
	XF_TARGET("qos"),
	PRIORITY("class"),
	{.scope = "node",
	 .name = "procs",
	 .type = OPTION_COUNT,
	 .min = 1,
	 .max = NODE_PROCS_MAX,
	 .unit = "",
	 .help = "Processors of this node.",
	 .offset = offsetof(struct config_node, procs)},
	NODE_MEMORY("memory", mem_mb, "Memory for jobs."),
	NODE_MEMORY("swap", swap_mb, "Virtual memory for jobs."),
	NODE_MEMORY("disk", disk_mb, "Local disk for jobs."),
	/* clang-format off */
	PRIO_COMPONENT_LIST(PART_COMPONENT)
	PRIO_FACTOR_LIST(PART_FACTOR)
	/* clang-format on */
};

const size_t config_row_count = sizeof config_rows / sizeof config_rows[0];

struct config_weight config_weight_of(const struct option *row)
{
	static const struct {
		size_t from, count;
	} array[] = {
		[COMPONENT_WEIGHT] = {offsetof(struct prio_weights, component), PRIO_COMPONENT_COUNT},
		[COMPONENT_CAP] = {offsetof(struct prio_weights, component_cap), PRIO_COMPONENT_COUNT},
		[FACTOR_WEIGHT] = {offsetof(struct prio_weights, factor), PRIO_FACTOR_COUNT},
		[FACTOR_CAP] = {offsetof(struct prio_weights, factor_cap), PRIO_FACTOR_COUNT},
	};
	bool top = *row->scope == '\0';
	size_t base = top ? ALL : 0;

	if (!top && strcmp(row->scope, "partition") != 0)
		return (struct config_weight){.kind = NO_WEIGHT};
	for (unsigned kind = COMPONENT_WEIGHT; kind <= FACTOR_CAP; kind++) {
		size_t from = base + array[kind].from;

		if (row->offset >= from && row->offset < from + array[kind].count * sizeof(double))
			return (struct config_weight){kind,
						      (unsigned)((row->offset - from) / sizeof(double))};
	}
	return (struct config_weight){.kind = NO_WEIGHT};
}

const char *config_weight_name(struct config_weight weight)
{
	for (size_t i = 0; i < config_row_count; i++) {
		struct config_weight found = config_weight_of(&config_rows[i]);

		if (found.kind == weight.kind && found.index == weight.index)
			return config_rows[i].name;
	}
	return "";
}
