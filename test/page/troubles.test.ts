import { execFileSync } from "node:child_process";
import { copyFileSync, openSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadSqliteEngine } from "../../src/store/sqlite/sqlite-driver.js";
import { editDatabase } from "../support/edit-database.js";
import { ralphEnvironment, ralphProgram } from "../support/run-ralph.js";
import { describeInBrowser, useBrowser } from "./support/chromium.js";
import { memoryOf, scratchProject, servePage } from "./support/served-page.js";

async function projectWithTasks(count: number): Promise<string> {
  const root = scratchProject();
  const memory = await memoryOf(root);
  for (let number = 1; number <= count; number += 1)
    await memory.tasks.init({ description: `Task number ${number}` });
  await memory.notes.add({ content: "A note" });
  await memory.close();
  return root;
}

const ralph = (root: string, ...args: string[]) =>
  execFileSync(process.execPath, [ralphProgram, ...args], {
    cwd: root,
    env: ralphEnvironment(root),
    stdio: "pipe",
  });

describeInBrowser("a store in trouble, while the page is open", () => {
  const browser = useBrowser();

  it("that is locked is still read; a change says that somebody else writes, and works after that", async () => {
    const root = await projectWithTasks(3);
    const served = await servePage(root);
    const { page, go } = await served.visit(browser());
    const writer = (await loadSqliteEngine()).open(join(root, ".ralph/memory.db"));
    writer.exec("BEGIN EXCLUSIVE");
    await go("/tasks");
    await page.getByText("Task number 3").waitFor();
    await go("/notes");
    await page.keyboard.press("n");
    await page.getByRole("textbox", { name: "Content" }).fill("While it was locked");
    await page.getByRole("button", { name: "Save" }).click();
    await page
      .locator(".done")
      .getByText(/busy|writ|locked/i)
      .waitFor({ timeout: 30_000 });
    writer.exec("ROLLBACK");
    writer.close();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The note was added").waitFor();
    await served.stop();
  });

  it("that is damaged is told, with what to do, and never a blank page", async () => {
    const root = await projectWithTasks(400);
    await editDatabase(root, "PRAGMA wal_checkpoint(TRUNCATE)");
    const served = await servePage(root);
    const { page, go } = await served.visit(browser());
    const file = openSync(join(root, ".ralph/memory.db"), "r+");
    for (let at = 4096; at < 200_000; at += 4096)
      writeSync(file, Buffer.alloc(2000, 0x5a), 0, 2000, at + 100);
    for (const path of ["/tasks", "/tasks/task-200", "/", "/learnings"]) {
      await go(path).catch(() => undefined);
      await page.locator("h1, .problem").first().waitFor();
      expect((await page.locator("main").innerText()).length).toBeGreaterThan(20);
    }
    await page.goto(`${served.origin}/health`);
    await page
      .getByText(/doctor --repair|damaged|malformed/i)
      .first()
      .waitFor();
    await served.stop();
  });

  it("that is damaged when the page is opened is read once it is sound again", async () => {
    const root = await projectWithTasks(3);
    await editDatabase(root, "PRAGMA wal_checkpoint(TRUNCATE)");
    const database = join(root, ".ralph/memory.db");
    const sound = readFileSync(database);
    writeFileSync(database, Buffer.alloc(20_000, 0x41));
    const served = await servePage(root);
    const { page } = await served.visit(browser(), "/tasks");
    await page.locator("main").getByText("The records are damaged").waitFor();
    writeFileSync(database, sound);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Task number 3").waitFor();
    await served.stop();
  });

  it("that is moved away and comes back is read again", async () => {
    const root = await projectWithTasks(3);
    const served = await servePage(root);
    const { page, go } = await served.visit(browser(), "/tasks");
    await page.getByText("Task number 3").waitFor();
    renameSync(join(root, ".ralph"), join(root, ".ralph-away"));
    await go("/tasks");
    await page.locator(".problem, .empty, tbody").first().waitFor();
    rmSync(join(root, ".ralph"), { recursive: true, force: true });
    renameSync(join(root, ".ralph-away"), join(root, ".ralph"));
    await go("/tasks");
    await page.getByText("Task number 3").waitFor();
    await served.stop();
  });

  it("whose index is rebuilt, or whose file is replaced by a copy, is read on", async () => {
    const root = await projectWithTasks(3);
    const served = await servePage(root);
    const { page, go } = await served.visit(browser(), "/tasks");
    ralph(root, "index", "rebuild");
    await go("/tasks?q=number");
    await page.getByText("Task number 2").waitFor();
    await editDatabase(root, "PRAGMA wal_checkpoint(TRUNCATE)");
    const database = join(root, ".ralph/memory.db");
    copyFileSync(database, `${database}-copy`);
    renameSync(`${database}-copy`, database);
    await go("/tasks");
    await page.getByText("Task number 1").waitFor();
    ralph(root, "task", "init", "Task number 4");
    await go("/tasks");
    await page.getByText("Task number 4").waitFor();
    await served.stop();
  });

  it("holds ten megabytes of output: its beginning is shown, and all of it on demand", async () => {
    const root = await projectWithTasks(1);
    const memory = await memoryOf(root);
    await memory.tasks.start("task-001");
    await memory.tasks.endIteration("task-001", { iteration: 1, success: false, output: "short" });
    await memory.close();
    await editDatabase(
      root,
      `UPDATE iteration_results SET output = replace(hex(zeroblob(5242870)), '00', 'ab') || 'THE VERY END'`,
    );
    const served = await servePage(root);
    const { page } = await served.visit(browser(), "/tasks/task-001");
    await page.getByText(/The first 4,000 of 10,485,752 characters/).waitFor();
    await page.getByRole("button", { name: "Show all" }).click();
    await page.getByText(/The first 200,000 of 10,485,752 characters/).waitFor();
    await page.getByRole("button", { name: "Show more" }).click();
    await page.getByText(/The first 400,000 of/).waitFor();
    await served.stop();
  });

  it("has a server that is gone: the page says so, and keeps what it showed", async () => {
    const root = await projectWithTasks(2);
    const served = await servePage(root);
    const { page } = await served.visit(browser(), "/tasks");
    await page.getByText("Task number 2").waitFor();
    await served.stop();
    await page.getByLabel("State").selectOption("running");
    await page.getByText("The page's server does not answer").waitFor();
    await page.getByText("Task number 2").waitFor();
  });
});
