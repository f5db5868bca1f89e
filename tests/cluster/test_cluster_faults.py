"""Real faults in a real cluster, each in its namespace: the first cause must be the right one."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.cluster.asking import Told, diagnosed, diagnosed_folder, in_the_end, missed, sickbay
from tests.cluster.fault import Fault, faults, wait_for_all
from tests.cluster.running import Cluster
from tests.cluster.saving import Saved, save

TOGETHER = [fault for fault in faults() if not fault.alone and not fault.is_healthy]
HEALTHY = [fault for fault in faults() if fault.is_healthy]
by_name = pytest.mark.parametrize("fault", TOGETHER, ids=lambda fault: fault.name)
_AT_ONCE = 4


@pytest.fixture(scope="module")
def ill(cluster: Cluster) -> Cluster:
    """The cluster with all faults in it, each showing its symptom."""
    made = [*TOGETHER, *HEALTHY]
    with ThreadPoolExecutor(_AT_ONCE) as side_by_side:
        list(side_by_side.map(lambda fault: fault.make(cluster), made))
    for fault in made:
        fault.strike(cluster)
    assert wait_for_all(cluster, made) == []
    return cluster


@pytest.fixture(scope="module")
def saved(ill: Cluster) -> Saved:
    return save(ill)


@pytest.fixture(scope="module")
def live(ill: Cluster) -> dict[str, Told]:
    """What is said of each namespace alone, asked side by side."""
    names = [fault.name for fault in TOGETHER]
    with ThreadPoolExecutor(_AT_ONCE) as side_by_side:
        told = side_by_side.map(lambda name: diagnosed("--namespace", name, cluster=ill), names)
        return dict(zip(names, told, strict=True))


@pytest.fixture(scope="module")
def offline(saved: Saved, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Told]:
    """What is said of the saved outputs of each namespace, asked side by side."""
    folder = tmp_path_factory.mktemp("saved")
    names = [fault.name for fault in TOGETHER]
    with ThreadPoolExecutor(_AT_ONCE) as side_by_side:
        told = side_by_side.map(
            lambda name: diagnosed_folder(saved.write(folder / name, name)), names
        )
        return dict(zip(names, told, strict=True))


@pytest.fixture(scope="module")
def all_at_once(ill: Cluster) -> Told:
    return in_the_end(lambda: diagnosed(cluster=ill), lambda told: not missed(told, TOGETHER))


def _new(folder: Path) -> Path:
    """A folder in it that nobody has used."""
    made = folder / f"try-{len(list(folder.iterdir()))}"
    made.mkdir()
    return made


@by_name
def test_live_in_its_namespace_the_first_cause_is_right(
    ill: Cluster, live: dict[str, Told], fault: Fault
) -> None:
    firsts = iter((live[fault.name],))

    def asked() -> dict[str, str]:
        told = next(firsts, None) or diagnosed("--namespace", fault.name, cluster=ill)
        return missed(told, [fault])

    assert in_the_end(asked, lambda wrong: not wrong) == {}


@by_name
def test_in_saved_outputs_the_first_cause_is_right(
    ill: Cluster, offline: dict[str, Told], tmp_path: Path, fault: Fault
) -> None:
    firsts = iter((offline[fault.name],))

    def asked() -> dict[str, str]:
        told = next(firsts, None)
        if told is None:
            folder = save(ill).write(_new(tmp_path) / "saved", fault.name)
            told = diagnosed_folder(folder)
        return missed(told, [fault])

    assert in_the_end(asked, lambda wrong: not wrong) == {}


def test_all_at_once_each_fault_has_its_own_first_cause(all_at_once: Told) -> None:
    assert missed(all_at_once, TOGETHER) == {}


def test_the_bundle_of_a_run_says_the_same_as_the_run(ill: Cluster, tmp_path: Path) -> None:
    def asked() -> tuple[Told, Told]:
        """What is told live and by a bundle, one right after the other: the cluster goes on."""
        live = diagnosed(cluster=ill)
        bundle = _new(tmp_path) / "bundle.tar.gz"
        done = sickbay("collect", "--to", str(bundle), "--quiet", cluster=ill)
        assert done.returncode in {0, 3}, done.stderr
        return live, diagnosed_folder(bundle)

    live, told = in_the_end(
        asked, lambda both: _rules(both[0]) == _rules(both[1]) and not missed(both[1], TOGETHER)
    )
    assert missed(told, TOGETHER) == {}
    assert _rules(told) == _rules(live)


def _rules(told: Told) -> set[str]:
    return {cause["rule"] for cause in told.found}


@pytest.mark.parametrize("fault", HEALTHY, ids=lambda fault: fault.name)
def test_a_healthy_namespace_stays_silent(all_at_once: Told, fault: Fault) -> None:
    assert all_at_once.first_of(fault) == ""
