"""Pods share parts that are alike, and only those."""

from sickbay.model.kubernetes import Container, Pod, PodSpec
from sickbay.model.pod_parts import KeySource, ValueSource, Variable
from sickbay.model.sharing import Shared


def _pod(key: str) -> Pod:
    source = ValueSource(secret_key_ref=KeySource(name="db", key=key))
    variable = Variable(name="PASSWORD", value_from=source)
    return Pod(spec=PodSpec(containers=[Container(name="app", image="app:1", env=[variable])]))


def test_containers_that_take_other_values_are_not_the_same() -> None:
    shared = Shared()
    one, same, other = (shared.pod(_pod(key)) for key in ("user", "user", "password"))
    assert one.spec.containers is same.spec.containers
    assert other.spec.containers == _pod("password").spec.containers
