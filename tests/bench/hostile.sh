#!/bin/sh
# SPDX-License-Identifier: MIT
#
# hostile.sh - the cost of four hostile accounts for a fifth one, and the growth of the scheduler's memory
#
# The times are those of a running client, without the start of a process.
MANY=${BENCH_QUICK:+20}
export MANY="${MANY:-30}"
exec sh "${KAHU_SOURCE:?}/tests/crash/flood.sh"
