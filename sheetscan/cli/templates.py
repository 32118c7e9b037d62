"""`sheetscan templates`: which sheets there are, what is on them, and whether a template file is valid."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sheetscan.cli import inputs, terminal
from sheetscan.cli.help import Command, Group
from sheetscan.cli.options import Json, Quiet, Verbose
from sheetscan.errors import TemplateError

if TYPE_CHECKING:
    from sheetscan.template import Template

app = typer.Typer(
    cls=Group,
    help="List, show and check the templates of sheets.",
    epilog="Example:\n\n\b\n  sheetscan templates list\n  sheetscan templates show qwinto --json",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command("list", cls=Command, epilog="Example:\n\n\b\n  sheetscan templates list --json")
def list_templates(as_json: Json = False, quiet: Quiet = False, verbose: Verbose = 0) -> None:
    """List the shipped templates."""
    terminal.set_up(quiet, verbose)
    from sheetscan.template import load_template, template_names

    templates = [load_template(name) for name in template_names()]
    if as_json:
        entries = [{"id": one.id, "version": one.version, "title": one.title} for one in templates]
        terminal.emit_data(json.dumps({"templates": entries}, ensure_ascii=False, indent=2) + "\n")
        return
    width = max((len(one.id) for one in templates), default=0)
    lines = [
        f"{one.id:<{width}}  version {one.version}  {one.title}, {_size(one)}, {len(one.fields)} fields"
        for one in templates
    ]
    terminal.emit_text("".join(line + "\n" for line in lines))


@app.command(
    "show",
    cls=Command,
    epilog="Example:\n\n\b\n  sheetscan templates show qwinto --json",
    short_help="Show the fields of a template with their places.",
)
def show_template(
    template: Annotated[str, typer.Argument(metavar="TEMPLATE", help="A name of `templates list`.")],
    as_json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = 0,
) -> None:
    """Show the fields of a template with their kinds and places (millimetres from the top left corner)."""
    terminal.set_up(quiet, verbose)
    from sheetscan.template import load_template

    found = load_template(template)
    if as_json:
        terminal.emit_data(json.dumps(found.to_dict(), ensure_ascii=False, indent=2) + "\n")
        return
    width = max((len(field.id) for field in found.fields), default=5)
    lines = [f"{found.title} ({found.id}, version {found.version}), {_size(found)}", ""]
    lines.append(f"{'field':<{width}}  kind     shape     x, y, width, height in mm")
    lines += [
        f"{field.id:<{width}}  {field.kind:<7}  {field.shape:<8}"
        f"  {field.box_mm.x:g}, {field.box_mm.y:g}, {field.box_mm.width:g}, {field.box_mm.height:g}"
        for field in found.fields
    ]
    terminal.emit_text("".join(line + "\n" for line in lines))


@app.command(
    "check",
    cls=Command,
    epilog="Example:\n\n\b\n  sheetscan templates check my-sheet.toml",
    short_help="Check whether a template file is valid.",
)
def check_template(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A template in TOML; - is stdin.")],
    quiet: Quiet = False,
    verbose: Verbose = 0,
) -> None:
    """Check a template file: exit 0 when it is valid, 3 when it can't be read, else 6 with the reason."""
    terminal.set_up(quiet, verbose)
    from sheetscan.games import rules_for
    from sheetscan.template import parse_template, read_template_file, template_text

    source = inputs.called(file)
    if file == "-":
        found = parse_template(template_text(sys.stdin.buffer.read(), source), source)
    else:
        found = read_template_file(Path(file))
    try:
        rules_for(found)
    except TemplateError as error:
        raise TemplateError(f"{source}: {error.message}", error.hint) from error
    terminal.note(f"{source}: valid ({found.id}, version {found.version}, {len(found.fields)} fields)")


def _size(template: "Template") -> str:
    width, height = template.page_mm
    return f"{width:g} × {height:g} mm"
