"""Who may come in: the host, by a certificate that its CA signed and that says so."""

from pathlib import Path

import aioquic.asyncio.server
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.connection import QuicConnection
from cryptography import x509
from cryptography.x509.verification import PolicyBuilder, Store, VerificationError

PROTOCOL = "callboard/1"
HOST_URI = "spiffe://callboard/host"


class MutualConnection(QuicConnection):
    """Asks whoever connects for a certificate. aioquic can, and has no public way to say so; hence the exact version."""

    def _initialize(self, peer_cid: bytes) -> None:
        super()._initialize(peer_cid)
        self.tls._request_client_certificate = True


aioquic.asyncio.server.QuicConnection = MutualConnection


def configuration(folder: Path) -> QuicConfiguration:
    """What the listener shows: the plugin's own certificate."""
    config = QuicConfiguration(is_client=False, alpn_protocols=[PROTOCOL], idle_timeout=30.0)
    config.load_cert_chain(folder / "plugin.pem", folder / "plugin.pem")
    return config


def refusal(connection: QuicConnection, folder: Path) -> str | None:
    """Why this peer may not come in; None for the host. aioquic has checked that the peer holds the certificate's key."""
    certificate = connection.tls._peer_certificate
    if certificate is None:
        return "no certificate was shown"
    ca = x509.load_pem_x509_certificate((folder / "ca.crt").read_bytes())
    try:
        client = PolicyBuilder().store(Store([ca])).build_client_verifier().verify(certificate, [])
    except VerificationError as error:
        return f"the certificate is not accepted: {error}"
    uris = [name.value for name in client.subjects or [] if isinstance(name, x509.UniformResourceIdentifier)]
    return None if HOST_URI in uris else "the certificate is not the host's"
