"""The files that a resource bridge is deployed from."""

from collections.abc import Iterator
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sickbay.bundle.build import Builder
from sickbay.bundle.foreign.appliance_yaml import READER
from sickbay.bundle.foreign.piece import Piece
from sickbay.bundle.frame import Frame
from sickbay.model.arc import (
    VCENTER_PRIVILEGES,
    ApplianceInfra,
    ApplianceSettings,
    ApplianceTarget,
    VcenterRole,
)
from sickbay.model.evidence import Reason, Text
from sickbay.model.snapshot import Snapshot

INFRA = """\
# written by createconfig
vsphereprovider:
  credentials:
    address: vcenter.lab.local
    username: arc@lab.local
    password: hunter2
  network:
    ipaddressprefix: 10.20.4.0/24
    gateway: 10.20.4.1
    dnsservers:
    - 10.20.0.2
    - 10.20.0.3
    k8snodeippoolstart: 10.20.4.21
    k8snodeippoolend: 10.20.4.22
"""
SETTINGS = """\
infrastructureConfigPath: edge-infra.yaml
applianceClusterConfig:
  controlPlaneEndpoint: 10.20.4.20
  networking:
    proxy:
      http: http://user:word@proxy.corp.local:3128
      noproxy: localhost,,.svc
"""
TARGET = """\
resource:
  resource_group: edge-rg
  name: edge
  location: westeurope
  subscription: 7f3a9c10-0000-4000-8000-000000000777
"""


class Deaf:
    def add(self, text: Text) -> None: ...
    def scan_blocks(self, blocks: Iterator[bytes], frame: Frame) -> None: ...


def piece(text: str, source: str) -> Piece:
    return Piece(source, text, lambda: BytesIO(text.encode()))


def read(text: str, source: str) -> Snapshot:
    builder = Builder(Deaf())
    READER.read(piece(text, source), builder)
    return builder.finish()


@pytest.mark.parametrize("text", [INFRA, SETTINGS, TARGET])
def test_each_of_the_three_files_is_told_by_its_content(text: str) -> None:
    assert READER.matches(piece(text, "anything.txt"))


@pytest.mark.parametrize(
    "text",
    [
        "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n",
        '{"resource": {"subscription": "s"}}',
        "time=now level=info msg=started\n",
        "resource: disk\nstate: full\n",
    ],
)
def test_other_files_are_left_to_other_readers(text: str) -> None:
    assert not READER.matches(piece(text, "edge-infra.yaml"))


def test_the_infra_file_gives_the_addresses_of_the_appliance() -> None:
    (infra,) = read(INFRA, "conf/edge-infra.yaml").some(ApplianceInfra)
    assert infra.name == "edge"
    assert infra.provider == "vsphere"
    assert infra.prefix == "10.20.4.0/24"
    assert infra.dns_servers == ["10.20.0.2", "10.20.0.3"]
    assert (infra.pool_start, infra.pool_end) == ("10.20.4.21", "10.20.4.22")


def test_a_host_is_named_with_its_setting() -> None:
    (infra,) = read(INFRA, "edge-infra.yaml").some(ApplianceInfra)
    (local,) = infra.own_domain_hosts
    assert (local.setting, local.host) == (
        "vsphereprovider.credentials.address",
        "vcenter.lab.local",
    )


def test_secrets_of_the_infra_file_are_not_kept() -> None:
    (infra,) = read(INFRA, "edge-infra.yaml").some(ApplianceInfra)
    assert "hunter2" not in repr(infra)


def test_a_proxy_url_gives_its_host_without_user_and_port() -> None:
    (found,) = read(SETTINGS, "edge-appliance.yaml").some(ApplianceSettings)
    assert [named.host for named in found.own_domain_hosts] == ["proxy.corp.local"]
    assert found.control_plane == "10.20.4.20"
    assert "word" not in repr(found)


def test_the_resource_file_gives_the_id_of_the_bridge() -> None:
    (target,) = read(TARGET, r"C:\arc\edge-resource.yaml").some(ApplianceTarget)
    assert target.resource_id == (
        "/subscriptions/7f3a9c10-0000-4000-8000-000000000777/resourceGroups/edge-rg"
        "/providers/Microsoft.ResourceConnector/appliances/edge"
    )


def test_a_list_of_privileges_is_the_role_of_an_account() -> None:
    text = "\n".join(sorted(VCENTER_PRIVILEGES - {"Sessions.ValidateSession"})) + "\n"
    (role,) = read(text, "govc-role.txt").some(VcenterRole)
    assert role.missing == ["Sessions.ValidateSession"]


@pytest.mark.parametrize(
    "text",
    [
        "PS C:\\> (Get-VIRole arc).PrivilegeList\nSystem.View\nDatastore.Browse\nNetwork.Assign\n",
        "Name           Id\n----           --\nBrowse         Datastore.Browse\n"
        "Assign network Network.Assign\nView           System.View\n",
        '"Id"\n"Datastore.Browse"\n"Network.Assign"\n"System.View"\n',
        '[{"roleId":9,"name":"arc","privilege":["Datastore.Browse","Network.Assign","System.View"]}]',
    ],
)
def test_an_export_of_a_role_is_read_however_it_was_printed(text: str) -> None:
    (role,) = read(text, "arc.txt").some(VcenterRole)
    assert role.name == "arc"
    assert {"Datastore.Browse", "Network.Assign", "System.View"} == set(role.privileges or ())


def test_an_error_that_lists_privileges_is_no_export() -> None:
    text = "Error: missing\nMissing privileges: [Datastore.Browse Network.Assign System.View]\n"
    assert not READER.matches(piece(text, "console.txt"))


def test_a_proxy_url_is_kept_without_its_password() -> None:
    (settings,) = read(SETTINGS, "edge-appliance.yaml").some(ApplianceSettings)
    assert settings.proxy
    assert settings.proxy.urls == ["http://proxy.corp.local:3128"]


def test_a_file_that_breaks_off_is_a_gap() -> None:
    snapshot = read(INFRA + "  broken: [1, 2\n", "edge-infra.yaml")
    assert [gap.reason for gap in snapshot.gaps] == [Reason.MALFORMED]


def test_a_document_of_another_kind_is_a_gap() -> None:
    snapshot = read("- applianceClusterConfig:\n", "edge-appliance.yaml")
    assert [gap.reason for gap in snapshot.gaps] == [Reason.NOT_UNDERSTOOD]


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet=st.sampled_from("ab: -\n[]{}&*'\"|>%@1."), max_size=80))
def test_no_setting_however_odd_stops_the_reader(odd: str) -> None:
    snapshot = read(f"vsphereprovider:\n  network:\n    gateway: {odd}\n", "edge-infra.yaml")
    assert len(snapshot) + len(snapshot.gaps) >= 1
