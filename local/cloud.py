"""A local cloud with Lanternwell in it."""

import time
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from local.build import BUCKET, Package, build
from local.emulator import CREDENTIALS, REGION, Ministack
from local.errors import LocalCloudError

STACK = "lanternwell"
LOCAL_PARAMETERS = {
    # Everybody here comes from 127.0.0.1 and the machine belongs to one person.
    "RegisterLimitPerMinute": "100000",
    "MoveLimitPerSecond": "1000",
    "OpenLimitPerMinute": "1000",
    "BotPaceSeconds": "0",
    "HttpRateLimit": "10000",
    "HttpBurstLimit": "10000",
    "SocketRateLimit": "10000",
    "SocketBurstLimit": "10000",
}
_DEPLOY_SECONDS = 120


class Cloud:
    """A cloud that runs already, by the address of its gateway (``http://127.0.0.1:<port>``).

    Raises ``LocalCloudError`` where no Lanternwell stack is deployed there.
    """

    def __init__(self, endpoint_url: str) -> None:
        self.endpoint_url = endpoint_url.rstrip("/")
        self._outputs: dict[str, str] = {}

    @property
    def outputs(self) -> Mapping[str, str]:
        """The stack's outputs by name."""
        if not self._outputs:
            try:
                (stack,) = self.client("cloudformation").describe_stacks(StackName=STACK)["Stacks"]
            except (BotoCoreError, ClientError) as error:
                raise LocalCloudError(f"no stack at {self.endpoint_url}: {error}") from error
            self._outputs = {
                output["OutputKey"]: output["OutputValue"] for output in stack["Outputs"]
            }
        return self._outputs

    @property
    def http_url(self) -> str:
        """Base address of the REST calls, without a slash at its end."""
        return f"{self.endpoint_url}/_aws/execute-api/{self.outputs['HttpApiId']}"

    @property
    def ws_url(self) -> str:
        """Address to which WebSockets are opened."""
        return self.outputs["SocketEndpoint"].replace("http:", "ws:", 1)

    @property
    def addresses(self) -> Mapping[str, str]:
        """Its addresses by name."""
        return {"HTTP": self.http_url, "WebSocket": self.ws_url, "AWS": self.endpoint_url}

    def boto3_session(self) -> "LocalSession":
        """A session whose clients talk to this cloud."""
        return LocalSession(self.endpoint_url)

    def client(self, service: str) -> Any:
        """A boto3 client that talks to this cloud."""
        return self.boto3_session().client(service)


class LocalCloud(Cloud):
    """A context manager: starts a cloud, deploys the stack, and removes both at its end.

    ``port`` is the gateway's port on 127.0.0.1, a free one by default. ``parameters`` are
    template parameters on top of ``LOCAL_PARAMETERS``. Several may run side by side.
    """

    def __init__(
        self, *, port: int | None = None, parameters: Mapping[str, str] | None = None
    ) -> None:
        super().__init__("")
        self._port = port
        self._parameters = {**LOCAL_PARAMETERS, **(parameters or {})}
        self._ministack: Ministack | None = None

    def start(self) -> Self:
        """Start and deploy. Raises ``LocalCloudError``, with nothing left running."""
        package = build()
        self._ministack = Ministack.start(self._port)
        self.endpoint_url = f"http://127.0.0.1:{self._ministack.port}"
        try:
            self._deploy(package)
        except BaseException:
            self.stop()
            raise
        return self

    def stop(self) -> None:
        """End everything that was started; harmless when nothing was."""
        if self._ministack:
            self._ministack.stop()
            self._ministack = None

    def log(self) -> str:
        """What ministack and the functions have written so far."""
        return self._ministack.log.read_text(errors="replace") if self._ministack else ""

    def _deploy(self, package: Package) -> None:
        s3 = self.client("s3")
        cloudformation = self.client("cloudformation")
        try:
            s3.create_bucket(
                Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": REGION}
            )
            for path in package.files:
                s3.put_object(Bucket=BUCKET, Key=path.name, Body=path.read_bytes())
            cloudformation.create_stack(
                StackName=STACK,
                TemplateURL=f"{self.endpoint_url}/{BUCKET}/{Package.TEMPLATE}",
                Capabilities=["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"],
                Parameters=[
                    {"ParameterKey": name, "ParameterValue": value}
                    for name, value in self._stack_parameters(package).items()
                ],
                OnFailure="DO_NOTHING",
            )
            self._wait_until_deployed(cloudformation)
            self._allow_other_origins(package)
        except (BotoCoreError, ClientError) as error:
            raise LocalCloudError(f"deploy failed: {error}") from error

    def _stack_parameters(self, package: Package) -> dict[str, str]:
        template = package.template
        stage = self._parameters.get("StageName", template["Parameters"]["StageName"]["Default"])
        api = template["Resources"]["SocketApi"]["Properties"]["Tags"]["ms-custom-id"]
        return {
            **self._parameters,
            "SocketEndpointOverride": f"{self.endpoint_url}/_aws/execute-api/{api}/{stage}",
        }

    def _allow_other_origins(self, package: Package) -> None:
        """Tell ministack the template's CORS configuration once more.

        It keeps `AllowOrigins` as CloudFormation writes it, and then looks for `allowOrigins`, so
        that every preflight would be refused.
        """
        self.client("apigatewayv2").update_api(
            ApiId=self.outputs["HttpApiId"],
            CorsConfiguration=package.template["Resources"]["HttpApi"]["Properties"][
                "CorsConfiguration"
            ],
        )

    def _wait_until_deployed(self, cloudformation: Any) -> None:
        end = time.monotonic() + _DEPLOY_SECONDS
        while time.monotonic() < end:
            (stack,) = cloudformation.describe_stacks(StackName=STACK)["Stacks"]
            if stack["StackStatus"] == "CREATE_COMPLETE":
                return
            if stack["StackStatus"] != "CREATE_IN_PROGRESS":
                raise LocalCloudError(f"deploy failed: {_first_failure(cloudformation)}")
            time.sleep(0.1)
        raise LocalCloudError(f"deploy did not end within {_DEPLOY_SECONDS} seconds")

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


class LocalSession(boto3.session.Session):
    """A boto3 session whose clients and resources talk to one local cloud."""

    def __init__(self, endpoint_url: str) -> None:
        super().__init__(
            aws_access_key_id=CREDENTIALS["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=CREDENTIALS["AWS_SECRET_ACCESS_KEY"],
            region_name=REGION,
        )
        self._local = {
            "endpoint_url": endpoint_url,
            "config": Config(retries={"total_max_attempts": 2}, s3={"addressing_style": "path"}),
        }

    def client(self, *args: Any, **kwargs: Any) -> Any:
        """As boto3's, with this cloud's address."""
        return super().client(*args, **{**self._local, **kwargs})

    def resource(self, *args: Any, **kwargs: Any) -> Any:
        """As boto3's, with this cloud's address."""
        return super().resource(*args, **{**self._local, **kwargs})


def _first_failure(cloudformation: Any) -> str:
    events = cloudformation.describe_stack_events(StackName=STACK)["StackEvents"]
    for event in reversed(events):
        if event["ResourceStatus"].endswith("FAILED"):
            return f"{event['LogicalResourceId']}: {event.get('ResourceStatusReason', '')}"
    return "the stack tells no reason"
