#!/bin/sh
# SPDX-License-Identifier: MIT
#
# mutants.sh - planted faults, each of which a test must find
#
# make mutants runs it in a separate build tree (build/mutants), with the names of the tests as arguments:
# unit/test_state property/placement line/run.sh ... All programs are linked with two shared libraries: libmutant.so,
# which is empty, and libkahu.so, which is the program. To plant a fault, one file is compiled from a changed copy to a
# libmutant.so in a new folder, which LD_LIBRARY_PATH puts first; nothing else is built.
#
#     tests/mutants/planted      named faults, each with the tests that must find it
#     tests/mutants/sites.awk    random faults: MUTANTS of them (60), chosen by SEED (printed)
#     tests/mutants/equivalent   random faults without effect, with the reason; they are not counted, and neither are
#                                faults that no test finds and that give the same compiled code
#
# A first run without a fault shows how long each test takes and which files of the program it calls (LD_DEBUG).
# For a random fault, the tests that call its file are run: first the test of that name, then the fastest; a test
# that fails, or takes ten times as long, has found the fault. If none has, the first tests run again under valgrind
# (if it is installed), which finds accesses beyond an array and memory leaks, as the sanitizers of .ci/run do.
# At least 90 % of the random faults must be found, and all named ones.
#
# A fault can kill or delete anything. So tests run in separate namespaces, where the file system is read-only
# except for /tmp and a copy of /etc, in which scripts create accounts. Without namespaces (unshare(1) as root) no fault
# is planted into sched/rm and sched/host.
#
# ONLY=planted or ONLY=random runs one part. FILES='sched/pass/gate*.c' takes random faults of these files only.

set -u
export LC_ALL=C TZ=UTC

: "${KAHU_SOURCE:?run make mutants}" "${KAHU_BUILD:?}" "${MUTANT_CC:?}"
MUTANT_PARTS=${MUTANT_PARTS-} # tests that are linked with parts of the shepherd
MUTANTS=${MUTANTS:-60}
SEED=${SEED:-$(date +%s)}
WORKERS=${WORKERS:-2}
TESTS_S=${TESTS_S:-60} # processor time of the tests for each random fault, as measured without a fault
MEMORY_TESTS=8 # number of tests that run again under valgrind
ENOUGH_PERCENT=90
LEFT_OUT_MOST=4 # some tests fail on a read-only file system
data=$KAHU_SOURCE/tests/mutants
top=${KAHU_BUILD%/build}
place=$KAHU_BUILD/mutants
flags=$KAHU_BUILD/mutant.flags
mkdir -p "$place/tests" "$place/sound"

die() {
	echo "mutants.sh: $*" >&2
	exit 2
}

# --- in a namespace --------------------------------------------------------------------

# Inside, only /tmp can be written to.
in_tmp() {
	mkdir -p /tmp/mutant && cd /tmp/mutant || exit 2
	# shellcheck disable=SC3045 # dash and bash have it
	ulimit -v 8000000
	unset SEED # property tests have their own seeds
	export TMPDIR=/tmp/mutant CMOCKA_MESSAGE_OUTPUT=TAP
}

# A test of parts of the shepherd is in the folder of the fault, linked with it.
program_of() { # FOLDER TEST
	program=$(printf '%s' "$2" | tr / -)
	if [ -x "$1/parts/$program" ]; then
		printf '%s' "$1/parts/$program"
	else
		printf '%s' "$place/tests/$program"
	fi
}

run_test() { # LIMIT_S TEST FOLDER
	case $2 in
	*.sh) timeout -s KILL "$1" sh "$KAHU_SOURCE/tests/$2" >/tmp/mutant/log 2>&1 </dev/null ;;
	*) timeout -s KILL "$1" "$(program_of "$3" "$2")" >/tmp/mutant/log 2>&1 </dev/null ;;
	esac
}

