"""Forms of digits that recorded writers drew and the lab's invented hands lack, for the training alone.

They are kept apart from `sheetscan.lab.glyphs` as every shipped sample is written in the forms there.
"""

from sheetscan.lab.glyphs import DIGITS, Form

RARE: dict[str, tuple[Form, ...]] = {
    "0": (
        Form(
            "tailed",
            0.7,
            0.7,
            (
                (
                    "44 -106, 12 -70, 6 -24, 28 0, 50 -30, 46 -74, 22 -88",
                    "56 -112, 10 -74, 2 -26, 26 2, 54 -30, 46 -80, 14 -82",
                ),
            ),
        ),
    ),
    "1": (
        Form("tent", 2, 0.2, (("-16 -34, 20 -100!, 26 0", "-36 -4, 14 -100!, 44 0"),)),
        Form("bent tent", 1, 0.1, (("-18 -24, 4 -56, 26 -100!, 26 0", "-36 -2, -2 -34, 28 -100!, 30 0"),)),
    ),
    "7": (
        Form(
            "deep hook",
            2,
            1,
            (("6 -70, 4 -97!, 30 -97, 54 -98!, 26 0", "8 -52, 0 -94!, 30 -94, 58 -100!, 26 2"),),
        ),
        Form(
            "curled hook",
            2,
            1,
            (("14 -76, 2 -88, 16 -98, 54 -96!, 30 0", "20 -60, -2 -78, 16 -98, 56 -98!, 26 2"),),
        ),
        Form(
            "deep hook barred",
            2,
            0.2,
            (
                ("6 -70, 4 -97!, 30 -97, 54 -98!, 26 0", "8 -52, 0 -94!, 30 -94, 58 -100!, 26 2"),
                ("18 -44, 52 -50", "6 -38, 60 -46"),
            ),
        ),
    ),
    "9": (
        Form(
            "square top",
            1.5,
            1.5,
            (
                (
                    "44 -94, 8 -96!, 8 -58!, 44 -60!, 46 -98!, 44 0",
                    "50 -100, 4 -92!, 0 -50!, 48 -54!, 52 -102!, 42 2",
                ),
            ),
        ),
        Form(
            "from the top",
            1.5,
            1.5,
            (
                (
                    "48 -98, 10 -92, 8 -60, 44 -64, 48 -96!, 44 0",
                    "58 -102, 6 -92, 2 -54, 46 -60, 54 -100!, 36 2",
                ),
            ),
        ),
    ),
}

TRAINING_DIGITS = {sign: forms + RARE.get(sign, ()) for sign, forms in DIGITS.items()}
"""All forms that invented hands write for the training."""
