"""The shape of bent paper as a smooth field of offsets, fitted to scattered places on it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]

GRID_STEP_MM = 5.0
GRID_MARGIN_MM = 10.0
STIFFNESS = 1e-4
"""Smoothing of the thin plate: enough to even out errors of 0.05 mm, too little to bridge a fold."""
PLIANCY = 1e-3
"""The same where one anchor is to be judged by others, of which some may be mistaken themselves."""
TUKEY_MM = 1.2
"""Anchors farther from the consensus than this are mistaken and have no say."""
ROUNDS = 8


@dataclass(frozen=True)
class Surface:
    """Offsets in millimetres on a grid over the page and a margin: (rows, columns, 2), GRID_STEP_MM apart."""

    offsets_mm: Points

    def offset(self, points_mm: Points) -> Points:
        """The offsets (n, 2) at points (n, 2), linear between the nodes of the grid and beyond it."""
        rows, columns = self.offsets_mm.shape[:2]
        place = (points_mm + GRID_MARGIN_MM) / GRID_STEP_MM
        node = np.clip(np.floor(place), 0, (columns - 2, rows - 2)).astype(np.intp)
        right, down = (place - node).T[..., None]
        column, row = node.T
        flat, first = self.offsets_mm.reshape(-1, 2), row * columns + column
        corners = (flat.take(first + step, axis=0) for step in (0, 1, columns, columns + 1))
        top_left, top_right, low_left, low_right = corners
        above = top_left * (1 - right) + top_right * right
        below = low_left * (1 - right) + low_right * right
        return np.asarray(above * (1 - down) + below * down)


FLAT = Surface(np.zeros((2, 2, 2)))


def sampled(polynomial: Points, page_mm: tuple[float, float]) -> Surface:
    """The surface of a cubic, given as the coefficients (10, 2) of `terms`."""
    nodes, shape = _nodes(page_mm)
    return Surface((terms(nodes, page_mm) @ polynomial).reshape(shape))


def terms(points_mm: Points, page_mm: tuple[float, float]) -> Points:
    """Monomials up to degree three in coordinates that run from -1 to 1 over the page; (n, 10)."""
    x, y = (2 * points_mm / np.array(page_mm) - 1).T
    one = np.ones_like(x)
    return np.stack([one, x, y, x * x, x * y, y * y, x**3, x * x * y, x * y * y, y**3], axis=1)


def fit_cubic(anchors_mm: Points, offsets_mm: Points, page_mm: tuple[float, float], ridge: float) -> Points:
    """Least squares with a slight pull of the bend, not of the plane, to zero; coefficients (10, 2)."""
    return _weighted(terms(anchors_mm, page_mm), offsets_mm, np.ones(len(anchors_mm)), ridge)


def consensus(anchors_mm: Points, offsets_mm: Points, page_mm: tuple[float, float]) -> NDArray[np.bool_]:
    """Which anchors agree with a cubic through most of them (iterated least squares, Tukey's biweight)."""
    basis = terms(anchors_mm, page_mm)
    weights = np.ones(len(anchors_mm))
    for _ in range(ROUNDS):
        misfit = np.linalg.norm(offsets_mm - basis @ _weighted(basis, offsets_mm, weights, 1e-4), axis=1)
        cut = max(TUKEY_MM, 3 * float(np.median(misfit)))
        weights = np.clip(1 - (misfit / cut) ** 2, 0, None) ** 2
    return np.asarray(misfit < TUKEY_MM)


def fit_thin_plate(anchors_mm: Points, offsets_mm: Points, page_mm: tuple[float, float]) -> Surface:
    """A thin-plate spline through the anchors (Bookstein 1989), slightly smoothed."""
    scale = 2 / max(page_mm)
    system = _plate_system(anchors_mm * scale, STIFFNESS)
    weights = np.linalg.solve(system, np.vstack([offsets_mm, np.zeros((3, 2))]))
    nodes, shape = _nodes(page_mm)
    return Surface((_plate_basis(nodes * scale, anchors_mm * scale) @ weights).reshape(shape))


def left_out(
    anchors_mm: Points, offsets_mm: Points, trusted: NDArray[np.bool_], page_mm: tuple[float, float]
) -> Points:
    """The offset (n, 2) that the trusted anchors other than itself give at each anchor.

    A thin plate that is left without one of its anchors misses it by its weight there, divided by that place
    of the inverse system's diagonal (Dubrule 1983): one inversion does for all.
    """
    scale = 2 / max(page_mm)
    centres, count = anchors_mm[trusted] * scale, int(trusted.sum())
    inverse = np.linalg.inv(_plate_system(centres, PLIANCY))
    weights = inverse @ np.vstack([offsets_mm[trusted], np.zeros((3, 2))])
    given = _plate_basis(anchors_mm * scale, centres) @ weights
    given[trusted] = offsets_mm[trusted] - weights[:count] / np.diag(inverse)[:count, None]
    return np.asarray(given)


def _plate_system(centres: Points, stiffness: float) -> Points:
    """What the weights of a thin plate through `centres` solve: (n + 3, n + 3)."""
    count = len(centres)
    system = np.zeros((count + 3, count + 3))
    system[:count] = _plate_basis(centres, centres)
    system[:count, :count] += stiffness * np.eye(count)
    system[count:, :count] = system[:count, count:].T
    return system


def _plate_basis(points: Points, centres: Points) -> Points:
    return np.hstack([_kernel(points, centres), np.ones((len(points), 1)), points])


def _weighted(basis: Points, values: Points, weights: Points, ridge: float) -> Points:
    pull = np.diag([0.0] * 3 + [ridge * len(basis)] * 7)
    heavy = basis * weights[:, None]
    return np.asarray(np.linalg.solve(heavy.T @ basis + pull, heavy.T @ values))


def _kernel(points: Points, centres: Points) -> Points:
    across, down = (np.subtract.outer(points[:, axis], centres[:, axis]) for axis in (0, 1))
    squared = across * across + down * down
    logarithm = np.log(np.maximum(squared, 1e-12))
    logarithm *= squared
    logarithm /= 2
    return np.asarray(logarithm)


def _nodes(page_mm: tuple[float, float]) -> tuple[Points, tuple[int, int, int]]:
    counts = [int((side + 2 * GRID_MARGIN_MM) // GRID_STEP_MM) + 2 for side in page_mm]
    xs, ys = (np.arange(count) * GRID_STEP_MM - GRID_MARGIN_MM for count in counts)
    return np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2), (counts[1], counts[0], 2)
