import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connectClient, eras } from "../support/mcp-client.js";
import { scratchRepository } from "../support/scratch.js";
import { hasEnded, isThere, startShortClient } from "../support/short-client.js";

describe("several clients", () => {
  it.each(eras)("of %s write at the same time, and nothing is lost", async (era) => {
    const root = scratchRepository();
    const clients = await Promise.all(Array.from({ length: 4 }, () => connectClient(root, { era })));
    const answers = await Promise.all(
      clients.flatMap(({ call }, client) =>
        Array.from({ length: 25 }, (_, note) =>
          call("remember", { content: `client ${client} says ${note}, which nobody else says` }),
        ),
      ),
    );
    expect(answers.filter(({ isError }) => isError)).toEqual([]);
    const ids = new Set(answers.map(({ value }) => value.id));
    expect(ids.size).toBe(100);
    const text = readFileSync(join(root, ".agent/memories.md"), "utf8");
    expect([...ids].filter((id) => !text.includes(id))).toEqual([]);
  });
});

describe("a client that is killed", () => {
  it("leaves no server behind", async () => {
    const root = scratchRepository();
    const started = await Promise.all(Array.from({ length: 5 }, () => startShortClient(root)));
    for (const { answered } of started) await answered();
    for (const { client } of started) client.kill("SIGKILL");
    for (const { server } of started) await hasEnded(server);
  });

  it("leaves none where another process keeps its input open", async () => {
    const { client, server, between = 0, answered } = await startShortClient(scratchRepository(), "holder");
    await answered();
    client.kill("SIGKILL");
    await hasEnded(server);
    expect(isThere(between)).toBe(true);
  });
});

describe("a shell that started a server", () => {
  it.each(["the shell", "the client"])("leaves none behind when %s is killed", async (who) => {
    const { client, server, between = 0, answered } = await startShortClient(scratchRepository(), "shell");
    await answered();
    if (who === "the client") client.kill("SIGKILL");
    else process.kill(between, "SIGKILL");
    await hasEnded(server);
  });
});
