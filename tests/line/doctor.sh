#!/bin/sh
# SPDX-License-Identifier: MIT
#
# doctor.sh - kahu doctor reports what a host offers and lacks, and changes nothing
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

export KAHU_STORE="$work/st"
server=
at_exit 'kill -9 $server 2>/dev/null'

check_status "doctor succeeds on this host" 0 "$KAHU" doctor
check_contains "it says that the store will be created" "store: $work/st will be created" "$out"
check_true "it does not create the store" test ! -e st
check_contains "it says that no scheduler runs" "scheduler: not running" "$out"
check_equal "every line has a severity and a subject" "" "$(printf '%s\n' "$out" | grep -v '^\(ok  \|warn\|fail\)  [a-z ]*: ')"
check_contains "it reports the job containment" "job containment: " "$out"
check_status "doctor --json succeeds" 0 "$KAHU" --json doctor
check_contains "the JSON has the findings" '"what":"processors"' "$out"

mkdir -m 777 open && chmod 777 open
check_status "an error in the setup gives status 1" 1 env KAHU_STORE="$work/open" "$KAHU" doctor
check_contains "the finding names the directory" "fail  store: the store directory $work/open is writable by other users" "$out"
check_contains "the error message counts the findings" "must be fixed" "$err"
echo 'queuetimeweight = many' >bad.conf
check_status "an invalid configuration gives status 1" 1 "$KAHU" --config bad.conf doctor
check_contains "the finding has the line of the configuration" "bad.conf:1" "$out"

"$KAHU" serve >serve.out 2>serve.err &
server=$!
wait_until 10 test -s serve.out || fail "the scheduler starts" "$(cat serve.err)"
check_status "doctor succeeds while a scheduler runs" 0 "$KAHU" doctor
check_contains "it reports the process of the scheduler" "scheduler: process $server is running and responds" "$out"
kill "$server" && wait "$server"
check_equal "no temporary file is left in the store" "" "$(find st -name '*.new' -o -name 'probe*')"

# --- the last good copy ---------------------------------------------------------------------------------

check_status "doctor succeeds with a store that was used" 0 "$KAHU" doctor
check_contains "it reports the last good copy and its entry" "ok    last good copy: of entry " "$out"
check_status "verify succeeds" 0 "$KAHU" verify
check_contains "verify reports the last good copy" "last-good.kahu contains the queue after entry " "$out"
check_status "verify of a missing store fails" 3 "$KAHU" --store "$work/absent" verify
check_contains "the message says what to do" "the store directory $work/absent: No such file or directory; check the name" "$err"
printf x | dd of=st/last-good.kahu bs=1 seek=20 conv=notrunc status=none
check_status "a damaged last good copy is only a warning" 0 "$KAHU" doctor
check_contains "doctor reports the damage" "warn  last good copy: damaged" "$out"
check_status "verify succeeds with a damaged last good copy" 0 "$KAHU" verify
check_contains "it says that no copy is intact" "there is no intact last-good.kahu" "$out"

# --- PAM ------------------------------------------------------------------------------------------------

if ! grep -q -e -DHAVE_PAM "$KAHU_BUILD/../config.mk"; then
	check_contains "doctor reports a build without PAM" "pam: built without it" "$("$KAHU" doctor)"
elif [ "$(id -u)" = 0 ]; then
	echo 'pamservice = "kahu-no-such-service"' >pam.conf
	check_status "a PAM service without a file is only a warning" 0 "$KAHU" --config pam.conf doctor
	check_contains "doctor names the service, and says that service other is not used" "warn  pam: no file for the service 'kahu-no-such-service' (the service 'other' is not used" "$out"
	echo 'pamservice = "none"' >pam.conf
	check_contains "doctor reports that PAM is disabled" "pam: disabled (pamservice)" "$("$KAHU" --config pam.conf doctor)"
fi

# Devices that the configuration sets.
printf 'devices = "0,1"\n' >devices.conf
check_contains "doctor counts the devices of the configuration" "devices: 2, set by the option devices in kahu.conf: " \
	"$("$KAHU" --config devices.conf doctor)"
printf 'devices = "none"\n' >devices.conf
check_contains "doctor reports devices = none" "devices: none, set by the option devices in kahu.conf" "$("$KAHU" --config devices.conf doctor)"
