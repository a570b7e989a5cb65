import type { Server } from "node:http";
import { isSystemError, RalphError } from "../../domain/ralph-error.js";

export const loopback = "127.0.0.1";
const maxPort = 65_535;

export function checkPort(port: number): number {
  if (Number.isInteger(port) && port >= 0 && port <= maxPort) return port;
  throw new RalphError("wrong-use", `--port takes a number up to ${maxPort}, not ${port}`);
}

/** Listens, and returns the port; 0 takes a free one. */
export function listen(server: Server, port: number, host = loopback): Promise<number> {
  return new Promise((done, fail) => {
    server.once("error", (error) => fail(isRefusal(error) ? unusable(port, host, error) : error));
    server.listen(port, host, () => {
      server.removeAllListeners("error");
      const address = server.address();
      done(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

function isRefusal(error: Error): boolean {
  return isSystemError(error, "EADDRINUSE", "EACCES", "EADDRNOTAVAIL", "ENOTFOUND");
}

function unusable(port: number, host: string, cause: Error): RalphError {
  if (isSystemError(cause, "EADDRNOTAVAIL", "ENOTFOUND"))
    return new RalphError("wrong-use", `${host} is no address of this machine`, { cause });
  return new RalphError("wrong-use", `Port ${port} cannot be used`, {
    hint: "choose another with --port, or leave it out to take a free one",
    cause,
  });
}
