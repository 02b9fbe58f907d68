# SPDX-License-Identifier: MIT
#
# cases_workload.awk - compares the schedule of a whole workload with that of the original
#
# Reads the original's table (job, tasks, user, submit, start, end, flags, bypass, hosts; seconds
# after t0), then replay's starts and placements. Without backfill (strict) each job starts and ends
# when the original's does and on the same nodes. With it reservations are bound late (requirements
# M-11), so only the mean wait is compared: at most 10 % above the original's.

function hosts(list, separator, word, n, i, keep, j, out) {
	n = split(list, word, separator)
	for (i = 1; i <= n; i++)
		sub(/\*.*/, "", word[i])
	for (i = 2; i <= n; i++) {
		keep = word[i]
		for (j = i - 1; j > 0 && word[j] > keep; j--)
			word[j + 1] = word[j]
		word[j + 1] = keep
	}
	for (i = 1; i <= n; i++)
		out = out " " word[i]
	return out
}

function say(good, words, details) { printf "%s %s: %s\n%s", good ? "ok" : "not ok", name, words, details }

function differ(job, what, ours, theirs) {
	if (++wrong[what] <= 20)
		list[what] = list[what] "# " job " " what " " ours ", in the original " theirs "\n"
}

FILENAME ~ /expected\.txt$/ {
	if ($0 ~ /^#/ || split($0, field, "\t") < 9)
		next
	jobs++
	submit[field[1]] = field[4]
	start[field[1]] = field[5]
	end[field[1]] = field[6]
	place[field[1]] = hosts(field[9], ":")
	waits += field[5] - field[4]
	next
}

FILENAME ~ /starts\.csv$/ {
	split($0, field, ",")
	job = field[1]
	if (!(job in start) || field[3] == "")
		next
	ran++
	our_waits += field[3] - t0 - submit[job]
	same += field[3] - t0 == start[job]
	if (field[3] - t0 != start[job])
		differ(job, "starts at", field[3] - t0, start[job])
	if (field[4] - t0 != end[job])
		differ(job, "ends at", field[4] - t0, end[job])
	next
}

{
	at = index($0, ",")
	job = substr($0, 1, at - 1)
	if (job in place && hosts(substr($0, at + 1), " ") != place[job])
		differ(job, "runs on", hosts(substr($0, at + 1), " "), place[job])
}

END {
	say(jobs > 0 && ran == jobs, "all " jobs " jobs run", ran == jobs ? "" : "# " ran + 0 " did\n")
	if (jobs == 0)
		exit
	if (strict) {
		say(!wrong["starts at"], "every job starts at the same time as in the original", list["starts at"])
		say(!wrong["ends at"], "every job ends at the same time as in the original", list["ends at"])
		say(!wrong["runs on"], "every job runs on the same nodes as in the original", list["runs on"])
		exit
	}
	say(our_waits <= 1.1 * waits,
	    sprintf("mean wait %.1f s, in the original %.1f s: %+.1f %%", our_waits / jobs, waits / jobs,
		    waits > 0 ? 100 * (our_waits / waits - 1) : 0),
	    sprintf("# %d of %d jobs start at the same time as in the original\n", same, jobs))
	printf "ok %s: starts and hosts of single jobs # SKIP M-11: reservations are bound to nodes late\n", name
}
