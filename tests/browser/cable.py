"""A cable between browsers and a server, which a test can cut and mend."""

from __future__ import annotations

import contextlib
import socket
import threading


class Cable:
    """Passes on what comes, until it is cut: then nobody is reached, and open lines break."""

    def __init__(self, port: int) -> None:
        self.far = port
        self.near = 0
        self._ends: list[socket.socket] = []
        self._listening: socket.socket | None = None
        self.mend()

    folder = ""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.near}"

    def mend(self) -> None:
        """Browsers reach the server (again), at the same address."""
        self._listening = socket.create_server(("127.0.0.1", self.near))
        self.near = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, args=[self._listening], daemon=True).start()

    def cut(self) -> None:
        """Everything on the way is lost."""
        assert self._listening
        for end in (self._listening, *self._ends):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self._ends.clear()

    def _accept(self, listening: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                browser = listening.accept()[0]
                server = socket.create_connection(("127.0.0.1", self.far))
                self._ends += [browser, server]
                for ends in ((browser, server), (server, browser)):
                    threading.Thread(target=_pass_on, args=ends, daemon=True).start()


def _pass_on(source: socket.socket, sink: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
    with contextlib.suppress(OSError):
        sink.shutdown(socket.SHUT_WR)
