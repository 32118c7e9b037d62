"""`sheetscan review`: asks a person about the fields that are in doubt, and about nothing else."""

import os
import re
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sheetscan.cli import inputs, output, terminal
from sheetscan.cli.options import ExitZero, Force, Lang, Quiet, Verbose, check_no_stream, chosen
from sheetscan.cli.results import read_result
from sheetscan.errors import ExitCode, NoSheetError, SheetscanError, UsageError

if TYPE_CHECKING:
    from sheetscan.cli.interview import Interview, Place
    from sheetscan.picture import Picture
    from sheetscan.report.words import Words
    from sheetscan.result import Content

EXAMPLE = (
    "Example:\n\n\b\n"
    "  sheetscan scan --json IMG_1.jpg > game.json\n"
    "  sheetscan review game.json                    asks, and writes game.reviewed.json\n"
    "  sheetscan review game.json < answers.txt      one answer a line\n"
)

CHOICE = re.compile(r"[1-9][0-9]?", re.ASCII)
CROP_MARGIN_MM = 4.0
ENLARGED = 3
"""How much larger than it was photographed a field is shown."""


def review(
    result: Annotated[str, typer.Argument(metavar="RESULT.json", help="Written by `scan --json`.")],
    output_file: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Where the corrected result goes; - is stdout.",
            show_default="RESULT.reviewed.json",
        ),
    ] = None,
    pictures: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Where the fields' pictures are kept.",
            show_default="not kept",
        ),
    ] = None,
    lang: Lang = None,
    exit_zero: ExitZero = False,
    force: Force = False,
    quiet: Quiet = False,
    verbose: Verbose = 0,
) -> None:
    """Ask about the doubtful fields of a result, one by one. The result itself is not changed.

    The answers are pinned in a new result, with their time; no other field changes.
    """
    terminal.set_up(quiet, verbose)
    language = chosen(lang)
    check_no_stream("--pictures", pictures, "folder")
    if result == "-":
        raise UsageError("the answers come from stdin, so the result can't", "give the result as a file")
    target = None if output_file == "-" else Path(output_file) if output_file else _free_name(Path(result))
    if target is not None:
        if inputs.identity(str(target)) == inputs.identity(result):
            raise UsageError(f"{target}: is the result itself, which is not changed", "give another name")
        output.check_free(target, force)

    import dataclasses

    from sheetscan.cli.interview import Interview
    from sheetscan.language import say
    from sheetscan.reassess import reassess
    from sheetscan.result import to_json

    document = read_result(result)
    if not document.sheets:
        raise NoSheetError(f"{result}: holds no sheet", "scan a photo that shows one")
    interview = Interview(tuple(reassess(sheet, {}, language) for sheet in document.sheets), language)
    conversation = Conversation(interview, Path(result).parent, pictures)
    try:
        conversation.hold()
    finally:
        conversation.close()
        if target is not None and not interview.corrected and conversation.asked:
            terminal.tell(say(language, "review.unchanged"))
        if interview.corrected or target is None:
            reviewed = dataclasses.replace(document, sheets=interview.sheets)
            _write(to_json(reviewed) + "\n", target, force)
    looks = any(sheet.needs_a_look for sheet in interview.sheets) and not exit_zero
    raise typer.Exit(ExitCode.NEEDS_A_LOOK if looks else ExitCode.OK)


def _free_name(result: Path) -> Path:
    """`game.reviewed.json` beside `game.json`, or the next of its kind, so that no review is lost."""
    stem = re.sub(r"\.reviewed(-\d+)?$", "", result.stem)
    names = [f"{stem}.reviewed.json", *(f"{stem}.reviewed-{count}.json" for count in range(2, 1000))]
    paths = (result.with_name(name) for name in names)
    return next((path for path in paths if not os.path.lexists(path)), result.with_name(names[-1]))


def _write(text: str, target: Path | None, force: bool) -> None:
    if target is None:
        terminal.emit_data(text)
    else:
        output.write_file(target, terminal.data_bytes(text), force)
        terminal.note(f"{target}: the result with your corrections")


