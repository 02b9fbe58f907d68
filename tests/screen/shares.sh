#!/bin/sh
# SPDX-License-Identifier: MIT
#
# shares.sh - see who is over a share or a limit, change it, and undo the change

. "${KAHU_SOURCE:?}/tests/lib.sh"
. "$KAHU_SOURCE/tests/screen/screen.sh"

play demo --nodes 8 --seed 9 <<'EOS'
size 80x24
keys 4
dump shares
keys j e <C-u>
type 35
keys <Enter>
dump target
keys A
dump changed
keys u <Enter>
dump back
keys 6
dump limits
keys e <C-u>
type 4,8
keys <Enter>
dump limit-draft
keys D
size 100x30
dump limits-100
keys 4
dump shares-100
keys Q y
expect-exit 0
EOS

screen 'the shares of all credentials, the first one explained' shares <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job  3 Priority [4 Share] 6 Limits  7 What-if  8 Journal  9 Config
 FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 12:00:00  FSDEPTH 6  FSDECAY 0.70
 rolls in 4:00:00  FSWEIGHT 1: U 20 G 5 A 0 Q 0 C 0  lint: 0 errors, 1 warning
  CREDENTIAL       TARGET  USAGE   DELTA       EFFECT       w0   w1*0.7 OLD..NEW
  TOTAL                   100.00                         467.6    668.8 ███▇█▆
  - USER                  100.00             20/point    467.6    668.8 ███▇█▆
>   eva         *  15.00-  24.26   -9.26     -185 pts    178.6    111.2 ▃█▂▄▃▅
    mei            15.00   14.73    0.27        5 pts     70.6    114.5 ▃▃█▂▅▃
    bob                -   11.79       -    no target     23.0     94.2 ██▃▃▅▂
    amina              -    6.14       -    no target     24.0     70.8 ▃▁▃▆█▃
  +24 more
────────────────────────────────────────────────────────────────────────────────
 eva = (178.56 + .7*111.18 + .49*130.1 + .343*46.83 + .2401*314.1 +
 .1681*98.92) / (467.58 + .7*668.77 + .49*590.8 + .343*717.06 + .2401*733.03 +
 .1681*700.36) = 428.24/1764.87 h = 24.26%
 * ceiling 15.00%: fsweight 1 * fsuserweight 20 * -9.264 = -185 points
 reached when w0 of all jobs exceeds 1557.62 h if w0 of this row stays 178.56 h
 4 rolls without its jobs, busy (468 h):     17.78%  10.87%   7.60%   4.37%
 4 rolls without its jobs, idle machine:     24.99%  22.85%  26.13%  27.40%
 other settings: FSDECAY 1.00 -> 22.69%, 0.80 -> 23.53%, 0.50 -> 26.67%;
 FSDEPTH 3 -> 26.13%                                                     +1 more
 4 off target (*)   0 at a cap (!)   focus: shares (<Tab>)   caps block 6 jobs
 <Enter> open  e value  b percent  { -10  } +10  0 default       ? help  Q quit
EOS

screen 'a changed target is a draft with its effect' target <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority [4 Share] 6 Limits  7 What-if  8 Journal  9 Config
 FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 12:00:00  FSDEPTH 6  FSDECAY 0.70
 rolls in 4:00:00  FSWEIGHT 1: U 20 G 5 A 0 Q 0 C 0  lint: 0 errors, 1 warning
  CREDENTIAL             TARGET    AFTER  USAGE  AFTER       EFFECT        AFTER
  TOTAL                                         100.00
  - USER                                        100.00                  20/point
    eva              *   15.00-   15.00-  24.26  24.26     -185 pts     -185 pts
>   mei              *   15.00    35.00   14.73  14.73        5 pts      405 pts
    bob                      -        -   11.79  11.79    no target    no target
  +25 more
