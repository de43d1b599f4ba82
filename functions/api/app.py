"""REST: an HTTP event in, one call to the platform, a response out."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response
from aws_lambda_powertools.event_handler.exceptions import NotFoundError
from aws_lambda_powertools.event_handler.middlewares import NextMiddleware
from aws_lambda_powertools.event_handler.openapi.exceptions import (
    RequestValidationError,
    ResponseValidationError,
)
from aws_lambda_powertools.utilities.typing import LambdaContext
from routes import agents, characters, documents, matches, moves, rules, seats, watching
from routes.answers import NotModified, Piece, problem_answer

from edge.gate import admit, read_body
from edge.observability import COUNT, logger, metrics, observed
from edge.problems import malformed
from hosting.errors import HostingError, Internal, Malformed, MethodNotAllowed, NotFound
from werewolf.replay import canonical


class Api(APIGatewayHttpResolver):
    """The router, which also knows the methods of each path."""

    def __init__(self) -> None:
        super().__init__(
            enable_validation=True,
            response_validation_error_http_code=500,
            serializer=canonical,
            json_body_deserializer=read_body,
            debug=False,
        )
        self._methods: dict[re.Pattern[str], list[str]] = {}

    def route(
        self, rule: str, method: str | list[str] | tuple[str], *args: Any, **more: Any
    ) -> Callable[..., Any]:
        """Register a route."""
        path = re.compile(re.sub(r"<\w+>", "[^/]+", rule))
        methods = [method] if isinstance(method, str) else method
        self._methods.setdefault(path, []).extend(methods)
        return super().route(rule, method, *args, **more)

    def methods(self, path: str) -> list[str]:
        """The methods that this path knows; none when there is no such path."""
        return [
            method
            for pattern, methods in self._methods.items()
            if pattern.fullmatch(path)
            for method in methods
        ]


def only_known_parameters(app: Api, following: NextMiddleware) -> Response[Any]:
    """Refuse a query parameter that the call does not have: a wish is never silently left out."""
    route = app.context["_route"]
    known = {field.alias for field in route.dependant.query_params}
    for name in app.current_event.query_string_parameters or {}:
        if name not in known:
            told = name[:64]
            raise Malformed(f"{told}: this call has no such parameter", field=told)
    return following(app)


app: Final = Api()
app.use([only_known_parameters])
for module in (agents, characters, matches, seats, moves, watching, rules, documents):
    app.include_router(module.router)


@app.exception_handler(HostingError)
def on_refusal(refusal: HostingError) -> Response[str]:
    """What the platform or the gate refuses."""
    return _refused(refusal)


@app.exception_handler([NotModified, Piece])
def on_unchecked(told: NotModified | Piece) -> Response[Any]:
    """The caller has what it asks for, or asks for what is no JSON."""
    return told.answer()


@app.exception_handler(RequestValidationError)
def on_invalid(error: RequestValidationError) -> Response[str]:
    """A path that names nothing possible, or a request of another shape."""
    if any(found["loc"][:1] == ("path",) for found in error.errors()):
        return _refused(NotFound("there is nothing here"))
    return _refused(malformed(error.errors()))


@app.not_found
def on_no_route(_error: NotFoundError) -> Response[str]:
    """No such path, or not with this method."""
    methods = app.methods(app.current_event.path)
    if not methods or app.current_event.http_method in methods:
        return _refused(NotFound("there is nothing here"))
    allowed = ", ".join(methods)
    return _refused(MethodNotAllowed(f"this resource knows {allowed}"), {"Allow": allowed})


@app.exception_handler(ResponseValidationError)
def on_undocumented(error: ResponseValidationError) -> Response[str]:
    """A reply of another shape than documented: where, goes to the log; what, does not."""
    logger.error("undocumented reply", extra={"at": [found["loc"] for found in error.errors()]})
    return _failed(error)


@app.exception_handler(Exception)
def on_failure(error: Exception) -> Response[str]:
    """A fault of ours: logged whole, told without details."""
    return _failed(error)


@observed(correlation="requestContext.requestId")
def handler(event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answer one HTTP request."""
    metrics.add_metric(name="Requests", unit=COUNT, value=1)
    try:
        return app.resolve(admit(event), context)
    except HostingError as refusal:
        return _outside(_refused(refusal))
    except Exception as error:  # noqa: BLE001 - whatever goes wrong, the caller gets an answer
        return _outside(_failed(error))


def _refused(refusal: HostingError, headers: Mapping[str, str] | None = None) -> Response[str]:
    logger.info("refused", extra={"code": refusal.code})
    metrics.add_metric(name="Refusals", unit=COUNT, value=1)
    return problem_answer(refusal, headers)


def _failed(error: Exception) -> Response[str]:
    logger.error("request failed", exc_info=error)
    metrics.add_metric(name="Failures", unit=COUNT, value=1)
    return problem_answer(Internal("the request could not be answered"))


def _outside(response: Response[str]) -> dict[str, Any]:
    """The response to an event that never reached the router."""
    return {
        "statusCode": response.status_code,
        "headers": response.headers,
        "body": response.body,
        "isBase64Encoded": False,
        "cookies": [],
    }
