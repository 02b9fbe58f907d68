#!/bin/sh
# SPDX-License-Identifier: MIT
#
# hostile.sh - what four hostile accounts cost a fifth one, and how much the scheduler grows
#
# The times are those of a client that is running already, so a process's start is not in them.
MANY=${BENCH_QUICK:+20}
export MANY="${MANY:-30}"
exec sh "${KAHU_SOURCE:?}/tests/crash/flood.sh"
