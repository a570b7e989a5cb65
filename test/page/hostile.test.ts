import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { eventually } from "../support/eventually.js";
import { scriptTexts } from "../support/script-texts.js";
import { describeInBrowser, useBrowser } from "./support/chromium.js";
import { memoryOf, scratchProject, servePage } from "./support/served-page.js";

/** A page of somebody else, under another name. */
async function foreignSite(content: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end(content);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    server.close();
  });
  return `http://evil.example:${(server.address() as AddressInfo).port}/`;
}

describeInBrowser("somebody who means harm", () => {
  const browser = useBrowser();

  it("stores fifty texts that try to run a script: each is shown as text, on every page, and none runs", async () => {
    expect(scriptTexts.length).toBeGreaterThanOrEqual(50);
    const root = scratchProject();
    const memory = await memoryOf(root);
    const { tasks, notes, learnings } = memory;
    for (const [index, text] of scriptTexts.entries()) {
      const name = `${index}: ${text}`;
      await notes.add({ content: `Note ${name}` });
      await learnings.add({
        type: "antipattern",
        taskType: "general",
        content: { description: `Learning ${name}`, prevention: text },
      });
    }
    const { id } = await tasks.init({
      description: scriptTexts.join("\n"),
      tags: ["<script>window.ran=1</script>"],
    });
    await tasks.start(id, { agent: "<img src=x onerror=window.ran=1>" });
    for (const [index, text] of scriptTexts.entries()) {
      await tasks.log(id, [
        {
          tool: text,
          params: { command: text },
          output: text,
          error: text,
          reasoning: text,
          success: false,
          iteration: 1,
        },
      ]);
      await tasks.endIteration(id, { iteration: index + 1, success: false, output: text, said: text });
    }
    await tasks.complete(id, {
      outcome: "failure",
      reason: scriptTexts[0],
      whatWorked: scriptTexts,
      errors: scriptTexts.map((text) => ({ type: text, message: text, resolution: text })),
    });
    await learnings.stage([
      {
        type: "strategy",
        taskType: "general",
        content: { description: scriptTexts.join(" "), effectiveness: 1, iterations: 3 },
        confidence: 1,
        sourceLoops: [id],
        successRate: 1,
      },
    ]);
    const [learning] = await learnings.list({ limit: 1 });
    await memory.close();
    const served = await servePage(root);
    const { page, go } = await served.visit(browser());
    const asked = encodeURIComponent(scriptTexts.slice(0, 8).join(" "));
    for (const path of [
      ...["/", "/tasks", `/tasks/${id}?iteration=1`, "/learnings", `/learnings/${learning?.id}`, "/review"],
      ...["/notes", "/notes?page=2", `/recall?objective=${asked}&error=${asked}`, "/impact", "/health"],
      ...[`/tasks?q=${asked}`, "/%3Cscript%3Ewindow.ran=1%3C/script%3E"],
    ]) {
      await go(path);
      await page.locator(".starting").waitFor({ state: "detached" });
      await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
      expect([path, await page.evaluate("window.ran")]).toEqual([path, undefined]);
    }
    await go(`/tasks/${id}?iteration=1`);
    await page.getByText("<script>window.ran=1</script>").first().waitFor();
    await served.stop();
  });

  it("stores names and lines without an end: the page stays as wide as the screen", async () => {
    const root = scratchProject();
    const memory = await memoryOf(root);
    const { id } = await memory.tasks.init({ description: "x".repeat(300), tags: ["y".repeat(60)] });
    await memory.tasks.start(id, { agent: "z".repeat(200) });
    await memory.tasks.log(id, [
      {
        tool: "mcp__a_server_with_a_name__a_tool_with_a_name",
        params: { command: "w".repeat(500) },
        output: "o".repeat(9000),
        success: false,
        iteration: 1,
      },
    ]);
    await memory.tasks.endIteration(id, { iteration: 1, success: false, output: "e".repeat(3000) });
    await memory.notes.add({ content: "n".repeat(400), tags: ["t".repeat(60)] });
    const { id: learned } = await memory.learnings.add({
      type: "antipattern",
      taskType: "general",
      content: { description: "l".repeat(300), prevention: "p".repeat(300) },
    });
    await memory.close();
    const served = await servePage(root);
    const { page, go } = await served.visit(browser());
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      for (const path of ["/", "/tasks", `/tasks/${id}`, "/learnings", `/learnings/${learned}`, "/notes"]) {
        await go(path);
        await page.locator(".starting").waitFor({ state: "detached" });
        const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
        expect([path, width, overflow]).toEqual([path, width, 0]);
      }
    }
    await served.stop();
  });

  it("has a site with a form and a script that ask for a change: nothing changes, and nothing is read", async () => {
    const root = scratchProject();
    const served = await servePage(root);
    const { page, context } = await served.visit(browser());
    const site = await foreignSite(`<!doctype html>
      <form method="post" enctype="text/plain" action="${served.origin}/api/notes"><input name='{"content":"evil","x":"' value='"}'></form>
      <iframe src="${served.origin}/notes"></iframe>
      <script>
        window.read = [];
        const tries = [
          fetch("${served.origin}/api/notes", { method: "POST", mode: "no-cors", credentials: "include", headers: { "content-type": "text/plain" }, body: '{"content":"evil"}' }),
          fetch("${served.origin}/api/notes", { method: "POST", credentials: "include", headers: { "content-type": "application/json" }, body: '{"content":"evil"}' }),
          fetch("${served.origin}/api/project", { credentials: "include" }),
        ];
        window.done = Promise.allSettled(tries).then(async (ends) => {
          for (const { value } of ends) if (value && value.type !== "opaque") window.read.push(await value.text());
          return window.read;
        });
      </script>`);
    const evil = await context.newPage();
    await evil.goto(site);
    expect(await evil.evaluate("window.done")).toEqual([]);
    await evil.evaluate("document.forms[0].submit()");
    await evil.waitForLoadState("load");
    expect(await evil.locator("body").innerText()).toMatch(/Wrong Origin|Wrong site|Unauthorized/);
    expect(await evil.evaluate("frames.length")).toBe(0);
    await page.reload();
    await page.locator("h1").waitFor();
    const memory = await memoryOf(root);
    expect(await memory.notes.list()).toEqual([]);
    await memory.close();
    await served.stop();
  });

  it("serves another port of this machine: it gets no cookie, and the tab's secret stays with its origin", async () => {
    const served = await servePage(scratchProject());
    const { page, context } = await served.visit(browser());
    expect(await context.cookies()).toEqual([]);
    let sent: string[] | undefined;
    const other = createServer((request, response) => {
      sent ??= request.rawHeaders;
      response.setHeader("content-type", "text/html").end("<p>other</p>");
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await eventually(() => other.listening);
    const { port } = other.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/`);
    expect(sent?.join(" ")).not.toMatch(/cookie|authorization/i);
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
    await served.stop();
  });

  it("lets a name of theirs point to this machine: it is refused, also with a token", async () => {
    const root = scratchProject();
    const served = await servePage(root);
    const { context } = await served.visit(browser());
    const { port, hash } = new URL(served.address());
    const rebound = await context.newPage();
    const answer = await rebound.goto(`http://rebound.example:${port}/${hash}`);
    expect(answer?.status()).toBe(403);
    const read = await rebound.evaluate("fetch('/api/project').then((response) => response.status)");
    expect(read).toBe(403);
    await served.stop();
  });
});
