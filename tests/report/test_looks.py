import pytest

from sickbay.report.looks import is_command, parted


@pytest.mark.parametrize("text", ["kubectl get pdb -A", "./check.sh", "az aks show"])
def test_a_command_is_told_from_a_sentence(text: str) -> None:
    assert is_command(text)


@pytest.mark.parametrize(
    "text", ["Look at the portal", "the pods are created", "", "state wants x"]
)
def test_a_sentence_is_no_command(text: str) -> None:
    assert not is_command(text)


@pytest.mark.parametrize(
    ("look", "command", "expected"),
    [
        ("kubectl get pdb -A", "kubectl get pdb -A", ""),
        ("kubectl get nodes wants all Ready", "kubectl get nodes", "wants all Ready"),
        ("kubectl get --raw /version answers", "kubectl get --raw /version", "answers"),
        ("nslookup <host> gives an address", "nslookup '<host>'", "gives an address"),
        ("the pods are created", "", "the pods are created"),
    ],
)
def test_a_look_is_parted_into_command_and_expectation(
    look: str, command: str, expected: str
) -> None:
    assert parted(look) == (command, expected)
