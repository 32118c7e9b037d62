"""The distributions as users get them: what they hold, and that they work away from the checkout."""

import json
import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SITE = Path("lib") / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
DATA_FOLDERS = ("sheetscan", "templates")

pytestmark = pytest.mark.skipif(os.name == "nt", reason="knows the layout of environments on POSIX only")


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source distribution, and the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def wheel(distributions: Path) -> Path:
    (path,) = distributions.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the wheel in it; dependencies are borrowed from the running environment.

    A path named in a .pth file is searched for modules, but .pth files inside it are not followed: so the
    editable install of the running environment, and with it the checkout, stays out of sight.
    """
    folder = tmp_path_factory.mktemp("fresh") / "environment"
    venv.create(folder, symlinks=True)
    command = [sys.executable, "-m", "pip", "--python", str(folder), "install", "--quiet", "--no-index"]
    subprocess.run([*command, "--no-deps", str(wheel)], check=True)
    borrowed = {str(Path(entry).resolve()) for entry in sys.path if entry.endswith("site-packages")}
    (folder / SITE / "borrowed.pth").write_text("\n".join(sorted(borrowed)), encoding="utf-8")
    return folder


def run(installed: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs a program of the fresh environment outside the checkout."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "COV_"))}
    program, *rest = arguments
    command = [str(installed / "bin" / program), *rest]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=installed.parent, env=environment
    )


def test_every_data_file_is_in_the_wheel(wheel: Path) -> None:
    files = [path for folder in DATA_FOLDERS for path in (ROOT / folder).rglob("*") if path.is_file()]
    wanted = {path.relative_to(ROOT).as_posix() for path in files if path.suffix != ".pyc"}
    wanted = {name.replace("templates/", "sheetscan/templates/", 1) for name in wanted}
    held = set(zipfile.ZipFile(wheel).namelist())
    assert "sheetscan/templates/qwinto.toml" in wanted
    assert wanted <= held


def test_wheel_holds_nothing_but_the_package(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    metadata = "-".join(wheel.name.split("-")[:2]) + ".dist-info"
    assert {name.split("/")[0] for name in names} == {"sheetscan", metadata}
    assert not [name for name in names if "test" in name.lower() or name.endswith(".pyc")]
    data = [name for name in names if name.endswith(".npz")]
    assert all(name.startswith("sheetscan/reading/models/") for name in data)
    assert wheel.stat().st_size < 6_000_000


def test_source_distribution_is_complete_and_clean(distributions: Path) -> None:
    (path,) = distributions.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"LICENSE", "README.md", "pyproject.toml", "templates/qwinto.toml"} <= names
    assert not [name for name in names if name.startswith(("tests/", "samples/", "training/", "work/"))]


def test_fresh_environment_does_not_see_the_checkout(installed: Path) -> None:
    done = run(installed, "python", "-c", "import sheetscan; print(sheetscan.__file__)")
    assert Path(done.stdout.strip()).is_relative_to(installed), done.stderr


def test_templates_are_found(installed: Path) -> None:
    done = run(installed, "sheetscan", "templates", "list")
    assert done.returncode == 0, done.stderr
    assert "qwinto" in done.stdout


def test_sheet_is_printed(installed: Path, tmp_path: Path) -> None:
    output = tmp_path / "sheet.pdf"
    done = run(installed, "sheetscan", "print", "qwinto", "-o", str(output), "--players", "Zoë,Łukasz")
    assert done.returncode == 0, done.stderr
    assert output.read_bytes().startswith(b"%PDF-")


def test_sample_is_read(installed: Path) -> None:
    done = run(installed, "sheetscan", "scan", "--json", "--exit-zero", str(ROOT / "samples" / "anna.jpg"))
    assert done.returncode == 0, done.stderr
    (sheet,) = json.loads(done.stdout)["sheets"]
    assert sheet["template"] == "qwinto"
    assert {field["kind"] for field in sheet["fields"].values()} >= {"empty", "number"}
