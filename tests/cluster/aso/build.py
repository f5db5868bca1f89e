"""The real Azure Service Operator, built from its public module and kept outside the checkout."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from tests.cluster.build import digest_of, say
from tests.cluster.images import Image
from tests.once import alone, cache, construct

HERE = Path(__file__).parent
MODULE = HERE / "go"
OPERATOR = "github.com/Azure/azure-service-operator/v2"
TOOLS = "sigs.k8s.io/controller-tools/cmd/controller-gen@v0.19.0"
IMAGE = "localhost/aso:1"
# The kinds that the faults are made with; the operator knows hundreds more.
APIS = (
    "api/resources/v1api20200601",
    "api/containerservice/v1api20250801",
    "api/managedidentity/v1api20230131",
    "api/authorization/v1api20220401",
)


@dataclass(frozen=True)
class Operator:
    """A folder with the controller as an image, and the definitions of its kinds."""

    folder: Path

    @property
    def image(self) -> Path:
        return self.folder / "aso.tar"

    @property
    def definitions(self) -> tuple[Path, ...]:
        return tuple(sorted((self.folder / "crds").glob("*.yaml")))

    @property
    def is_complete(self) -> bool:
        return (self.folder / "complete").exists()


def operator() -> Operator:
    """Where the operator of this version is, or will be."""
    parts = (*sorted(MODULE.iterdir()), Path(__file__))
    return Operator(cache() / f"aso-{digest_of(*parts)}")


def build() -> Operator:
    """Build what is not built yet; a quarter of an hour when nothing is cached."""
    result = operator()
    with alone(result.folder.name):
        if not result.is_complete:
            _build(result)
    return result


def _build(result: Operator) -> None:
    result.folder.mkdir(parents=True, exist_ok=True)
    # A copy, because the tool may write to it, and the checkout stays as it is.
    module = result.folder / "module"
    shutil.copytree(MODULE, module, dirs_exist_ok=True)
    say("building Azure Service Operator (a quarter of an hour when cold)")
    _go(module, "build", "-ldflags=-s -w", "-o", "../controller", f"{OPERATOR}/cmd/controller")
    _go(module, "install", TOOLS)
    say("writing the definitions of its kinds")
    paths = [f"paths={OPERATOR}/{api}/..." for api in APIS]
    crds = ("crd:crdVersions=v1,allowDangerousTypes=true", "output:crd:artifacts:config=../crds")
    _run(module, "../controller-gen", *crds, *paths)
    files = {"controller": (result.folder / "controller").read_bytes()}
    Image(IMAGE, ("/controller",), files).write(result.image)
    (result.folder / "complete").touch()


def _go(module: Path, *arguments: str) -> None:
    _run(module, "go", *arguments)


def _run(module: Path, *command: str) -> None:
    construct(command, module, {"GOFLAGS": "-mod=mod", "GOBIN": str(module.parent)})