────────────────────────────────────────────────────────────────────────────────
 mei = (70.64 + .7*114.47 + .49*36.99 + .343*201.67 + .2401*52.18 +
 .1681*56.15) / (467.58 + .7*668.77 + .49*590.8 + .343*717.06 + .2401*733.03 +
 .1681*700.36) = 260.03/1764.87 h = 14.73%
 * target 35.00%: fsweight 1 * fsuserweight 20 * 20.266 = 405 points; below the
 target with 3 jobs queued
 reached after 550.26 h more of its own usage, if no other jobs run
 4 rolls without its jobs, busy (468 h):     10.82%   7.70%   4.01%   2~ +4 more
 Lint: L11 (new) user[mei].fstarget has been 35 since entry 6396, overriding 1~
 DRAFT 1 edit: set user[mei].fstarget = 35                   A apply  D discard
 (projection): order and all estimated starts unchanged
 4 off target (*)   0 at a cap (!)   focus: shares (<Tab>)   caps block 6 jobs
 <Enter> open  e value  b percent  { -10  } +10  0 default       ? help  Q quit
EOS

screen 'Enter applies it' changed <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job  3 Priority [4 Share] 6 Limits  7 What-if  8 Journal  9 Config
 FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 12:00:00  FSDEPTH 6  FSDECAY 0.70
 rolls in 4:00:00  FSWEIGHT 1: U 20 G 5 A 0 Q 0 C 0  lint: 0 errors, 1 warning
  CREDENTIAL       TARGET  USAGE   DELTA       EFFECT       w0   w1*0.7 OLD..NEW
  TOTAL                   100.00                         467.6    668.8 ███▇█▆
  - USER                  100.00             20/point    467.6    668.8 ███▇█▆
    eva         *  15.00-  24.26   -9.26     -185 pts    178.6    111.2 ▃█▂▄▃▅
>   mei         *  35.00   14.73   20.27      405 pts     70.6    114.5 ▃▃█▂▅▃
    bob                -   11.79       -    no target     23.0     94.2 ██▃▃▅▂
  +25 more
────────────────────────────────────────────────────────────────────────────────
 mei = (70.64 + .7*114.47 + .49*36.99 + .343*201.67 + .2401*52.18 +
 .1681*56.15) / (467.58 + .7*668.77 + .49*590.8 + .343*717.06 + .2401*733.03 +
 .1681*700.36) = 260.03/1764.87 h = 14.73%
 * target 35.00%: fsweight 1 * fsuserweight 20 * 20.266 = 405 points; below the
 target with 3 jobs queued
 reached after 550.26 h more of its own usage, if no other jobs run
 4 rolls without its jobs, busy (468 h):     10.82%   7.70%   4.01%   2.57%
 4 rolls without its jobs, idle machine:     15.21%  16.18%  13.79%  16.11%
 other settings: FSDECAY 1.00 -> 13.72%, 0.80 -> 14.44%, 0.50 -> 15.12%; +2 more
 Lint: L11 user[mei].fstarget has been 35 since entry 6396, overriding 15.0 in~
 Done: tune user[mei].fstarget 35. u undoes it.
 <Enter> open  e value  b percent  { -10  } +10  0 default       ? help  Q quit
EOS

screen 'u undoes it' back <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job  3 Priority [4 Share] 6 Limits  7 What-if  8 Journal  9 Config
 FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 12:00:00  FSDEPTH 6  FSDECAY 0.70
 rolls in 4:00:00  FSWEIGHT 1: U 20 G 5 A 0 Q 0 C 0  lint: 0 errors, 1 warning
  CREDENTIAL       TARGET  USAGE   DELTA       EFFECT       w0   w1*0.7 OLD..NEW
  TOTAL                   100.00                         467.6    668.8 ███▇█▆
  - USER                  100.00             20/point    467.6    668.8 ███▇█▆
    eva         *  15.00-  24.26   -9.26     -185 pts    178.6    111.2 ▃█▂▄▃▅
>   mei            15.00   14.73    0.27        5 pts     70.6    114.5 ▃▃█▂▅▃
    bob                -   11.79       -    no target     23.0     94.2 ██▃▃▅▂
    amina              -    6.14       -    no target     24.0     70.8 ▃▁▃▆█▃
  +24 more