@dataclass(slots=True)
class Conversation:
    """Puts the interview's questions on stderr and takes the answers from stdin, one a line."""

    interview: "Interview"
    folder: Path
    pictures: Path | None
    _flat: "dict[int, Picture | str]" = field(default_factory=dict)
    _passing: tempfile.TemporaryDirectory[str] | None = None
    _quitting: bool = False
    asked: bool = False
    """Whether there was anything to ask."""

    def hold(self) -> None:
        """Ask until nothing that matters is open, or the person quits or stdin ends."""
        if not self.interview.open:
            terminal.tell(self._say("nothing"))
        while self.interview.open:
            self.asked = True
            place = self.interview.open[0]
            self._ask(place)
            while not self._take_answer(place):
                pass
            if self._quitting:
                return
        if self.interview.past:
            terminal.tell(self._say("done"))

    def close(self) -> None:
        """Remove the fields' pictures, unless a folder was named for them."""
        if self._passing:
            self._passing.cleanup()

    def _words(self, place: "Place") -> "Words":
        from sheetscan.report.words import Words
        from sheetscan.template import load_template

        return Words(load_template(self.interview.sheets[place[0]].template), self.interview.language)

    def _say(self, key: str, **figures: object) -> str:
        from sheetscan.language import say

        return say(self.interview.language, f"review.{key}", **figures)

    def _ask(self, place: "Place") -> None:
        from sheetscan.report.words import shown, source_name

        sheet, words = self.interview.sheets[place[0]], self._words(place)
        name = shown(sheet.player or source_name(sheet))
        left = len(self.interview.open)
        terminal.tell("")
        terminal.tell(self._say("ask", name=name, field=words.field(place[1]), left=left))
        self._show_picture(place)
        for number, content in enumerate(self.interview.choices(place), 1):
            terminal.tell(f"  {number}  {self._choice(place, content)}")
        terminal.tell(self._say("help"))

    def _choice(self, place: "Place", content: "Content") -> str:
        """A choice in words, with its probability if the reader gave one."""
        words = self._words(place)
        reading = self.interview.sheets[place[0]].fields[place[1]]
        shares = {other.content: other.probability for other in reading.alternatives}
        share = reading.confidence if content == reading.content else shares.get(content)
        told = words.content(content)
        return told if share is None else words.say("alternative", content=told, percent=words.percent(share))

    def _take_answer(self, place: "Place") -> bool:
        """Read a line and act on it; False if it can't be meant, after saying why."""
        terminal.prompt("> ")
        line = sys.stdin.readline()
        if not line and self.interview.corrected:
            terminal.tell(self._say("end"))
        answer = line.strip("\r\n \t") if line else "q"
        match answer:
            case "q":
                self._quitting = True
            case "s":
                self.interview.skip(place)
            case "b":
                if not self.interview.back():
                    terminal.tell(self._say("no-back"))
                    return False
            case _:
                return self._take_content(place, answer)
        return True

    def _take_content(self, place: "Place", answer: str) -> bool:
        from sheetscan.report.words import shown

        choices = self.interview.choices(place)
        if answer.startswith("="):
            try:
                content = self._typed(place, answer[1:])
            except UsageError as error:
                terminal.tell(f"{error.message}: {error.hint}")
                return False
        elif CHOICE.fullmatch(answer) and int(answer) <= len(choices):
            content = choices[int(answer) - 1]
            if any(other.value == int(answer) for other in choices if other != content):
                terminal.tell(self._say("ambiguous", answer=answer, value=content))
                return False
        else:
            key = "no-answer" if not answer else "number" if CHOICE.fullmatch(answer) else "no-choice"
            terminal.tell(self._say(key, answer=shown(answer), count=len(choices)))
            return False
        self.interview.answer(place, content)
        self._tell_taken(place, content)
        return True

    def _tell_taken(self, place: "Place", content: "Content") -> None:
        """What was taken down, and which rule it breaks: it may have been a slip."""
        sheet, words = self.interview.sheets[place[0]], self._words(place)
        field_words, content_words = words.field(place[1]), words.content(content)
        points = words.points(sheet.score.total)
        terminal.tell(self._say("taken", field=field_words, content=content_words, points=points))
        for finding in sheet.findings:
            if place[1] in finding.fields and finding.severity != "note":
                terminal.tell(f"  {finding.message}")

    def _typed(self, place: "Place", value: str) -> "Content":
        from sheetscan.cli.changes import changes_of

        (content,) = changes_of(self.interview.sheets[place[0]], [(place[1], value)]).values()
        return content

    def _show_picture(self, place: "Place") -> None:
        """Save the field's picture and show where; inside the terminal too if it can."""
        import cv2

        from sheetscan.cli.inline import picture_codes
        from sheetscan.picture import crop

        number, name = place
        flat = self._picture(number)
        if isinstance(flat, str):
            terminal.tell(self._say("no-picture", reason=flat))
            return
        box = self._words(place).template.field(name).box_mm
        part = crop(flat, box, CROP_MARGIN_MM)
        enlarged = cv2.resize(part, None, fx=ENLARGED, fy=ENLARGED, interpolation=cv2.INTER_CUBIC)
        png = cv2.imencode(".png", enlarged)[1].tobytes()
        if self.pictures is None:
            self._passing = tempfile.TemporaryDirectory(
                prefix="sheetscan-review-", ignore_cleanup_errors=True
            )
            self.pictures = Path(self._passing.name)
        output.make_folder(self.pictures)
        path = self.pictures / f"{number + 1}-{name}.png"
        output.write_file(path, png, force=True)
        terminal.tell(self._say("picture", path=path))
        codes = picture_codes(png, os.environ)
        if codes and sys.stderr.isatty():
            terminal.show_codes(codes)

    def _picture(self, number: int) -> "Picture | str":
        """The sheet's flattened photo, or why there is none."""
        from sheetscan.picture import picture_of

        if number not in self._flat:
            try:
                self._flat[number] = picture_of(self.interview.sheets[number], (Path(), self.folder))
            except SheetscanError as error:
                self._flat[number] = error.message
        return self._flat[number]
