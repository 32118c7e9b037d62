"""What the schemas of model folders' config.json share."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict
from pydantic import Field as Constraint

Share = Annotated[float, Constraint(ge=0, le=1)]


class Strict(BaseModel):
    """Entries that are read once, and none that is not known."""

    model_config = ConfigDict(extra="forbid", frozen=True)
