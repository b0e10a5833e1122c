"""English words that say nothing of what a question is about: questions are read without them."""

from __future__ import annotations

import re

_FUNCTION_WORDS = """
    a about according across actually after again all already also am an and any anybody anyone anything are as
    ask asked at back be became because become been before being but by can come comes could current currently
    did do does doing done down during each ever every everybody everyone everything exactly for from gave get
    give given gives go goes got had happen happened happening happens has have having he her hers herself him
    himself his how i if in into is it its itself just kind knew know known latest let long lot many may me
    might mine moment much must my need needs new no nor not now of off ok old on once only onto or other our
    ours out over own please present previous recent right said same say says shall she should since so some
    somebody someone something sort still such tell than thank thanks that the their theirs them themselves
    then there these they thing things this those though through till time to today told too under until up
    upon us use used using very want was way we well were what whatever when where whether which while who
    whoever whom whose why will with within without would yes yet you your yours
"""

# Words by which a question asks for the past, the source or all of something, whatever it is.
_ASKING_WORDS = """
    began begin change changed changes changing earlier end ended evidence fact facts former formerly held
    history hold holds info information memory overview previously prior proof remember replace replaced
    replaces source sources start started state stored succeed succeeded summary supersede superseded
    supersedes timeline value values
"""

# What an apostrophe leaves of "they'll".
_LEFT = "ll re ve"

# What a question for all that is known of somebody is made of, beside the name.
_OVERVIEW_WORDS = """
    a about after all also am an and any anything are as at be been before being by can change changed changes
    changing could current currently did do does done during ever everything evidence exactly fact facts for from
    get give given had happen happened happening happens has have having he her him his history hold holds i in
    info information is it its just know known latest let long me memory moment much my need new now of on
    or our over overview please present proof remember she since so some something source sources state still
    stored summary tell thank thanks that the their them then there they thing things this till time timeline to
    today told until us value values want was we were what whatever which who will with within would yet you your
"""

STOP_WORDS = frozenset(re.findall(r"\w+", f"{_FUNCTION_WORDS} {_ASKING_WORDS} {_LEFT}"))
OVERVIEW_WORDS = frozenset(re.findall(r"\w+", f"{_OVERVIEW_WORDS} {_LEFT}"))
