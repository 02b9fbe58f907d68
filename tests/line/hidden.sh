#!/bin/sh
# SPDX-License-Identifier: MIT
#
# hidden.sh - with hidenames, kahu config shows users every option that contains no name
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
serve_users "the configuration with hidden names"

check_status "a user can print the configuration" 0 theirs config
check_equal "it has the value and origin of an option" "7 $work/kahu.conf:2" "$(printf '%s' "$out" | awk '/^xfactorweight/ {print $2, $(5)}')"
check_contains "it has options of a QOS" "qos[fast].priority" "$out"
check_equal "it has no options of users, groups and accounts" "" "$(printf '%s' "$out" | grep -e zorro -e zteam -e zpay)"
check_status "a user can print it as JSON" 0 theirs config --json
check_equal "the JSON has no names of users and accounts" "" "$(printf '%s' "$out" | grep -e zorro -e zpay)"
check_contains "root sees all options" "user[zorro].priority" "$("$KAHU" config)"
