"""A Callboard plugin in Python: what it is started with, where it listens, and when it ends."""

import argparse
import asyncio
import signal
import sys
from pathlib import Path

from aioquic.asyncio.server import serve
from google.protobuf.json_format import MessageToJson
from identity import configuration
from serve import MANIFEST, HostLink

# After so many seconds without a host it ends, where nobody can know its port but who started it.
LONELY = 30
# The host renews the certificates while the plugin runs.
RENEWAL = 60


async def run(listen: str, folder: Path) -> None:
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, ended.set)
    host, port = listen.rsplit(":", 1)
    links = 0
    alone: asyncio.TimerHandle | None = None

    def on_link(more: int) -> None:
        nonlocal links, alone
        links += more
        if alone is not None:
            alone.cancel()
        if links == 0 and port == "0":
            alone = loop.call_later(LONELY, ended.set)

    on_link(0)
    config = configuration(folder)
    server = await serve(
        "127.0.0.1" if host == "localhost" else host.strip("[]"),
        int(port),
        configuration=config,
        create_protocol=lambda quic, stream_handler=None: HostLink(quic, folder, on_link, ended.set),
    )
    address = server._transport.get_extra_info("sockname")
    print(f"READY {address[0]}:{address[1]}", file=sys.stderr, flush=True)
    while not ended.is_set():
        try:
            await asyncio.wait_for(ended.wait(), RENEWAL)
        except TimeoutError:
            config.load_cert_chain(folder / "plugin.pem", folder / "plugin.pem")
    server.close()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--listen-addr", default="localhost:0")
    parser.add_argument("--certs-dir", type=Path)
    parser.add_argument("--manifest", action="store_true")
    asked = parser.parse_args()
    if asked.manifest:
        print(MessageToJson(MANIFEST, preserving_proto_field_name=True))
    elif asked.certs_dir is None:
        parser.error("a Callboard plugin is started by its host, with --certs-dir and --listen-addr")
    else:
        asyncio.run(run(asked.listen_addr, asked.certs_dir))


main()
