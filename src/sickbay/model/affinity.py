"""What a pod asks of the labels of its node and of the pods there, and whether it gets it."""

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


class LabelRequirement(Shape, frozen=True, gc=False):
    key: str = ""
    operator: str = ""
    values: list[str] | None = None


class LabelSelector(Shape, frozen=True, gc=False):
    match_labels: dict[str, str] | None = None
    match_expressions: list[LabelRequirement] | None = None

    def selects(self, labels: dict[str, str]) -> bool:
        if any(labels.get(key) != value for key, value in (self.match_labels or {}).items()):
            return False
        return all(_meets(need, labels) for need in self.match_expressions or ())


def _meets(need: LabelRequirement, labels: dict[str, str]) -> bool:
    value = labels.get(need.key)
    match need.operator:
        case "In":
            return value in (need.values or ())
        case "NotIn":
            return value not in (need.values or ())
        case "Exists":
            return need.key in labels
        case "DoesNotExist":
            return need.key not in labels
        case _:
            return False


class PodTerm(Shape, frozen=True, gc=False):
    """Pods that must be, or must not be, in the same place, such as a node or a zone."""

    label_selector: LabelSelector | None = None
    topology_key: str = ""
    namespaces: list[str] | None = None
    namespace_selector: LabelSelector | None = None


class PodTerms(Shape, frozen=True, gc=False):
    required_during_scheduling_ignored_during_execution: list[PodTerm] | None = None

    @property
    def required(self) -> list[PodTerm]:
        return self.required_during_scheduling_ignored_during_execution or []


class Spread(Shape, frozen=True, gc=False):
    """How evenly pods must lie over places."""

    max_skew: int = 1
    topology_key: str = ""
    when_unsatisfiable: str | None = None
    label_selector: LabelSelector | None = None


class Affinity(Shape, frozen=True, gc=False):
    node_affinity: NodeAffinity | None = None
    pod_affinity: PodTerms | None = None
    pod_anti_affinity: PodTerms | None = None


def _compares(value: str | None, operator: str, wanted: list[str]) -> bool:
    try:
        mine, bound = int(value or ""), int(wanted[0])
    except (ValueError, IndexError):
        return False
    return mine > bound if operator == "Gt" else mine < bound
