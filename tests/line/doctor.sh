#!/bin/sh
# SPDX-License-Identifier: MIT
#
# doctor.sh - kahu doctor reports what a host offers and lacks, and changes nothing
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

export KAHU_STORE="$work/st"
server=
at_exit 'kill -9 $server 2>/dev/null'

check_status "this host can run jobs" 0 "$KAHU" doctor
check_contains "its store will be created" "store: $work/st will be created" "$out"
check_true "but not by looking" test ! -e st
check_contains "no scheduler runs" "scheduler: not running" "$out"
check_equal "every line says how it is" "" "$(printf '%s\n' "$out" | grep -v '^\(ok  \|warn\|fail\)  [a-z ]*: ')"
check_contains "how far jobs are held is said" "job containment: " "$out"
check_status "programs are told as well" 0 "$KAHU" --json doctor
check_contains "in JSON" '"what":"processors"' "$out"

mkdir -m 777 open && chmod 777 open
check_status "what must be fixed fails" 1 env KAHU_STORE="$work/open" "$KAHU" doctor
check_contains "and is named" "fail  store: the store directory $work/open can be written by others" "$out"
check_contains "and counted" "must be fixed" "$err"
echo 'queuetimeweight = many' >bad.conf
check_status "so does a configuration that cannot be used" 1 "$KAHU" --config bad.conf doctor
check_contains "with its line" "bad.conf:1" "$out"

"$KAHU" serve >serve.out 2>serve.err &
server=$!
wait_until 10 test -s serve.out || fail "the scheduler starts" "$(cat serve.err)"
check_status "with a scheduler" 0 "$KAHU" doctor
check_contains "it says which process it is" "scheduler: process $server is running and responds" "$out"
kill "$server" && wait "$server"
check_equal "nothing is left behind in the store" "" "$(find st -name '*.new' -o -name 'probe*')"

# --- the last good copy ---------------------------------------------------------------------------------

check_status "a store that has run" 0 "$KAHU" doctor
check_contains "has a last good copy, with its age" "ok    last good copy: of entry " "$out"
check_status "verify" 0 "$KAHU" verify
check_contains "tells it, too" "last-good.kahu contains the queue after entry " "$out"
printf x | dd of=st/last-good.kahu bs=1 seek=20 conv=notrunc status=none
check_status "a damaged one" 0 "$KAHU" doctor
check_contains "is named" "warn  last good copy: damaged" "$out"
check_status "for verify" 0 "$KAHU" verify
check_contains "neither" "there is no intact last-good.kahu" "$out"

# --- PAM ------------------------------------------------------------------------------------------------

if ! grep -q -e -DHAVE_PAM "$KAHU_BUILD/../config.mk"; then
	check_contains "a Kahu without PAM says so" "pam: built without it" "$("$KAHU" doctor)"
elif [ "$(id -u)" = 0 ]; then
	echo 'pamservice = "kahu-no-such-service"' >pam.conf
	check_status "a service without a file" 0 "$KAHU" --config pam.conf doctor
	check_contains "is named, and that nothing stands in for it" "warn  pam: service kahu-no-such-service has no file (service other is not used" "$out"
	echo 'pamservice = "none"' >pam.conf
	check_contains "none is said to be none" "pam: disabled (pamservice)" "$("$KAHU" --config pam.conf doctor)"
fi

# Devices that the configuration names.
printf 'devices = "0,1"\n' >devices.conf
check_contains "devices of the configuration are counted" "devices: 2, set by devices in kahu.conf: " \
	"$("$KAHU" --config devices.conf doctor)"
printf 'devices = "none"\n' >devices.conf
check_contains "so are none" "devices: none, set by devices in kahu.conf" "$("$KAHU" --config devices.conf doctor)"
