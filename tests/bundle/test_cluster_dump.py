"""`kubectl cluster-info dump`: lists, and logs that belong to their pods."""

import json

from evidence_kit import made  # type: ignore[import-not-found]

from sickbay.model.kubernetes import Node, Pod

NODES = json.dumps(
    {"kind": "NodeList", "apiVersion": "v1", "items": [{"metadata": {"name": "n1"}}]}, indent=4
)
PODS = json.dumps(
    {
        "kind": "PodList",
        "apiVersion": "v1",
        "items": [{"metadata": {"namespace": "shop", "name": "web-1"}}],
    },
    indent=4,
)
STREAM = (
    f"{NODES}\n{PODS}\n"
    "==== START logs for container app of pod shop/web-1 ====\n"
    "panic: no database\n"
    "==== END logs for container app of pod shop/web-1 ====\n"
    "==== START logs for container coredns of pod kube-system/coredns-1 ====\n"
    "[ERROR] plugin/errors: 2 SERVFAIL"
    "==== END logs for container coredns of pod kube-system/coredns-1 ====\n"
)


def test_the_lists_of_a_stream_are_read() -> None:
    snapshot = made(STREAM).snapshot
    assert [one.name for one in snapshot.all(Node)] == ["n1"]
    assert [one.name for one in snapshot.some(Pod)] == ["web-1"]


def test_a_log_in_a_stream_is_about_its_pod() -> None:
    text, frame = made(STREAM).logs[0]
    assert str(frame.about) == "pod/shop/web-1"
    assert text == "panic: no database\n"


def test_a_log_without_a_last_line_end_is_cut_where_it_ends() -> None:
    text, frame = made(STREAM).logs[1]
    assert (text, frame.channel) == ("[ERROR] plugin/errors: 2 SERVFAIL", "log/coredns")


def test_a_log_knows_the_line_at_which_it_begins() -> None:
    _, frame = made(STREAM).logs[0]
    assert STREAM.split("\n")[frame.first_line - 1] == "panic: no database"


def test_the_logs_of_a_folder_are_told_apart_by_their_headings() -> None:
    log = STREAM[STREAM.index("==== START") :]
    frames = [frame for _, frame in made(log, "dump/shop/web-1/logs.txt").logs]
    assert [str(frame.about) for frame in frames] == ["pod/shop/web-1", "pod/kube-system/coredns-1"]


def test_a_list_of_nodes_larger_than_a_head_needs_no_logs() -> None:
    items = [{"metadata": {"name": f"n{number}"}, "status": {}} for number in range(3000)]
    text = json.dumps({"kind": "NodeList", "apiVersion": "v1", "items": items})
    assert len(made(text).snapshot.all(Node)) == 3000


def test_a_stream_may_break_off_anywhere() -> None:
    for end in range(0, len(STREAM), 11):
        assert made(STREAM[:end]) is not None
