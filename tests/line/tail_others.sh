#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tail_others.sh - kahu tail reads as the job's user and escapes control bytes
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

serve_users "the output of other users' jobs"

printf 'a\tb\303\251\033]0;x\007\302\233\n\000end' >theirs/odd.txt
id=$(theirs submit -o odd -e /dev/null -- sh -c 'cat odd.txt')
check_status "a job writes control bytes" 0 theirs wait "$id"
check_equal "root sees control bytes escaped in a pipe" \
	"$(printf 'a\tb\303\251\\x1b]0;x\\x07<U+009B>\n\\x00end')" "$("$KAHU" tail "$id")"
check_equal "its user sees the same" "$("$KAHU" tail "$id")" "$(theirs tail "$id")"
"$KAHU" tail --raw "$id" >raw
check_same_files "--raw prints all bytes unchanged" theirs/odd raw
printf 'for root alone\n' >secret && chmod 600 secret
ln -sf "$work/secret" theirs/odd
check_status "a symbolic link as output is refused for root" 1 "$KAHU" tail "$id"
check_contains "the message has the reason" "symbolic link" "$err"
rm theirs/odd && cp secret theirs/odd && chmod 600 theirs/odd
check_status "a file that its user cannot read is refused for root" 1 "$KAHU" tail "$id"
check_contains "the message has the reason" "Permission denied" "$err"
ln -sf "$work/secret" theirs/linked && rm theirs/odd && ln theirs/linked theirs/odd
check_status "a hard link to a symbolic link is refused" 1 "$KAHU" tail "$id"
rm -f theirs/odd && mkfifo theirs/odd
check_status "a FIFO is refused" 1 "$KAHU" tail "$id"
check_contains "the message has the reason" "is not a regular file" "$err"
