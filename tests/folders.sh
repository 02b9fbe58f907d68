#!/bin/sh
# SPDX-License-Identifier: MIT
#
# folders.sh - checks the dependencies between folders
#
# Reads the symbols of the objects: an object that calls a function of another folder depends on that folder, whatever
# the headers declare. When a folder is added, only the table below changes. Also: at most three files may depend on each
# other in a cycle, a header declares no function that another folder defines, only one file includes each library, and
# the pure folders use no clock, no files, no environment and no variable that outlives a call. Small invalid trees
# show first that each check can fail.
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

# From the lowest folder up: FOLDER: the folders that it may use. All may use sched/base. "sched" means the pure
# folders, "below" these together with store, sched/host and sched/rm. A row names only folders of rows above it, so
# there is no cycle of folders.
arrows='
sched/base:
sched/model:
sched/config:    sched/model
sched/policy:    sched/config sched/model
sched/placement: sched/policy sched/config sched/model
sched/state:     sched/placement sched/policy sched/config sched/model
sched/pass:      sched/state sched/placement sched/policy sched/config sched/model
sched/lint:      sched/pass sched/state sched/placement sched/policy sched/config sched/model
sched/forecast:  sched/lint sched/pass sched/state sched/placement sched/policy sched/config sched/model
sched/trace:     sched/state sched/config sched/model
sched/rm:        sched/trace sched/state sched/model
sched/host:      sched/rm sched
store:           sched/state sched/config sched/model
tui/draw:
tui/submit:      tui/draw below
tui/serve:       tui/submit tui/draw below
tui/report:      tui/serve tui/submit tui/draw below
tui/query:       tui/report tui/serve tui/submit tui/draw below
tui/command:     tui/query tui/report tui/serve tui/submit tui/draw below
tui/screen:      tui/query tui/report tui/serve tui/submit tui/draw below
tui/console:     tui/screen tui/command tui/query tui/report tui/serve tui/submit tui/draw below
tui:             tui/console tui/command
'
sched='sched/trace sched/forecast sched/lint sched/pass sched/state sched/placement sched/policy sched/config sched/model'
below="store sched/host sched/rm $sched"

# The only file that may include a library's header.
doors='
confuse.h sched/base/option.c
lmdb.h    store/db.c
curses.h  tui/draw/term.c
ncurses.h tui/draw/term.c
'

# Folders without a clock, files or an environment, and the forbidden calls.
pure="sched/base $sched"
impure='time|clock_gettime|gettimeofday|clock|localtime|localtime_r|gmtime|mktime|getenv|setlocale|
printf|puts|putchar|fopen|freopen|fread|fwrite|fgets|open|openat|read|write|socket|fork|system|popen|
rand|srand|random|srandom|pthread_create|pthread_mutex_lock|sleep|usleep|nanosleep'

# Exceptions, each with its reason.
#   option.c: the scanner of libconfuse keeps its place in globals, so texts are read one at a time
#   failpoint.c: is empty without --enable-failpoints
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

# One sentence for each name of a folder that is not above its row.
judge_table() { # TABLE
	printf '%s\n' "$1" | awk -v sched="$sched" -v below="$below" '
		NF == 0 { next }
		{
			row = $1
			sub(/:$/, "", row)
			for (i = 2; i <= NF; i++) {
				words = split($i == "sched" ? sched : $i == "below" ? below : $i, word, " ")
				for (w = 1; w <= words; w++)
					if (!(word[w] in above))
						print row " names " word[w] ", which is not above it."
			}
			above[row] = 1
		}'
}

# Objects whose sources exist: a build folder may have older ones.
list_objects() { # BUILD TREE
	(cd "$1" 2>/dev/null && find sched store tui -name '*.o' 2>/dev/null | sort) | while read -r object; do
		! [ -f "$2/${object%.o}.c" ] || echo "$object"
	done
}

