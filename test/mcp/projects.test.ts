import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { connectClient, eras } from "../support/mcp-client.js";
import { scratchFolder, scratchRepository } from "../support/scratch.js";

describe.each(eras)("the project of a client of %s", (era) => {
  it("is the one of --root, whatever else there is", async () => {
    const [given, root, cwd] = [scratchFolder(), scratchRepository(), scratchRepository()];
    const { call } = await connectClient(cwd, { era, roots: [root], args: ["--root", given] });
    expect((await call("history")).value.root).toBe(given);
  });

  it("is the one of its roots, rather than of the current folder", async () => {
    const [root, cwd] = [scratchRepository(), scratchRepository()];
    mkdirSync(join(root, "packages/api"), { recursive: true });
    const { call } = await connectClient(cwd, { era, roots: [join(root, "packages/api")] });
    expect((await call("remember", { content: "kept in the root" })).value.root).toBe(root);
  });

  it("is another one after its roots have changed", async () => {
    const [before, after] = [scratchRepository(), scratchRepository()];
    const roots = [before];
    const { client, call } = await connectClient(scratchFolder(), { era, roots });
    expect((await call("history")).value.root).toBe(before);
    roots[0] = after;
    if (era === "2025") await client.sendRootsListChanged();
    expect((await call("history")).value.root).toBe(after);
  });

  it("is the root that holds the current folder, if there are several", async () => {
    const [root, cwd] = [scratchRepository(), scratchRepository()];
    const { call } = await connectClient(cwd, { era, roots: [root, cwd] });
    expect((await call("history")).value.root).toBe(cwd);
  });

  it("is the one of the current folder for a client without roots", async () => {
    const root = scratchRepository();
    mkdirSync(join(root, "src"));
    const { call } = await connectClient(join(root, "src"), { era, home: root });
    expect((await call("history")).value.root).toBe(root);
    const other = await connectClient(join(root, "src"), { era, home: root, roots: [] });
    expect((await other.call("history")).value.root).toBe(root);
  });

  it("is not guessed: a folder that is no project gets an error that says what to do", async () => {
    const [cwd, root] = [scratchFolder(), scratchFolder()];
    const lost = await (await connectClient(cwd, { era })).call("remember", { content: "lost" });
    expect(lost.isError).toBe(true);
    expect(lost.text).toContain(cwd);
    expect(lost.text).toContain("ralph mcp --root DIR");
    const { client, call } = await connectClient(scratchRepository(), { era, roots: [root] });
    expect((await call("history")).text).toContain("No project found in the client's roots");
    await expect(client.readResource({ uri: "ralph://notes" })).rejects.toThrow(/No project found/);
  });

  it("is found among roots that are no folders, or none that there could be", async () => {
    const root = scratchRepository();
    const strange = ["/nowhere/at/all", `/${"x".repeat(5000)}`, "file:///tmp/%00", "file://host/x"];
    const { call } = await connectClient(scratchFolder(), { era, roots: [...strange, root] });
    expect((await call("history")).value.root).toBe(root);
    const lost = await (await connectClient(scratchFolder(), { era, roots: strange })).call("history");
    expect(lost.text).toContain("No project found in the client's roots");
  });
});

describe("a client of 2025 that has roots", () => {
  /** A client that answers each question for its roots with the next of these, the last one again and again. */
  async function connectSlow(cwd: string, root: string, ...answers: (() => Promise<unknown>)[]) {
    const connected = await connectClient(cwd, { era: "2025", roots: [root] });
    let asked = 0;
    connected.client.setRequestHandler("roots/list", async () => {
      await answers[Math.min(asked++, answers.length - 1)]?.();
      return { roots: [{ uri: `file://${root}` }] };
    });
    return { ...connected, timesAsked: () => asked };
  }
  const never = () => new Promise(() => undefined);
  const atOnce = async () => undefined;
  const note = "the client did not say which roots it has";

  it("and does not tell them is waited for once, until it says that they changed", async () => {
    const [root, cwd] = [scratchRepository(), scratchRepository()];
    const { client, call, timesAsked } = await connectSlow(cwd, root, never, atOnce);
    const begin = performance.now();
    for (let calls = 0; calls < 3; calls++) {
      const { text, value } = await call("history");
      expect([value.root, value.root_note]).toEqual([cwd, expect.stringContaining(note)]);
      expect(text).toContain(note);
    }
    expect(performance.now() - begin).toBeLessThan(9_000);
    expect(timesAsked()).toBe(1);
    await client.sendRootsListChanged();
    const { text, value } = await call("history");
    expect([value.root, value.root_note, timesAsked()]).toEqual([root, undefined, 2]);
    expect(text).not.toContain(note);
  });

  it("and tells them late is asked once, and believed from then on", async () => {
    const [root, cwd] = [scratchRepository(), scratchRepository()];
    let tell = () => {};
    const told = new Promise<void>((done) => {
      tell = done;
    });
    const { call, timesAsked } = await connectSlow(cwd, root, () => told);
    expect((await call("history")).value.root).toBe(cwd);
    tell();
    // The answer may be read together with the next request.
    await vi.waitFor(async () => expect((await call("history")).value.root).toBe(root), 20_000);
    expect(timesAsked()).toBe(1);
  });

  it("is waited for longer where the server's own folder is no project", async () => {
    const root = scratchRepository();
    const { call } = await connectSlow(scratchFolder(), root, () => pause(3_000));
    expect((await call("history")).value.root).toBe(root);
  });

  it("and cannot tell them is asked again, and told that they are missing", async () => {
    const root = scratchRepository();
    const { call } = await connectSlow(
      scratchFolder(),
      root,
      () => Promise.reject(new Error("busy")),
      atOnce,
    );
    const lost = await call("history");
    expect(lost.isError).toBe(true);
    expect(lost.text).toContain(note);
    expect((await call("history")).value.root).toBe(root);
  });
});
