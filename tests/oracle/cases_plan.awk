# SPDX-License-Identifier: MIT
#
# cases_plan.awk - translates the commands of a case to commands of Kahu
#
# Reads maui.cfg and expected.txt. Prints lines "TIME <tab> TURN <tab> STEP <tab> COMMAND", which
# the caller sorts by time and turn. Maui's names of commands are used if Kahu knows them, which tests
# these names too. STEP is "NNN@TIME" for command NNN, or "before@TIME" and
# "now@TIME" for the questions once per time. "# WORDS" is a command without a counterpart, and
# "! STEP JOB..." names the jobs that commands have changed since the last pass.

function ask(command) { printf "%d\t1\t%s\t%s\n", time, step, command }

# Once per time: the priorities at the previous poll, and the priorities and the queue now.
function ask_around() {
	if (time in asked)
		return
	asked[time] = 1
	printf "%d\t0\tbefore@%d\tdiagnose -p\n", time - 60, time
	printf "%d\t0\tnow@%d\tdiagnose -p\n", time, time
	printf "%d\t0\tnow@%d\tshowq\n", time, time
}

# Notes changed jobs: Maui still lists them as of its last pass, Kahu as of now, so they are not compared.
function touch(names) {
	touched = touched " " names
}

function about_job(name) {
	ask("why " name)
	if (!marked[step]++)
		ask("queue -v")
}

function translate(line, word, n) {
	n = split(line, word, " ")
	verb = word[1]
	if (verb != "schedctl")
		ask_around()
	if (line == "showq" || line == "diagnose -p")
		ask(line)
	else if (verb == "checkjob" && n == 2) {
		ask(line)
		about_job(word[2])
	} else if (verb == "showbf")
		ask("showbf" (line ~ / -u/ ? "" : " -u root") (line ~ / -g/ ? "" : " -g root") substr(line, 7))
	else if (line == "diagnose -f" || line == "diagnose -n" || line == "diagnose -q")
		ask(line)
	else if (verb == "checknode" || verb == "showstart")
		ask(line)
	else if (line == "showres")
		ask("queue -v")
	else if (verb ~ /^(sethold|releasehold|setspri|setqos|runjob|canceljob|changeparam)$/) {
		ask(line)
		touch(verb ~ /^(setqos|setspri)$/ ? word[n] : substr(line, length(verb) + 1))
	} else if (verb == "schedctl" || verb == "showhold")
		return
	else
		print "# " line
}

BEGIN { t0 = 1699920000 }

FILENAME ~ /maui\.cfg$/ {
	if (toupper($1) == "SIMSTOPITERATION")
		time = t0 + 60 * $2
	next
}

/^\$ / {
	step = sprintf("%03d@%d", ++steps, time)
	if (touched != "")
		printf "! %s%s\n", step, touched
	translate(substr($0, 3))
	next
}

# Commands about jobs that only the output names.
verb == "schedctl" && /at iteration [0-9]+$/ {
	time = t0 + 60 * $NF
	touched = ""
}
verb == "diagnose" && /^job / { about_job($2) }
verb == "showhold" && NF > 1 && $2 ~ /^(User|System|Batch|Defer)$/ { ask("checkjob " $1) }
verb == "showres" && / Job +I / { ask("showstart " $1) }
