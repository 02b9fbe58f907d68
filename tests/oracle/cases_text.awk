# SPDX-License-Identifier: MIT
#
# cases_text.awk - functions to convert the reports of both schedulers to facts
#
# Each line is a fact, whose fields are separated by tabs:
#
#     KIND  STEP  WHAT  VALUE
#
# STEP is the number of the command and the second at which it ran, "012@1699920180"; WHAT
# is a job and an attribute, "amy03.start". cases_maui.awk and cases_kahu.awk use
# this file: the outputs of showq, diagnose -p and diagnose -f are similar enough for the same functions.

function fact(kind, what, value) { printf "%s\t%s\t%s\t%s\n", kind, step, what, value }

# The second at which the step ran.
function now() { return substr(step, index(step, "@") + 1) + 0 }

# "-1:00:00:00", "0:48:00" or "00:20" in seconds.
function seconds(text, part, n, i, sum, sign) {
	sign = 1
	if (text ~ /^-/) {
		sign = -1
		text = substr(text, 2)
	}
	n = split(text, part, ":")
	sum = part[n] + (n > 1 ? 60 * part[n - 1] : 0)
	sum += (n > 2 ? 3600 * part[n - 2] : 0) + (n > 3 ? 86400 * part[n - 3] : 0)
	return sign * sum
}

function moment(first) { return $first " " $(first + 1) " " $(first + 2) " " $(first + 3) }

# The words of a list in order, with one blank between them.
function sorted(list, word, n, i, j, keep, out) {
	n = split(list, word, " ")
	for (i = 2; i <= n; i++) {
		keep = word[i]
		for (j = i - 1; j > 0 && word[j] > keep; j--)
			word[j + 1] = word[j]
		word[j + 1] = keep
	}
	for (i = 1; i <= n; i++)
		out = out (i > 1 ? " " : "") word[i]
	return out
}

# Columns often have no blank between them: puts blanks around brackets and colons, as in "100.0( 60.0: 20.0)".
function loosen(line) {
	gsub(/[(:)]/, " & ", line)
	return line
}

# --- showq ------------------------------------------------------------------------------------

function queue_begin() {
	part = ""
	idle = ""
}

function queue_job(name) {
	name = $1
	fact("part", name, part)
	fact("queue", name ".user", $2)
	fact("queue", name ".procs", $4)
	if (part == "active") {
		fact("times", name ".start", moment(6))
		fact("times", name ".end", now() + seconds($5))
		return
	}
	fact("queue", name ".state", $3)
	fact("queue", name ".limit", seconds($5))
	fact("queue", name ".submitted", moment(6))
	if (part == "idle")
		idle = idle (idle == "" ? "" : " ") name
}

function queue_line() {
	if ($0 ~ /^(ACTIVE|IDLE|BLOCKED) JOBS/)
		part = tolower($1)
	else if ($0 ~ /^Total Jobs:/) {
		fact("order", "idle", idle)
		fact("queue", "jobs", $3 " active " $6 " idle " $9 " blocked " $12)
		part = ""
	} else if ($0 ~ /Processors Active/ || $0 ~ /Nodes Active/)
		queue_sum()
	else if (part != "" && NF == 9 && $5 ~ /:/)
		queue_job()
}

# "3 Active Jobs 12 of 16 Processors Active (75.00%)"
function queue_sum(i) {
	for (i = 2; i < NF; i++)
		if ($i == "of")
			fact("queue", tolower($(i + 2)), $(i - 1) " of " $(i + 1) " " $NF)
}

# --- diagnose -p ------------------------------------------------------------------------------

# "Accnt" and "FSAcct" are one column, as are "WTime" and "WallT"; "serv" and "Serv" one component.
function column_name(word) {
	word = tolower(word)
	sub(/^fs/, "", word)
	if (word ~ /^ac+/)
		return "account"
	if (word ~ /^gr/)
		return "group"
	if (word ~ /^cla/)
		return "class"
	if (word ~ /^w/)
		return "walltime"
	if (word ~ /^byp/)
		return "bypass"
	return word
}

function component_name(word) { return substr(tolower(word), 1, 4) }

# Sets column[N] to the name of the factor in it, "serv.qtime"; has_rank: there is a column between priority and factors.
function priority_head(line, word, n, i, component) {
	has_rank = line ~ / RANK /
	sub(/ RANK /, " ", line)
	sub(/^.*PRIORITY\*?/, "", line)
	columns = 0
	n = split(loosen(line), word, " ")
	for (i = 1; i <= n; i++)
		if (word[i + 1] == "(")
			component = component_name(word[i])
		else if (word[i] !~ /^[(:)]$/)
			column[++columns] = component "." column_name(word[i])
	components_known = 1
}

# The numbers of the factors, which are within brackets after the priority.
function priority_cells(line, kind, name, word, n, i, inside, at) {
	n = split(loosen(line), word, " ")
	for (i = 1; i <= n; i++)
		if (word[i] == "(")
			inside = 1
		else if (word[i] == ")")
			inside = 0
		else if (inside && word[i] != ":")
			fact(kind, name "." column[++at], word[i])
}

# "Weights -------- 2( 10: 5)": the weight before each bracket too.
function priority_weights(line, word, n, i, at, component) {
	sub(/^ *Weights *-+/, "", line)
	n = split(loosen(line), word, " ")
	for (i = 1; i <= n; i++)
		if (word[i + 1] == "(") {
			component = column[at + 1]
			sub(/\..*/, "", component)
			fact("factors", "weights." component, word[i])
		} else if (word[i] !~ /^[(:)]$/)
			fact("factors", "weights." column[++at], word[i])
}

function priority_line(line, rank) {
	if ($1 == "Job" && $2 ~ /^PRIORITY/) {
		priority_head($0)
		return
	}
	if (!components_known || $0 ~ /^[ *]*(Percent|indicates|Priorities|diagnosing)/ || $0 ~ /^\*/ || NF < 3)
		return
	if ($1 == "Weights") {
		priority_weights($0)
		return
	}
	rank = has_rank ? $3 : $2
	sub(/[!*]$/, "", rank)
	sub(/\*$/, "", $2)
	fact("sum", $1, $2)
	fact("ranked", $1, rank)
	line = $0
	sub(/^[^ ]+ +[^ ]+ +/, "", line)
	if (has_rank)
		sub(/^[^ ]+ +/, "", line)
	priority_cells(line, "factors", $1)
}

# --- diagnose -f ------------------------------------------------------------------------------

function share_line(name, star, i) {
	if ($1 ~ /^(USER|GROUP|ACCT|ACCOUNT|QOS|CLASS)$/ && NF == 1) {
		share_type = $1 == "ACCT" ? "account" : tolower($1)
		return
	}
	if ($0 ~ /^(Totals|FORECAST)/)
		share_type = "end"
	if (share_type == "end" || NF < 3)
		return
	if ($1 ~ /^(FSWeight|TotalUsage)$/) {
		for (i = 4; i <= NF; i++)
			fact("fairshare", $1 "." (i - 4), $i)
		return
	}
	if (share_type == "")
		return
	name = $1
	star = sub(/\*$/, "", name)
	name = share_type " " name
	fact("fairshare", name ".percent", $2)
	fact("fairshare", name ".target", $3)
	fact("fairshare", name ".off target", star ? "yes" : "no")
	for (i = 4; i <= NF; i++)
		fact("fairshare", name ".window " (i - 4), $i)
}
