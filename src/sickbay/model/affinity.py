"""What a pod asks of the labels of its node, and whether a node has them."""

from sickbay.model.entity import Shape


class NodeRequirement(Shape, frozen=True, gc=False):
    key: str = ""
    operator: str = ""
    values: list[str] | None = None

    def accepts(self, labels: dict[str, str]) -> bool:
        value = labels.get(self.key)
        wanted = self.values or []
        match self.operator:
            case "In":
                return value in wanted
            case "NotIn":
                return value not in wanted
            case "Exists":
                return value is not None
            case "DoesNotExist":
                return value is None
            case "Gt" | "Lt":
                return _compares(value, self.operator, wanted)
            case _:
                return False

    def __str__(self) -> str:
        values = f" ({', '.join(self.values)})" if self.values else ""
        return f"{self.key} {self.operator}{values}"


class NodeTerm(Shape, frozen=True, gc=False):
    match_expressions: list[NodeRequirement] | None = None
    match_fields: list[NodeRequirement] | None = None

    def accepts(self, labels: dict[str, str], name: str) -> bool:
        fields = {"metadata.name": name}
        return all(one.accepts(labels) for one in self.match_expressions or ()) and all(
            one.accepts(fields) for one in self.match_fields or ()
        )


class NodeTerms(Shape, frozen=True, gc=False):
    """Terms of which one must hold."""

    node_selector_terms: list[NodeTerm] | None = None

    def accepts(self, labels: dict[str, str], name: str = "") -> bool:
        terms = self.node_selector_terms or ()
        return not terms or any(term.accepts(labels, name) for term in terms)

    def __str__(self) -> str:
        terms = self.node_selector_terms or ()
        return " or ".join(" and ".join(map(str, term.match_expressions or ())) for term in terms)


class NodeAffinity(Shape, frozen=True, gc=False):
    required_during_scheduling_ignored_during_execution: NodeTerms | None = None

    @property
    def required(self) -> NodeTerms | None:
        return self.required_during_scheduling_ignored_during_execution


class Affinity(Shape, frozen=True, gc=False):
    node_affinity: NodeAffinity | None = None


def _compares(value: str | None, operator: str, wanted: list[str]) -> bool:
    try:
        mine, bound = int(value or ""), int(wanted[0])
    except (ValueError, IndexError):
        return False
    return mine > bound if operator == "Gt" else mine < bound
