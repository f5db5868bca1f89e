"""A text that breaks off is read by the samples of the rules."""

import pytest

from sickbay.app import Settings, explain_with
from sickbay.model.diagnosis import Cause
from sickbay.store import Rules


def causes(rules: Rules, text: str) -> tuple[Cause, ...]:
    return explain_with(rules, text.encode(), "pasted", Settings()).causes


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Error: INSTALLATION FAILED: cannot re-use a na", "kubernetes.release_name_taken"),
        (
            'initdb: error: directory "/data/db" exists but is n',
            "kubernetes.data_directory_occupied",
        ),
        (
            'secrets is forbidden: User "ci" cannot list resource "pods" in API group "" in the na',
            "kubernetes.rbac_forbidden",
        ),
        (
            '"cannot connect once" err="x desc = "transport: Error while dialing: dial tcp '
            "10.1.2.3:443: i/o ti",
            "network.konnectivity_cut_off",
        ),
    ],
)
def test_what_breaks_off_is_likely_what_its_sample_says(rules: Rules, text: str, rule: str) -> None:
    first = causes(rules, text)[0]
    assert (first.rule, first.certainty.value) == (rule, "likely")
    assert first.evidence[0].text == text


@pytest.mark.parametrize(
    "text",
    [
        "chart requires kubeVersion: >=1.25.0-0",
        "Error: INSTALLATION FAILED",
        "Successfully acquired change log lock",
    ],
)
def test_what_may_be_whole_is_left_alone(rules: Rules, text: str) -> None:
    assert causes(rules, text) == ()
