#!/bin/sh
# SPDX-License-Identifier: MIT
#
# includes.sh - do the folders depend on each other only the way the house allows?
#
# Reads every #include of sched, store and tui and says one sentence for each wrong arrow.
# The tables below are the house; they are all there is to change when it grows. Also:
# each library has one file that knows it, and base, core and trace are pure (no clock, no
# files, no environment, no variable that outlives a call). A test that cannot fail shows
# nothing, so small wrong trees are judged first.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

# Folder: what it may include besides itself. A name with a dot is a single header.
arrows='
sched/base:
sched/core:   sched/base
sched/trace:  sched/core sched/base
sched/rm:     sched/core sched/base
sched/host:   sched/rm sched/trace sched/core sched/base
store:        sched/host/ledger.h sched/core sched/base
tui/draw:     sched/base
tui/submit:   tui/draw store sched/host sched/rm sched/trace sched/core sched/base
tui/serve:    tui/submit tui/draw store sched/host sched/rm sched/trace sched/core sched/base
tui/report:   tui/serve tui/submit tui/draw store sched/host sched/rm sched/trace sched/core sched/base
tui/query:    tui/report tui/serve tui/submit tui/draw store sched/host sched/rm sched/trace sched/core sched/base
tui/command:  tui/query tui/report tui/serve tui/submit tui/draw store sched/host sched/rm sched/trace sched/core sched/base
tui/screen:   tui/query tui/report tui/serve tui/submit tui/draw store sched/host sched/rm sched/trace sched/core sched/base
tui/console:  tui/screen tui/command tui/query tui/report tui/serve tui/submit tui/draw store sched/host sched/rm sched/trace sched/core sched/base
tui:          tui/console tui/command store sched/host sched/rm sched/trace sched/core sched/base
'

# The floors of sched/core: a file uses only what stands below it. state_policy.c is part of state.
floors='
1 array trend machine cred reason factors decision expr
2 job node limit
3 policy advance credset
4 profile priority throttle fairshare stats
5 config snapshot nodealloc reserve
6 assume crowd occupancy room state
7 gate undo
8 queue
9 backfill event quiet
10 drift
11 cycle draft knob takeback
12 plan enact crossing
13 project
14 whatif never
15 future lineup lint
16 explain
17 unblock guard ablate sweep solve estimate
'

# The one file that knows a library.
doors='
confuse.h sched/base/option.c
lmdb.h    store/db.c
curses.h  tui/draw/term.c
ncurses.h tui/draw/term.c
'

# Folders without a clock, files or an environment, and the calls that would bring them in.
pure='sched/base sched/core sched/trace'
impure='time|clock_gettime|gettimeofday|clock|localtime|localtime_r|gmtime|mktime|getenv|setlocale|
printf|puts|putchar|fopen|freopen|fread|fwrite|fgets|open|openat|read|write|socket|fork|system|popen|
rand|srand|random|srandom|pthread_create|pthread_mutex_lock|sleep|usleep|nanosleep'

# What is allowed all the same, each with its reason.
#   option.c: the scanner of libconfuse keeps its place in globals, so texts are read one at a time
#   failpoint.c: is empty but with --enable-failpoints
excused='
sched/base/failpoint.c calls getenv(),
sched/base/failpoint.c calls open(),
sched/base/failpoint.c calls puts(),
sched/base/failpoint.c calls write(),
sched/base/failpoint.c calls nanosleep(),
sched/base/failpoint.o keeps the variable own
sched/base/option.c calls pthread_mutex_lock(),
sched/base/option.o keeps the variable scanner
'

without_excused() {
	excuses=$(printf '%s' "$excused" | sed '/^$/d')
	grep -vF "$excuses"
}

