import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../support/eventually.js";
import { describeInBrowser, useBrowser } from "./support/chromium.js";
import { demoProject, fillProject } from "./support/filled-project.js";
import { memoryOf, newRepository, type Served, servePage } from "./support/served-page.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds that is serious, by all of its rules or by some. */
async function seriousFindings(page: Page, rules?: readonly string[]): Promise<string[]> {
  await page.evaluate(`if (globalThis.axe === undefined) { ${axe} }`);
  const options = { resultTypes: ["violations"], ...(rules && { runOnly: rules }) };
  const found = (await page.evaluate(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )) as { id: string; impact: string; nodes: { html: string }[] }[];
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 120)}`);
}

/** What changes with colours and widths. */
const rulesOfLooks = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"];

const overflowing = "document.documentElement.scrollWidth - innerWidth";

const browser = useBrowser();

const pages = ["/", "/tasks", "/learnings", "/review", "/notes", "/recall", "/impact", "/health"];

describeInBrowser("the page, on a project with a history", () => {
  const root = newRepository();
  let served: Served;
  beforeAll(async () => {
    await fillProject(root);
    served = await servePage(root);
  });
  afterAll(async () => {
    await served?.stop();
    rmSync(root, { recursive: true, force: true });
  });

  it("is walked from page to page, in light and dark, at four widths, and axe finds nothing serious", async () => {
    const { page, complaints, go } = await served.visit(browser());
    const memory = await memoryOf(root);
    const learning = (await memory.learnings.list({ limit: 1 }))[0]?.id;
    await memory.close();
    const recall = "/recall?objective=Make+the+tests+of+the+cart+importer+pass&budget=600";
    const views = [...pages, "/tasks/task-003", `/learnings/${learning}`, recall, "/nothing", "/%zz"];
    for (const path of views) {
      await go(path);
      if (path === "/health") await page.getByText("up to date").waitFor();
      await page.locator(".starting").waitFor({ state: "detached" });
      for (const [width, colorScheme, rules] of [
        [1280, "light", undefined],
        [390, "dark", rulesOfLooks],
        [360, "dark", []],
        [2560, "light", []],
      ] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        const found = rules?.length === 0 ? [] : await seriousFindings(page, rules);
        expect([path, width, found]).toEqual([path, width, []]);
        await expect
          .poll(async () => [path, width, await page.evaluate(overflowing)])
          .toEqual([path, width, 0]);
      }
    }
    expect(complaints).toEqual([]);
  });

  it("keeps its state in the address, so that links and Back work", async () => {
    const { page } = await served.visit(browser(), "/tasks");
    await page.getByLabel("State").selectOption("completed");
    await page.waitForURL(/status=completed/);
    await page.getByLabel(/^Search/).fill("importer");
    await page.waitForURL(/q=importer/);
    await page.locator("tbody tr").first().locator("a").first().click();
    await page.getByRole("heading", { level: 1, name: /importer/ }).waitFor();
    await page.goBack();
    await expect.poll(() => page.getByLabel(/^Search/).inputValue()).toBe("importer");
    expect(await page.getByLabel("State").inputValue()).toBe("completed");
    expect(page.url()).not.toContain("token");
  });

  it("draws a task's iterations as wide as they took", async () => {
    const { page } = await served.visit(browser(), "/tasks");
    await page.getByText("Stop the").first().waitFor();
    const memory = await memoryOf(root);
    const longest = (await memory.tasks.list()).find(({ total_attempts: attempts }) => attempts > 1);
    const history = await memory.tasks.history(longest?.id ?? "");
    await memory.close();
    await page.goto(`${served.origin}/tasks/${history.id}`);
    const boxes = page.locator(".lane").first().locator("button");
    await boxes.first().waitFor();
    const [attempt] = history.attempts;
    const ends = [attempt?.started ?? "", ...(attempt?.results ?? []).map(({ timestamp = "" }) => timestamp)];
    const times = ends.slice(1).map((end, index) => Date.parse(end) - Date.parse(ends[index] ?? ""));
    const widths = await boxes.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().width));
    const share = (values: readonly number[]) =>
      values.map((value) => value / values.reduce((sum, each) => sum + each, 0));
    for (const [index, part] of share(widths).entries())
      expect(Math.abs(part - (share(times)[index] ?? 0))).toBeLessThan(0.02);
    await boxes.first().click();
    await page.getByRole("heading", { name: /^Iteration 1/ }).waitFor();
    expect(page.url()).toContain("iteration=1");
  });

  it("accepts, rewords and rejects findings by keys alone", async () => {
    const { page } = await served.visit(browser());
    await page.keyboard.press("g");
    await page.keyboard.press("r");
    await page.getByRole("heading", { level: 1, name: "Review" }).waitFor();
    await page.getByText("Reproduce a flaky test").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("a");
    await page.getByText("Accepted", { exact: true }).waitFor();
    await page.getByText("Reproduce a flaky test").waitFor({ state: "detached" });
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await page.keyboard.press("e");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Control+A");
    await page.keyboard.type("Retries hide a locked database");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Accepted with the new wording").waitFor();
    await page.getByText("Raising the retries").waitFor({ state: "detached" });
    await page.keyboard.press("r");
    await page.getByRole("textbox", { name: /Why is this wrong/ }).waitFor();
    await page.keyboard.type("true of one package only");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Nothing waits for a review").waitFor();
    const memory = await memoryOf(root);
    const statements = (await memory.learnings.list()).map(({ content }) => content.description);
    const staged = await memory.learnings.listStaged();
    await memory.close();
    expect(statements).toContain("Reproduce a flaky test with a fixed seed before changing it");
    expect(statements).toContain("Retries hide a locked database");
    expect(staged.find(({ status }) => status === "rejected")?.rejectionReason).toBe(
      "true of one package only",
    );
  });

  it("adds, edits and deletes a note, and leaves all other bytes of the file", async () => {
    const file = join(root, ".agent/memories.md");
    const before = readFileSync(file, "utf8");
    const { page } = await served.visit(browser(), "/notes");
    await page.keyboard.press("n");
    await page.getByRole("textbox", { name: "Content" }).fill("The page wrote this");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The note was added").waitFor();
    const card = page.locator("article", { hasText: "The page wrote this" });
    await card.getByRole("button", { name: /^Edit/ }).click();
    await page.getByRole("textbox", { name: "Content" }).fill("The page wrote this, and changed it");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The note was changed").waitFor();
    await eventually(() => readFileSync(file, "utf8").includes("and changed it"));
    await card.getByRole("button", { name: /^Edit/ }).click();
    await page.getByRole("textbox", { name: "Content" }).fill("The page would overwrite this");
    const byHand = readFileSync(file, "utf8").replace("and changed it", "and a hand changed it");
    writeFileSync(file, byHand);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The note says something else by now").waitFor();
    expect(readFileSync(file, "utf8")).toBe(byHand);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.reload();
    await card.getByRole("button", { name: /^Delete/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("The note was deleted").waitFor();
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  it("shows the brief that an agent would get, why each entry is there, and what was left out", async () => {
    const { page } = await served.visit(browser(), "/recall");
    await page.getByRole("textbox", { name: "Objective" }).fill("Make the tests of the cart importer pass");
    await page.getByLabel(/^Errors/).fill("sqlite3.OperationalError: database is locked");
    await page.getByLabel(/^Budget/).fill("400");
    await page.getByRole("button", { name: "Recall" }).click();
    await page.getByText(/<ralph-memory-\d{9}>/).waitFor();
    expect(await page.locator(".score").count()).toBeGreaterThan(0);
    expect(page.url()).toContain("budget=400");
  });

  it("shows times in the zone of its reader", async () => {
    const { page } = await served.visit(browser(), "/tasks/task-001");
    await page
      .locator(".facts")
      .getByText(/GMT\+[12]|CES?T/)
      .first()
      .waitFor();
  });
});

describeInBrowser("the page, on the project of the demo", () => {
  let root = "";
  let served: Served;
  beforeAll(async () => {
    root = demoProject();
    served = await servePage(root);
  });
  afterAll(async () => {
    await served?.stop();
    if (root !== "") rmSync(root, { recursive: true, force: true });
  });

  it("leads from a task to what was learned, to the task that used it, and back", async () => {
    const { page, complaints } = await served.visit(browser(), "/tasks/task-001");
    await page
      .locator("aside")
      .getByText(/rounded to cents/)
      .first()
      .click();
    await page.getByRole("heading", { name: /Why: the attempts behind it/ }).waitFor();
    await page.getByRole("link", { name: "task-002", exact: true }).first().click();
    await page.getByRole("heading", { level: 1, name: /with shipping/ }).waitFor();
    await page
      .locator("aside")
      .getByText(/rounded to cents/)
      .first()
      .waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: /Why/ }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("says that there are too few tasks to tell whether it helps", async () => {
    const { page } = await served.visit(browser(), "/impact");
    await page.getByText("too few tasks to tell").first().waitFor();
  });
});

describeInBrowser("the page, on a project without a memory", () => {
  const root = newRepository();
  let served: Served;
  beforeAll(async () => {
    served = await servePage(root);
  });
  afterAll(async () => {
    await served?.stop();
    rmSync(root, { recursive: true, force: true });
  });

  it("is let in by an address once: a reload keeps it, and another tab says what to do", async () => {
    const used = new URL(served.address()).hash;
    const { page, context, go } = await served.visit(browser(), "/tasks?q=x");
    expect(page.url()).toBe(`${served.origin}/tasks?q=x`);
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Tasks" }).waitFor();
    await go("/notes");
    await page.getByRole("heading", { level: 1, name: "Notes" }).waitFor();
    const other = await context.newPage();
    for (const hash of ["", used]) {
      await other.goto("about:blank");
      await other.goto(`${served.origin}/tasks${hash}`);
      await other.getByRole("heading", { name: "This tab is not connected" }).waitFor();
      await other.getByText("Open the address that ralph ui printed last, or run it again").waitFor();
      expect(other.url()).toBe(`${served.origin}/tasks`);
    }
    expect(await seriousFindings(other)).toEqual([]);
    await other.goto(served.address());
    await other.getByRole("heading", { level: 1, name: "Now" }).waitFor();
  });

  it("says on each page what to do", async () => {
    const { page, go, complaints } = await served.visit(browser());
    for (const path of pages.filter((each) => each !== "/health")) {
      await go(path);
      await page.locator(".empty").first().waitFor();
      expect(await seriousFindings(page)).toEqual([]);
    }
    expect(complaints).toEqual([]);
  });
});
