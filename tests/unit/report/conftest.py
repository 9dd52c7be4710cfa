"""A rendered folder that the tests here share and do not change."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.report.rendered import everything, write_out


@pytest.fixture(scope="session")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_out(tmp_path_factory.mktemp("set") / "out", everything())
