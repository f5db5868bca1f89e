from sickbay.engine.cards import Card, CheckCard
from sickbay.model.finding import Severity, Weight
from sickbay.report.rule_page import page
from sickbay.rulekit.rule import Category, Risk, Step
from sickbay.rulekit.signature import Signature


def card(id: str = "kubernetes.pdb_blocks_drain", title: str = "A budget forbids it") -> Card:
    return Card(
        id=id,
        title=title,
        severity=Severity.ERROR,
        categories=(Category.UPGRADE, Category.SCALING),
        signatures=(
            Signature(
                "x", "says", "Cannot evict pod ``` as it would violate", "near", Weight.TYPICAL
            ),
        ),
        checks=(CheckCard("Pod", "is_stuck", Weight.DECISIVE, "kubectl get pods -n {namespace}"),),
        why="The API server refuses.",
        remedy=(
            Step("Look.", ("kubectl", "get", "pdb", "-A"), Risk.READ),
            Step(
                "Scale {name}.",
                ("kubectl", "scale", "{name}"),
                Risk.SAFE,
                "kubectl get pdb wants 1",
            ),
        ),
        docs=("https://kubernetes.io/docs/x",),
        leads_to=(),
        ask="kubectl get pdb -A -o json",
        spreads=False,
        wraps=False,
        vague=False,
        formerly=("aks.pdb",),
    )


PAGE = page(
    card(), [card("aks.many_pods", "Many pods")], [card("aks.drain_failed", "A node stays full")]
)


def test_a_page_starts_with_the_title_and_the_id() -> None:
    assert PAGE.startswith(
        "# A budget forbids it\n\n`kubernetes.pdb_blocks_drain` · error · upgrade, scaling\n"
    )


def test_a_page_shows_what_one_sees_in_a_fence_that_holds() -> None:
    assert (
        "A message that makes it likely:\n\n"
        "````text\nCannot evict pod ``` as it would violate\n````\n"
    ) in PAGE


def test_a_page_tells_what_a_check_asks() -> None:
    assert "A `Pod` that proves it: is stuck" in PAGE


def test_a_page_links_to_causes_and_effects() -> None:
    assert "## Comes from\n\n- [Many pods](../aks/many_pods.md) (`aks.many_pods`)" in PAGE
    assert "## Leads to\n\n- [A node stays full](../aks/drain_failed.md)" in PAGE


def test_a_page_shows_the_treatment_with_risk_and_check() -> None:
    assert (
        "2. Scale &lt;name&gt;. (safe)\n\n   ```sh\n   kubectl scale '<name>'\n   ```\n\n"
        "   Check: kubectl get pdb wants 1\n"
    ) in PAGE


def test_a_page_names_the_look_that_decides() -> None:
    assert (
        "## The look that decides\n\n```sh\nkubectl get pdb -A -o json\n"
        "kubectl get pods -n '<namespace>'\n```\n"
    ) in PAGE


def test_a_page_names_the_vendor_and_the_old_id() -> None:
    assert "- <https://kubernetes.io/docs/x>" in PAGE
    assert "- `aks.pdb`" in PAGE


def test_a_rule_without_causes_has_no_such_section() -> None:
    assert "Comes from" not in page(card(), [], [])
