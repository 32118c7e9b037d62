"""A person's correction: pinned, and nothing else moves; told without anything that reads photos."""

import subprocess
import sys

import pytest

from sheetscan.errors import UsageError
from sheetscan.reassess import reassess
from sheetscan.result import number
from tests.games.sheets import sheet
from tests.report.results import doubtful, result


def test_the_change_is_pinned_and_no_other_field_moves():
    before = result(sheet(yellow="_ 7 _"), {"yellow-4": doubtful(number(1), 0.6, (number(9), 0.39))})
    after = reassess(before, {"yellow-4": number(9)}, "en")
    changed = {name for name in before.fields if before.fields[name] != after.fields[name]}
    assert changed == {"yellow-4"}
    assert after.fields["yellow-4"].why == "user"
    assert after.fields["yellow-4"].raw == number(1)
    assert after.fields["yellow-4"].alternatives == (), "the user is sure: nothing is left for them"
    assert (after.status, after.review, after.score.total) == ("ok", (), 2)
    assert (before.status, before.review) == ("review", ("yellow-4",))


def test_a_field_that_the_sheet_lacks_is_refused():
    with pytest.raises(UsageError, match="green-3"):
        reassess(result(sheet()), {"green-3": number(1)}, "en")


@pytest.mark.parametrize("module", ["sheetscan.reassess", "sheetscan.settle", "sheetscan.cli.answers"])
def test_settling_finished_results_loads_nothing_that_reads_photos(module):
    told = f"import sys, {module}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", told], check=True, capture_output=True, text=True)
    assert not {"cv2", "numpy"} & set(loaded.stdout.split())
