"""The camera's map is the truth that everything else is measured by, so it is held against the picture."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from sheetscan.lab.camera import PlacedPage, photograph, photograph_many
from sheetscan.lab.optics import Bend
from sheetscan.lab.scene import Light, Scene, Shadow, Thumb, random_scene

PX_PER_MM = 10.0
SIZE_MM = (210, 148)
DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
SMALL = Scene(size_px=(2592, 1944))
SCENES = {
    "flat": SMALL,
    "tilted": replace(SMALL, tilt_deg=25, azimuth_deg=70, roll_deg=12),
    "lens": replace(SMALL, tilt_deg=10, k1=-0.06, k2=0.02),
    "valley": replace(SMALL, tilt_deg=15, bend=Bend(12, axis_deg=80)),
    "hill": replace(SMALL, tilt_deg=20, azimuth_deg=200, bend=Bend(-12, axis_deg=10)),
    "fold": replace(SMALL, tilt_deg=15, bend=Bend(fold_deg=12, fold_at=0.4)),
    "upside down": replace(SMALL, roll_deg=180, offset=(0.01, -0.02)),
    "sideways": replace(SMALL, roll_deg=90, tilt_deg=20),
}


def page_with_markers(first_id=0):
    """A white page with 15 markers; their corner places in mm by id."""
    page = np.full((SIZE_MM[1] * 10, SIZE_MM[0] * 10, 3), 250, np.uint8)
    places = {}
    for number in range(15):
        x, y = 12 + number % 5 * 44, 12 + number // 5 * 57
        marker = cv2.aruco.generateImageMarker(DICTIONARY, first_id + number, 80)
        page[y * 10 : y * 10 + 80, x * 10 : x * 10 + 80] = marker[:, :, None]
        places[first_id + number] = np.array([(x, y), (x + 8, y), (x + 8, y + 8), (x, y + 8)], float)
    return page, places


def seen_markers(pixels):
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementWinSize, parameters.relativeCornerRefinmentWinSize = 7, 0.5
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(DICTIONARY, parameters)
    corners, ids, _ = detector.detectMarkers(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY))
    return {int(i): c.reshape(4, 2) for c, i in zip(corners, np.ravel(ids), strict=True)}


def errors_px(shot, view, places):
    """Seen minus true corner, (markers, 4, 2)."""
    seen = seen_markers(shot.pixels)
    assert set(places) <= set(seen)
    return np.array([seen[i] - view(mm) for i, mm in places.items()])


@pytest.mark.parametrize("name", SCENES)
def test_to_photo_finds_what_is_in_the_picture(name):
    page, places = page_with_markers()
    shot = photograph(page, PX_PER_MM, SCENES[name], np.random.default_rng(1))
    errors = errors_px(shot, shot.to_photo, places)
    assert np.linalg.norm(errors, axis=2).max() < 0.5
    assert np.linalg.norm(errors.mean(axis=1), axis=1).max() < 0.3, "a marker as a whole is off"
    assert np.abs(errors.mean(axis=(0, 1))).max() < 0.1, "the picture as a whole is off"


def test_each_of_several_sheets_has_its_own_map():
    (page, places), (other, other_places) = page_with_markers(), page_with_markers(100)
    placed = [
        PlacedPage(page, PX_PER_MM, (0, 0), 4),
        PlacedPage(other, PX_PER_MM, (20, 165), 183, Bend(6)),
    ]
    scene = Scene(size_px=(3024, 4032), tilt_deg=12)
    shot = photograph_many(placed, scene, np.random.default_rng(1))
    assert shot.pixels.shape == (4032, 3024, 3)
    for view, wanted in zip(shot.to_photos, (places, other_places), strict=True):
        assert np.linalg.norm(errors_px(shot, view, wanted), axis=2).max() < 0.5


def test_the_same_seed_gives_the_same_photo():
    page, _ = page_with_markers()
    first, again, other = (
        photograph(
            page, PX_PER_MM, random_scene(np.random.default_rng(5), "hard"), np.random.default_rng(seed)
        )
        for seed in (1, 1, 2)
    )
    assert np.array_equal(first.pixels, again.pixels)
    assert not np.array_equal(first.pixels, other.pixels)


def test_float_pages_and_byte_pages_give_the_same_photo():
    page, _ = page_with_markers()
    shots = [
        photograph(each, PX_PER_MM, SMALL, np.random.default_rng(1)).pixels.astype(int)
        for each in (page, (page / 255).astype(np.float32))
    ]
    assert np.abs(shots[0] - shots[1]).max() <= 2


def test_the_whole_sheet_is_in_the_photo():
    for difficulty in ("easy", "normal", "hard"):
        for seed in range(15):
            scene = replace(random_scene(np.random.default_rng(seed), difficulty), size_px=(400, 300))
            page = np.full((148, 210, 3), 255, np.uint8)
            shot = photograph(page, 1.0, scene, np.random.default_rng(1))
            corners = shot.to_photo(np.array([(0, 0), (210, 0), (210, 148), (0, 148)]))
            assert (corners > -0.5).all()
            assert (corners < (399.5, 299.5)).all()


def brightness(scene):
    page = np.full((148, 210, 3), 255, np.uint8)
    return photograph(page, 1.0, scene, np.random.default_rng(1)).pixels.mean(axis=2)


def test_light_falls_off_by_the_gradient():
    scene = Scene(size_px=(800, 600), fill=1.3, exposure=0.6, contrast=0, noise=0, light=Light(gradient=3))
    row = brightness(scene)[300] / 255
    diagonal = np.hypot(800, 600)
    assert (row[780] / row[20]) ** 2.2 == pytest.approx(3 ** (760 / diagonal), rel=0.08)


def test_a_shadow_is_dark_inside_and_leaves_the_rest():
    shade = Shadow((0.5, 0.5), edge_deg=90, half_width=0.1, softness=0.01, depth=0.5)
    scene = Scene(size_px=(800, 600), fill=1.3, exposure=0.8, contrast=0, noise=0)
    plain, shaded = brightness(scene), brightness(replace(scene, light=Light(shadows=(shade,))))
    assert shaded[300, 400] < 0.8 * plain[300, 400]
    assert shaded[300, 100] == pytest.approx(plain[300, 100], abs=2)


def test_a_thumb_hides_a_marker():
    page, _ = page_with_markers()
    scene = replace(SMALL, thumbs=(Thumb((18, 18), from_deg=225),))
    shot = photograph(page, PX_PER_MM, scene, np.random.default_rng(1))
    assert set(range(15)) - set(seen_markers(shot.pixels)) == {0}


@pytest.mark.parametrize("palette", ["bilevel", "dithered"])
def test_one_bit_pictures_are_black_and_white(palette):
    page, _ = page_with_markers()
    scene = replace(SMALL, palette=palette)
    pixels = photograph(page, PX_PER_MM, scene, np.random.default_rng(1)).pixels
    assert set(np.unique(pixels)) == {0, 255}
