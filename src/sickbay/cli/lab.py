"""`sickbay lab`: a simulated Azure on this machine, to learn, demonstrate and test on."""

import argparse
import os
from typing import TYPE_CHECKING

from sickbay.cli.options import add_common, write
from sickbay.errors import SickbayError

if TYPE_CHECKING:
    from sickbay.lab.server import Lab
    from sickbay.lab.world import World

_GENERATED = "generated"
_MOST = 10_000_000
_LAST_PORT = 65_535


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "examples:\n  sickbay lab list\n  sickbay lab up aks-quota\n"
        "  sickbay lab up my-world.yaml --port 8443 --state ~/lab\n"
        "  sickbay lab up generated --clusters 200 --pools 2000 --instances 20000 --seed 1"
    )
    parser.add_argument("action", choices=("list", "up"), help="show the worlds, or serve one")
    parser.add_argument(
        "world", nargs="?", default="", help="one of the list, a YAML file, or generated"
    )
    parser.add_argument("--port", default="0", metavar="N", help="default: one that is free")
    parser.add_argument("--state", default="", metavar="DIR", help="where the certificates go")
    parser.add_argument(
        "--speed", default="60", metavar="N", help="how much faster than Azure work is done"
    )
    made = parser.add_argument_group("an estate of any size (generated)")
    made.add_argument("--clusters", default="3", metavar="N")
    made.add_argument("--pools", default="6", metavar="N", help="of all clusters together")
    made.add_argument("--instances", default="20", metavar="N", help="of all pools together")
    made.add_argument("--seed", default="1", metavar="N")
    add_common(parser, ("text", "json"))


def run(args: argparse.Namespace) -> int:
    if args.action == "list":
        return _list(args)
    if not args.world:
        raise SickbayError("no world is named", "see: sickbay lab list")
    import asyncio

    try:
        return asyncio.run(_up(args))
    except KeyboardInterrupt:
        # Where there are no signal handlers, this is how it is asked to end.
        return 0


def _list(args: argparse.Namespace) -> int:
    from sickbay.lab.world import worlds

    known = {**worlds(), _GENERATED: "An estate of any size, made from a seed"}
    if args.output == "json":
        import json

        write(json.dumps([{"name": name, "about": about} for name, about in known.items()]))
        return 0
    width = max(map(len, known))
    write("\n".join(f"{name:<{width}}  {about}" for name, about in known.items()))
    return 0


async def _up(args: argparse.Namespace) -> int:
    import asyncio
    import contextlib
    import gc
    import signal

    from sickbay.lab.server import Lab

    folder = os.path.expanduser(args.state)  # noqa: ASYNC240, PTH111 - before anything runs
    port, speed = _number(args.port, "--port", _LAST_PORT), _number(args.speed, "--speed", _MOST)
    lab = Lab(_world(args), port=port, folder=folder, speed=max(1, speed))
    stop = asyncio.Event()
    # Windows has no such handlers; there Ctrl-C is raised where the loop is run.
    with contextlib.suppress(NotImplementedError):
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with lab:
        # A server lives long, and so does the world that it serves: only what comes goes again.
        gc.freeze()
        gc.enable()
        write(_ready(lab) if args.output == "json" else _told(lab))
        await stop.wait()
    return 0


def _world(args: argparse.Namespace) -> "World":
    from sickbay.lab.world import load

    if args.world != _GENERATED:
        return load(args.world)
    from sickbay.lab.generated import Size, generated

    names = ("clusters", "pools", "instances", "seed")
    return generated(Size(*(_number(getattr(args, name), f"--{name}", _MOST) for name in names)))


def _number(text: str, option: str, most: int) -> int:
    if not text.isdecimal() or int(text) > most:
        raise SickbayError(f"{text} is no number for {option}", f"use one from 0 to {most}")
    return int(text)


def _ready(lab: "Lab") -> str:
    import json

    place = lab.estate.place
    return json.dumps(
        {
            "world": lab.estate.world.name,
            "endpoint": lab.endpoint,
            "ca_file": lab.ca_file,
            "subscription": place.subscription,
            "tenant": place.tenant,
            "targets": _targets(lab),
        }
    )


def _targets(lab: "Lab") -> list[str]:
    """What there is to diagnose, a few of it."""
    from itertools import islice

    kinds = (
        "Microsoft.ContainerService/managedClusters",
        "Microsoft.HybridContainerService/provisionedClusters",
        "Microsoft.Kubernetes/connectedClusters",
        "Microsoft.ResourceConnector/appliances",
        "Microsoft.NetworkCloud/clusters",
    )
    store = lab.estate.store
    found = (store.id(id) for kind in kinds for id in store.of_type(kind))
    return list(islice(found, 10))


def _told(lab: "Lab") -> str:
    place, at, trust = lab.estate.place, lab.endpoint, lab.ca_file
    targets = _targets(lab)
    target = targets[0] if targets else f"--all -s {place.subscription}"
    return "\n".join(
        (
            f"{lab.estate.world.name}: {lab.estate.world.about}",
            f"Azure is at {at} until you press Ctrl-C. Whom to trust: {trust}",
            "",
            "Sickbay, in another terminal:",
            f"  export AZURE_TENANT_ID={place.tenant}",
            f"  export AZURE_CLIENT_ID={place.subscription} AZURE_CLIENT_SECRET=lab",
            f"  sickbay diagnose {target} \\",
            f"    --endpoint {at} --ca-file {trust} --auth environment",
            "",
            "The Azure CLI:",
            f"  export REQUESTS_CA_BUNDLE={trust} AZURE_CONFIG_DIR=$(mktemp -d)",
            f"  az cloud register -n lab --skip-endpoint-discovery {_endpoints(at)}",
            "  az cloud set -n lab",
            "  az config set core.instance_discovery=false core.collect_telemetry=false",
            f"  az login --service-principal -u {place.subscription} -p lab \\",
            f"    --tenant {place.tenant}",
        )
    )


def _endpoints(at: str) -> str:
    """Everything that `az` wants to know of a cloud."""
    plain = ("resource-manager", "active-directory", "management")
    slashed = ("active-directory-resource-id", "active-directory-graph-resource-id")
    words = [f"--endpoint-{name} {at}" for name in plain]
    words += [f"--endpoint-{name} {at}/" for name in (*slashed, "microsoft-graph-resource-id")]
    return " ".join(words)
