#!/bin/sh
# SPDX-License-Identifier: MIT
#
# zone.sh - do all screens tell the time of the place, and take what is typed for it?
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"
export TZ=America/New_York
if [ "$(date -d @1767600000 +%H)" != 03 ]; then
	skip "New York has its time" "no time zones are installed"
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
check_contains "the clock of the title" "KAHU simulation  Fri Jan  9 05:00:00 " "$(cat queue)"
check_contains "a start" "> 960      r ravi       batch    32    2:00:00   8659 21:54h  21:53:25 +16:53h " "$(cat queue)"
check_contains "one of another day of the place" " Jan10 04:01 +23:01h" "$(cat queue)"
check_contains "the start on the job's page" "21:53:25" "$(cat job)"
check_contains "when it was submitted" "Jan08 07:05" "$(cat job)"
check_contains "a row of the journal" "6296 05:00:00 " "$(cat journal)"
check_contains "an entry of the journal" "6296  2026-01-09T05:00:00  " "$(cat journal)"
check_contains "what is typed" "VIEW 04:56:30 -3m   READ-ONLY" "$(head -n 1 past)"
check_contains "the line of time" " 04:05  04:10  04:15 " "$(cat past)"
