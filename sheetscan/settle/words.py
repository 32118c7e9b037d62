"""What is settled, and what is asked, in words (`sheetscan/locale/*/settle.toml`)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sheetscan.language import field_name, listed, say, signed
from sheetscan.result import Content, Sheet
from sheetscan.settle.names import sheet_names, source_of
from sheetscan.settle.papers import Remark
from sheetscan.settle.settlement import GameFinding

OF_PHOTOS = ("same-photo", "same-sheet", "stages-contradict", "corrections-contradict", "photocopies")
"""Findings in which sheets are called by their photos."""
MOST_SETS = 6
"""Of more sets of winners no sentence is made."""


@dataclass(frozen=True, slots=True)
class Words:
    """Says things about the sheets of these numbers; `names` are those of the sheets that count."""

    language: str
    game: str
    sheets: Mapping[int, Sheet]
    names: Mapping[int, str]

    @classmethod
    def of(cls, language: str, game: str, sheets: Mapping[int, Sheet], counted: Sequence[int]) -> "Words":
        """The words for a game of which the `counted` sheets are ranked."""
        names = sheet_names([sheets[number] for number in counted])
        return cls(language, game, sheets, dict(zip(counted, names, strict=True)))

    def say(self, key: str, **figures: object) -> str:
        """A text of `settle.toml`."""
        return say(self.language, f"settle.{key}", **figures)

    def name(self, number: int) -> str:
        """What the sheet of that number is called; if it doesn't count, with its photo."""
        sheet = self.sheets[number]
        photo = source_of(sheet)
        return self.names.get(number) or (f"{sheet.player} ({photo})" if sheet.player else photo)

    def photo(self, number: int) -> str:
        """The photo that the sheet of that number was read from."""
        return source_of(self.sheets[number])

    def photos(self, numbers: Sequence[int]) -> list[str]:
        """The photos of several sheets; results of one photo are told apart by the sheets' numbers."""
        named = {number: self.photo(number) for number in numbers}
        shared = Counter(named.values())
        return [photo if shared[photo] == 1 else f"{photo} #{number}" for number, photo in named.items()]

    def all_of(self, numbers: Iterable[int]) -> str:
        """The names of several sheets: "a, b and c"."""
        return listed(self.language, [self.name(number) for number in numbers])

    def either(self, parts: Sequence[str]) -> str:
        """The parts as a choice: "a, b or c"."""
        return either(self.language, parts)

    def field(self, name: str) -> str:
        """A field's name in words."""
        return field_name(self.language, self.game, name)

    def content(self, content: Content) -> str:
        """What a field may hold."""
        if content.value is not None:
            return signed(content.value)
        return self.say(f"content-{content.kind}")

    def entry(self, sheet: int, name: str) -> str:
        """A field with the number in it, with a question mark where that is doubtful."""
        reading = self.sheets[sheet].fields[name]
        content = self.content(reading.content) + ("?" if reading.doubtful else "")
        return self.say("entry", content=content, field=self.field(name))

    def remark(self, remark: Remark) -> GameFinding:
        """A finding on which results are of which sheet."""
        photos = remark.code in OF_PHOTOS
        called = self.photos(remark.sheets) if photos else [self.name(number) for number in remark.sheets]
        fields = [self._contradiction(name, remark.sheets) for name in remark.fields]
        message = self.say(
            f"{remark.code}-{remark.severity}",
            sheets=listed(self.language, called),
            counted=called[0],
            others=listed(self.language, called[1:] or called),
            fields=listed(self.language, fields) if fields else "",
            **remark.figures,
        )
        return GameFinding(
            remark.code,
            remark.severity,
            remark.sheets,
            remark.fields,
            message,
            self.say(f"{remark.code}-rule"),
        )

    def _contradiction(self, name: str, numbers: Sequence[int]) -> str:
        """A field with what stands in it on each of the sheets."""
        held = [self.content(self.sheets[number].fields[name].content) for number in numbers]
        return self.say("contradiction", field=self.field(name), contents=" / ".join(held))

    def unread(self, sources: Sequence[str]) -> Iterator[GameFinding]:
        """The finding on the inputs that could not be read, if there are any."""
        if sources:
            message = self.say("unread-one-of", sources=listed(self.language, list(dict.fromkeys(sources))))
            yield GameFinding("unread", "one-of", (), (), message, self.say("unread-rule"))

    def winners(self, sets: Sequence[tuple[int, ...]]) -> str:
        """Sets of winners as alternatives: "Anna or Ben"."""
        return winners_in_words(self.language, self.names, sets)


def either(language: str, parts: Sequence[str]) -> str:
    """The parts as a choice: "a", "a or b", "a, b or c"."""
    *others, last = parts
    return say(language, "settle.or-list", others=", ".join(others), last=last) if others else last


def winners_in_words(language: str, names: Mapping[int, str], sets: Sequence[tuple[int, ...]]) -> str:
    """Sets of winners, by the names of their sheets' numbers: "Anna alone, or Ben and Cem together".

    Of more than MOST_SETS only who is in them.
    """
    called = [[names[number] for number in winners] for winners in sets]
    if all(len(one) == 1 for one in called):
        return either(language, [name for (name,) in called])
    if len(called) > MOST_SETS:
        everybody = [name for number, name in names.items() if any(number in winners for winners in sets)]
        return say(language, "settle.one-or-several", names=listed(language, everybody))
    *others, last = [
        say(language, f"settle.{'together' if len(one) > 1 else 'alone'}", names=listed(language, one))
        for one in called
    ]
    return say(language, "settle.or-sets", others=", ".join(others), last=last) if others else last
