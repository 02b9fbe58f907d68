#!/bin/sh
# SPDX-License-Identifier: MIT
#
# import.sh - kahu import converts a maui.cfg to a valid kahu.conf and reports the rest by line
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

cat >maui.cfg <<'EOS'
SERVERHOST      gw
# weights
SERVWEIGHT      3
QUEUETIMEWEIGHT 10
USERCFG[john]   PRIORITY=2000 MAXJOB=2,8 \
                FSTARGET=25.0+
QOSCFG[hi]      QFLAGS=PREEMPTOR MAXJBO=4
USERCFG[john]   PRIORITY=1000
NODECFG[n1]     PRIORITYF='SPEED + .01 * AMEM'
NODECFG[n2]     PRIORITYF='SPEED / 0'
EOS

check_status "a maui.cfg is imported" 0 "$KAHU" import maui.cfg
printf '%s\n' "$out" >kahu.conf
check_equal "standard output is the configuration" "$(cat <<'EOS'
# kahu.conf - the policy of a maui.cfg, imported by 'kahu import'
#
# The command has listed the lines that it could not import. See kahu-maui(7).

queuetimeweight = 10

# Defaults of Maui that differ from those of Kahu.
systemdefaultjobwalltime = "10:00:00:00"

user john {
	priority = 1000
	maxjob = {"2,8"}
	fstarget = "25.0+"
}

node n1 {
	priorityf = "SPEED + .01 * AMEM"
}
EOS
)" "$out"
said=$err
check_contains "a setting without a use is reported" "maui.cfg:1: unneeded: SERVERHOST gw" "$said"
check_contains "a misspelt parameter is reported with the nearest name" \
	"maui.cfg:3: wrong: SERVWEIGHT 3: Maui does not know SERVWEIGHT and ignored it; was SERVICEWEIGHT meant?" "$said"
check_contains "a feature that Kahu lacks is reported" "maui.cfg:7: lost: QOSCFG[hi] QFLAGS=PREEMPTOR" "$said"
check_contains "an unknown attribute is reported" "maui.cfg:7: wrong: QOSCFG[hi] MAXJBO=4" "$said"
check_contains "a contradiction is reported with both lines" \
	"maui.cfg:8: wrong: USERCFG[john] PRIORITY=1000: line 5 says 2000" "$said"
check_contains "an expression that divides by 0 is reported" "maui.cfg:10: wrong: NODECFG[n2] PRIORITYF=SPEED / 0" "$said"
check_contains "the findings are counted" "6 values imported, 1 unneeded, 1 changed, 1 lost, 4 wrong" "$said"

check_status "the configuration is valid" 0 "$KAHU" lint kahu.conf
check_status "standard input is imported" 0 sh -c "\"$KAHU\" import - <maui.cfg"
check_contains "findings name it as standard input" "standard input:3: wrong" "$err"
check_status "--json succeeds" 0 "$KAHU" import maui.cfg --json
check_equal "--json prints nothing to standard error" "" "$err"
check_contains "the JSON has the findings" '{"line":3,"severity":"wrong","text":"SERVWEIGHT 3: Maui does not' "$out"
check_contains "the JSON has the configuration" '"conf":"# kahu.conf' "$out"

check_status "a file that is not a maui.cfg is refused" 1 "$KAHU" import kahu.conf
check_contains "the refusal has the reason" "kahu.conf: it contains sections in { }" "$err"
check_equal "nothing is printed to standard output" "" "$out"
check_status "a missing file is refused" 1 "$KAHU" import none.cfg
check_contains "a missing file is named" "none.cfg" "$err"
check_status "a directory is refused" 1 "$KAHU" import "$work"
printf 'QUEUETIMEWEIGHT 1\n\000' >nul.cfg
check_status "a NUL byte is refused" 1 "$KAHU" import nul.cfg
check_status "a call without a file is wrong usage" 2 "$KAHU" import

# Every maui.cfg of the cases is understood completely.
if [ -n "$shared" ]; then
	for cfg in "$shared"/cases/*/maui.cfg; do
		case=${cfg%/maui.cfg}
		case=${case##*/}
		check_status "case $case is imported" 0 "$KAHU" import "$cfg"
		printf '%s\n' "$out" >case.conf
		printf '%s\n' "$err" | grep ': wrong: ' | sed 's/^[^:]*:\([0-9]*\): wrong: \([A-Z]*\).*/\1 \2/' >wrong
		errors=0
		[ "$case" != 08b-soft-hard-nobackfill ] || errors=1 # its jobs above soft limits never start
		check_status "case $case gives a valid configuration" "$errors" "$KAHU" lint case.conf
		expected=
		[ "$case" != 06-xfactor-qtime ] || expected='14 SERVWEIGHT'
		check_equal "case $case has no other wrong lines" "$expected" "$(cat wrong)"
	done
else
	skip "the cases are imported" "no data beside the project"
fi
