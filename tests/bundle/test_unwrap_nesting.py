"""Layers come outermost first, with their place, their depth and whether something is below."""

import json

from sickbay.bundle.unwrap import Layer, layers


def _nested(depth: int) -> str:
    body = '{"code":"Bottom","message":"here"}'
    for level in range(depth):
        body = json.dumps({"error": {"code": f"Level{level}", "message": body}})
    return body


def test_json_in_strings_is_followed_to_the_bottom() -> None:
    assert layers(_nested(7))[-1].code == "Bottom"


def test_nesting_without_end_is_cut_and_what_is_above_stays() -> None:
    assert layers(_nested(13))[1].code == "Level12"


def test_the_whole_text_comes_first_and_the_innermost_last() -> None:
    found = layers(f"It failed: {_nested(2)} and then it stopped.")
    assert [layer.code for layer in found] == ["", "Level1", "Level0", "Bottom"]
    assert found[0].text.endswith("and then it stopped.")


def test_a_layer_says_where_it_stood() -> None:
    text = '{"error":{"code":"A","message":"a","details":[{"code":"B","message":"b"}]}}'
    paths = [layer.path for layer in layers(text)]
    assert paths == [
        "$",
        "$.error.message",
        "$.error.details[0].message",
    ]


def test_siblings_have_one_depth_and_are_all_leaves() -> None:
    details = [{"code": f"D{at}", "message": "m", "target": f"t{at}"} for at in range(5)]
    text = json.dumps({"error": {"code": "Partial", "message": "some", "details": details}})
    below = [layer for layer in layers(text) if layer.code.startswith("D")]
    assert {(layer.depth, layer.leaf) for layer in below} == {(2, True)}
    assert len(below) == 5


def test_a_carrier_is_no_leaf() -> None:
    carriers = [layer.code for layer in layers(_nested(3)) if not layer.leaf]
    assert carriers == ["", "Level2", "Level1", "Level0"]


def test_a_policy_is_named_with_assignment_definition_and_effect() -> None:
    info = {
        "policyAssignmentDisplayName": "No public addresses",
        "policyAssignmentId": "/subscriptions/s/policyAssignments/a",
        "policyDefinitionDisplayName": "Deny public IPs",
        "policyDefinitionEffect": "Deny",
    }
    error = {"code": "RequestDisallowedByPolicy", "message": "Disallowed."}
    error_with_info = error | {"additionalInfo": [{"type": "PolicyViolation", "info": info}]}
    assert layers(json.dumps({"error": error_with_info}))[-1].text == (
        "PolicyViolation: assignment No public addresses"
        " /subscriptions/s/policyAssignments/a,"
        " definition Deny public IPs, effect Deny"
    )


def test_the_activity_log_is_read_through_its_three_levels() -> None:
    inner = json.dumps({"error": {"code": "SubnetIsFull", "message": "No room."}})
    status = {
        "status": "Failed",
        "error": {"code": "ResourceOperationFailure", "message": "Failed."},
    }
    status["error"]["details"] = [{"code": "VMSSError", "message": inner}]  # type: ignore[index]
    event = {"properties": {"statusCode": "Conflict", "statusMessage": json.dumps(status)}}
    codes = [layer.code for layer in layers(json.dumps(event, indent=2))]
    assert codes == ["", "ResourceOperationFailure", "VMSSError", "SubnetIsFull"]


def test_a_sentence_may_stand_for_a_code() -> None:
    text = '{"details":[{"code":"The prefix overlaps with another","message":"See the code."}]}'
    assert layers(text)[-1].code == "The prefix overlaps with another"


def test_prose_is_one_layer() -> None:
    prose = "The node is not ready."
    assert layers(prose) == (Layer("", prose, prose, "$", 0, leaf=True),)


def test_an_empty_text_is_one_empty_layer() -> None:
    assert layers("") == (Layer("", "", "", "$", 0, leaf=True),)


def test_states_that_are_no_errors_make_no_layers() -> None:
    text = '{"properties":{"provisioningState":"Succeeded","powerState":{"code":"Running"}}}'
    assert len(layers(text)) == 1


def test_lines_of_a_container_are_also_given_as_its_program_wrote_them() -> None:
    prefix = "2026-01-01T00:00:00.1Z stderr"
    text = f"{prefix} P failed to \n{prefix} F pull\n{prefix} F   the image"
    assert [layer.text for layer in layers(text)][1:] == ["failed to pull the image"]


def test_a_process_that_ended_well_says_nothing() -> None:
    assert len(layers('{"terminated":{"exitCode":0,"reason":"Completed"}}')) == 1
