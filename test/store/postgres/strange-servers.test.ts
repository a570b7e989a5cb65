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
import { scratchRepository } from "../../support/scratch.js";

const message = (type: string, body: string) => {
  const bytes = Buffer.alloc(5);
  bytes.write(type, 0, "latin1");
  bytes.writeUInt32BE(4 + Buffer.byteLength(body), 1);
  return Buffer.concat([bytes, Buffer.from(body)]);
};

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
