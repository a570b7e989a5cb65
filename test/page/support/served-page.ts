import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, expect, onTestFinished } from "vitest";
import { openMemory } from "../../../src/memory/open-memory.js";
import { eventually } from "../../support/eventually.js";
import { ralphEnvironment, ralphProgram } from "../../support/run-ralph.js";
import { git } from "../../support/scratch.js";

// Of a test that fails, too, nothing is left.
const servers: ChildProcess[] = [];
afterAll(() => {
  for (const server of servers.splice(0)) server.kill("SIGKILL");
});

/** A new repository; the caller removes it. */
export function newRepository(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ralph-page-")));
  git(folder, "init", "--quiet", "--initial-branch=main");
  return folder;
}

/** The same, gone after the test. */
export function scratchProject(): string {
  const folder = newRepository();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** As the page's server does it. */
export function memoryOf(root: string) {
  return openMemory({ root, environment: ralphEnvironment(root) });
}

export interface Served {
  /** The last one that was told. */
  address(): string;
  origin: string;
  /** A new browser with the page open. */
  visit(browser: Browser, path?: string): Promise<Visited>;
  stop(): Promise<void>;
}

export interface Visited {
  page: Page;
  context: BrowserContext;
  /** What the page complained about: it should be nothing. */
  complaints: string[];
  go(path: string): Promise<void>;
}

/** `ralph ui` in a process of its own. */
export async function servePage(root: string): Promise<Served> {
  const child = spawn(process.execPath, [ralphProgram, "ui", "--json", "--root", root], {
    cwd: root,
    env: ralphEnvironment(root),
  });
  servers.push(child);
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk;
  });
  const ended = new Promise<void>((done) => child.on("close", () => done()));
  await eventually(
    () => stdout.endsWith("\n"),
    () => stderr,
  );
  const first = (JSON.parse(stdout) as { address: string }).address;
  const { origin } = new URL(first);
  const address = () => [...stderr.matchAll(/For another tab or browser: (\S+)/g)].at(-1)?.[1] ?? first;
  return {
    address,
    origin,
    async visit(browser, path = "/") {
      const context = await browser.newContext({ reducedMotion: "reduce", timezoneId: "Europe/Berlin" });
      onTestFinished(() => context.close());
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on("pageerror", ({ message }) => complaints.push(message));
      page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
      });
      const go = async (to: string) => {
        await page.goto(new URL(to, origin).href);
        await page.locator("h1").waitFor();
      };
      const used = address();
      await go(path + new URL(used).hash);
      await eventually(() => address() !== used);
      return { page, context, complaints, go };
    },
    async stop() {
      child.kill("SIGINT");
      await ended;
      expect(child.exitCode).toBe(0);
    },
  };
}
