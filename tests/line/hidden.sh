#!/bin/sh
# SPDX-License-Identifier: MIT
#
# hidden.sh - where names are hidden, does kahu config show users all that names nobody?
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

cat >kahu.conf <<'END'
hidenames = true
xfactorweight = 7
user zorro { priority = 5 }
group zteam { fstarget = "10" }
account zpay { priority = 3 }
qos fast { priority = 9 }
END
export KAHU_CONF="$work/kahu.conf"
serve_users "what is hidden"

check_status "a user sees the configuration" 0 theirs config
check_equal "with what is set, and where" "7 $work/kahu.conf:2" "$(printf '%s' "$out" | awk '/^xfactorweight/ {print $2, $(5)}')"
check_contains "in sections, too" "qos[fast].priority" "$out"
check_equal "but for names of users, groups and accounts" "" "$(printf '%s' "$out" | grep -e zorro -e zteam -e zpay)"
check_status "as well as for programs" 0 theirs config --json
check_equal "without those names" "" "$(printf '%s' "$out" | grep -e zorro -e zpay)"
check_contains "root sees them all" "user[zorro].priority" "$("$KAHU" config)"
