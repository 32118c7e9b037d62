"""Templates: the shipped ones are sound, and every fault of a file is told with its place."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from sheetscan import template as template_module
from sheetscan.errors import ExitCode, TemplateError, UnknownTemplateError, UnreadableInputError
from sheetscan.geometry import Box
from sheetscan.template import (
    Template,
    load_template,
    parse_template,
    read_template_file,
    template_names,
)

SMALL = """
id = "tiny"
version = 2
game = "tiny"
title = "Tiny"
page_mm = [100, 80]
[markers]
dictionary = "DICT_APRILTAG_36h11"
first_id = 20
size_mm = 8
centres_mm = [[10, 10], [90, 10], [90, 70], [10, 70]]
[code]
box_mm = [60, 60, 12, 12]
text_mm = [20, 65, 30, 3]
[[rows]]
id = "red"
colour = "#CC0000"
pattern = "dots"
band_mm = [18, 20, 60, 16]
first_centre_mm = [30, 28]
pitch_mm = 14
size_mm = [12, 11]
first_column = 3
cells = "o P #"
[[fields]]
id = "name"
kind = "text"
shape = "box"
box_mm = [20, 7, 40, 8]
[[fields]]
id = "penalty-1"
kind = "mark"
shape = "box"
box_mm = [20, 45, 10, 10]
label = "-5"
[[labels]]
text = "title"
at_mm = [20, 5]
size_mm = 3
[texts]
en = { title = "Tiny", name = "Name" }
de = { title = "Winzig", name = "Name" }
nl = { title = "Mini", name = "Naam" }
fr = { title = "Petit", name = "Nom" }
"""


MARKS = """[[rows]]
id = "blue"
colour = "#0000CC"
pattern = "plain"
band_mm = [18, 42, 60, 16]
first_centre_mm = [30, 50]
pitch_mm = 14
size_mm = [12, 11]
cells = "x x L"
labels = "9 4"
looks = "red blue blue"
"""
"""A row to mark, in place of the field that lies there."""
MIXED = SMALL[: SMALL.index("[[fields]]")] + MARKS + SMALL[SMALL.index("[[labels]]") :]


@pytest.fixture(scope="module")
def tiny() -> Template:
    return parse_template(SMALL, "tiny.toml")


@pytest.fixture(scope="module")
def mixed() -> Template:
    return parse_template(MIXED, "mixed.toml")


class TestLoading:
    def test_shipped_templates_load_under_their_names(self) -> None:
        assert template_names() == ("qwinto", "qwixx", "qwixx-mixx-a", "qwixx-mixx-b")
        assert list(template_names()) == sorted(template_names())
        for name in template_names():
            assert load_template(name).id == name

    def test_template_is_loaded_once(self) -> None:
        assert load_template("qwinto") is load_template("qwinto")

    def test_unknown_name_lists_the_known_ones(self) -> None:
        with pytest.raises(UnknownTemplateError, match="no template named 'qwnto'") as failure:
            load_template("qwnto")
        assert failure.value.exit_code == ExitCode.NO_SHEET
        assert "qwinto" in failure.value.hint

    def test_templates_inside_the_package_come_first(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """As in a wheel, where the folder is part of the package."""
        folder = tmp_path / "templates"
        folder.mkdir()
        (folder / "tiny.toml").write_text(SMALL, encoding="utf-8")
        (folder / "notes.txt").write_text("not a template", encoding="utf-8")
        monkeypatch.setattr(template_module.resources, "files", lambda package: tmp_path)
        assert template_names() == ("tiny",)

    def test_file_may_have_a_byte_order_mark(self, tmp_path: Path, tiny: Template) -> None:
        path = tmp_path / "tiny.toml"
        path.write_bytes(b"\xef\xbb\xbf" + SMALL.replace("\n", "\r\n").encode())
        assert read_template_file(path) == tiny

    def test_missing_file(self, tmp_path: Path) -> None:
        with pytest.raises(UnreadableInputError, match=r"gone\.toml: can't be read"):
            read_template_file(tmp_path / "gone.toml")

    def test_file_that_is_not_utf8(self, tmp_path: Path) -> None:
        path = tmp_path / "latin.toml"
        path.write_bytes('title = "Fünf"'.encode("latin-1"))
        with pytest.raises(UnreadableInputError, match=r"latin\.toml: not text in UTF-8"):
            read_template_file(path)


class TestBuilding:
    def test_rows_make_fields_with_columns_shapes_and_places(self, tiny: Template) -> None:
        fields = [field for field in tiny.fields if field.row == "red"]
        assert [(f.id, f.kind, f.shape, f.column) for f in fields] == [
            ("red-3", "number", "circle", 3),
            ("red-4", "number", "pentagon", 4),
            ("red-5", "blocked", "circle", 5),
        ]
        assert [f.box_mm for f in fields] == [Box(24 + 14 * place, 22.5, 12, 11) for place in range(3)]

    def test_fields_to_mark_are_named_by_their_labels(self, mixed: Template) -> None:
        fields = [field for field in mixed.fields if field.row == "blue"]
        assert [(f.id, f.kind, f.shape, f.column, f.label, f.look) for f in fields] == [
            ("blue-9", "mark", "box", None, "9", "red"),
            ("blue-4", "mark", "box", None, "4", "blue"),
            ("blue-lock", "mark", "box", None, "🔒", "blue"),
        ]
        assert [f.box_mm for f in fields] == [Box(24 + 14 * place, 44.5, 12, 11) for place in range(3)]

    def test_fields_to_mark_may_stand_among_columns(self) -> None:
        among = MIXED.replace('cells = "x x L"', 'cells = "x o x L"\nfirst_column = 5')
        fields = parse_template(among.replace("looks", "# looks"), "among.toml").fields
        assert [(f.id, f.column, f.look) for f in fields if f.row == "blue"] == [
            ("blue-9", 5, None),
            ("blue-6", 6, None),
            ("blue-4", 7, None),
            ("blue-lock", 8, None),
        ]

    def test_places_are_each_rows_fields_from_left_to_right(self, mixed: Template) -> None:
        assert mixed.places == {
            "red": ("red-3", "red-4", "red-5"),
            "blue": ("blue-9", "blue-4", "blue-lock"),
        }

    def test_a_label_with_a_pitch_is_set_word_by_word(self) -> None:
        spread = SMALL.replace('text = "title"', 'text = "1 title 30"\npitch_mm = 7.5')
        labels = parse_template(spread, "spread.toml").labels
        assert [(label.text, label.at_mm) for label in labels] == [
            ("1", (20, 5)),
            ("title", (27.5, 5)),
            ("30", (35, 5)),
        ]

    def test_markers_count_up_from_the_first_id(self, tiny: Template) -> None:
        assert [marker.id for marker in tiny.markers] == [20, 21, 22, 23]
        assert tiny.markers[2].box_mm == Box(86, 66, 8, 8)

    def test_fields_and_rows_are_found_by_name(self, tiny: Template) -> None:
        assert tiny.field("penalty-1").label == "-5"
        assert tiny.row("red").pattern == "dots"
        with pytest.raises(KeyError):
            tiny.field("red-6")
        with pytest.raises(KeyError):
            tiny.row("blue")

    def test_free_text_is_not_read(self, tiny: Template) -> None:
        assert [f.id for f in tiny.readable_fields] == ["red-3", "red-4", "red-5", "penalty-1"]


class TestJson:
    def test_looks_as_in_the_contract(self, tiny: Template) -> None:
        data = json.loads(json.dumps(tiny.to_dict()))
        assert (data["id"], data["version"], data["page_mm"]) == ("tiny", 2, [100, 80])
        by_id = {field["id"]: field for field in data["fields"]}
        assert by_id["red-4"] == {
            "id": "red-4",
            "kind": "number",
            "box_mm": [38, 22.5, 12, 11],
            "shape": "pentagon",
            "row": "red",
            "column": 4,
        }
        assert by_id["penalty-1"] == {
            "id": "penalty-1",
            "kind": "mark",
            "box_mm": [20, 45, 10, 10],
            "shape": "box",
            "label": "-5",
        }

    def test_tells_labels_and_looks(self, mixed: Template) -> None:
        field = next(field for field in mixed.to_dict()["fields"] if field["id"] == "blue-9")
        assert (field["label"], field["look"], "column" in field) == ("9", "red", False)

    def test_tells_where_markers_rows_and_code_are(self, tiny: Template) -> None:
        data = tiny.to_dict()
        assert data["markers"]["places"][0] == {"id": 20, "box_mm": [6, 6, 8, 8]}
        assert data["markers"]["dictionary"] == "DICT_APRILTAG_36h11"
        assert data["rows"] == [
            {"id": "red", "colour": "#CC0000", "pattern": "dots", "band_mm": [18, 20, 60, 16]}
        ]
        assert data["code"] == {"box_mm": [60, 60, 12, 12], "text_mm": [20, 65, 30, 3]}

    def test_qwinto_has_the_field_names_of_the_contract(self) -> None:
        names = {f"orange-{column}" for column in range(3, 13)}
        names |= {f"yellow-{column}" for column in range(2, 12)}
        names |= {f"purple-{column}" for column in range(1, 11)}
        names |= {f"misthrow-{place}" for place in range(1, 5)}
        names |= {f"tally-{row}" for row in ("orange", "yellow", "purple", "misthrows", "total")}
        names |= {f"tally-bonus-{column}" for column in (3, 4, 8, 9, 10)} | {"name"}
        qwinto = load_template("qwinto")
        assert {field.id for field in qwinto.fields} == names
        assert {f.id for f in qwinto.fields if f.kind == "blocked"} == {"orange-6", "yellow-7", "purple-5"}
        pentagons = {f.id for f in qwinto.fields if f.shape == "pentagon"}
        assert pentagons == {"orange-4", "orange-8", "yellow-9", "purple-3", "purple-10"}

    def test_qwinto_fields_of_a_column_stand_under_each_other(self) -> None:
        qwinto = load_template("qwinto")
        places = {(field.column, field.box_mm.centre[0]) for field in qwinto.fields if field.column}
        assert len(places) == 12

    def test_qwinto_cells_hold_their_fields(self) -> None:
        """Cells are cut as squares of 16 mm around a field's middle."""
        for field in load_template("qwinto").readable_fields:
            assert field.box_mm.width <= 14.5, field.id
            assert field.box_mm.height <= 12.5, field.id


