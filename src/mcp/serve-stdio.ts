import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { openProjectsOnce } from "./client-project.js";
import { openLineTransport } from "./line-transport.js";
import { makeServer, type ServerSetup } from "./make-server.js";

const parentCheckMs = 2_000;

/** Serves one client until it is gone: its end of our input is closed, or the process that started us has ended. */
export function serveOverStdio(given: ServerSetup): Promise<void> {
  const setup = { ...given, openProject: openProjectsOnce(given.openProject) };
  return new Promise((done) => {
    const transport = openLineTransport({ input: process.stdin, output: process.stdout });
    const connection = serveStdio(({ era }) => makeServer(setup, era), { transport, onerror: setup.onFault });
    const closed = transport.onclose;
    transport.onclose = () => {
      closed?.();
      done();
    };
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) void connection.close();
    }, parentCheckMs).unref();
  });
}
