import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createPostgresStore } from "../../../src/store/postgres/open-postgres-store.js";
import type { Message } from "../../support/postgres/messages.js";
import { startProxy } from "../../support/postgres/postgres-proxy.js";
import {
  lackOfPostgres,
  type PostgresServer,
  startPostgres,
} from "../../support/postgres/postgres-server.js";
import { runRalph } from "../../support/run-ralph.js";
import { scratchFolder, scratchRepository } from "../../support/scratch.js";

const header = (type: string, length: number) => {
  const bytes = Buffer.alloc(5);
  bytes.write(type, 0, "latin1");
  bytes.writeUInt32BE(length, 1);
  return bytes;
};
const message = (type: string, body: Buffer | string) =>
  Buffer.concat([header(type, 4 + Buffer.byteLength(body)), Buffer.from(body)]);
const welcome = Buffer.concat([message("R", Buffer.alloc(4)), message("Z", "I")]);
const noise = Buffer.from(Array.from({ length: 4_000 }, (_, place) => (place * 7919) % 251));

/** What a program at the other end may send instead of an answer. */
const strange: Record<string, Buffer> = {
  "noise at once": noise,
  "a greeting of another protocol": Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n"),
  "noise after the greeting": Buffer.concat([welcome, noise]),
  "an unknown way to log in": message("R", Buffer.from([0, 0, 0, 99])),
  "an error without an end": message("E", "SFATAL"),
  "a message of two gigabytes": Buffer.concat([welcome, header("D", 2 ** 31 - 1), noise]),
  "a message shorter than its length": Buffer.concat([welcome, header("D", 0)]),
  "a row with fields beyond its end": Buffer.concat([
    welcome,
    message("D", Buffer.from([0, 9, 0, 0, 0, 50])),
  ]),
};

describe("what answers in place of a team's store", () => {
  it.each(Object.keys(strange))("ends a command in one line: %s", async (name) => {
    const address = await serve((socket) => socket.write(strange[name] ?? ""));
    expectOneLine(await ask(address));
  });

  it("ends a command when it answers without end", async () => {
    const row = message("D", Buffer.concat([Buffer.from([0, 1, 0, 1, 0, 0]), Buffer.alloc(65_536)]));
    const rows = Buffer.concat(Array.from({ length: 64 }, () => row));
    const address = await serve((socket) => {
      socket.write(welcome);
      const flood = () => {
        while (!socket.destroyed && socket.write(rows));
      };
      socket.on("drain", flood);
      flood();
    });
    expectOneLine(await ask(address));
  });
});

describe.skipIf(lackOfPostgres() !== undefined)("a server that lies", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  const lying = async (change: (message: Message) => Buffer) => {
    const address = await server.makeDatabase();
    await createPostgresStore({ address, environment: {} });
    const cwd = scratchRepository();
    const made = await runRalph(["task", "init", "Fix it"], { cwd, env: { RALPH_STORE_URL: address } });
    expect(made.status, made.stderr).toBe(0);
    const proxy = await startProxy(address, { change });
    onTestFinished(() => proxy.close());
    return ask(proxy.address, cwd);
  };

  it("cannot write to the terminal with the text of an error", async () => {
    const said = "S\0CXX000\0M\u001b[2J\u001b]0;owned\u0007 pwned\nsecond line\0\0";
    const result = await lying((each) =>
      each.type === "D" || each.type === "T" ? message("E", `SERROR\0${said.slice(2)}`) : each.bytes,
    );
    expectOneLine(result);
    expect(result.stderr).not.toContain("\u001b");
    expect(result.stderr).not.toContain("\u0007");
  });

  it("cannot crash a command with values of other types", async () => {
    const result = await lying(({ type, bytes }) =>
      type === "D"
        ? Buffer.from(bytes.map((byte, at) => (at > 10 && byte > 32 && byte < 127 ? 63 : byte)))
        : bytes,
    );
    expect(result.stderr).not.toMatch(/\n\s+at /);
    expect([0, 1, 2]).toContain(result.status);
  });
});

/** A server of one kind of answer; its address. */
async function serve(onConnection: (socket: Socket) => void): Promise<string> {
  const folder = scratchFolder();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(join(folder, ".s.PGSQL.5432"), resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `postgres://u@localhost/d?host=${encodeURIComponent(folder)}`;
}

function ask(address: string, cwd = scratchRepository()) {
  return runRalph(["task", "list"], { cwd, env: { RALPH_STORE_URL: address } });
}

function expectOneLine({
  status,
  stdout,
  stderr,
}: {
  status: number | null;
  stdout: string;
  stderr: string;
}) {
  expect(stderr.trim().split("\n").length, stderr).toBeLessThanOrEqual(2);
  expect(stderr).toMatch(/^Error: .+/);
  expect(stderr).not.toMatch(/\n\s+at /);
  expect(stdout).toBe("");
  expect(status).toBe(1);
}
