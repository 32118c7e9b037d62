"""Model folders, `sheetscan/reading/models/<name>-v<N>`: the newest one, and what its config.json holds."""

from functools import cache
from importlib import resources
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import Field as Constraint
from pydantic import ValidationError

from sheetscan.errors import TemplateError, first_fault
from sheetscan.reading.calibration import Calibration
from sheetscan.reading.cell_network import HINT
from sheetscan.reading.hand import SameHand
from sheetscan.reading.reader import Reading, belongs
from sheetscan.reading.schema import Share, Strict
from sheetscan.template import FieldKind

Config = TypeVar("Config", bound=Strict)
TEENS = range(10, 20)


class Glance(Strict):
    """What is made of glance.onnx, where the model has one."""

    calibration: Calibration
    plain_from: Share

    def suffices(self, reading: Reading, field: FieldKind) -> bool:
        """Whether a reading at a glance stands as it is.

        A last 7 may be a flagged 1, a 16 in a tally a cramped 116, and a line a cross with a pale stroke:
        they never do.
        """
        best = reading.best
        cramped = field == "tally" and best.value in TEENS
        return (
            reading.confidence >= self.plain_from
            and belongs(best, field)
            and best.kind != "line"
            and not cramped
            and (best.value is None or best.value % 10 != 7)
        )


class ModelConfig(Strict):
    """The model folder's config.json: what goes in, what comes out, and what is made of it."""

    name: str
    version: Annotated[int, Constraint(ge=1)]
    cell_px: Annotated[int, Constraint(ge=16, le=256)]
    cell_mm: Annotated[float, Constraint(gt=0, le=100)]
    symbols: Annotated[str, Constraint(pattern="^_-0123456789$")]
    number_kinds: tuple[Literal["empty", "number", "cross", "void"], ...]
    mark_kinds: tuple[Literal["empty", "cross", "line", "void"], ...]
    calibration: Calibration
    glance: Glance | None = None
    marks: bool = False
    """Whether marks.onnx reads the fields to be marked."""
    sure_from: Share
    unreadable_below: Share
    pale_below: Annotated[float, Constraint(ge=0, le=255)] = 0.0
    """Of a hand that writes no darker, some fields look empty to it (see sheetscan.reading.darkness)."""
    same_hand: SameHand | None = None


@cache
def newest_model(name: str = "cells") -> Path:
    """The shipped model folder of that name with the highest version; raises TemplateError without one."""
    root = Path(str(resources.files("sheetscan"))) / "reading" / "models"
    folders = [path for path in root.glob(f"{name}-v*") if path.name.rpartition("-v")[2].isdecimal()]
    if not folders:
        raise TemplateError(f"{root}: no model `{name}` is installed", HINT)
    return max(folders, key=lambda path: int(path.name.rpartition("-v")[2]))


def load_config(folder: Path, schema: type[Config], hint: str = HINT) -> Config:
    """Read and check a model folder's config.json; raises TemplateError that names the wrong entry."""
    path = folder / "config.json"
    try:
        return schema.model_validate_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise TemplateError(f"{path}: can't be read ({error.strerror})", hint) from error
    except UnicodeDecodeError as error:
        raise TemplateError(f"{path}: not text in UTF-8", hint) from error
    except ValidationError as error:
        raise TemplateError(f"{path}: {first_fault(error)}", hint) from error