is_clean() { # FOLDER TEST LIMIT_S
	command -v valgrind >/dev/null || return 0
	LD_LIBRARY_PATH="$1:$KAHU_BUILD" timeout -s KILL "$(($3 * 10))" valgrind -q --log-file=/tmp/mutant/memory \
		--leak-check=full --errors-for-leak-kinds=definite "$(program_of "$1" "$2")" >/dev/null 2>&1 </dev/null
	! grep -q 'Invalid \|uninitialised\|definitely lost' /tmp/mutant/memory
}

case ${1-} in
# Tests and their time limits are read; the first that fails is printed. FOLDER has the libmutant.so.
--judge)
	in_tmp
	export LD_LIBRARY_PATH="$2:$KAHU_BUILD" KAHU="$2/kahu" KAHU_BUILD="$2/build"
	while read -r test limit_s; do
		run_test "$limit_s" "$test" "$2" || {
			status=$?
			[ $status -ne 137 ] || echo "stopped after $limit_s s" >>log
			echo "$test: $(grep -m 1 '^not ok' log || tail -n 1 log | cut -c 1-100)"
			exit 0
		}
	done
	exit 1
	;;
# The same under valgrind: the first test with a report that it does not have without a fault.
--judge-memory)
	in_tmp
	while read -r test limit_s; do
		case $test in *.sh) continue ;; esac
		! is_clean "$2" "$test" "$limit_s" && is_clean "$place/sound" "$test" "$limit_s" && {
			echo "$test: valgrind"
			exit 0
		}
	done
	exit 1
	;;
# Prints the wall clock and processor time of a test in ms, and the functions of the program that it calls,
# without a fault.
--probe)
	in_tmp
	export LD_LIBRARY_PATH="$place/sound:$KAHU_BUILD" KAHU="$place/sound/kahu" KAHU_BUILD="$place/sound/build"
	begun=$(date +%s%N)
	LD_DEBUG=bindings LD_DEBUG_OUTPUT=/tmp/mutant/bound run_test 300 "$2" "$place/sound" || {
		echo "left out because it fails without a fault: $2" >&2
		grep -A 2 '^not ok' log | head -n 6 >&2
		exit 1
	}
	echo "ms $((($(date +%s%N) - begun) / 1000000))"
	times >used # not in a pipeline, whose shell has no children
	awk 'NR == 2 {
		split($1, own, /[ms]/)
		split($2, kernel, /[ms]/)
		print "cpu", int(((own[1] + kernel[1]) * 60 + own[2] + kernel[2]) * 1000)
	}' used
	cat bound.* | awk -F "[\`']" '/libkahu.so .*normal symbol/ { print "calls", $2 }' | sort -u
	exit 0
	;;
esac

# Mounts everything read-only except what only this mount namespace sees.
# shellcheck disable=SC2016 # the inner shell expands it
enclosed='
	while read -r _ at _; do
		case $at in /proc* | /dev* | /sys*) continue ;; esac
		mount -o remount,bind,ro "$at" 2>/dev/null || { mount --bind "$at" "$at" && mount -o remount,bind,ro "$at"; }
	done </proc/mounts
	mount -t tmpfs -o size=2g none /tmp && cp -a /etc /tmp/etc && mount --bind /tmp/etc /etc && exec "$@"'
if [ "$(id -u)" -eq 0 ] && unshare --mount --pid --fork --mount-proc --kill-child true 2>/dev/null; then
	enclose() { unshare --mount --pid --fork --mount-proc --kill-child sh -c "$enclosed" sh "$@"; }
	may_harm=yes
else
	enclose() { "$@"; }
	may_harm=no
fi

# --- building ----------------------------------------------------------------------------

# shellcheck disable=SC2086 # options are words
link_shared() { # OUT OBJECT...
	linked=$1
	shift
	$MUTANT_CC $MUTANT_LDFLAGS -shared -o "$linked.new" "$@" && mv "$linked.new" "$linked"
}

