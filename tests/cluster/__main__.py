"""`python -m tests.cluster build|up|down`: a real Kubernetes on this machine."""

import sys
import time

from tests.cluster import cleanup
from tests.cluster.build import build, missing
from tests.cluster.layout import chosen
from tests.cluster.running import up


def main(arguments: list[str]) -> int:
    action = arguments[0] if arguments else ""
    reason = missing()
    if reason or action not in {"build", "up", "down"}:
        print(reason or (__doc__ or ""), file=sys.stderr)  # noqa: T201
        return 2
    begun, layout = time.monotonic(), chosen()
    if action == "build":
        build()
    elif action == "down":
        cleanup.remove_orphans()
        cleanup.remove(layout)
    else:
        cleanup.remove(layout)
        cluster = up(layout)
        took = time.monotonic() - begun
        print(f"up in {took:.0f} s: export KUBECONFIG={cluster.kubeconfig}")  # noqa: T201
    return 0


sys.exit(main(sys.argv[1:]))
