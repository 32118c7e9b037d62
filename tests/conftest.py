"""Settings for all tests."""

import os
from datetime import date

from hypothesis import settings

# A machine that is busy is no failure: no property test has a deadline, speed is measured by benchmarks/.
parent = settings.get_profile("ci" if "CI" in os.environ else "default")
settings.register_profile("steady", parent, deadline=None)
settings.load_profile("steady")

# The day's sample, settled before pytest-xdist starts its processes: they must agree beyond midnight.
os.environ.setdefault("SHEETSCAN_DAY", str(date.today().toordinal()))