newer() { # FILE THAN...: true if FILE must be rebuilt
	[ -e "$1" ] || return 0
	made=$1
	shift
	for source; do
		[ -z "$(find "$source" -newer "$made")" ] || return 0
	done
	return 1
}

object_of() { printf '%s/%s.o' "$KAHU_BUILD" "${1%.c}"; }

# A test that runs itself in a job, whose environment has no LD_LIBRARY_PATH, finds the libraries without a fault there;
# LD_LIBRARY_PATH goes before such a path (DT_RUNPATH).
# shellcheck disable=SC2086
build_all() { # TEST...
	fallback=-Wl,--enable-new-dtags,-rpath,$place/sound:$KAHU_BUILD
	! newer "$place/sound/libmutant.so" || link_shared "$place/sound/libmutant.so" -x c /dev/null || die "libmutant.so cannot be linked"
	if newer "$KAHU_BUILD/libkahu.so" "$KAHU_BUILD"/libkahu-*.a; then
		$MUTANT_CC $MUTANT_LDFLAGS -shared -o "$KAHU_BUILD/libkahu.so" -Wl,--whole-archive "$KAHU_BUILD"/libkahu-*.a \
			-Wl,--no-whole-archive $MUTANT_LIBS || die "libkahu.so cannot be linked"
	fi
	for test; do
		case $test in *.sh) continue ;; esac
		out=$place/tests/$(echo "$test" | tr / -)
		case " $MUTANT_PARTS " in *" $test "*)
			! newer "$out" "$KAHU_BUILD/tests/$test.o" $MUTANT_SHEPHERD ||
				link_part "$place/sound" "$test" "$out" $MUTANT_SHEPHERD || die "$test cannot be linked"
			continue
			;;
		esac
		! newer "$out" "$KAHU_BUILD/tests/$test.o" "$KAHU_BUILD"/tests/scene.o || $MUTANT_CC $MUTANT_LDFLAGS -o "$out" \
			"$KAHU_BUILD/tests/$test.o" $MUTANT_FIXTURES -Wl,--no-as-needed -L"$place/sound" -lmutant -Wl,--as-needed \
			"$KAHU_BUILD/libkahu.so" $MUTANT_TEST_LIBS $fallback || die "$test cannot be linked"
	done
	mkdir -p "$place/sound/build"
	ln -sfn "$KAHU_BUILD/tests" "$place/sound/build/tests"
	ln -sf "$top/config.mk" "$place/sound/config.mk"
	for program in kahu:"$KAHU_BUILD/tui/main.o" kahu-shepherd:"$MUTANT_SHEPHERD"; do
		newer "$place/sound/${program%%:*}" ${program#*:} || continue
		link_program "$place/sound" "${program%%:*}" ${program#*:} || die "${program%%:*} cannot be linked"
	done
}

# The environment of a shepherd has no LD_LIBRARY_PATH.
# shellcheck disable=SC2086
link_program() { # FOLDER NAME OBJECT...
	linked=$1/$2
	sound=-Wl,-rpath,$1:$KAHU_BUILD
	shift 2
	$MUTANT_CC $MUTANT_LDFLAGS -o "$linked" "$@" $sound -Wl,--no-as-needed -L"$place/sound" -lmutant "$KAHU_BUILD/libkahu.so" \
		$MUTANT_LIBS
}

# A test of parts of the shepherd, which are in no library: with all of its objects but the one that has main().
# shellcheck disable=SC2046,SC2086
link_part() { # FOLDER TEST OUT OBJECT...
	sound=-Wl,-rpath,$1:$KAHU_BUILD
	test=$2
	linked=$3
	shift 3
	$MUTANT_CC $MUTANT_LDFLAGS -o "$linked" "$KAHU_BUILD/tests/$test.o" \
		$(printf '%s\n' "$@" | grep -vxF "$(object_of sched/rm/shepherd.c)") $sound -Wl,--no-as-needed -L"$place/sound" -lmutant \
		"$KAHU_BUILD/libkahu.so" $MUTANT_TEST_LIBS
}

# Compiles a changed copy of a file to the library of a folder. False: it does not compile.
# shellcheck disable=SC2046,SC2086 # options and objects are words
build_mutant() { # FOLDER FILE COPY
	(cd "$top" && $MUTANT_CC @"$flags" -w -iquote "$KAHU_SOURCE/${2%/*}" -c -o "$1/mutant.o" "$3") 2>"$1/errors" || return 1
	mkdir -p "$1/build"
	ln -sfn "$KAHU_BUILD/tests" "$1/build/tests"
	ln -sf "$top/config.mk" "$1/config.mk"
	cp "$place/sound/kahu" "$1/kahu" # a copy, which looks for the shepherd beside itself
	case $2 in
	sched/rm/shepherd*)
		cp "$place/sound/libmutant.so" "$1/libmutant.so"
		changed="$1/mutant.o $(printf '%s\n' $MUTANT_SHEPHERD | grep -vxF "$(object_of "$2")")"
		mkdir -p "$1/parts"
		for part in $MUTANT_PARTS; do
			[ "$2" = sched/rm/shepherd.c ] ||
				link_part "$1" "$part" "$1/parts/$(printf '%s' "$part" | tr / -)" $changed || return 1
		done
		link_program "$1" kahu-shepherd $changed
		;;
	*)
		link_shared "$1/libmutant.so" "$1/mutant.o" && case $2 in
		sched/base/* | sched/rm/*) link_program "$1" kahu-shepherd $MUTANT_SHEPHERD ;;
		*) ln -sf "$place/sound/kahu-shepherd" "$1/kahu-shepherd" ;;
		esac
		;;
	esac
}

# --- one fault -----------------------------------------------------------------------------

# "unit/test_gate 6" for each test that calls the file: the test of its name, then those that call a related file,
# the fastest first. Functions in tables are bound when a program is loaded, so every test seems to call their files.
tests_of() { # FILE
	awk -F '\t' -v file="$1" '
		function is_named(test,    noun) {
			noun = file
			sub(/.*\//, "", noun)
			for (sub(/\.c$/, "", noun); noun != ""; sub(/_?[^_]*$/, "", noun))
				if (test == "unit/test_" noun)
					return 1
			return 0
		}
		BEGIN {
			family = file
			sub(/(_[^\/]*)?\.c$/, "", family)
		}
		NR == FNR {
			callers[$2]++
			tests += !seen[$1]++
			next
		}
		index($2, family) == 1 && callers[$2] < tests / 2 { near[$1] = 1 }
		$2 == file { line[$1] = $4 "\t" $3 "\t" $1 }
		END {
			for (test in line)
				print (is_named(test) ? 0 : test in near ? 1 : 2) "\t" line[test]
		}' "$place/reach" "$place/reach" | sort -n -k 1 -k 2 |
		awk -v most_ms=$((TESTS_S * 1000)) '(all += $2) <= most_ms || NR <= 2 { print $4, int($3 / 100) + 5 }'
}

# True if the file and its changed copy give the same compiled code, so that no test can find the fault. Both
# are compiled with the same path, which assert() puts into the code, and with more optimization.
is_same_code() { # FOLDER FILE COPY
	for source in "$KAHU_SOURCE/$2" "$3"; do
		cp "$source" "$1/same.c"
		(cd "$top" && $MUTANT_CC @"$flags" -O2 -w -iquote "$KAHU_SOURCE/${2%/*}" -c -o "$1/same.$(basename "$source").o" "$1/same.c") \
			2>>"$1/errors" || return 1
	done
	cmp -s "$1/same.$(basename "$2").o" "$1/same.$(basename "$3").o"
}

# Prints a line: the verdict, the place, the fault, and the test that found it.
try() { # FOLDER FILE COPY NAME, tests on stdin
	cat >"$1/tests"
	if ! build_mutant "$1" "$2" "$3"; then
		printf 'uncompiled\t%s\n' "$4"
	elif found=$(enclose sh "$KAHU_SOURCE/tests/mutants.sh" --judge "$1" <"$1/tests") ||
		found=$(head -n "$MEMORY_TESTS" "$1/tests" | enclose sh "$KAHU_SOURCE/tests/mutants.sh" --judge-memory "$1"); then
		printf 'caught\t%s\t%s\n' "$4" "$found"
	elif is_same_code "$1" "$2" "$3"; then
		printf 'equivalent\t%s\n' "$4"
	else
		printf 'SURVIVED\t%s\n' "$4"
	fi
	rm -rf "$1"
}

# Plants a named fault: its lines with - must be in the file once, consecutively.
plant() { # NUMBER FILE
	awk -v number="$1" '
		function flush() { if (lines > 0) printf "%s", text }
		NR == FNR {
			if (/^fault /)
				fault++
			if (fault == number && /^-/)
				old = old substr($0, 2) "\n"
			if (fault == number && /^\+/)
				new = new substr($0, 2) "\n"
			next
		}
		{ text = text $0 "\n" }
		END {
			at = index(text, old)
			if (old == "" || at == 0 || index(substr(text, at + 1), old) > 0)
				exit 1
			printf "%s%s%s", substr(text, 1, at - 1), new, substr(text, at + length(old))
		}' "$data/planted" "$KAHU_SOURCE/$2"
}

# The time limit of a test; nothing if it was left out.
limit_of() { # TEST
	awk -F '\t' -v test="$1" '$1 == test { print test, $2 == "-" ? "" : int($3 / 100) + 5; exit }' "$place/reach" | grep ' [0-9]'
}

field() { # NUMBER FIELD
	awk -v number="$1" -v field="$2" '/^fault / { n++ } n == number && $1 == field { sub(/^[a-z]+ +/, ""); print; exit }' "$data/planted"
}

is_equivalent() { # FILE LINE OLD NEW
	sed -n "$2s/^[[:blank:]]*//p" "$KAHU_SOURCE/$1" | awk -F '\t' -v file="$1" -v old="$3" -v new="$4" '
		NR == FNR { line = $0; next }
		$1 == file && $2 == old && $3 == new && $4 == line { found = 1 }
		END { exit !found }' - "$data/equivalent"
}

