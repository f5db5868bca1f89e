"""The configuration of CoreDNS: blocks, faults that keep it from starting, and who answers."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from names_kit import config_map, evidence  # type: ignore[import-not-found]

from sickbay.network.corefile import USUAL, Corefile, corefile_of, parse
from sickbay.network.corefile_routes import Action, Course, course_of


def with_custom(**keys: str) -> Corefile:
    return parse(USUAL, {key.replace("__", "."): text for key, text in keys.items()})


def faults(**keys: str) -> list[str]:
    return [f"{fault.place} {fault.says}" for fault in with_custom(**keys).faults]


def course(name: str, **keys: str) -> Course:
    return course_of(with_custom(**keys), name)


def test_the_configuration_that_aks_installs_has_no_fault() -> None:
    found = parse(USUAL)
    assert (found.faults, [block.label for block in found.blocks]) == ((), [".:53"])


def test_a_block_of_the_user_is_read_with_its_zones_ports_and_plugins() -> None:
    found = with_custom(
        a__server="Corp.Example:53, dns://x.test {  # ours\n errors\n forward . 10.1.1.1\n}"
    )
    assert found.blocks[1].zones == (("corp.example", 53), ("x.test", 53))
    assert [plugin.name for plugin in found.blocks[1].plugins] == ["errors", "forward"]


def test_an_override_stands_where_the_block_imports_it() -> None:
    found = with_custom(a__override="hosts {\n 10.1.1.1 a.example\n fallthrough\n}")
    [hosts] = [plugin for plugin in found.blocks[0].plugins if plugin.name == "hosts"]
    assert hosts.lines == (("10.1.1.1", "a.example"), ("fallthrough",))


def test_a_main_part_without_imports_takes_nothing_from_the_user() -> None:
    found = parse(".:53 {\n forward . 10.1.1.1\n}", {"a.server": "x.test {\n whoami\n}"})
    assert len(found.blocks) == 1


def test_a_key_with_another_ending_is_not_read() -> None:
    found = with_custom(corp__conf="x.test {\n whoami\n}")
    assert (found.unread, len(found.blocks)) == (("corp.conf",), 1)


def test_a_snippet_is_put_in_where_it_is_imported() -> None:
    found = parse("(usual) {\n errors\n cache 30\n}\n.:53 {\n import usual\n whoami\n}")
    assert [plugin.name for plugin in found.blocks[0].plugins] == ["errors", "cache", "whoami"]


@pytest.mark.parametrize(
    ("keys", "fault"),
    [
        (
            {"a__server": "x.test {\n forwrd . 1.1.1.1\n}"},
            "a.server:2 names the plugin 'forwrd', which CoreDNS does not have",
        ),
        ({"a__server": "x.test {\n forward . 1.1.1.1\n"}, "never closed"),
        ({"a__server": "x.test {\n hosts {\n 1.1.1.1 a\n}"}, "never closed"),
        ({"a__server": "x.test {\n whoami\n}\n}"}, "a.server:4 has a closing brace"),
        ({"a__server": "forward . 1.1.1.1"}, "outside of a server block"),
        (
            {"a__server": "x.test {\n whoami\n}", "b__server": "x.test:53 {\n whoami\n}"},
            "b.server:1 serves x.test:53 a second time, after a.server:1",
        ),
        ({"a__server": ". {\n whoami\n}"}, "serves .:53 a second time, after Corefile:2"),
        (
            {"a__override": "x.test:53 {\n forward . 1.1.1.1\n}"},
            "names the plugin 'x.test:53'",
        ),
        ({"a__override": "cache 60"}, "has the plugin cache a second time in a block"),
        ({"a__override": "hosts {\n 1.1.1.1 a\n"}, "never closed"),
        ({"a__override": "log\n}"}, "has a closing brace that nothing opened"),
    ],
)
def test_what_coredns_refuses_is_a_fault(keys: dict[str, str], fault: str) -> None:
    assert any(fault in found for found in faults(**keys))


def test_a_fault_names_the_map_that_holds_it() -> None:
    [fault] = with_custom(a__server="x.test {\n forwrd . 1.1.1.1\n}").faults
    assert fault.ref.id == "configmap/kube-system/coredns-custom"


@pytest.mark.parametrize(
    ("name", "servers"),
    [
        ("db.corp.example", ("10.1.1.1",)),
        ("corp.example", ("10.1.1.1",)),
        ("eu.corp.example", ("10.2.2.2", "fd00::1")),
        ("notcorp.example", ("/etc/resolv.conf",)),
    ],
)
def test_the_block_of_the_longest_zone_forwards(name: str, servers: tuple[str, ...]) -> None:
    found = course(
        name,
        a__server="corp.example:53 {\n forward . 10.1.1.1\n}",
        b__server="eu.corp.example {\n forward . tls://10.2.2.2:853 [fd00::1]:53\n}",
    )
    assert (found.action, found.servers) == (Action.FORWARD, servers)


def test_a_block_on_another_port_does_not_answer_pods() -> None:
    found = course("db.corp.example", a__server="corp.example:5353 {\n forward . 10.1.1.1\n}")
    assert found.servers == ("/etc/resolv.conf",)


def test_names_of_the_cluster_are_answered_from_services() -> None:
    assert course("db.shop.svc.cluster.local").action is Action.SERVICE


def test_what_a_forward_excepts_is_not_forwarded_by_it() -> None:
    text = "x.test {\n forward . 10.1.1.1 {\n except in.x.test\n }\n}"
    assert course("a.in.x.test", a__server=text).action is Action.FAILURE


def test_a_block_without_an_answer_fails() -> None:
    assert course("a.x.test", a__server="x.test {\n log\n}").action is Action.FAILURE


@pytest.mark.parametrize(
    ("rule", "asked"),
    [
        ("rewrite name a.x.test b.y.test", "b.y.test"),
        ("rewrite stop name exact a.x.test. b.y.test.", "b.y.test"),
        ("rewrite name suffix .x.test .y.test", "a.y.test"),
        ("rewrite name prefix a. b.", "b.x.test"),
        ("rewrite name substring x z", "a.z.test"),
        ("rewrite name exact other.test b.y.test", "a.x.test"),
        ("rewrite type ANY HINFO", "a.x.test"),
    ],
)
def test_a_rewrite_changes_the_name_that_is_asked(rule: str, asked: str) -> None:
    assert course("a.x.test", a__override=rule).name == asked


def test_the_last_of_many_rewrites_counts_as_the_first_does() -> None:
    rules = "\n".join(f"rewrite name a{number}.x.test b.y.test" for number in range(30))
    assert course("a29.x.test", a__override=rules).name == "b.y.test"


def test_a_rewrite_that_continues_lets_the_next_one_change_the_name_again() -> None:
    rules = "rewrite continue name a.test b.test\nrewrite name b.test c.test"
    assert course("a.test", a__override=rules).name == "c.test"


def test_a_rewrite_into_the_cluster_is_answered_from_services() -> None:
    rule = "rewrite name shop.example web.shop.svc.cluster.local"
    assert course("shop.example", a__override=rule).action is Action.SERVICE


@pytest.mark.parametrize(
    ("name", "action"), [("a.x.test", Action.UNSURE), ("a.y.test", Action.FORWARD)]
)
def test_an_expression_is_unsure_only_for_names_that_it_may_match(
    name: str, action: Action
) -> None:
    rule = r"rewrite name regex (.*)\.x\.test {1}.web.svc.cluster.local"
    assert course(name, a__override=rule).action is action


@pytest.mark.parametrize(
    ("name", "action"),
    [
        ("vm1.abc.bx.internal.cloudapp.net", Action.FORWARD),
        ("a.example.org.abc.bx.internal.cloudapp.net", Action.MISSING),
        ("vm1.reddog.microsoft.com", Action.MISSING),
    ],
)
def test_long_names_of_machines_are_answered_at_once(name: str, action: Action) -> None:
    assert course(name).action is action


def test_hosts_with_fallthrough_let_other_names_pass() -> None:
    text = "hosts {\n 10.1.1.1 a.example\n fallthrough\n}"
    assert course("A.example", a__override=text).addresses == ("10.1.1.1",)
    assert course("b.example", a__override=text).action is Action.FORWARD


def test_a_hosts_file_that_was_not_read_may_answer() -> None:
    text = "hosts /etc/own {\n fallthrough\n}"
    assert course("b.example", a__override=text).action is Action.UNSURE


def test_the_maps_in_evidence_are_read_together() -> None:
    maps = (
        config_map("coredns", Corefile=USUAL),
        config_map("coredns-custom", a__server="x.test {\n whoami\n}"),
    )
    found = corefile_of(evidence(*maps))
    assert (found.is_assumed, len(found.blocks)) == (False, 2)


def test_without_the_main_map_the_usual_one_stands_in() -> None:
    assert corefile_of(evidence()).is_assumed


def test_of_other_maps_no_content_is_kept() -> None:
    snapshot = evidence(config_map("big", text="x" * 100))
    [found] = [snapshot.find(ref) for ref in snapshot.refs()]
    assert getattr(found, "data", "absent") is None


def test_rewrites_that_grow_a_name_without_end_are_stopped() -> None:
    rules = "\n".join(f"rewrite continue name substring a {'a' * 200}" for _ in range(9))
    assert course("aaa.example", a__override=rules).action is Action.FAILURE


@settings(max_examples=150)
@given(st.text(alphabet=' \n{}"#.:abc*', max_size=120), st.text(max_size=30))
def test_any_text_is_read_and_routes_any_name(text: str, name: str) -> None:
    found = parse(text, {"a.server": text, "a.override": text})
    assert course_of(found, name).action in set(Action)