# One sentence for each function or variable of a folder that the table does not allow.
judge_symbols() { # BUILD TREE
	objects=$(list_objects "$1" "$2")
	# shellcheck disable=SC2086 # a word each
	(cd "$1" 2>/dev/null && nm -A -P $objects 2>/dev/null) |
		awk -v arrows="$arrows" -v sched="$sched" -v below="$below" '
		function folder_of(path) { sub(/\/[^\/]*$/, "", path); return path }
		BEGIN {
			rows = split(arrows, row, "\n")
			for (i = 1; i <= rows; i++) {
				gsub(/ sched( |$)/, " " sched " ", row[i])
				gsub(/ below( |$)/, " " below " ", row[i])
				words = split(row[i], word, /[: ]+/)
				known[word[1]] = allowed[word[1], word[1]] = allowed[word[1], "sched/base"] = 1
				for (w = 2; w <= words; w++) allowed[word[1], word[w]] = 1
			}
		}
		{
			object = $1
			sub(/:$/, "", object)
			if ($3 == "U") { used++; user[used] = object; symbol[used] = $2 }
			else if ($3 ~ /^[TDBRVW]$/) owner[$2] = object
			if (!(folder_of(object) in known) && !(object in named)) {
				named[object] = 1
				print object " is in a folder that the table does not have."
			}
		}
		END {
			for (i = 1; i <= used; i++) {
				if (!(symbol[i] in owner)) continue
				from = folder_of(user[i]); to = folder_of(owner[symbol[i]])
				if (!((from, to) in allowed))
					print user[i] " uses " symbol[i] " of " owner[symbol[i]] ", but " from \
						" may not use " to "."
			}
		}'
}

# The most files that may need each other in a cycle, directly or through others of them.
cycle_most=3

# One sentence for each object in a larger cycle.
judge_cycles() { # BUILD TREE
	objects=$(list_objects "$1" "$2")
	# shellcheck disable=SC2086 # a word each
	(cd "$1" 2>/dev/null && nm -A -P $objects 2>/dev/null) | awk -v most="$cycle_most" '
		# Tarjan: a cycle is complete at its first visited object, with all others of it above it on the stack.
		function visit(from, i, words, word, to, size, first) {
			number[from] = lowest[from] = ++visited
			stack[++depth] = from
			words = split(needs[from], word, " ")
			for (i = 1; i <= words; i++) {
				to = word[i]
				if (!(to in number)) {
					visit(to)
					if (lowest[to] < lowest[from]) lowest[from] = lowest[to]
				} else if (!(to in complete) && number[to] < lowest[from])
					lowest[from] = number[to]
			}
			if (lowest[from] != number[from]) return
			first = depth
			while (stack[first] != from) first--
			size = depth - first + 1
			for (; depth >= first; depth--) {
				complete[stack[depth]] = 1
				if (size > most)
					print stack[depth] " is in a cycle of " size " files, but at most " most \
						" may need each other."
			}
		}
		{
			object = $1
			sub(/:$/, "", object)
			if ($3 == "U") { used++; user[used] = object; symbol[used] = $2 }
			else if ($3 ~ /^[TDBRVW]$/) owner[$2] = object
		}
		END {
			for (i = 1; i <= used; i++) {
				if (!(symbol[i] in owner)) continue
				to = owner[symbol[i]]
				if (to != user[i] && !((user[i], to) in known)) needs[user[i]] = needs[user[i]] " " to
				known[user[i], to] = 1
			}
			for (i = 1; i <= used; i++)
				if (!(user[i] in number)) visit(user[i])
		}' | sort | without_excused
}

