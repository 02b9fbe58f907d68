#!/bin/sh
# SPDX-License-Identifier: MIT
#
# faults.sh - failing system calls, interrupted calls and clock changes lose no job and run none twice
#
# One call of a kind fails in the scheduler or a shepherd (faults.so), once or for a while, while jobs are
# submitted and run. A scheduler that ends because of it is restarted without the fault. Every job whose ID
# was printed must then have run at most once and have ended with its own status, or as lost, and no process may
# have died of a signal. Lack of memory ends the scheduler by abort(3), which is by design, or by exit(2), which the
# lexer of libconfuse calls.
# FAULTS=N tries N calls of each kind, FAULTS=all every call until a run has no fault; KINDS="write fork" only
# these kinds (write, sync, fork, open, read, malloc, and signal and clock for the last two parts), TRIAL="KIND NUMBER
# ERRNO COUNT" only that one call. KEEP=1 keeps the files of each trial.
# shellcheck source=tests/crash/history.sh
. "${KAHU_SOURCE:?}/tests/crash/history.sh"

KAHU=${KAHU_FAILING:?}
faults=$(dirname "$KAHU")/faults.so
tries=${FAULTS:-3}
kinds=" ${KINDS:-write sync fork open read malloc signal clock} "
is_wanted() { case $kinds in *" $1 "*) ;; *) return 1 ;; esac; } # KIND
if [ ! -e "$faults" ]; then
	skip "failing calls lose no job" "faults.so does not work with a sanitizer"
	exit 0
fi
echo "# SEED=$seed"
room_for 4

# A counter of struct shared in faults.h: 0 to 5 the calls of a kind, 6 those that failed.
counter() { od -An -tu8 -j $(($1 * 8)) -N 8 disk.calls | tr -d ' '; } # PLACE
set_clock() { # SECONDS: the offset of the clock of all processes under test
	perl -e 'print pack("q", shift)' -- "$1" | dd of=disk.calls bs=8 seek=7 conv=notrunc status=none
}

# The first scheduler has the fault; its successors have none.
keep_serving() { # [VARIABLE=VALUE]
	while [ ! -e stop ]; do
		env "$@" "$KAHU" serve >serve.out 2>>serve.err &
		echo $! >serve.pid
		wait $!
		echo $? >>statuses
		set --
	done
}

begin_trial() { # NAME [VARIABLE=VALUE]...
	trial=$1
	shift
	mkdir "$trial" && cd "$trial" || exit 3
	mkdir disk
	: >log
	: >accepted
	: >statuses
	truncate -s 128 disk.calls
	export KAHU_STORE="$PWD/disk/st"
	keep_serving LD_PRELOAD="$faults" KAHU_FAULTS="$PWD/disk" "$@" 2>/dev/null &
	keeper=$!
	wait_until 20 test -s serve.pid
}

# Submits until an ID is printed. Each try is a separate job, because one that was not answered may exist nevertheless.
submit_until_taken() { # NUMBER
	number=$1
	until one_id=$("$KAHU" submit -o /dev/null -j oe -l walltime=60 -- "$work/job.sh" "$number" "$PWD" 0.02 2>>said); do
		number=$((number + 70))
		[ $number -lt 7000 ] || return 1
		sleep 0.02
	done
	echo "$one_id $number" >>accepted
}

release_deferred() {
	"$KAHU" queue -b 2>/dev/null | awk '/ Deferred / { print $1 }' | while read -r id; do
		"$KAHU" release "$id" >>said 2>&1 || "$KAHU" start "$id" >>said 2>&1
	done
}
all_ended_or_released() { all_ended || { release_deferred; return 1; }; }

submit_all() { for n in 1 2 3; do submit_until_taken $n; done; }

