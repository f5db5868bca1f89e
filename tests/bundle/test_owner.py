"""Whose a log is: by the layouts of collectors, by a command, by the host that it names."""

import pytest

from sickbay.bundle.foreign.owner import owner_of

NODE = "aks-np1-12345678-vmss000000"
UID = "0f1e2d3c-aaaa-bbbb-cccc-0123456789ab"


@pytest.mark.parametrize(
    ("path", "about"),
    [
        (f"var/log/pods/shop_web-1_{UID}/app/0.log", "pod/shop/web-1"),
        (f"containers/web-1_shop_app-{'0a' * 32}.log", "pod/shop/web-1"),
        ("dump/shop/web-1/logs.txt", "pod/shop/web-1"),
        ("must-gather/namespaces/shop/pods/web-1/app/app/logs/current.log", "pod/shop/web-1"),
        ("b/cluster-resources/pods/logs/shop/web-1/app-previous.log", "pod/shop/web-1"),
        (
            "arc_diag/arc_agents_logs/config-agent-1/config-agent.txt",
            "pod/azure-arc/config-agent-1",
        ),
        (f"2026-11-16T10-00-00Z/{NODE}/nodelogs/syslog", f"node/{NODE}"),
        ("must-gather/nodes/worker-1.lab/journal.log", "node/worker-1.lab"),
    ],
)
def test_a_path_tells_whose_a_log_is(path: str, about: str) -> None:
    assert str(owner_of(path).about) == about


@pytest.mark.parametrize(
    ("command", "about"),
    [
        ("$ kubectl logs web-1 -n shop -c app --previous", "pod/shop/web-1"),
        ("kubectl logs -n shop deploy/web", "deployment/shop/web"),
        ("kubectl logs pod/web-1", "pod/<namespace>/web-1"),
    ],
)
def test_a_command_above_a_log_tells_whose_it_is(command: str, about: str) -> None:
    assert str(owner_of("pasted", f"{command}\npanic: no database\n").about) == about


def test_a_command_of_another_kind_tells_no_owner() -> None:
    assert owner_of("pasted", "$ kubectl get pods -n shop\nerror\n").about is None


def test_a_path_that_says_nothing_gives_no_owner() -> None:
    assert owner_of("error.txt", "something failed") == (None, "log")


def test_the_name_of_a_file_tells_its_kind() -> None:
    assert owner_of(f"{NODE}/cluster-provision.log").channel == "log/cse"