# Lines "FILE HEADER" for every include of a tree; a bare name gets its folder.
list_includes() { # TREE
	(cd "$1" && find sched store tui -name '*.[ch]' 2>/dev/null | sort |
		xargs awk '
			match($0, /^[ \t]*#[ \t]*include[ \t]*["<][^">]+[">]/) {
				header = $0
				sub(/^[^"<]*["<]/, "", header)
				system_header = $0 ~ /include[ \t]*</
				sub(/[">].*$/, "", header)
				folder = FILENAME
				sub(/\/[^\/]*$/, "", folder)
				if (!system_header && header !~ /\//) header = folder "/" header
				print FILENAME, header, system_header
			}' /dev/null)
}

# One sentence for each include that the tables do not allow.
judge_includes() { # TREE
	list_includes "$1" | awk -v arrows="$arrows" -v floors="$floors" -v doors="$doors" '
		function folder_of(path) { sub(/\/[^\/]*$/, "", path); return path }
		function stem_of(path) { sub(/^.*\//, "", path); sub(/[_.].*$/, "", path); return path }
		BEGIN {
			rows = split(arrows, row, "\n")
			for (i = 1; i <= rows; i++) {
				words = split(row[i], word, /[: ]+/)
				known[word[1]] = 1
				allowed[word[1], word[1]] = 1
				for (w = 2; w <= words; w++) allowed[word[1], word[w]] = 1
			}
			rows = split(floors, row, "\n")
			for (i = 1; i <= rows; i++) {
				words = split(row[i], word, " ")
				for (w = 2; w <= words; w++) floor[word[w]] = word[1]
			}
			rows = split(doors, row, "\n")
			for (i = 1; i <= rows; i++) { split(row[i], word, " "); door[word[1]] = word[2] }
		}
		$3 {
			if ($2 in door && door[$2] != $1)
				print $1 " includes <" $2 ">, which only " door[$2] " may know."
			next
		}
		{
			from = folder_of($1); to = folder_of($2)
			if (!(from in known)) {
				print $1 " stands in a folder that the table of arrows does not have."
			} else if (!((from, to) in allowed) && !((from, $2) in allowed)) {
				print $1 " includes " $2 ", but " from " may not look at " to "."
			} else if (from == "sched/core" && to == from && stem_of($1) != stem_of($2)) {
				if (!(stem_of($1) in floor) || !(stem_of($2) in floor))
					print $1 " includes " $2 ", but one of them has no floor in the table of floors."
				else if (floor[stem_of($1)] <= floor[stem_of($2)])
					print $1 " (floor " floor[stem_of($1)] ") includes " $2 " (floor " floor[stem_of($2)] \
						"); a file uses only what stands below it."
			}
		}'
}

# One sentence for each call in a pure folder that is not pure. Comments and texts do not count.
judge_calls() { # TREE
	calls=$(printf '%s' "$impure" | tr -d '\n')
	for folder in $pure; do
		find "$1/$folder" -name '*.[ch]' 2>/dev/null | sort | while read -r file; do
			sed -E -e 's/"([^"\\]|\\.)*"/""/g' -e 's,//.*,,' -e 's,/\*.*\*/,,g' -e '/\/\*/,/\*\//d' "$file" |
				grep -oE "(^|[^A-Za-z0-9_.>])($calls)[ ]*\(" | sed 's/^[^A-Za-z_]//; s/ *($//' | sort -u |
				while read -r call; do
					echo "${file#"$1"/} calls $call(), but $folder is pure."
				done
		done
	done | without_excused
}

# One sentence for each variable in a pure folder's objects that outlives a call. Inside a function gcc calls it
# kept.0, clang function.kept.
judge_objects() { # BUILD
	for folder in $pure; do
		for object in "$1/$folder"/*.o; do
			[ -f "$object" ] || continue
			objdump -t "$object" | awk -v name="$folder/${object##*/}" '
				/ O (\.data|\.bss|\.tdata|\.tbss|\*COM\*)[ \t]/ && $NF !~ /^(__|\.L)/ {
					kept = $NF
					sub(/\.[0-9]+$/, "", kept)
					sub(/^.*\./, "", kept)
					print name " keeps the variable " kept ", but nothing there may outlive a call."
				}'
		done
	done | without_excused
}

# A small tree with one file of the given text; the judges must say this sentence.
must_say() { # NAME JUDGE FILE TEXT SENTENCE
	rm -rf tree && mkdir -p "tree/${3%/*}" && printf '%s\n' "$4" >"tree/$3"
	check_equal "$1" "$5" "$($2 tree)"
}

must_say "an arrow from core up to the host is seen" judge_includes sched/core/job.c '#include "sched/host/driver.h"' \
	"sched/core/job.c includes sched/host/driver.h, but sched/core may not look at sched/host."
must_say "an arrow from the store to the console is seen" judge_includes store/db.c '#include "tui/command/line.h"' \
	"store/db.c includes tui/command/line.h, but store may not look at tui/command."
must_say "an arrow from a manager to the traces is seen" judge_includes sched/rm/fake.c '#include "sched/trace/swf.h"' \
	"sched/rm/fake.c includes sched/trace/swf.h, but sched/rm may not look at sched/trace."
must_say "the store may know the ledger's contract" judge_includes store/ledger.c '#include "sched/host/ledger.h"' ""
must_say "the store may know nothing else of the host" judge_includes store/ledger.c '#  include "sched/host/driver.h"' \
	"store/ledger.c includes sched/host/driver.h, but store may not look at sched/host."
must_say "a step up a floor of the core is seen" judge_includes sched/core/profile.c '#include "cycle.h"' \
	"sched/core/profile.c (floor 4) includes sched/core/cycle.h (floor 11); a file uses only what stands below it."
must_say "a step across a floor of the core is seen" judge_includes sched/core/job.h '#include "node.h"' \
	"sched/core/job.h (floor 2) includes sched/core/node.h (floor 2); a file uses only what stands below it."
must_say "the parts of one noun may know each other" judge_includes sched/core/state_policy.c '#include "state_inside.h"' ""
must_say "a file of the core without a floor is seen" judge_includes sched/core/other.c '#include "job.h"' \
	"sched/core/other.c includes sched/core/job.h, but one of them has no floor in the table of floors."
must_say "a second file that knows curses is seen" judge_includes tui/screen/view_queue.c '#include <curses.h>' \
	"tui/screen/view_queue.c includes <curses.h>, which only tui/draw/term.c may know."
must_say "the one file that knows lmdb is left alone" judge_includes store/db.c '#include <lmdb.h>' ""
must_say "a clock in the core is seen" judge_calls sched/core/cycle.c 'int64_t now = (int64_t)time(NULL);' \
	"sched/core/cycle.c calls time(), but sched/core is pure."
must_say "a clock in a comment or a text is left alone" judge_calls sched/core/cycle.c '/* time(NULL) */ f("time(1)"); wall_time(2);' ""

if command -v objdump >/dev/null && command -v cc >/dev/null; then
	mkdir -p objects/sched/core
	printf '%s\n' 'static int kept; int next(void); int next(void) { return ++kept; }' |
		cc -x c -c -o objects/sched/core/job.o -
	check_equal "a variable that outlives a call is seen" \
		"sched/core/job.o keeps the variable kept, but nothing there may outlive a call." "$(judge_objects objects)"
	printf '%s\n' 'const char *const *names(void); const char *const *names(void) {
		static const char *const name[] = {"a", "b"}; return name; }' | cc -x c -c -o objects/sched/core/job.o -
	check_equal "a constant table is left alone" "" "$(judge_objects objects)"
	check_equal "nothing in base, core and trace outlives a call" "" "$(judge_objects "${KAHU_BUILD:-none}")"
else
	skip "nothing in base, core and trace outlives a call" "no objdump and cc here"
fi
check_equal "every arrow between files goes the way of the house" "" "$(judge_includes "$KAHU_SOURCE")"
check_equal "base, core and trace call no clock, file or environment" "" "$(judge_calls "$KAHU_SOURCE")"
