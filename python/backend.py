"""Builds the wheel: the program itself beside the module, which maturin builds.

``pip`` calls these functions (PEP 517). The program is built first, so that the wheel's command is the real binary and no
script that starts Python.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import maturin
from maturin import build_sdist, get_requires_for_build_sdist, prepare_metadata_for_build_wheel

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = ROOT / "python" / "itm_explore.data" / "scripts"
# maturin wants it when it writes the metadata, before anything is built.
SCRIPTS.mkdir(parents=True, exist_ok=True)

prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def get_requires_for_build_wheel(config_settings=None):
    """Requirements of maturin. Without cargo: one error with a fix."""
    if shutil.which("cargo") is None:
        sys.exit("error: itm-explore has no wheel for this system, and cargo, which compiles it, is not installed\n  fix: https://rustup.rs")
    return maturin.get_requires_for_build_wheel(config_settings)


get_requires_for_build_editable = get_requires_for_build_wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """The module and the program; ``-C profile=dev`` compiles them as tests are."""
    settings = with_program(config_settings)
    return maturin.build_wheel(wheel_directory, settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """The same, the Python files read where they are."""
    settings = with_program(config_settings)
    return maturin.build_editable(wheel_directory, settings, metadata_directory)


def with_program(config_settings):
    """Builds the binary and puts it where maturin takes scripts from; the settings for the module."""
    settings = dict(config_settings or {})
    profile = settings.pop("profile", "release")
    command = ["cargo", "build", "--profile", profile, "--locked", "-p", "itm-explore-python", "--bin", "itm-explore"]
    subprocess.run(command, cwd=ROOT, check=True)
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    shutil.copy2(target / ("debug" if profile == "dev" else profile) / "itm-explore", SCRIPTS)
    return {**settings, "build-args": f"--profile {profile} {settings.get('build-args', '')}".strip()}
