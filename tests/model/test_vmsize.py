"""What the name of a VM size tells."""

import pytest

from sickbay.model.vmsize import vm_size


@pytest.mark.parametrize(
    ("name", "cores", "family"),
    [
        ("Standard_D4s_v3", 4, "standardDSv3Family"),
        ("standard_d4ads_v5", 4, "standardDADSv5Family"),
        ("Standard_DS3_v2", 4, "standardDSv2Family"),
        ("Standard_E8_v3", 8, "standardEv3Family"),
        ("Standard_B2ms", 2, "standardBSFamily"),
        ("Standard_F8s_v2", 8, "standardFSv2Family"),
        ("Standard_E4-2ds_v5", 4, "standardEDSv5Family"),
    ],
)
def test_a_size_names_its_cores_and_its_family(name: str, cores: int, family: str) -> None:
    size = vm_size(name)
    assert size is not None
    assert size.cores == cores
    assert family.casefold() in [one.casefold() for one in size.families]


@pytest.mark.parametrize("name", [None, "", "Basic_A1", "Standard_", "Standard_DX", "x" * 10_000])
def test_a_name_of_no_known_scheme_tells_nothing(name: str | None) -> None:
    assert vm_size(name) is None