QWIXX = ("qwixx", "qwixx-mixx-a", "qwixx-mixx-b")


class TestQwixx:
    @pytest.mark.parametrize("name", QWIXX)
    def test_has_the_field_names_of_the_contract(self, name: str) -> None:
        rows = ("red", "yellow", "green", "blue")
        names = {f"{row}-{word}" for row in rows for word in (*range(2, 13), "lock")}
        names |= {f"penalty-{place}" for place in range(1, 5)}
        names |= {f"tally-{line}" for line in (*rows, "penalties", "total")} | {"name"}
        template = load_template(name)
        assert {field.id for field in template.fields} == names
        assert {f.kind for f in template.fields if f.row} == {"mark"}
        assert all(f.label == f.id.rpartition("-")[2] for f in template.fields if f.row and f.label != "🔒")
        assert [fields[-1] for fields in template.places.values()] == [f"{row}-lock" for row in rows]

    def test_red_and_yellow_ascend_green_and_blue_descend(self) -> None:
        for name in ("qwixx", "qwixx-mixx-a"):
            for row, fields in load_template(name).places.items():
                values = [int(field.rpartition("-")[2]) for field in fields[:-1]]
                assert values == sorted(values, reverse=row in ("green", "blue"))

    def test_colours_of_mixx_a(self) -> None:
        """Row 1 (red lock) Y2-4 B5-7 G8-10 R11-12 and so on, as `shared/rules/qwixx.md` has them."""
        template = load_template("qwixx-mixx-a")
        looks = {
            row.id: "".join(f.look[0] for f in template.fields if f.row == row.id and f.look)
            for row in template.rows
        }
        assert looks == {
            "red": "yyybbbgggrr" + "r",
            "yellow": "rrggggbbyyy" + "y",
            "green": "bbbyyyrrrgg" + "g",
            "blue": "ggrrrryybbb" + "b",
        }

    def test_no_look_is_given_where_rows_have_one_colour(self) -> None:
        for name in ("qwixx", "qwixx-mixx-b"):
            assert {field.look for field in load_template(name).fields} == {None}

    @pytest.mark.parametrize("name", QWIXX)
    def test_cells_hold_their_fields_and_no_neighbour(self, name: str) -> None:
        """Cells are cut as squares of 16 mm around a field's middle."""
        fields = load_template(name).readable_fields
        for field in fields:
            assert field.box_mm.width <= 14.5, field.id
            assert field.box_mm.height <= 12, field.id
            cell = Box.around(field.box_mm.centre, 16, 16)
            overlapped = [other.id for other in fields if other is not field and cell.overlaps(other.box_mm)]
            assert field.row is None or not overlapped

    def test_markers_tell_the_templates_apart(self) -> None:
        ids = [marker.id for name in template_names() for marker in load_template(name).markers]
        assert ids == list(range(32))

    def test_all_templates_have_their_markers_in_the_same_places(self) -> None:
        places = {tuple(m.box_mm for m in load_template(name).markers) for name in template_names()}
        assert len(places) == 1


