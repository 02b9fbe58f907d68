#!/bin/sh
# SPDX-License-Identifier: MIT
#
# init.sh - does a bare host get a configuration that is good, and is none lost that is there?
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

check_status "it can be printed" 0 "$KAHU" init -
printf '%s\n' "$out" >printed.conf
check_status "what is printed is a good configuration" 0 "$KAHU" lint printed.conf
check_contains "with nothing odd in it" ", 0 warnings" "$out"
check_contains "it knows this host" "$(uname -n | tr -c 'A-Za-z0-9.\n-' _)" "$(cat printed.conf)"

check_status "it is written where it is asked for" 0 "$KAHU" init far/away/kahu.conf
check_contains "and says what to do next" "kahu doctor" "$out"
check_equal "for everybody to read" 644 "$(stat -c %a far/away/kahu.conf)"
check_same_files "as it is printed" printed.conf far/away/kahu.conf

echo "queuetimeweight = 7" >mine.conf
check_status "a file that is there is left alone" 1 "$KAHU" init mine.conf
check_contains "and named" "mine.conf already exists" "$err"
check_equal "as it is" "queuetimeweight = 7" "$(cat mine.conf)"
ln -s nowhere link.conf
check_status "so is a link" 1 "$KAHU" init link.conf
check_status "unless it is to be replaced" 0 "$KAHU" init --force mine.conf
check_same_files "then the new one is there" printed.conf mine.conf
check_equal "and the old one beside it" "queuetimeweight = 7" "$(cat mine.conf.old)"

check_status "the usual place is used without a name" 0 env -u KAHU_CONF "$KAHU" --config here.conf init
check_true "where --config says" test -s here.conf
: >file
check_status "a folder that cannot be made is a failure" 3 "$KAHU" init file/kahu.conf
check_contains "and named" "file" "$err"
check_equal "nothing else is left behind" "" "$(find . -name '*.new')"
