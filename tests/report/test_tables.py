import csv
import io
import json

import pytest

from sheetscan.report import csv as report_csv
from sheetscan.report import json as report_json
from sheetscan.result import Document, Failure, document_from_json, number
from tests.report.results import GOLDEN_43, TEMPLATE, doubtful, result, sure

FAILURE = Failure("x.jpg", None, 3, "x.jpg: not a picture", "give a photo")


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def test_the_table_has_one_row_a_field_after_a_byte_order_mark() -> None:
    text = report_csv.header() + report_csv.rows(result(GOLDEN_43))
    assert text.startswith("\ufeffsource,page,sheet_id,player,template,field,kind,value,confidence,why,")
    assert [row["field"] for row in rows(text)] == [field.id for field in TEMPLATE.readable_fields]
    assert text.count("\r\n") == len(TEMPLATE.readable_fields) + 1


def test_a_row_tells_what_was_read_and_what_about_it() -> None:
    sheet = result(
        GOLDEN_43,
        {"yellow-2": sure(number(19)), "yellow-9": doubtful(number(12), 0.7, (number(13), 0.29))},
    )
    by_field = {row["field"]: row for row in rows(report_csv.header() + report_csv.rows(sheet))}
    assert by_field["yellow-2"]["value"] == "19"
    assert by_field["yellow-2"]["findings"] == "value"
    assert by_field["yellow-9"]["why"] == "low confidence"
    assert by_field["yellow-9"]["review"] == "yes"
    assert by_field["orange-3"] == by_field["orange-3"] | {"kind": "empty", "value": "", "review": "no"}
    assert by_field["orange-3"]["sheet_total"] == str(sheet.score.total)


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t=", "\r=", " =", "＝"])
def test_no_text_is_run_as_a_formula(start: str) -> None:
    evil = f"{start}HYPERLINK(1)"
    row = rows(report_csv.header() + report_csv.rows(result(GOLDEN_43, player=evil, source=evil)))[0]
    assert row["player"] == row["source"] == f"'{evil}"


def test_names_with_commas_quotes_and_accents_survive() -> None:
    name = 'Zoë "the, Müller" 東京'
    assert rows(report_csv.header() + report_csv.rows(result(GOLDEN_43, player=name)))[0]["player"] == name


def test_a_negative_number_stays_a_number() -> None:
    sheet = result(GOLDEN_43, {"tally-total": sure(number(-5))})
    by_field = {row["field"]: row for row in rows(report_csv.header() + report_csv.rows(sheet))}
    assert by_field["tally-total"]["value"] == "-5"


def test_the_document_is_read_back_as_it_was() -> None:
    document = Document(sheets=(result(GOLDEN_43, player="Zoë"),), failures=(FAILURE,))
    text = report_json.document(document)
    assert document_from_json(text, "x") == document
    assert "Zoë" in text


def test_a_line_holds_one_part() -> None:
    for part in (result(GOLDEN_43), FAILURE):
        text = report_json.line(part)
        assert text.count("\n") == 1
        assert json.loads(text)["source"] == part.source