def replaced(old: str, new: str, text: str = SMALL) -> Callable[[], str]:
    def make() -> str:
        assert text.count(old) >= 1, f"{old!r} is not in the template"
        return text.replace(old, new, 1)

    return make


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: "id = ", "not a TOML file"),
        (lambda: "a = " + "[" * 5000, "not a TOML file"),
        (lambda: "", "id: is missing"),
        (replaced("version = 2", "version = 0"), "version: must be greater than or equal to 1"),
        (replaced("version = 2", 'version = "two"'), "version: must be a whole number"),
        (replaced("version = 2", "version = 2\nvesion = 3"), "vesion: is not known here"),
        (replaced('id = "tiny"', 'id = "Tiny Game"'), "id: must match pattern"),
        (replaced("page_mm = [100, 80]", "page_mm = [100]"), "page_mm.1: is missing"),
        (replaced("page_mm = [100, 80]", "page_mm = [100, nan]"), "page_mm.1: must be"),
        (
            replaced("36h11", "16h5"),
            "markers.dictionary: 'DICT_APRILTAG_16h5' is not one of 'DICT_APRILTAG_36h11'",
        ),
        (replaced(", [10, 70]]", "]"), "markers.centres_mm: must have at least 4 items"),
        (replaced("size_mm = 8", "size_mm = 0"), "markers.size_mm: must be greater than 0"),
        (replaced("first_id = 20", "first_id = -1"), "markers.first_id: must be greater than"),
        (replaced("first_id = 20", "first_id = 584"), "marker 587 is not one of the 587 markers"),
        (replaced('"#CC0000"', '"red"'), "rows.0.colour: must match pattern"),
        (
            replaced('pattern = "dots"', 'pattern = "hearts"'),
            "rows.0.pattern: 'hearts' is not one of 'plain'",
        ),
        (replaced('"o P #"', '"o p #"'), "rows.0.cells: must match pattern"),
        (
            replaced("first_column = 3\n", ""),
            "rows.0: cells that are o, P or # need first_column",
        ),
        (replaced('"9 4"', '"9"', MIXED), "rows.1: 2 cells are x, but labels are 1"),
        (replaced('labels = "9 4"\n', "", MIXED), "rows.1: 2 cells are x, but labels are 0"),
        (replaced('"9 4"', '"9 IV"', MIXED), "rows.1.labels: must match pattern"),
        (
            replaced('"red blue blue"', '"red blue"', MIXED),
            "rows.1: there are 3 cells, but 2 looks",
        ),
        (
            replaced('"red blue blue"', '"red blue pink"', MIXED),
            "no row is named pink, whose look fields have",
        ),
        (replaced('"9 4"', '"9 9"', MIXED), "two fields are named blue-9"),
        (replaced("pitch_mm = 14", "pitch_mm = -14"), "rows.0.pitch_mm: must be greater than 0"),
        (replaced('kind = "mark"', 'kind = "check"'), "fields.1.kind: 'check' is not one of 'number'"),
        (replaced('kind = "mark"\n', ""), "fields.1.kind: is missing"),
        (replaced("[20, 45, 10, 10]", "[20, 45, 10]"), "fields.1.box_mm.3: is missing"),
        (replaced('text = "title"', 'text = ""'), "labels.0.text: must have at least 1 character"),
        (replaced('fr = { title = "Petit", name = "Nom" }', ""), "texts.fr: is missing"),
        (replaced('title = "Petit", ', ""), "texts.fr lacks title"),
        (replaced("[20, 45, 10, 10]", "[95, 45, 10, 10]"), "penalty-1 lies off the page"),
        (replaced("[10, 70]]", "[10, 77]]"), "marker 23 lies off the page"),
        (replaced("box_mm = [60, 60, 12, 12]", "box_mm = [60, 75, 12, 12]"), "code lies off the page"),
        (replaced("[20, 45, 10, 10]", "[24, 30, 10, 10]"), "red-3 overlaps penalty-1"),
        (replaced("pitch_mm = 14", "pitch_mm = 11"), "red-3 overlaps red-4"),
        (replaced("[20, 7, 40, 8]", "[14.5, 7, 40, 8]"), "name overlaps marker 20"),
        (replaced("[20, 65, 30, 3]", "[50, 65, 30, 3]"), "code overlaps code text"),
        (replaced("[18, 20, 60, 16]", "[12, 14, 60, 16]"), "the band of red overlaps marker 20"),
        (replaced("[18, 20, 60, 16]", "[18, 20, 60, 46]"), "the band of red overlaps code"),
        (replaced("[18, 20, 60, 16]", "[18, 20, 90, 16]"), "the band of red lies off the page"),
        (replaced("at_mm = [20, 5]", "at_mm = [20, 85]"), "label 'title' lies off the page"),
        (replaced('"penalty-1"', '"red-3"'), "two fields are named red-3"),
        (
            replaced("[[fields]]", SMALL[SMALL.index("[[rows]]") : SMALL.index("[[fields]]")] + "[[fields]]"),
            "two rows are named red",
        ),
    ],
)
def test_faults_are_told_with_file_place_and_reason(make: Callable[[], str], told: str) -> None:
    with pytest.raises(TemplateError) as failure:
        parse_template(make(), "mine.toml")
    assert failure.value.message.startswith("mine.toml: ")
    assert told in failure.value.message
    assert "templates check" in failure.value.hint
    assert failure.value.exit_code == ExitCode.TEMPLATE


def test_a_number_without_end_is_told_in_plain_words() -> None:
    with pytest.raises(TemplateError, match=r"mine\.toml: holds a number of thousands of digits$"):
        parse_template(replaced("version = 2", f"version = {'9' * 5000}")(), "mine.toml")


def test_all_faults_of_a_well_formed_file_are_told_at_once() -> None:
    broken = replaced("[20, 45, 10, 10]", "[95, 45, 10, 10]")().replace('title = "Petit", ', "")
    with pytest.raises(TemplateError, match=r"penalty-1 lies off the page; texts\.fr lacks title"):
        parse_template(broken, "mine.toml")
