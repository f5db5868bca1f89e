"""Faults of nodes and of the cluster's own parts, one by one in an otherwise healthy cluster."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from tests.cluster.asking import Told, diagnosed, diagnosed_folder, in_the_end
from tests.cluster.node_faults import NODE_FAULTS, NOTHING, UNTIMED, NodeFault, mended
from tests.cluster.running import Cluster
from tests.cluster.saving import save


def made(faults: Sequence[NodeFault]) -> pytest.MarkDecorator:
    """Run a test with each fault, made once for all tests that want it."""
    names = [fault.name for fault in faults]
    return pytest.mark.parametrize("struck", faults, ids=names, indirect=True, scope="module")


@pytest.fixture(scope="module")
def struck(request: pytest.FixtureRequest, quiet_cluster: Cluster) -> Iterator[NodeFault]:
    """A fault that shows; it is mended before the next one is made."""
    fault: NodeFault = request.param
    try:
        fault.strike(quiet_cluster)
        fault.wait(quiet_cluster)
        yield fault
    finally:
        fault.mend(quiet_cluster)
        mended(quiet_cluster)


@made([*NODE_FAULTS, *UNTIMED, NOTHING])
def test_the_first_cause_is_right(struck: NodeFault, quiet_cluster: Cluster) -> None:
    def asked() -> str:
        return _first(diagnosed(*struck.flags, cluster=quiet_cluster), struck)

    assert in_the_end(asked, lambda first: first == struck.expect) == struck.expect


@made(NODE_FAULTS)
def test_in_saved_outputs_the_first_cause_is_right(
    struck: NodeFault, quiet_cluster: Cluster, tmp_path: Path
) -> None:
    folder = save(quiet_cluster).write(tmp_path / "saved")
    for name, text in struck.saved(quiet_cluster).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    assert _first(diagnosed_folder(folder), struck) == struck.expect


def _first(told: Told, fault: NodeFault) -> str:
    """The rule of the first cause, if it is about what the fault is about."""
    if not told.found:
        return "nothing"
    first = told.found[0]
    is_about = first["subject"]["name"].startswith(fault.subject)
    return str(first["rule"]) if is_about else f"{first['rule']} of {first['subject']['name']}"
