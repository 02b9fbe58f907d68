#!/bin/sh
# SPDX-License-Identifier: MIT
#
# kill_shepherd.sh - a job whose shepherd is killed is recorded as lost, and no other job is affected
#
# At random times a shepherd is killed (-9), or a shepherd and the scheduler, in both orders; or all
# processes, followed by another boot ID. At most one job is lost for each killed shepherd; no job runs twice, and the
# processors of lost jobs become free. ROUNDS is the number of kills.
# shellcheck source=tests/crash/history.sh
. "${KAHU_SOURCE:?}/tests/crash/history.sh"

rounds=${ROUNDS:-12}
echo "# SEED=$seed, $rounds kills"
room_for 8
KAHU=${KAHU_FAILING:?}
export KAHU_BOOT_FILE="$work/boot"
new_boot() { printf '00000000-0000-0000-0000-%012d\n' "$1" >boot; } # NUMBER
new_boot 0

number=0
submit_some() {
	while [ ! -e stop ]; do
		number=$((number + 1))
		random 40
		submit_one $number "0.$((random / 10))$((random % 10))"
	done
}

# The PID of a random shepherd; nothing if none is alive.
one_shepherd() {
	random 1000
	shepherds | awk -v pick="$random" '{ pid[NR] = $1 } END { if (NR > 0) print pid[pick % NR + 1] }'
}
kill_shepherd() {
	one=$(one_shepherd)
	[ -n "$one" ] || return 0
	kill -9 "$one" 2>/dev/null && killed=$((killed + 1))
}
kill_machine() {
	kill_server
	for one in $(shepherds); do
		kill -9 "$one" 2>/dev/null && killed=$((killed + 1))
	done
	new_boot $round
	boots=$((boots + 1))
}

serve
submit_some &
submitter=$!
round=0 killed=0 boots=0
while [ $round -lt "$rounds" ]; do
	round=$((round + 1))
	random 100
	sleep "0.1$((random / 10))$((random % 10))"
	random 64
	case $((random % 4)) in
	0) kill_shepherd ;;
	1)
		kill_shepherd
		kill_server
		serve
		;;
	2)
		kill_server
		kill_shepherd
		serve
		;;
	3)
		kill_machine
		serve
		;;
	esac
done
touch stop
wait "$submitter"
# At least one shepherd is killed while its job runs, however slow this machine is.
number=$((number + 100000))
submit_one $number 1000 -l walltime=1:00:00
begun() { grep -q "^begin $number\$" log; }
check_true "another job runs" wait_until 60 begun
kill -9 "$("$KAHU_BUILD/tests/crash/show_spool" "$KAHU_STORE/spool" | awk -v id="$one_id" '$1 == id { print $3 }')" &&
	killed=$((killed + 1))
check_true "every accepted job ends" wait_until 60 all_ended
check_equal "each job ran at most once, and ended with its own status or was lost" "" "$(judge lost)"
# At a reboot a job that was about to start can be lost as well.
[ $boots -gt 0 ] || check_true "no more jobs were lost than shepherds were killed" test "$(count_lost)" -le $killed
check_true "at least one job was lost" test "$(count_lost)" -gt 0
echo "# $rounds rounds, $killed shepherds killed, $boots boots, $(count accepted) accepted, $(count_lost) lost"
echo "# soak $rounds $(count accepted) $killed"
all=$("$KAHU" submit -o /dev/null -j oe -l nodes=1:ppn=8 -- true)
check_true "all processors are free again" wait_until 20 sh -c '"$1" journal --from 1 | grep -q " end $2, status 0"' sh "$KAHU" "$all"
kill "$server"
wait "$server"
check_status "the store is intact" 0 "$KAHU_BUILD/tests/crash/verify_store" "$KAHU_STORE"
