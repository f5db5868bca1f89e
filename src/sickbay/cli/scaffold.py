"""What `rules new` writes: a rule that passes its own test, to be changed."""

import re
from typing import Final

_ID: Final = re.compile(r"[a-z][a-z0-9]*\.[a-z][a-z0-9]*(?:_[a-z0-9]+){0,3}")

RULE: Final = """from sickbay.model.kubernetes import Pod
from sickbay.model.snapshot import Snapshot
from sickbay.rulekit import Category, Match, Risk, Rule, Severity, Signature, Step, each


@each(Pod)
def says_so_itself(pod: Pod, snapshot: Snapshot) -> Match | None:
    if pod.annotations.get("out-of-order") != "true":
        return None
    return Match(
        f"pod {pod.namespace}/{pod.name} is marked as out of order",
        cites=(pod.cite("metadata.annotations", "out-of-order=true"),),
    )


RULE = Rule(
    title="The pod is marked as out of order",
    severity=Severity.WARNING,
    categories=(Category.WORKLOAD,),
    detect=(
        says_so_itself,
        Signature(
            pattern=r"this pod is out of order since (?P<since>[\\d-]+)",
            says="a log line says that the pod is out of order since {since}",
            sample="W1116 10:00:00.000000 1 main.go:7] this pod is out of order since 2026-11-16",
            near_miss="W1116 10:00:00.000000 1 main.go:7] this pod is in order since 2026-11-16",
        ),
    ),
    why="Somebody put the mark there. Say here what really happens, in one or two sentences.",
    remedy=(
        Step(
            "Remove the mark.",
            run=("kubectl", "-n", "{namespace}", "annotate", "pod", "{pod}", "out-of-order-"),
            risk=Risk.SAFE,
            verify="kubectl -n {namespace} get pod {pod} wants no such annotation",
        ),
    ),
    docs=("https://kubernetes.io/docs/concepts/overview/working-with-objects/annotations/",),
    ask="kubectl get pods -A -o json",
)
"""

CASE: Final = """- name: the mark is there
  documents:
    - apiVersion: v1
      kind: Pod
      metadata:
        name: web-0
        namespace: shop
        annotations: {out-of-order: "true"}
  expect: {web-0: marked as out of order}

- name: the mark is not there
  documents:
    - {apiVersion: v1, kind: Pod, metadata: {name: web-0, namespace: shop}}
  expect: {web-0: clear}

- name: pods were not read
  documents: []
  expect: {"-": unknown}
"""


def is_id(word: str) -> bool:
    return bool(_ID.fullmatch(word))