case ${1-} in
--named)
	file=$(field "$2" file)
	folder=$place/named.$2
	mkdir -p "$folder"
	if plant "$2" "$file" >"$folder/fault.c"; then
		for test in $(field "$2" tests); do
			limit_of "$test"
		done | try "$folder" "$file" "$folder/fault.c" "$file: $(field "$2" fault)"
	else
		printf 'misplaced\t%s: %s\n' "$file" "$(field "$2" fault)"
	fi
	exit 0
	;;
--random)
	[ -s "$place/reach" ] || die "the tests have not been measured"
	folder=$place/random.$$
	mkdir -p "$folder"
	awk -v plant="$3" -f "$data/sites.awk" "$KAHU_SOURCE/$2" >"$folder/fault.c"
	awk -f "$data/sites.awk" "$KAHU_SOURCE/$2" | awk -F '\t' -v site="$3" '$1 == site' >"$folder/site"
	IFS='	' read -r _ line old new <"$folder/site"
	name="$2:$line: $old  ->  $new"
	if is_equivalent "$2" "$line" "$old" "$new"; then
		printf 'equivalent\t%s\n' "$name"
		rm -rf "$folder"
	else
		tests_of "$2" | try "$folder" "$2" "$folder/fault.c" "$name"
	fi
	exit 0
	;;