────────────────────────────────────────────────────────────────────────────────
 mei = (70.64 + .7*114.47 + .49*36.99 + .343*201.67 + .2401*52.18 +
 .1681*56.15) / (467.58 + .7*668.77 + .49*590.8 + .343*717.06 + .2401*733.03 +
 .1681*700.36) = 260.03/1764.87 h = 14.73%
 target 15.00%: fsweight 1 * fsuserweight 20 * 0.266 = 5 points; below the
 target with 3 jobs queued
 4 rolls without its jobs, busy (468 h):     10.82%   7.70%   4.01%   2.57%
 4 rolls without its jobs, idle machine:     15.21%  16.18%  13.79%  16.11%
 other settings: FSDECAY 1.00 -> 13.72%, 0.80 -> 14.44%, 0.50 -> 15.12%;
 FSDEPTH 3 -> 13.79%                                                     +1 more
 Done: undo 6396 (user[mei].fstarget = 35).
 <Enter> open  e value  b percent  { -10  } +10  0 default       ? help  Q quit
EOS

screen 'all limits, the one that blocks most jobs first' limits <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share [6 Limits] 7 What-if  8 Journal  9 Config
  CREDENTIAL      LIMIT                  IN USE     SOFT     HARD          HOLDS
> user eva        MAXIJOB                     8       16       16   50%        0
  user eva        MAXJOB                      3        6       12   50%        0
  class debug     MAX.WCLIMIT a job        1800     3600     3600   50%        0
  user lars       MAXIJOB                     6       16       16   38%        0
  user bob        MAXJOB                      1        3        8   33%        0
  user mei        MAXIJOB                     3       16       16   19%        0
  user amina      MAXIJOB                     2       16       16   12%        0
  user bob        MAXIJOB                     2       16       16   12%        0
  user john       MAXIJOB                     2       16       16   12%        0
  user nora       MAXIJOB                     2       16       16   12%        0
  +15 more
────────────────────────────────────────────────────────────────────────────────
 user[eva].maxijob = 16: 8 in use, 50% of the soft limit
 8 jobs: 1127, 1141, 1149, 1198, 1223, 1227 +2 more
 blocks no job




 25 of 25 limits: all (f)   hardpass: resources   lint: 0 errors, 1 warning
 <Enter> open  e value  f near  = numbers  u undo  / filter      ? help  Q quit
EOS

screen 'a changed limit is a draft, too' limit-draft <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE   DRAFT
 1 Queue  2 Job  3 Priority  4 Share [6 Limits] 7 What-if  8 Journal  9 Config
  CREDENTIAL  LIMIT           IN USE    SOFT   AFTER    HARD   AFTER HOLDS AFTER
> user eva    MAXIJOB              8      16       4      16       8     0     0
  user eva    MAXJOB               3       6       6      12      12     0     0
  class debug MAX.WCLIMIT a~    1800    3600    3600    3600    3600     0     0
  user lars   MAXIJOB              6      16      16      16      16     0     0
  user bob    MAXJOB               1       3       3       8       8     0     0
  user mei    MAXIJOB              3      16      16      16      16     0     0
  user amina  MAXIJOB              2      16      16      16      16     0     0
  +18 more
────────────────────────────────────────────────────────────────────────────────
 user[eva].maxijob = 4,8: 8 in use, 200% of the soft limit
 8 jobs: 1127, 1141, 1149, 1198, 1223, 1227 +2 more
 blocks no job




 Lint: W19 (new) maxijob of user eva: the soft limit of 4,8 has no effect, bec~
 DRAFT 1 edit: set user[eva].maxijob = 4,8                   A apply  D discard
 (projection): order and all estimated starts unchanged
 25 of 25 limits: all (f)   hardpass: resources   lint: 0 errors, 2 warnings
 <Enter> open  e value  f near  = numbers  u undo  / filter      ? help  Q quit
EOS

screen '100x30: limits with meters' limits-100 <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job  3 Priority  4 Share [6 Limits] 7 What-if  8 Journal  9 Config
  CREDENTIAL         LIMIT                      IN USE     SOFT     HARD OF SOFT               HOLDS
