"""Lengths and boxes on a sheet: millimetres, origin at the top left corner, y downward."""

from dataclasses import dataclass
from math import cos, pi, radians, sin


@dataclass(frozen=True, slots=True)
class Box:
    """An axis-parallel rectangle in millimetres."""

    x: float
    y: float
    width: float
    height: float

    @classmethod
    def around(cls, centre: tuple[float, float], width: float, height: float) -> "Box":
        """The box of that size with its middle at `centre`."""
        return cls(centre[0] - width / 2, centre[1] - height / 2, width, height)

    @property
    def right(self) -> float:
        """The x of the right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The y of the lower edge."""
        return self.y + self.height

    @property
    def centre(self) -> tuple[float, float]:
        """The middle (x, y)."""
        return self.x + self.width / 2, self.y + self.height / 2

    @property
    def corners(self) -> tuple[tuple[float, float], ...]:
        """Top left, top right, bottom right, bottom left."""
        return (self.x, self.y), (self.right, self.y), (self.right, self.bottom), (self.x, self.bottom)

    def grown(self, margin: float) -> "Box":
        """This box with `margin` added on every side (negative: taken away)."""
        return Box(self.x - margin, self.y - margin, self.width + 2 * margin, self.height + 2 * margin)

    def pixels(self, px_per_mm: float) -> tuple[slice, slice]:
        """Its rows and columns in a picture that begins at the origin; what lies before that is cut off."""
        left, top, right, bottom = (
            max(0, round(edge * px_per_mm)) for edge in (self.x, self.y, self.right, self.bottom)
        )
        return slice(top, bottom), slice(left, right)

    def overlaps(self, other: "Box") -> bool:
        """Whether the two share more than an edge."""
        return (
            self.x < other.right and other.x < self.right and self.y < other.bottom and other.y < self.bottom
        )

    def contains(self, other: "Box") -> bool:
        """Whether `other` lies wholly inside (edges may touch)."""
        return (
            self.x <= other.x
            and self.y <= other.y
            and other.right <= self.right
            and other.bottom <= self.bottom
        )


def pentagon(box: Box, inset: float = 0.0) -> tuple[tuple[float, float], ...]:
    """The regular pentagon, tip up, as wide as `box` and centred in it; its sides moved inwards by `inset`.

    Five corners (x, y) in millimetres, clockwise from the tip.
    """
    radius = box.width / (2 * sin(radians(72)))
    middle_x, middle_y = box.centre[0], box.centre[1] + radius * (1 - cos(pi / 5)) / 2
    reach = radius - inset / cos(pi / 5)
    angles = [radians(72 * corner) for corner in range(5)]
    return tuple((middle_x + reach * sin(angle), middle_y - reach * cos(angle)) for angle in angles)


@dataclass(frozen=True, slots=True)
class CellSpec:
    """How a reader wants a field's picture: a square of `size_mm` around the field's middle, in `size_px`."""

    size_px: int
    size_mm: float

    @property
    def px_per_mm(self) -> float:
        """Resolution of the cut."""
        return self.size_px / self.size_mm
