"""The selectors of Cilium and Calico, as far as they are simple; of the others, maybe."""

import re
from typing import Any, Final

from sickbay.network.policy_ends import End
from sickbay.network.selectors import Fit, Labels, Need

_SOURCES: Final = ("k8s:", "any:", "k8s.", "any.")
_NAMESPACE_KEYS: Final = frozenset({"io.kubernetes.pod.namespace"})
_NAMESPACE_LABELS: Final = "io.cilium.k8s.namespace.labels."
_UNKNOWN_KEYS: Final = ("io.cilium.", "reserved:", "cidr:", "fqdn:")
_CALICO_NAMESPACE: Final = "projectcalico.org/namespace"
_CALICO_NAME: Final = "projectcalico.org/name"
_CALICO_KEYS: Final = "projectcalico.org/"
_EVERYTHING: Final = frozenset({"", "all()", "global()"})
_LONGEST: Final = 4096
_KEY: Final = r"([A-Za-z0-9][\w./-]{0,316})"
_VALUE: Final = r"""(?:'([^']*)'|"([^"]*)")"""
_HAS: Final = re.compile(rf"(!?)\s*has\(\s*{_KEY}\s*\)")
_EQUAL: Final = re.compile(rf"{_KEY}\s*(==|!=)\s*{_VALUE}")
_IN: Final = re.compile(rf"{_KEY}\s+(not\s+in|in)\s*\{{([^{{}}]*)\}}")
_VALUES: Final = re.compile(_VALUE)


def cilium_fit(selector: Any, end: End, namespace: str) -> Fit:
    """Whether an endpointSelector of Cilium selects an end; the namespace is that of the policy."""
    if end.pod is None or (namespace and namespace != end.namespace):
        return Fit.NO
    needs = _needs(selector)
    return Fit.MAYBE if needs is None else min((_cilium(n, end) for n in needs), default=Fit.YES)


def node_fit(selector: Any, end: End) -> Fit:
    """Whether a nodeSelector of Cilium selects the node that an end is."""
    if not end.is_host:
        return Fit.NO
    needs = _needs(selector)
    if needs is None or end.node_labels is None:
        return Fit.MAYBE
    return min((need.fit(end.node_labels) for need in needs), default=Fit.YES)


def calico_fit(spec: dict[str, Any], end: End, namespace: str) -> Fit:
    """Whether the selectors of a policy of Calico select an end."""
    if end.pod is None or (namespace and namespace != end.namespace):
        return Fit.NO
    own = Labels({**end.labels.known, _CALICO_NAMESPACE: end.namespace})
    around = end.namespace_labels
    around = Labels({**around.known, _CALICO_NAME: end.namespace}, around.is_complete)
    fit = min(_calico(spec.get("selector"), own), _calico(spec.get("namespaceSelector"), around))
    return min(fit, Fit.MAYBE) if spec.get("serviceAccountSelector") else fit


def _needs(selector: Any) -> list[Need] | None:
    """The requirements of a selector that was not checked, or None if it is of no known form."""
    if selector is None:
        return []
    if not isinstance(selector, dict):
        return None
    labels, expressions = selector.get("matchLabels") or {}, selector.get("matchExpressions") or []
    if not isinstance(labels, dict) or not isinstance(expressions, list):
        return None
    needs = [Need(str(k), "In", frozenset({str(v)})) for k, v in labels.items()]
    for expression in expressions:
        if not isinstance(expression, dict):
            return None
        values = expression.get("values")
        several = frozenset(map(str, values)) if isinstance(values, list) else frozenset[str]()
        needs.append(Need(str(expression.get("key")), str(expression.get("operator")), several))
    known = {"In", "NotIn", "Exists", "DoesNotExist"}
    return needs if all(need.operator in known for need in needs) else None


def _cilium(need: Need, end: End) -> Fit:
    key = need.key
    for source in _SOURCES:
        key = key.removeprefix(source)
    if key in _NAMESPACE_KEYS:
        return need._replace(key="name").fit(Labels({"name": end.namespace}))
    if key.startswith(_NAMESPACE_LABELS):
        return need._replace(key=key.removeprefix(_NAMESPACE_LABELS)).fit(end.namespace_labels)
    if key.startswith(_UNKNOWN_KEYS):
        return Fit.MAYBE
    return need._replace(key=key).fit(end.labels)


def _calico(selector: Any, labels: Labels) -> Fit:
    """A conjunction of simple terms; whatever else stands in a selector, maybe."""
    text = "" if selector is None else str(selector).strip()
    if text in _EVERYTHING:
        return Fit.YES
    if len(text) > _LONGEST:
        return Fit.MAYBE
    fits = [_term(term.strip(), labels) for term in text.split("&&")]
    # Where one term is not understood, its && may stand inside brackets.
    return Fit.MAYBE if None in fits else min(fit for fit in fits if fit is not None)


def _term(term: str, labels: Labels) -> Fit | None:
    if term in _EVERYTHING - {""}:
        return Fit.YES
    if found := _HAS.fullmatch(term):
        need = Need(found[2], "DoesNotExist" if found[1] else "Exists")
    elif found := _EQUAL.fullmatch(term):
        value = found[3] if found[3] is not None else found[4]
        need = Need(found[1], "In" if found[2] == "==" else "NotIn", frozenset({value}))
    elif found := _IN.fullmatch(term):
        values = frozenset(one or other for one, other in _VALUES.findall(found[3]))
        need = Need(found[1], "In" if found[2] == "in" else "NotIn", values)
    else:
        return None
    is_special = need.key.startswith(_CALICO_KEYS) and need.key not in labels.known
    return Fit.MAYBE if is_special else need.fit(labels)