> user eva           MAXIJOB                         8       16       16 [█████     ]   50%        0
  user eva           MAXJOB                          3        6       12 [█████     ]   50%        0
  class debug        MAX.WCLIMIT a job            1800     3600     3600 [█████     ]   50%        0
  user lars          MAXIJOB                         6       16       16 [████      ]   38%        0
  user bob           MAXJOB                          1        3        8 [███       ]   33%        0
  user mei           MAXIJOB                         3       16       16 [██        ]   19%        0
  user amina         MAXIJOB                         2       16       16 [█         ]   12%        0
  user bob           MAXIJOB                         2       16       16 [█         ]   12%        0
  user john          MAXIJOB                         2       16       16 [█         ]   12%        0
  user nora          MAXIJOB                         2       16       16 [█         ]   12%        0
  user paul          MAXIJOB                         2       16       16 [█         ]   12%        0
  user ravi          MAXIJOB                         2       16       16 [█         ]   12%        0
  class long         MAXPROC[USER:chen]              2       16       32 [█         ]   12%        0
  class long         MAXPROC[USER:steve]             2       16       32 [█         ]   12%        0
  user julia         MAXIJOB                         1       16       16 [█         ]    6%        0
  +10 more
────────────────────────────────────────────────────────────────────────────────────────────────────
 user[eva].maxijob = 16: 8 in use, 50% of the soft limit
 8 jobs: 1127, 1141, 1149, 1198, 1223, 1227 +2 more
 blocks no job




 25 of 25 limits: all (f)   hardpass: resources   lint: 0 errors, 1 warning

 <Enter> open  e value  f near  = numbers  u undo  / filter  q back                  ? help  Q quit
EOS

screen '100x30: shares with windows' shares-100 <<'EOS'
 KAHU simulation  Fri Jan  9 08:00:00  stopped   LIVE
 1 Queue  2 Job  3 Priority [4 Share] 6 Limits  7 What-if  8 Journal  9 Config
 FSPOLICY DEDICATEDPS (difference)  FSINTERVAL 12:00:00  FSDEPTH 6  FSDECAY 0.70  rolls in 4:00:00
 FSWEIGHT 1: U 20 G 5 A 0 Q 0 C 0  lint: 0 errors, 1 warning
  CREDENTIAL         TARGET  USAGE   DELTA       EFFECT       w0   w1*0.7  w2*0.49 w3*0.343 OLD..NEW
  TOTAL                     100.00                         467.6    668.8    590.8    717.1 ███▇█▆
  - USER                    100.00             20/point    467.6    668.8    590.8    717.1 ███▇█▆
    eva           *  15.00-  24.26   -9.26     -185 pts    178.6    111.2    130.1     46.8 ▃█▂▄▃▅
>   mei              15.00   14.73    0.27        5 pts     70.6    114.5     37.0    201.7 ▃▃█▂▅▃
    bob                  -   11.79       -    no target     23.0     94.2     55.0     62.3 ██▃▃▅▂
    amina                -    6.14       -    no target     24.0     70.8     47.1     22.5 ▃▁▃▆█▃
    steve                -    5.14       -    no target     16.0     56.4     36.8     17.5 ▄▅▃▆█▃
    john          *  10.00+   4.21    5.79      115 pts     25.2     19.6     25.5     42.0 █▁█▅▄▅
    ines                 -    4.11       -    no target     31.0     28.1      6.5     12.6 █▁▂▁▄▄
    leila                -    3.66       -    no target     25.6      0.5     56.8     28.5 ▁ ▅█▁▄
    olga                 -    3.36       -    no target     15.3     12.8     11.1     41.6 █▁▅▂▂▂
  +19 more
────────────────────────────────────────────────────────────────────────────────────────────────────
 mei = (70.64 + .7*114.47 + .49*36.99 + .343*201.67 + .2401*52.18 + .1681*56.15) / (467.58 +
 .7*668.77 + .49*590.8 + .343*717.06 + .2401*733.03 + .1681*700.36) = 260.03/1764.87 h = 14.73%
 target 15.00%: fsweight 1 * fsuserweight 20 * 0.266 = 5 points; below the target with 3 jobs
 queued
 4 rolls without its jobs, busy (468 h):     10.82%   7.70%   4.01%   2.57%
 4 rolls without its jobs, idle machine:     15.21%  16.18%  13.79%  16.11%
 other settings: FSDECAY 1.00 -> 13.72%, 0.80 -> 14.44%, 0.50 -> 15.12%; FSDEPTH 3 -> 13.79%
 w0 began 00:00:00; sums: user = group = account = qos = class = TOTAL

 4 off target (*)   0 at a cap (!)   focus: shares (<Tab>)   caps block 6 jobs

 <Enter> open  e value  b percent  { -10  } +10  0 default  = numbers  u undo        ? help  Q quit
EOS
