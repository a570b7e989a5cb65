import { createHash } from "node:crypto";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Memory } from "../../src/memory/memory.js";
import { html } from "../../src/ui/report/html.js";
import { makeReport } from "../../src/ui/report/write-report.js";
import { editDatabase } from "../support/edit-database.js";
import { openScratchMemory } from "../support/open-scratch-memory.js";
import { scriptTexts } from "../support/script-texts.js";

const reportOf = (memory: Memory, ...tasks: string[]) =>
  makeReport(memory, {
    tasks,
    folder: join(import.meta.dirname, "../../dist/ui"),
    version: "0.0.0",
    now: new Date("2026-03-01T12:00:00Z"),
  });

/** All that could load or run something, or lead elsewhere. */
const reaching =
  /<(?:script|img|link|iframe|object|embed|base|form|a|video|audio)[\s>]|\s(?:src|href|on\w+)=|url\(|@import/i;

describe("a report", () => {
  it("of a task holds its timeline and needs nothing else", async () => {
    const memory = await openScratchMemory();
    const { id } = await memory.tasks.init({ description: "Fix the cart total" });
    await memory.tasks.start(id);
    await memory.tasks.log(id, [{ tool: "Bash", params: { command: "npm test" }, iteration: 1 }]);
    await memory.tasks.endIteration(id, {
      iteration: 1,
      success: false,
      output: "TypeError: x is undefined",
    });
    await memory.tasks.endIteration(id, { iteration: 2, success: true, output: "1 passed" });
    await memory.tasks.complete(id, { outcome: "success", whatWorked: ["Load the cart first"] });
    const report = await reportOf(memory, id);
    expect(report).toContain("Fix the cart total");
    expect(report).toContain("Iteration 2: passed");
    expect(report).toContain("Load the cart first");
    expect(report.match(/<rect class="box-/g)?.length).toBe(2);
    expect(report).not.toMatch(reaching);
    const [, style = ""] = /<style>([\s\S]*)<\/style>/.exec(report) ?? [];
    const hash = createHash("sha256").update(style).digest("base64");
    expect(report).toContain(`style-src 'sha256-${hash}'`);
  });

  it("of a task tells what was reflected on before its first attempt", async () => {
    const memory = await openScratchMemory();
    const { id } = await memory.tasks.init({ description: "Translate the mails" });
    await memory.tasks.reflect(id, { observation: "The mails come from a template" });
    const report = await reportOf(memory, id);
    expect(report).toMatch(/Before any attempt[\s\S]*The mails come from a template/);
    // Its lesson is the same sentence.
    expect(report.match(/The mails come from a template/g)).toHaveLength(1);
  });

  it("of a project tells how many there are, and that too few tell whether it helps", async () => {
    const memory = await openScratchMemory();
    const report = await reportOf(memory);
    expect(report).toContain("too few tasks to tell");
    expect(report).not.toMatch(reaching);
  });

  it("shows what was recorded as text, whatever it is", async () => {
    const memory = await openScratchMemory();
    const { id } = await memory.tasks.init({ description: "<img src=x onerror=alert(1)>" });
    await memory.tasks.start(id);
    for (const [index, text] of scriptTexts.entries())
      await memory.tasks.endIteration(id, { iteration: index + 1, success: false, output: text, said: text });
    const report = await reportOf(memory, id);
    expect(report).toContain("&lt;img src=x onerror=alert(1)&gt;");
    expect(report.replaceAll(/&[a-z]+;[^<]*/g, "")).not.toMatch(reaching);
  });

  it("holds no secret, also if one is stored", async () => {
    const memory = await openScratchMemory();
    const { id } = await memory.tasks.init({ description: "Rotate the key" });
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    await editDatabase(memory.project.root, `UPDATE tasks SET description = 'The key is ${secret}'`);
    expect((await memory.tasks.history(id)).description).toContain(secret);
    expect(await reportOf(memory, id)).not.toContain(secret);
  });

  it("is made of templates that take values as text", () => {
    const value = `"><script>alert('x')</script>&`;
    expect(html`<p title="${value}">${[value, html`<b>${1}</b>`]}${undefined}${false}</p>`.text).toBe(
      '<p title="&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;">&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;<b>1</b></p>',
    );
  });
});
