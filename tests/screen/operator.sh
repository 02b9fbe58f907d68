#!/bin/sh
# SPDX-License-Identifier: MIT
#
# operator.sh - a drawn screen does not depend on the name of the user who runs the tests
# shellcheck source=tests/lib.sh
. "${KAHU_SOURCE:?}/tests/lib.sh"
# shellcheck source=tests/screen/screen.sh
. "$KAHU_SOURCE/tests/screen/screen.sh"

id() { echo ann; } # also the name of a user in the scene

cat >drawn <<'EOS'
 KAHU simulation                 ann
  bob   *   25.00    25.00
  ann       20.00-   20.00-
 6450  2026-01-09T09:00:00  ann: set xfactorweight = 5   ~
 6451  2026-01-09T09:00:00  bob: hold ann 960
 6452 09:00:00 ann      hold ann 960  u
EOS
screen "the operator's name is replaced, and that of a user with the same name, too" drawn <<'EOS'
 KAHU simulation
  bob   *   25.00    25.00
  ann       20.00-   20.00-
 6450  2026-01-09T09:00:00  OPERATOR: set xfactorweight = 5 ~
 6451  2026-01-09T09:00:00  bob: hold ann 960
 6452 09:00:00 OPERATOR hold ann 960  u
EOS
