"""The rule sets and their pages."""

from typing import Annotated, Any, Final, Literal

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Path, Query
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from hosting.errors import NotFound
from protocol.rules import RulesetList, RulesetManifest
from routes.answers import JSON, PUBLIC, answer, documented
from werewolf import RULESETS
from werewolf.replay import canonical

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
    summary="Read the rules",
    description=(
        "How the game is played and how it looks on the wire, as Markdown; or, for programs, "
        "seats, roles, options, phases, actions with their fields, times and events as JSON. "
        "`format` says which; without it, JSON is for those who accept it and no Markdown."
    ),
    tags=["rules"],
    operation_id="readRules",
    responses={
        **documented("The rules", "not_found"),
        200: {
            "description": "The rules",
            "content": {
                "text/markdown": {"schema": {"type": "string"}},
                JSON: {"model": RulesetManifest},
            },
        },
    },
)
def read_rules(
    ruleset: Annotated[
        str, Path(description="The rule set", json_schema_extra={"examples": ["werewolf-0.2"]})
    ],
    format: Annotated[  # noqa: A002 - the parameter's name on the wire
        Literal["markdown", "json"] | None, Query(description="For people, or for programs")
    ] = None,
) -> Response[Any]:
    """The rules of one rule set."""
    if ruleset not in RULESETS:
        raise NotFound("there is no such rule set")
    rules = RULESETS[ruleset]
    headers = PUBLIC | {"Vary": "Accept"}
    if (format or _preferred(router.current_event.headers.get("accept", ""))) == "json":
        return Response(200, JSON, canonical(rules.manifest()), headers=headers)
    return Response(200, MARKDOWN, rules.page, headers=headers)


def _preferred(accept: str) -> Literal["markdown", "json"]:
    """What an Accept header asks for. Who takes anything gets what people read."""
    kinds = {kind.partition(";")[0].strip().lower() for kind in accept.split(",")}
    return "json" if JSON in kinds and not kinds & {"text/markdown", "text/*"} else "markdown"
