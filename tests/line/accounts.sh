#!/bin/sh
# SPDX-License-Identifier: MIT
#
# accounts.sh - accounts, features and resources that a job may name, with a running scheduler
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"

room_for 1
me=$(id -un)
submit() { "$KAHU" submit -h -o /dev/null -e /dev/null "$@" -- true; }
configure() {
	cat >kahu.conf
	check_status "the configuration loads" 0 "$KAHU" reload
}
export KAHU_CONF="$work/kahu.conf"
printf 'allowroot = true\nnode %s { features = {"fast"} }\nuser %s { alist = {"bio", "phys"} adef = bio }\n' \
	"$(uname -n)" "$me" >kahu.conf
serve

check_status "an account on the list may be charged" 0 submit -A phys
check_status "another is refused" 1 submit -A chem
check_contains "with those that may be charged" "account chem is not open to $me; its accounts are: bio, phys" "$err"
check_status "a job may name none" 0 submit
check_contains "and charges the default account" '"account":"bio"' "$("$KAHU" job 2 --json)"

check_status "a feature of a node may be asked for" 0 submit -l feature=fast
check_status "one that no node has is refused" 1 submit -l feature=slow
check_contains "by its name" "no node has the feature slow; 'kahu node' lists what nodes have" "$err"
check_status "a resource that no node has too" 1 submit -l gres=tape:1
check_contains "by its name" "no node has the generic resource tape" "$err"
check_status "and as a change of a job" 1 "$KAHU" set 3 features=slow
check_contains "by its name" "no node has the feature slow" "$err"
check_status "a preference too" 1 "$KAHU" set 3 prefer=slow
check_status "what a node has can be set" 0 "$KAHU" set 1 features=fast

# Sixty-four features that are all new; the jobs that wait keep the name they asked for.
names=$(seq -f 'f%g' -s ' ' 1 64)
configure <<TEXT
allowroot = true
node $(uname -n) { features = {"$names"} }
accountaccess = listed
TEXT
check_status "a new feature may be asked for" 0 submit -l feature=f64
check_status "the old one not any more" 1 submit -l feature=fast
check_status "accounts are closed that no list names" 1 submit -A bio
check_contains "as accountaccess says" "accountaccess" "$err"
check_status "the store is whole" 0 "$KAHU" sched stop
check_status "and replays to the same state" 0 "$KAHU" verify
