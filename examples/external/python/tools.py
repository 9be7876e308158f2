"""The tools of this plugin. Each takes its arguments and its call, and answers with a result of MCP."""

import json
import sys
from asyncio import CancelledError, Event
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from plugin_pb2 import PluginRequest, PluginResponse, Progress, StreamChunk, ToolDefinition, ToolRequest


class Refused(Exception):
    """The host did not do what a tool asked it for; the message is the host's."""


@dataclass
class Call:
    """One run of a tool, as the host asked for it."""

    id: str
    request: ToolRequest
    part: Callable[[PluginResponse], Awaitable[None]]
    ask: Callable[[PluginRequest], Awaitable[PluginResponse]]


async def echo(args: dict[str, Any], call: Call) -> dict[str, Any]:
    return text(args["text"], {"text": args["text"], "user": call.request.user})


async def count(args: dict[str, Any], call: Call) -> dict[str, Any]:
    pieces = [f"{at + 1} " for at in range(args["to"])]
    for at, piece in enumerate(pieces):
        await call.part(PluginResponse(stream_chunk=StreamChunk(data=piece.encode(), sequence=at)))
    return text("".join(pieces))


async def relay(args: dict[str, Any], call: Call) -> dict[str, Any]:
    arguments = json.dumps(args.get("arguments", {})).encode()
    asked = ToolRequest(tool_name=args["tool"], arguments_json=arguments, parent_request_id=call.id)
    answer = await call.ask(PluginRequest(tool_call=asked))
    if answer.WhichOneof("response") == "fault":
        raise Refused(answer.fault.message)
    return json.loads(answer.tool_call.result_json)


async def wait(_args: dict[str, Any], call: Call) -> dict[str, Any]:
    await call.part(PluginResponse(progress=Progress(progress=1, message="waiting")))
    try:
        await Event().wait()
    except CancelledError:
        print("given up", file=sys.stderr, flush=True)
        raise
    return text("never")


def text(text: str, data: Any = None) -> dict[str, Any]:
    """A text for models, and data for programs where there is some."""
    result: dict[str, Any] = {"content": [{"type": "text", "text": text}]}
    return result if data is None else {**result, "structuredContent": data}


def schema(**keywords: Any) -> bytes:
    return json.dumps({"type": "object", **keywords}).encode()


TOOLS: dict[str, Callable[[dict[str, Any], Call], Awaitable[dict[str, Any]]]] = {
    "echo": echo,
    "count": count,
    "relay": relay,
    "wait": wait,
}

DEFINITIONS = [
    ToolDefinition(
        name="echo",
        description="Says it again, and to whom",
        read_only=True,
        input_schema_json=schema(properties={"text": {"type": "string"}}, required=["text"]),
    ),
    ToolDefinition(
        name="count",
        description="Counts up to a number, in pieces",
        read_only=True,
        streaming=True,
        input_schema_json=schema(properties={"to": {"type": "integer", "minimum": 1}}, required=["to"]),
    ),
    ToolDefinition(
        name="relay",
        description="Calls a tool of the host, as the user who called this one",
        input_schema_json=schema(
            properties={"tool": {"type": "string"}, "arguments": {"type": "object"}}, required=["tool"]
        ),
    ),
    ToolDefinition(name="wait", description="Waits until it is cancelled", input_schema_json=schema()),
]
