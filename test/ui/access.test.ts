import { describe, expect, it } from "vitest";
import { openScratchMemory } from "../support/open-scratch-memory.js";
import { startPage } from "../support/page-server.js";

const megabyte = 1024 * 1024;

describe("the page's server", () => {
  it("lets an address in once; the browser then has a cookie, and another address is told", async () => {
    const { addresses, ask } = await startPage(await openScratchMemory());
    const [first = ""] = addresses;
    const { pathname, search } = new URL(first);
    const visited = await ask(pathname + search);
    expect(visited.status).toBe(200);
    expect(visited.text).toContain('<script src="/app.js"');
    const [cookie = ""] = visited.headers["set-cookie"] ?? [];
    expect(cookie).toMatch(/^ralph_ui_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect((await ask(pathname + search)).status).toBe(401);
    expect(addresses.length).toBe(2);
    expect((await ask(`/${new URL(addresses[1] ?? "").search}`)).status).toBe(200);
    const headers = { cookie: cookie.split(";")[0] ?? "" };
    expect((await ask("/tasks", { headers })).status).toBe(200);
    expect((await ask("/api/project", { headers })).status).toBe(200);
  });

  it("tells nothing to those without a token, whatever they ask for", async () => {
    const { ask } = await startPage(await openScratchMemory());
    const wrong = { cookie: "ralph_ui_1=nothing" };
    for (const path of ["/", "/app.js", "/app.css", "/api/project", "/api/live", "/api/nothing", "/?token=x"])
      for (const headers of [{}, wrong]) {
        const { status, text, headers: sent } = await ask(path, { headers });
        expect([path, status, text]).toEqual([path, 401, "Unauthorized\n"]);
        expect(sent["set-cookie"]).toBeUndefined();
      }
  });

  it("refuses a foreign Host or Origin before it looks at the token", async () => {
    const { ask, visit, origin } = await startPage(await openScratchMemory());
    const cookie = await visit();
    const statusOf = async (headers: Record<string, string>) =>
      (await ask("/api/project", { headers: { cookie, ...headers } })).status;
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
    const cookie = await visit();
    const add = async (headers: Record<string, string>, body = '{"content":"Use tabs"}') =>
      (await ask("/api/notes", { method: "POST", headers: { cookie, ...headers }, body })).status;
    const json = { "content-type": "application/json" };
    expect(await add(json)).toBe(403);
    expect(await add({ ...json, origin: "http://evil.example" })).toBe(403);
    expect(await add({ origin, "content-type": "text/plain" })).toBe(415);
    expect(await add({ origin, "content-type": "application/x-www-form-urlencoded" }, "content=x")).toBe(415);
    expect(await add({ ...json, origin }, "{")).toBe(400);
    expect(await add({ ...json, origin }, "[]")).toBe(400);
    expect((await ask("/api/notes", { method: "DELETE", headers: { cookie, origin } })).status).toBe(405);
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
    const cookie = await visit();
    const body = `{"content":"${"x".repeat(20 * megabyte - 14)}"}`;
    const json = { "content-type": "application/json" };
    const send = (headers: Record<string, string>) =>
      ask("/api/notes", { method: "POST", headers: { ...json, ...length, ...headers }, body });
    const { status, headers, text } = await send({ cookie, origin });
    expect([status, headers.connection]).toEqual([413, "close"]);
    expect(JSON.parse(text)).toMatchObject({ problem: { message: "That is more than a megabyte" } });
    expect(await send({ cookie })).toMatchObject({ status: 403, text: "Wrong Origin\n" });
    expect(await send({ origin })).toMatchObject({ status: 401, text: "Unauthorized\n" });
    expect(await memory.notes.list()).toEqual([]);
    expect((await ask("/api/project", { headers: { cookie } })).status).toBe(200);
  });

  it("sends everything with headers that allow nothing from elsewhere", async () => {
    const { ask, visit } = await startPage(await openScratchMemory());
    const cookie = await visit();
    for (const path of ["/", "/app.js", "/app.css", "/api/project", "/api/nothing"]) {
      const { headers } = await ask(path, { headers: { cookie } });
      const policy = String(headers["content-security-policy"]);
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).not.toContain("unsafe");
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["referrer-policy"]).toBe("no-referrer");
      expect(headers["cache-control"]).toBe("no-store");
      expect(headers["access-control-allow-origin"]).toBeUndefined();
    }
    const { text } = await ask("/", { headers: { cookie } });
    expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/);
  });

  it("sends no other file of any folder", async () => {
    const { ask, visit } = await startPage(await openScratchMemory());
    const cookie = await visit();
    for (const path of ["/../cli/main.cjs", "/report.css", "/%2e%2e/cli/main.cjs", "/app.js/../report.css"])
      expect((await ask(path, { headers: { cookie } })).text).not.toMatch(/require\(|\.report/);
  });

  it("on another interface wants the token with each visit, and answers to that name", async () => {
    const { addresses, ask, origin } = await startPage(await openScratchMemory(), { host: "127.0.0.2" });
    expect(origin).toContain("127.0.0.2");
    const { search } = new URL(addresses[0] ?? "");
    const visited = await ask(`/${search}`);
    const cookie = (visited.headers["set-cookie"]?.[0] ?? "").split(";")[0] ?? "";
    expect((await ask("/tasks", { headers: { cookie } })).status).toBe(401);
    expect((await ask(`/tasks${search}`, { headers: { cookie } })).status).toBe(200);
    expect((await ask("/api/project", { headers: { cookie } })).status).toBe(200);
    expect((await ask("/api/project", { headers: { cookie, host: "rebound.example" } })).status).toBe(403);
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
    const cookie = await visit();
    for (const path of ["//", "///", "//evil.example/", "/\\evil.example", "//[", `//127.0.0.1:${port}/`]) {
      expect([path, (await ask(path, { headers: { cookie } })).status]).toEqual([path, 404]);
      expect([path, (await ask(path)).text]).toEqual([path, "Unauthorized\n"]);
    }
  });

  it("answers a HEAD as a GET, without a body, and leaves nobody waiting for what is live", async () => {
    const { ask, visit, origin, addresses } = await startPage(await openScratchMemory());
    expect((await ask(`/${new URL(addresses[0] ?? "").search}`, { method: "HEAD" })).status).toBe(401);
    const cookie = await visit();
    const head = async (path: string) => ask(path, { method: "HEAD", headers: { cookie } });
    expect(await head("/api/project")).toMatchObject({ status: 200, text: "" });
    expect(await head("/app.js")).toMatchObject({ status: 200, text: "" });
    expect((await head("/api/live")).status).toBe(404);
    const headers = { cookie, origin, "content-type": "application/json" };
    expect((await ask("/api/live", { method: "POST", headers, body: "{}" })).status).toBe(404);
  });
});
