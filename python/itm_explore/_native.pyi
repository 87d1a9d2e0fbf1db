from typing import Any

__all__ = ["__version__", "run"]

__version__: str

def run(
    arguments: list[str],
    arrays: list[tuple[str, Any]],
    contents: list[tuple[str, bytes]],
) -> tuple[bytes, dict[str, bytes], list[str]]: ...