# One sentence for each function that a header declares and another folder defines.
judge_headers() { # BUILD TREE
	objects=$(list_objects "$1" "$2")
	# shellcheck disable=SC2086 # a word each
	(cd "$1" 2>/dev/null && nm -A -P $objects 2>/dev/null) >symbols
	# shellcheck disable=SC2016 # they are those of awk
	(cd "$2" && find sched store tui -name '*.h' 2>/dev/null | sort) | (
		symbols=$PWD/symbols
		cd "$2" && xargs awk '
		function folder_of(path) { sub(/\/[^\/]*$/, "", path); return path }
		FILENAME == ARGV[1] {
			sub(/:$/, "", $1)
			if ($3 == "T") owner[$2] = $1
			next
		}
		FNR == 1 { in_comment = in_macro = depth = 0; text = "" }
		in_comment { if (!sub(/^.*\*\//, "")) next; in_comment = 0 }
		{
			gsub(/\/\*([^*]|\*[^\/])*\*\//, "")
			if (sub(/\/\*.*/, "")) in_comment = 1
		}
		in_macro || /^[ \t]*#/ { in_macro = /\\$/; next }
		{
			opened = gsub(/{/, "{")
			closed = gsub(/}/, "}")
			if (depth > 0 || opened > 0) { depth += opened - closed; text = ""; next }
			text = text " " $0
			if (!/;[ \t]*$/) next
			if (text !~ /^[ \t]*(static|typedef)/ && match(text, /[A-Za-z_][A-Za-z0-9_]*\(/)) {
				name = substr(text, RSTART, RLENGTH - 1)
				if (name in owner && folder_of(owner[name]) != folder_of(FILENAME))
					print FILENAME " declares " name ", which " owner[name] " defines."
			}
			text = ""
		}' "$symbols")
}

# One sentence for each file that includes a library that only another file may include.
judge_doors() { # TREE
	printf '%s\n' "$doors" | while read -r header file; do
		[ -n "$header" ] || continue
		(cd "$1" 2>/dev/null && grep -rlE "^[[:space:]]*#[[:space:]]*include[[:space:]]*<$header>" sched store tui 2>/dev/null | sort) |
			while read -r found; do
				[ "$found" = "$file" ] || echo "$found includes <$header>, which only $file may know."
			done
	done
}

# Files with this ending in the pure folders of a tree.
list_pure() { # TREE ENDING
	for folder in $pure; do
		[ ! -d "$1/$folder" ] || (cd "$1" 2>/dev/null && find "$folder" -maxdepth 1 -name "*.$2")
	done | sort
}

# One sentence for each forbidden call in a pure folder. Comments and strings do not count.
judge_calls() { # TREE
	# shellcheck disable=SC2016 # they are those of awk
	list_pure "$1" '[ch]' | (cd "$1" 2>/dev/null && xargs awk -v calls="$(printf '%s' "$impure" | tr -d '\n')" '
		FNR == 1 { in_comment = 0 }
		in_comment { if (/\*\//) in_comment = 0; next }
		{
			gsub(/"([^"\\]|\\.)*"/, "\"\"")
			sub(/\/\/.*/, "")
			gsub(/\/\*.*\*\//, "")
		}
		/\/\*/ { in_comment = 1; next }
		{
			while (match($0, "(^|[^A-Za-z0-9_.>])(" calls ")[ ]*[(]")) {
				call = substr($0, RSTART, RLENGTH)
				$0 = substr($0, RSTART + RLENGTH)
				gsub(/[^A-Za-z0-9_]/, "", call)
				if (!((FILENAME, call) in said)) {
					folder = FILENAME
					sub(/\/[^\/]*$/, "", folder)
					print FILENAME " calls " call "(), but " folder " is pure."
				}
				said[FILENAME, call] = 1
			}
		}' /dev/null) | without_excused
}

# One sentence for each variable in a pure folder's objects that outlives a call. Inside a function gcc names it
# kept.0, clang function.kept.
judge_objects() { # BUILD
	[ -d "$1" ] || return
	list_pure "$1" o | (cd "$1" 2>/dev/null && xargs -r objdump -t) | awk '
		/: +file format / { name = $1; sub(/:$/, "", name) }
		/ O (\.data|\.bss|\.tdata|\.tbss|\*COM\*)[ \t]/ && $NF !~ /^(__|\.L)/ {
			kept = $NF
			sub(/\.[0-9]+$/, "", kept)
			sub(/^.*\./, "", kept)
			print name " keeps the variable " kept ", but nothing there may outlive a call."
		}' | without_excused
}

# Makes a small tree with one file of the given text; the check must print this sentence.
check_finding() { # NAME JUDGE FILE TEXT SENTENCE
	rm -rf tree && mkdir -p "tree/${3%/*}" && printf '%s\n' "$4" >"tree/$3"
	check_equal "$1" "$5" "$($2 tree)"
}

check_equal "a row that names a folder below it in the table is found" "sched/policy names sched/pass, which is not above it." \
	"$(judge_table 'sched/policy: sched/pass
sched/pass:')"
check_equal "the table has no cycle" "" "$(judge_table "$arrows")"
check_finding "a second file that includes curses is found" judge_doors tui/screen/view_queue.c '#include <curses.h>' \
	"tui/screen/view_queue.c includes <curses.h>, which only tui/draw/term.c may know."
check_finding "the file that may include lmdb is accepted" judge_doors store/db.c '#include <lmdb.h>' ""
check_equal "only one file includes each library" "" "$(judge_doors "$KAHU_SOURCE")"
check_finding "a clock in a pure folder is found" judge_calls sched/pass/cycle.c 'int64_t now = (int64_t)time(NULL);' \
	"sched/pass/cycle.c calls time(), but sched/pass is pure."
check_finding "a clock in a comment or a string is accepted" judge_calls sched/pass/cycle.c \
	'/* time(NULL) */ f("time(1)"); wall_time(2);' ""
check_equal "pure folders use no clock, file or environment" "" "$(judge_calls "$KAHU_SOURCE")"

if command -v objdump >/dev/null && command -v nm >/dev/null && command -v cc >/dev/null; then
	compile() { # OBJECT TEXT
		mkdir -p "objects/${1%/*}" && printf '%s\n' "$2" >"objects/${1%.o}.c" && cc -c -o "objects/$1" "objects/${1%.o}.c"
	}
	compile sched/pass/queue.o 'int next(void); int next(void) { return 1; }'
	compile sched/policy/limit.o 'int next(void); int own(void); int own(void) { return next(); }'
	check_equal "a call of a folder above is found" \
		"sched/policy/limit.o uses next of sched/pass/queue.o, but sched/policy may not use sched/pass." \
		"$(judge_symbols objects objects)"
	rm -r objects/sched/policy
	compile sched/forecast/plan.o 'int next(void); int own(void); int own(void) { return next(); }'
	check_equal "a call of a folder below is accepted" "" "$(judge_symbols objects objects)"
	compile sched/other/file.o 'int other(void); int other(void) { return 1; }'
	check_equal "a folder without a row is found" "sched/other/file.o is in a folder that the table does not have." \
		"$(judge_symbols objects objects)"
	rm -r objects
	for next in a.b b.c c.d d.a; do
		compile "sched/model/${next%.*}.o" "int ${next#*.}(void); int ${next%.*}(void);
			int ${next%.*}(void) { return ${next#*.}(); }"
	done
	check_equal "a cycle of four files is found" "a b c d" "$(judge_cycles objects objects |
		sed -n 's,^sched/model/\(.\).o is in a cycle of 4 files.*,\1,p' | paste -sd' ' -)"
	compile sched/model/c.o 'int a(void); int c(void); int c(void) { return a(); }'
	check_equal "a cycle of three files is accepted" "" "$(judge_cycles objects objects)"
	mkdir objects/sched/config
	printf '%s\n' '/* int b(void); */' 'struct pair {' 'int a;' '};' 'int' 'a(int x,' 'int y);' 'int b' '(void) ;' \
		'static inline int both(void)' '{' 'return d();' '}' 'int c(void);' >objects/sched/config/config.h
	cp objects/sched/config/config.h objects/sched/model
	check_equal "a header that declares functions of another folder is found" \
		"sched/config/config.h declares a, which sched/model/a.o defines.
sched/config/config.h declares c, which sched/model/c.o defines." "$(judge_headers objects objects)"
	compile sched/model/job.o 'static int kept; int next(void); int next(void) { return ++kept; }'
	check_equal "a variable that outlives a call is found" \
		"sched/model/job.o keeps the variable kept, but nothing there may outlive a call." "$(judge_objects objects)"
	compile sched/model/job.o 'const char *const *names(void); const char *const *names(void) {
		static const char *const name[] = {"a", "b"}; return name; }'
	check_equal "a constant table is accepted" "" "$(judge_objects objects)"
	check_equal "no variable in a pure folder outlives a call" "" "$(judge_objects "${KAHU_BUILD:-none}")"
	check_equal "a folder uses only those that the table allows" "" "$(judge_symbols "${KAHU_BUILD:-none}" "$KAHU_SOURCE")"
	check_equal "at most three files depend on each other in a cycle" "" "$(judge_cycles "${KAHU_BUILD:-none}" "$KAHU_SOURCE")"
	check_equal "a header declares only functions of its own folder" "" \
		"$(judge_headers "${KAHU_BUILD:-none}" "$KAHU_SOURCE")"
else
	skip "a folder uses only those that the table allows" "objdump, nm or cc is not installed"
fi
