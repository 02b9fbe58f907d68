#!/bin/sh
# SPDX-License-Identifier: MIT
#
# accounts.sh - the accounts, features and resources that jobs can request, with a running scheduler
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

check_status "a job can charge an account on the user's list" 0 submit -A phys
check_status "an account that is not on the list is refused" 1 submit -A chem
check_contains "the refusal lists the user's accounts" "account chem is not open to $me; use one of these accounts: bio, phys" "$err"
check_status "a job without an account is submitted" 0 submit
check_contains "it charges the default account" '"account":"bio"' "$("$KAHU" job 2 --json)"

check_status "a job can request a feature of a node" 0 submit -l feature=fast
check_status "a feature that no node has is refused" 1 submit -l feature=slow
check_contains "the refusal names the feature" "no node has the feature slow; 'kahu node' lists the features and generic resources of nodes" "$err"
check_status "a generic resource that no node has is refused" 1 submit -l gres=tape:1
check_contains "the refusal names the resource" "no node has the generic resource tape" "$err"
check_status "set refuses a feature that no node has" 1 "$KAHU" set 3 features=slow
check_contains "the refusal of set names the feature" "no node has the feature slow" "$err"
check_status "set refuses a preferred feature that no node has" 1 "$KAHU" set 3 prefer=slow
check_status "set accepts a feature of a node" 0 "$KAHU" set 1 features=fast

# The node gets 64 new features; idle jobs keep the feature that they requested.
names=$(seq -f 'f%g' -s ' ' 1 64)
configure <<TEXT
allowroot = true
node $(uname -n) { features = {"$names"} }
accountaccess = listed
TEXT
check_status "a job can request a new feature" 0 submit -l feature=f64
check_status "a feature that was removed is refused" 1 submit -l feature=fast
check_status "accountaccess = listed closes accounts that no list names" 1 submit -A bio
check_contains "the refusal names accountaccess" "accountaccess" "$err"
check_status "the scheduler stops" 0 "$KAHU" sched stop
check_status "the store is intact" 0 "$KAHU" verify
