#!/bin/sh
# SPDX-License-Identifier: MIT
#
# init.sh - kahu init writes a valid configuration for this host, and overwrites nothing
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

check_status "init - prints a configuration" 0 "$KAHU" init -
printf '%s\n' "$out" >printed.conf
check_status "the printed configuration is valid" 0 "$KAHU" lint printed.conf
check_contains "it has no warnings" ", 0 warnings" "$out"
check_contains "it names this host" "$(uname -n | tr -c 'A-Za-z0-9.\n-' _)" "$(cat printed.conf)"

check_status "init writes a file in a new folder" 0 "$KAHU" init far/away/kahu.conf
check_contains "it prints the next step" "kahu doctor" "$out"
check_equal "all users can read the file" 644 "$(stat -c %a far/away/kahu.conf)"
check_same_files "the file equals the printed configuration" printed.conf far/away/kahu.conf

echo "queuetimeweight = 7" >mine.conf
check_status "an existing file is not overwritten" 1 "$KAHU" init mine.conf
check_contains "the refusal names the file" "mine.conf already exists" "$err"
check_equal "the file is unchanged" "queuetimeweight = 7" "$(cat mine.conf)"
ln -s nowhere link.conf
check_status "a symbolic link is not overwritten" 1 "$KAHU" init link.conf
check_status "--force replaces a file" 0 "$KAHU" init --force mine.conf
check_same_files "the file is the new configuration" printed.conf mine.conf
check_equal "the old file is kept as .old" "queuetimeweight = 7" "$(cat mine.conf.old)"

check_status "without an argument the default path is used" 0 env -u KAHU_CONF "$KAHU" --config here.conf init
check_true "--config sets the default path" test -s here.conf
: >file
check_status "a folder that cannot be created is an error" 3 "$KAHU" init file/kahu.conf
check_contains "the message names the path" "file" "$err"
check_equal "no temporary file is left" "" "$(find . -name '*.new')"
