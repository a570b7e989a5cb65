import { describe, expect, it } from "vitest";
import { openScratchMemory } from "../support/open-scratch-memory.js";
import { startPage } from "../support/page-server.js";

const megabyte = 1024 * 1024;

describe("the page's server", () => {
  it("lets an address in once, for a secret of the tab; no cookie is set, and another address is told", async () => {
    const { addresses, ask, enter } = await startPage(await openScratchMemory());
    const [first = ""] = addresses;
    const token = new URL(first).hash.slice(1);
    expect(first).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#[\w-]{43}$/);
    const entered = await enter(token);
    expect(entered.status).toBe(200);
    expect(entered.headers["set-cookie"]).toBeUndefined();
    const { secret } = JSON.parse(entered.text) as { secret: string };
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect((await enter(token)).status).toBe(401);
    expect(addresses.length).toBe(2);
    expect((await enter(new URL(addresses[1] ?? "").hash.slice(1))).status).toBe(200);
    const statusOf = async (headers: Record<string, string>) =>
      (await ask("/api/project", { headers })).status;
    expect(await statusOf({ authorization: `Bearer ${secret}` })).toBe(200);
    expect(await statusOf({ authorization: `Bearer ${token}` })).toBe(401);
    expect(await statusOf({ cookie: `ralph_ui_${new URL(first).port}=${secret}` })).toBe(401);
  });

  it("sends the page to everybody on this machine, and nothing else to those without a secret", async () => {
    const { ask, enter } = await startPage(await openScratchMemory());
    for (const path of ["/", "/tasks", "/index.html", "/?token=x"]) {
      const { status, text, headers } = await ask(path);
      expect([path, status]).toEqual([path, 200]);
      expect(text).toContain('<script src="/app.js"');
      expect(headers["set-cookie"]).toBeUndefined();
    }
    for (const path of ["/api/project", "/api/live", "/api/nothing", "/api/session"])
      for (const headers of [{}, { authorization: "Bearer nothing" }, { authorization: "Basic x" }])
        expect(await ask(path, { headers })).toMatchObject({ status: 401, text: "Unauthorized\n" });
    for (const token of ["", "x", 5, null, ["x"]])
      expect(await enter(token)).toMatchObject({ status: 401, text: "Unauthorized\n" });
  });

  it("refuses a foreign Host or Origin before it looks at the token", async () => {
    const { ask, visit, origin } = await startPage(await openScratchMemory());
    const authorization = await visit();
    const statusOf = async (headers: Record<string, string>) =>
      (await ask("/api/project", { headers: { authorization, ...headers } })).status;
    expect(await statusOf({ origin })).toBe(200);
    expect(await statusOf({ host: "rebound.example:80" })).toBe(403);
    expect(await statusOf({ host: `rebound.example:${new URL(origin).port}` })).toBe(403);
    expect(await statusOf({ origin: "http://evil.example" })).toBe(403);
    expect(await statusOf({ origin: "null" })).toBe(403);
    expect(await statusOf({ "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" })).toBe(403);
    expect(await statusOf({ "sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors" })).toBe(403);
  });

  it("takes a change only as JSON from its own page", async () => {
    const memory = await openScratchMemory();
    const { ask, visit, origin } = await startPage(memory);
    const authorization = await visit();
    const add = async (headers: Record<string, string>, body = '{"content":"Use tabs"}') =>
      (await ask("/api/notes", { method: "POST", headers: { authorization, ...headers }, body })).status;
    const json = { "content-type": "application/json" };
    expect(await add(json)).toBe(403);
    expect(await add({ ...json, origin: "http://evil.example" })).toBe(403);
    expect(await add({ origin, "content-type": "text/plain" })).toBe(415);
    expect(await add({ origin, "content-type": "application/x-www-form-urlencoded" }, "content=x")).toBe(415);
    expect(await add({ ...json, origin }, "{")).toBe(400);
    expect(await add({ ...json, origin }, "[]")).toBe(400);
    expect((await ask("/api/notes", { method: "DELETE", headers: { authorization, origin } })).status).toBe(
      405,
    );
    expect(await memory.notes.list()).toEqual([]);
    expect(await add({ ...json, origin })).toBe(200);
    expect((await memory.notes.list()).map(({ content }) => content)).toEqual(["Use tabs"]);
  });

  it.each([
    ["told before", { "content-length": String(20 * megabyte) }],
    ["found out while it is read", { "transfer-encoding": "chunked" }],
  ])("answers a change of 20 MB, %s, and goes on", async (_, length: Record<string, string>) => {
    const memory = await openScratchMemory();
    const { ask, visit, origin } = await startPage(memory);
    const authorization = await visit();
    const body = `{"content":"${"x".repeat(20 * megabyte - 14)}"}`;
    const json = { "content-type": "application/json" };
    const send = (headers: Record<string, string>) =>
      ask("/api/notes", { method: "POST", headers: { ...json, ...length, ...headers }, body });
    const { status, headers, text } = await send({ authorization, origin });
    expect([status, headers.connection]).toEqual([413, "close"]);
    expect(JSON.parse(text)).toMatchObject({ problem: { message: "That is more than a megabyte" } });
    expect(await send({ authorization })).toMatchObject({ status: 403, text: "Wrong Origin\n" });
    expect(await send({ origin })).toMatchObject({ status: 401, text: "Unauthorized\n" });
    expect(await memory.notes.list()).toEqual([]);
    expect((await ask("/api/project", { headers: { authorization } })).status).toBe(200);
  });

  it("sends everything with headers that allow nothing from elsewhere", async () => {
    const { ask, visit } = await startPage(await openScratchMemory());
    const authorization = await visit();
    for (const path of ["/", "/app.js", "/app.css", "/api/project", "/api/nothing"]) {
      const { headers } = await ask(path, { headers: { authorization } });
      const policy = String(headers["content-security-policy"]);
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).not.toContain("unsafe");
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["referrer-policy"]).toBe("no-referrer");
      expect(headers["cache-control"]).toBe("no-store");
      expect(headers["access-control-allow-origin"]).toBeUndefined();
    }
    const { text } = await ask("/", { headers: { authorization } });
    expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
  });

  it("sends no other file of any folder", async () => {
    const { ask, visit } = await startPage(await openScratchMemory());
    const authorization = await visit();
    for (const path of ["/../cli/main.cjs", "/report.css", "/%2e%2e/cli/main.cjs", "/app.js/../report.css"])
      expect((await ask(path, { headers: { authorization } })).text).not.toMatch(/require\(|\.report/);
  });

  it("on another interface lets its address in again and again, and answers to that name", async () => {
    const { addresses, ask, visit, origin } = await startPage(await openScratchMemory(), {
      host: "127.0.0.2",
    });
    expect(origin).toContain("127.0.0.2");
    const [authorization, other] = [await visit(), await visit()];
    expect(other).not.toBe(authorization);
    expect((await ask("/api/project", { headers: { authorization } })).status).toBe(200);
    expect((await ask("/api/project", { headers: { authorization, host: "rebound.example" } })).status).toBe(
      403,
    );
    expect(addresses.length).toBe(1);
  });

  it("ends by itself when nobody used it for the given time", async () => {
    const { ended } = await startPage(await openScratchMemory(), { idleMs: 40 });
    expect(await ended).toBe("idle");
  });

  it("is not kept alive by those who are not let in", async () => {
    const { ended, ask } = await startPage(await openScratchMemory(), { idleMs: 300 });
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    while (!isOver)
      await Promise.all(["/", "/tasks", "/?token=x", "//", "/api/live"].map((path) => ask(path))).catch(
        () => undefined,
      );
    expect(await ended).toBe("idle");
  });

  it("has nothing at what is no path of it, and tells that only to its own page", async () => {
    const { ask, visit, origin } = await startPage(await openScratchMemory());
    const { port } = new URL(origin);
    const authorization = await visit();
    for (const path of ["//", "///", "//evil.example/", "/\\evil.example", "//[", `//127.0.0.1:${port}/`]) {
      expect([path, (await ask(path, { headers: { authorization } })).status]).toEqual([path, 404]);
      expect([path, (await ask(path)).text]).toEqual([path, "Unauthorized\n"]);
    }
  });

  it("answers a HEAD as a GET, without a body, and leaves nobody waiting for what is live", async () => {
    const { ask, visit, origin } = await startPage(await openScratchMemory());
    expect(await ask("/", { method: "HEAD" })).toMatchObject({ status: 200, text: "" });
    const authorization = await visit();
    const head = async (path: string) => ask(path, { method: "HEAD", headers: { authorization } });
    expect(await head("/api/project")).toMatchObject({ status: 200, text: "" });
    expect(await head("/app.js")).toMatchObject({ status: 200, text: "" });
    expect((await head("/api/live")).status).toBe(404);
    const headers = { authorization, origin, "content-type": "application/json" };
    expect((await ask("/api/live", { method: "POST", headers, body: "{}" })).status).toBe(404);
  });
});