--measure) # the time of a test and the functions that it calls, as lines of the table
	enclose sh "$KAHU_SOURCE/tests/mutants.sh" --probe "$2" >"$place/probe.$$" || {
		printf '%s\t-\n' "$2"
		rm "$place/probe.$$"
		exit 0
	}
	awk -v test="$2" '
		NR == FNR { file[$3] = $1; next }
		$1 == "ms" { ms = $2 }
		$1 == "cpu" { cpu = $2 }
		$1 == "calls" && ($2 in file) && !seen[file[$2]]++ { print test "\t" file[$2] "\t" ms "\t" cpu }' \
		"$place/symbols" "$place/probe.$$"
	rm "$place/probe.$$"
	exit 0
	;;
esac

# --- all of them -----------------------------------------------------------------------------

self() { xargs -P "$WORKERS" -L 1 sh "$KAHU_SOURCE/tests/mutants.sh" "$@"; }

build_all "$@"
cd "$KAHU_BUILD" && find sched store tui -name '*.o' -exec nm -A --defined-only {} + |
	awk '$2 == "T" { sub(/\.o:.*/, ".c", $1); print $1, $2, $3 }' >"$place/symbols"
if newer "$place/reach" libkahu.so "$place"/tests/*; then
	echo "Running $# tests without a fault."
	printf '%s\n' "$@" | self --measure >"$place/reach.new"
	[ "$(grep -c '	-$' "$place/reach.new")" -le "$LEFT_OUT_MOST" ] || die "these tests must pass first"
	# The shepherd is another program, whose calls are not measured: tests of it, and tests that start jobs, count as calling it.
	awk -F '\t' -v shepherd="$MUTANT_SHEPHERD" -v build="$KAHU_BUILD/" '
		BEGIN { n = split(shepherd, object, " ") }
		$2 != "-" && ($1 ~ /test_shepherd/ || $2 == "sched/rm/local_start.c") && !seen[$1]++ {
			for (i = 1; i <= n; i++) {
				file = substr(object[i], length(build) + 1)
				sub(/\.o$/, ".c", file)
				print $1 "\t" file "\t" $3 "\t" $4
			}
		}
		{ print }' "$place/reach.new" >"$place/reach"
fi

failed=0
if [ "${ONLY:-planted}" = planted ]; then
	seq "$(grep -c '^fault ' "$data/planted")" | self --named | tee "$place/named"
	failed=$(grep -vc '^caught' "$place/named")
	echo "$(grep -c '^caught' "$place/named") of $(wc -l <"$place/named") named faults were caught."
fi
[ "${ONLY:-random}" = random ] || exit "$((failed > 0))"

echo "$MUTANTS random faults, SEED=$SEED"
[ $may_harm = yes ] || echo "None of them is in sched/rm or sched/host, because only root can create the namespaces that contain them."
cd "$KAHU_SOURCE" || exit 2
# shellcheck disable=SC2086 # patterns
for file in ${FILES:-sched/*/*.c store/*.c}; do
	case $may_harm:$file in no:sched/rm/* | no:sched/host/*) continue ;; esac
	awk -f "$data/sites.awk" "$file" | awk -F '\t' -v file="$file" '{ print file, $1 }'
done | awk -v seed="$SEED" -v wanted="$MUTANTS" '
	function below(n) {
		seed = seed * 16807 % 2147483647
		return int(seed / 2147483647 * n)
	}
	{ site[NR] = $0 }
	END {
		seed = seed % 2147483646 + 1
		for (i = 1; i <= wanted && i <= NR; i++) {
			at = i + below(NR - i + 1)
			print site[at]
			site[at] = site[i]
		}
	}' | self --random | tee "$place/random"

count() { grep -c "^$1" "$place/random"; }
caught=$(count caught)
survived=$(count SURVIVED)
echo "$caught of $((caught + survived)) random faults were caught; $(count uncompiled) did not compile, $(count equivalent) change nothing."
[ "$failed" -eq 0 ] && [ $((caught * 100)) -ge $(((caught + survived) * ENOUGH_PERCENT)) ]
