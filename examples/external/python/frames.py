"""Frames: four bytes with the length of what follows, big-endian, and that many bytes of protobuf."""

from asyncio import IncompleteReadError, StreamReader

from plugin_pb2 import PluginRequest, PluginResponse

MAX_FRAME = 16 * 1024 * 1024


async def read_frame(reader: StreamReader, message: PluginRequest | PluginResponse) -> bool:
    """Fills the message; False at the end of the stream."""
    try:
        length = int.from_bytes(await reader.readexactly(4), "big")
    except IncompleteReadError as error:
        if error.partial:
            raise
        return False
    if length > MAX_FRAME:
        raise ValueError(f"a frame of {length} bytes; at most {MAX_FRAME} are read")
    message.ParseFromString(await reader.readexactly(length))
    return True


def frame(message: PluginRequest | PluginResponse) -> bytes:
    body = message.SerializeToString()
    if len(body) > MAX_FRAME:
        raise ValueError(f"a message of {len(body)} bytes; at most {MAX_FRAME} can be sent")
    return len(body).to_bytes(4, "big") + body
