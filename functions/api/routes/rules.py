"""The rule sets and their pages."""

from typing import Annotated, Any, Final

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Path
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from faces.problems import Refusal
from faces.wire.replies import RulesetList
from routes.answers import PUBLIC, answer, documented
from werewolf import RULESETS

router = APIGatewayHttpRouter()

MARKDOWN: Final = "text/markdown; charset=utf-8"


@router.get(
    "/rules",
    summary="List the rule sets",
    description="Each with its seats and options, for those who open a table.",
    tags=["rules"],
    operation_id="listRules",
    responses=documented("The rule sets"),
)
def list_rules() -> Response[RulesetList]:
    """The rule sets that can be played here."""
    rulesets = [
        {
            "id": ruleset.id,
            "title": ruleset.title,
            "seats": ruleset.seats._asdict(),
            "options": {name: option.manifest() for name, option in ruleset.options.items()},
        }
        for ruleset in RULESETS.values()
    ]
    return answer({"rulesets": rulesets}, headers=PUBLIC)


@router.get(
    "/rules/<ruleset>",
    summary="Read a rule page",
    description="How the game is played and how it looks on the wire, as Markdown.",
    tags=["rules"],
    operation_id="readRules",
    responses={
        **documented("The rule page", "not_found"),
        200: {
            "description": "The rule page",
            "content": {"text/markdown": {"schema": {"type": "string"}}},
        },
    },
)
def read_rules(
    ruleset: Annotated[
        str, Path(description="The rule set", json_schema_extra={"examples": ["werewolf-0.2"]})
    ],
) -> Response[Any]:
    """The rule page of one rule set."""
    if ruleset not in RULESETS:
        raise Refusal("not_found", "there is no such rule set")
    return Response(200, MARKDOWN, RULESETS[ruleset].page, headers=dict(PUBLIC))