# Appends all violations to ../violations.
end_trial() { # [STATUS...]: permitted statuses of schedulers in addition to 0 and 3
	wait_until 30 all_ended_or_released
	touch stop
	kill "$(cat serve.pid)" 2>/dev/null
	wait "$keeper"
	{
		judge lost
		for status in $(cat statuses); do
			case " 0 1 3 $* " in
			*" $status "*) ;;
			*) echo "a scheduler ended with status $status: $(tail -n 2 serve.err)" ;;
			esac
		done
		"$KAHU_BUILD/tests/crash/verify_store" "$KAHU_STORE"
	} 2>&1 | sed "s/^/$trial: /" >>../violations
	failed=$(counter 6)
	cd ..
	[ -n "${KEEP:-}" ] || rm -rf "$trial"
}

: >violations

# --- calls that fail ----------------------------------------------------------------------------------

begin_trial untouched
submit_all
wait_until 30 all_ended_or_released
for kind in 0 1 2 3 4 5; do
	counter $kind
done >../totals
end_trial

try_fault() { # KIND NUMBER ERRNO COUNT [STATUS]
	begin_trial "$1-$2-$3x$4" KAHU_FAULT="$1:$2:$3:$4"
	submit_all
	end_trial ${5:+"$5"}
	injected=$((injected + (failed > 0)))
}

try_kind() { # KIND PLACE ERRNO COUNT [STATUS]
	is_wanted "$1" || return 0
	total=$(sed -n "$(($2 + 1))p" totals)
	try=0
	while [ "$tries" = all ] || [ $try -lt "$tries" ]; do
		try=$((try + 1))
		number=$try
		if [ "$tries" != all ]; then
			random 32768
			number=$((random * total / 32768 + 1))
		fi
		try_fault "$1" "$number" "$3" "$4" "${5:-}"
		runs=$((runs + 1))
		[ "$tries" != all ] || [ "$failed" -gt 0 ] || break
	done
}

runs=0 injected=0
if [ -n "${TRIAL:-}" ]; then
	# shellcheck disable=SC2086 # four words
	try_fault $TRIAL "134 2"
	check_equal "$TRIAL" "" "$(cat violations)"
	exit
fi
echo "# calls of an untouched run: $(tr '\n' ' ' <totals)(malloc write sync fork open read)"
try_kind write 1 28 1  # ENOSPC
try_kind write 1 28 40
try_kind write 1 30 20 # EROFS
try_kind sync 2 5 1 # EIO
try_kind fork 3 11 1 # EAGAIN
try_kind fork 3 11 20
try_kind open 4 24 1 # EMFILE
try_kind open 4 24 40
try_kind read 5 5 1 # EIO
try_kind malloc 0 12 1 "134 2" # ENOMEM
if [ $runs -gt 0 ]; then
	check_equal "$runs runs with failing calls, of which $injected were hit: no job is lost or run twice" "" "$(cat violations)"
	echo "# soak $runs 0 $injected"
	check_true "at least a third of the runs were hit" test $injected -gt $((runs / 3))
fi

# --- interruptions --------------------------------------------------------------------------------------

if is_wanted signal; then
	: >violations
	begin_trial interrupted KAHU_FAULT_EINTR=1
	submit_all
	end_trial
	check_equal "a signal every millisecond: no job is lost or run twice" "" "$(cat violations)"
fi

# --- the clock --------------------------------------------------------------------------------------------

is_wanted clock || exit 0
for offset in 3600 -3600 86400 -86400 315360000; do
	: >violations
	begin_trial "clock$offset"
	submit_until_taken 1
	set_clock $offset
	submit_until_taken 2
	submit_until_taken 3
	end_trial
	check_equal "the clock is set by $offset s: no job is lost or run twice" "" "$(cat violations)"
done

# 1970, and the last times of 31 and 32 bits.
for moment in 86400 2147483640 4294967290; do
	: >violations
	begin_trial "year$moment"
	set_clock $((moment - $(date +%s)))
	submit_all
	end_trial
	check_equal "jobs run if the clock shows $moment" "" "$(cat violations)"
done
