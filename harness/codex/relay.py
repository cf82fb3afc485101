"""Runs inside the sandbox, by itself: loopback there, to the front's socket, around one command.

python relay.py SOCKET PORT COMMAND...
"""

import asyncio
import sys


async def main(path: str, port: int, command: list[str]) -> int:
    """Relay connections to `port` until the command ends; its exit code."""

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, out = await asyncio.open_unix_connection(path)
        await asyncio.gather(copy(reader, out), copy(there, writer))

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65536):
                writer.write(data)
                await writer.drain()
        except ConnectionError:
            pass  # the other side is gone, and so is this one
        finally:
            writer.close()

    await asyncio.start_server(connected, "127.0.0.1", port)
    process = await asyncio.create_subprocess_exec(*command)
    return await process.wait()


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])))
