"""Type checkers find every mistake of `mistakes.py`, and nothing else there; options are in signatures."""

from __future__ import annotations

import importlib.util
import inspect
import re
import subprocess
import sys
from pathlib import Path

import itm_explore
import pytest

FILE = Path(__file__).with_name("mistakes.py")
WANTED = {at for at, line in enumerate(FILE.read_text().splitlines(), 1) if line.endswith("# mistake")}
CHECKERS = {
    "mypy": ["mypy", "--strict", "--no-error-summary", "--config-file="],
    "pyright": ["pyright", "--pythonpath", sys.executable],
}


@pytest.mark.parametrize("checker", CHECKERS)
def test_a_type_checker_finds_every_mistake(checker: str, tmp_path: Path) -> None:
    if importlib.util.find_spec(checker) is None:
        pytest.skip(f"{checker} is not installed")
    # Away from the sources, what is installed is checked.
    copy = tmp_path / FILE.name
    copy.write_text(FILE.read_text())
    command = [sys.executable, "-m", *CHECKERS[checker], str(copy)]
    said = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    found = {int(line) for line in re.findall(r"mistakes\.py:(\d+)(?::\d+)?(?: -|:) error", said.stdout)}
    assert found == WANTED, said.stdout + said.stderr


def test_every_option_is_in_the_signature_and_the_help() -> None:
    signature = inspect.signature(itm_explore.evaluate)
    named = {name: one for name, one in signature.parameters.items() if one.kind is inspect.Parameter.KEYWORD_ONLY}
    assert {"metrics", "k", "truth", "pool", "ci", "demo", "captions_per_image", "short_lists"} <= set(named)
    assert not {"format", "quiet", "long", "help"} & set(named) and named["k"].default == (1, 5, 10)
    assert all(f"\n    {name} : " in (itm_explore.evaluate.__doc__ or "") for name in named)
    for name in itm_explore.functions.__all__:
        function = getattr(itm_explore, name)
        assert name == "explore" or "Returns\n    -------" in (function.__doc__ or ""), name
        assert not any(one.kind is inspect.Parameter.VAR_KEYWORD for one in inspect.signature(function).parameters.values())
