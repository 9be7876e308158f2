"""Answers whatever a host asks on the streams that it opens."""

import asyncio
import json
import sys
from asyncio import StreamReader, StreamWriter, Task
from collections.abc import Callable
from pathlib import Path

from aioquic.asyncio import QuicConnectionProtocol
from aioquic.quic.connection import QuicConnection
from aioquic.quic.events import ConnectionTerminated, HandshakeCompleted, QuicEvent, StopSendingReceived, StreamReset
from frames import frame, read_frame
from identity import refusal
from plugin_pb2 import Fault, HealthResult, Hello, ListToolsResponse, PluginManifest, PluginRequest, PluginResponse
from plugin_pb2 import ShutdownResult, ToolResponse
from tools import DEFINITIONS, TOOLS, Call

MANIFEST = PluginManifest(
    id="example/python", version="1.0.0", language="python", title="Python example", provides_tools=list(TOOLS)
)

# The codes with which streams are cut off, and links refused.
CANCELLED, WRONG_PEER = 1, 19


class HostLink(QuicConnectionProtocol):
    """One link with a host."""

    def __init__(self, quic: QuicConnection, folder: Path, on_link: Callable[[int], None], end: Callable[[], None]):
        super().__init__(quic, stream_handler=self._on_stream)
        self._folder, self._on_link, self._end = folder, on_link, end
        self._is_up = False
        self._last_id = 0
        # By stream and request id.
        self._running: dict[int, dict[str, Task[None]]] = {}

    def quic_event_received(self, event: QuicEvent) -> None:
        if isinstance(event, HandshakeCompleted):
            self._judge()
        elif isinstance(event, StreamReset | StopSendingReceived):
            # The host wants no answer to anything on this stream.
            self._cancel(event.stream_id)
        elif isinstance(event, ConnectionTerminated):
            for stream in list(self._running):
                self._cancel(stream)
            if self._is_up:
                self._is_up = False
                self._on_link(-1)
        super().quic_event_received(event)

    def _judge(self) -> None:
        reason = refusal(self._quic, self._folder)
        if reason is not None:
            print(f"somebody was not let in: {reason}", file=sys.stderr, flush=True)
            self.close(error_code=WRONG_PEER, reason_phrase=reason)
            return
        self._is_up = True
        self._on_link(1)

    def _on_stream(self, reader: StreamReader, writer: StreamWriter) -> None:
        task = asyncio.ensure_future(self._serve(reader, writer))
        stream = writer.get_extra_info("stream_id")
        self._running[stream] = {"": task}
        task.add_done_callback(lambda _: self._running.pop(stream, None))

    def _cancel(self, stream: int) -> None:
        for task in list(self._running.get(stream, {}).values()):
            task.cancel()

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        running = self._running[writer.get_extra_info("stream_id")]
        if not self._is_up:
            return
        while await read_frame(reader, request := PluginRequest()):
            asked = request.request_id
            if request.WhichOneof("request") == "cancel":
                if asked in running:
                    running[asked].cancel()
                continue
            running[asked] = asyncio.ensure_future(self._answer(request, writer))
            running[asked].add_done_callback(lambda _, asked=asked: running.pop(asked, None))
        await asyncio.gather(*(task for asked, task in running.items() if asked), return_exceptions=True)
        writer.write_eof()

    async def _answer(self, request: PluginRequest, writer: StreamWriter) -> None:
        async def write(response: PluginResponse) -> None:
            response.request_id = request.request_id
            writer.write(frame(response))

        await write(await self._answer_of(request, write))
        if request.WhichOneof("request") == "shutdown":
            # The host closes the link when it has the answer.
            asyncio.get_running_loop().call_later(0.5, self._end)

    async def _answer_of(self, request: PluginRequest, write) -> PluginResponse:
        match request.WhichOneof("request"):
            case "hello":
                return PluginResponse(hello=Hello(version=1, software="python example 1.0.0", manifest=MANIFEST))
            case "list_tools":
                return PluginResponse(list_tools=ListToolsResponse(tools=DEFINITIONS))
            case "tool_call":
                return await self._run(Call(request.request_id, request.tool_call, write, self._ask))
            case "health":
                return PluginResponse(health=HealthResult(status=HealthResult.STATUS_HEALTHY))
            case "shutdown":
                return PluginResponse(shutdown=ShutdownResult(clean=True))
        return fault(Fault.CODE_UNKNOWN_REQUEST, "nothing serves such a request here")

    async def _run(self, call: Call) -> PluginResponse:
        run = TOOLS.get(call.request.tool_name)
        if run is None:
            return fault(Fault.CODE_NOT_FOUND, f'there is no tool "{call.request.tool_name}" here')
        try:
            async with asyncio.timeout(call.request.timeout_ms / 1000 or None):
                result = await run(json.loads(call.request.arguments_json or b"{}"), call)
        except TimeoutError:
            return fault(Fault.CODE_TIMEOUT, "the call took too long")
        except Exception as error:  # Whatever a tool throws fails its call, and no other.
            return fault(Fault.CODE_INTERNAL, str(error))
        return PluginResponse(tool_call=ToolResponse(success=True, result_json=json.dumps(result).encode()))

    async def _ask(self, request: PluginRequest) -> PluginResponse:
        """Asks the host for something on a stream of its own; the last answer ends it."""
        self._last_id += 1
        request.request_id = str(self._last_id)
        reader, writer = await self.create_stream()
        stream = writer.get_extra_info("stream_id")
        writer.write(frame(request))
        writer.write_eof()
        try:
            while await read_frame(reader, response := PluginResponse()):
                if response.WhichOneof("response") not in ("progress", "stream_chunk", "log_message"):
                    return response
        except asyncio.CancelledError:
            self._quic.stop_stream(stream, CANCELLED)
            self.transmit()
            raise
        raise ConnectionError("the host did not answer")


def fault(code: Fault.Code, message: str) -> PluginResponse:
    return PluginResponse(fault=Fault(code=code, message=message))
