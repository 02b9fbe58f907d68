#!/bin/sh
# SPDX-License-Identifier: MIT
#
# zone.sh - all screens show and accept local times
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"
export TZ=America/New_York
if [ "$(date -d @1767600000 +%H)" != 03 ]; then
	skip "times of New York" "no time zones are installed"
	exit 0
fi

play demo --nodes 8 --seed 5 <<'EOS'
size 100x30
advance 2h
:tune xfactorweight 500
keys A
wait-idle
dump queue
keys <Enter>
wait-idle
dump job
keys 8
wait-idle
dump journal
:at 04:56:30
wait-idle
dump past
EOS
check_contains "the clock in the title" "KAHU simulation  Fri Jan  9 05:00:00 " "$(cat queue)"
check_contains "a start" "> 960      r ravi       batch    32    2:00:00   8659 21:54h  21:53:25 +16:53h " "$(cat queue)"
check_contains "a start on another local day" " Jan10 04:01 +23:01h" "$(cat queue)"
check_contains "the start on the job's page" "21:53:25" "$(cat job)"
check_contains "the submission on the job's page" "Jan08 07:05" "$(cat job)"
check_contains "a row of the journal" "6296 05:00:00 " "$(cat journal)"
check_contains "an entry of the journal" "6296  2026-01-09T05:00:00  " "$(cat journal)"
check_contains "a typed time" "VIEW 04:56:30 -3m   READ-ONLY" "$(head -n 1 past)"
check_contains "the timeline" " 04:05  04:10  04:15 " "$(cat past)"
