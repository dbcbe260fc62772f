"""The server over HTTP and WebSocket: who asks, how often, and what each address answers."""
