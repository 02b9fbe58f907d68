# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034 # the scripts use these variables
#
# lib.sh - functions and environment of all test scripts
#
# A script begins with  . "${KAHU_SOURCE:?}/tests/lib.sh"  and then has
#
#     $KAHU          the program under test (from make)
#     $KAHU_SOURCE   the sources; $KAHU_BUILD the folder with helpers, objects and libraries
#     $work          a new folder, also the current one; removed at the end
#     $shared        data next to the project, empty if there is none
#
# and an environment without the user's stores, configurations and colours. Each check
# prints "ok NAME" or "not ok NAME" with the difference; the script's status is 1 if a check has failed.

set -u
unset KAHU_STORE KAHU_CONF NO_COLOR COLORTERM LINES COLUMNS
export LC_ALL=C.UTF-8 TZ=UTC TERM=xterm-256color

tests_failed=0
work=$(mktemp -d "${TMPDIR:-/tmp}/kahu-test.XXXXXX") || exit 3
cleanup_commands=:

leave() {
	leave_status=$?
	eval "$cleanup_commands"
	cd / && rm -rf "$work"
	[ $leave_status -ne 0 ] || [ $tests_failed -eq 0 ] || leave_status=1
	exit $leave_status
}
trap leave EXIT
trap 'exit 3' HUP INT TERM

cd "$work" || exit 3
export HOME="$work" XDG_CONFIG_HOME="$work/config" XDG_STATE_HOME="$work/state" XDG_RUNTIME_DIR="$work"
export XDG_DATA_HOME="$work/data" XDG_CACHE_HOME="$work/cache"

shared=
[ ! -d "$KAHU_SOURCE/../shared" ] || shared=$KAHU_SOURCE/../shared

# Runs COMMAND when the script ends, for whatever reason; the last given command runs first.
at_exit() { cleanup_commands="$*; $cleanup_commands"; }

pass() { printf 'ok %s\n' "$*"; }

fail() { # NAME [TEXT]: the text is printed below the name
	printf 'not ok %s\n' "$1"
	tests_failed=$((tests_failed + 1))
	[ $# -lt 2 ] || printf '%s\n' "$2" | sed 's/^/# /'
}

skip() { printf 'ok %s # SKIP %s\n' "$1" "$2"; } # NAME REASON

check_equal() { # NAME EXPECTED ACTUAL
	if [ "$2" = "$3" ]; then
		pass "$1"
		return
	fi
	printf '%s\n' "$2" >"$work/.expected"
	printf '%s\n' "$3" >"$work/.actual"
	fail "$1" "$(diff -u --label expected --label actual "$work/.expected" "$work/.actual")"
}

check_same_files() { # NAME EXPECTED_FILE ACTUAL_FILE
	if cmp -s "$2" "$3"; then
		pass "$1"
	else
		fail "$1" "$(diff -u "$2" "$3" 2>&1 | head -n 40)"
	fi
}

check_contains() { # NAME NEEDLE TEXT
	case $3 in
	*"$2"*) pass "$1" ;;
	*) fail "$1" "looked for: $2
in: $3" ;;
	esac
}

check_true() { # NAME COMMAND...
	check_name=$1
	shift
	if "$@" >"$work/.out" 2>&1; then
		pass "$check_name"
	else
		fail "$check_name" "status $? from: $*
$(cat "$work/.out")"
	fi
}

# Runs a command and compares its status; leaves its output in $out and $err.
check_status() { # NAME STATUS COMMAND...
	check_name=$1 check_wanted=$2
	shift 2
	"$@" >"$work/.out" 2>"$work/.err" </dev/null
	check_got=$?
	out=$(cat "$work/.out") err=$(cat "$work/.err")
	if [ $check_got -eq "$check_wanted" ]; then
		pass "$check_name"
	else
		fail "$check_name" "status $check_got instead of $check_wanted from: $*
$out
$err"
	fi
}

# Creates a folder for programs that Kahu is to run, $programs: all users can read it, only its owner can write to it.
make_programs() {
	programs=$(mktemp -d "${TMPDIR:-/tmp}/kahu-test.XXXXXX") || exit 3
	chmod 755 "$programs"
	at_exit "rm -rf '$programs'"
}

# Waits until COMMAND succeeds, at most six times SECONDS; an idle machine needs less than SECONDS.
wait_until() { # SECONDS COMMAND...
	wait_tries=$(($1 * 6 * 50))
	shift
	until "$@" >/dev/null 2>&1; do
		wait_tries=$((wait_tries - 1))
		[ $wait_tries -gt 0 ] || return 1
		sleep 0.02
	done
}

# --- a scheduler for the script --------------------------------------------------------------

server=

# A configuration with JOBS processors, regardless of the size and the load of this machine.
room_for() { # JOBS
	printf 'node %s { procs = %d }\nsystemdefaultjobwalltime = "1:00:00"\nnodeavailabilitypolicy = dedicated\n' \
		"$(uname -n)" "$1" >kahu.conf
	export KAHU_CONF="$work/kahu.conf"
}

# Starts a scheduler on a store in $work and sets KAHU_STORE; its process is $server.
serve() { # [OPTION]...
	[ -n "$server" ] || at_exit 'kill -9 "$server" 2>/dev/null'
	export KAHU_STORE="$work/st"
	: >serve.out
	"$KAHU" "$@" serve >serve.out 2>serve.err &
	server=$!
	wait_until 10 test -s serve.out || fail "the scheduler starts" "$(cat serve.err)"
}
stop() { kill "$server" && wait "$server"; }

# Starts root's scheduler on a store in $work, with a program that other users can run. Skips the script if the
# user is not root.
serve_users() { # NAME of the skipped test
	if [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null; then
		skip "$1" "only root runs them"
		exit 0
	fi
	mkdir bin theirs
	cp "$KAHU" "$KAHU_BUILD/../kahu-shepherd" bin/ || exit 3
	KAHU="$work/bin/kahu"
	chmod 755 "$work" bin
	chown nobody theirs
	export KAHU_RUN="$work/run" XDG_RUNTIME_DIR="$work/theirs"
	"$KAHU" --store "$work/st" serve >serve.out 2>serve.err &
	server=$!
	at_exit 'kill -9 "$server" 2>/dev/null'
	wait_until 10 test -s serve.out || fail "the scheduler starts" "$(cat serve.err)"
}
# Runs kahu as nobody, in a folder of that user.
theirs() { (cd theirs && exec setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups -- "$KAHU" "$@"); }

journal_has() { "$KAHU" journal --from 1 | grep -q "$1"; } # PATTERN: true if the journal has it
has() { grep -qx "$1" "$2"; }                       # LINE FILE
is_gone() { ! pgrep -f "$1" >/dev/null; }           # COMMAND
