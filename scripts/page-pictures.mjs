// Writes docs/page-*.png: the page, on the history that page-history.mjs makes, drawn by Chromium (CHROMIUM_PATH, or Debian's).
// With `--all DIR`: every page, at 1,280 and 390 pixels, in light and dark, to be looked at.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { openMemory } from "../dist/library/index.js";
import { addNotesAndFindings, replayHistory } from "./page-history.mjs";

const project = join(import.meta.dirname, "..");
const [flag, folder] = process.argv.slice(2);
const parent = mkdtempSync(join(tmpdir(), "ralph-pictures-"));
const root = join(parent, "shop");
// Whoever makes the pictures is not named in them.
const named = { RALPH_AS: "Ann", GIT_CONFIG_GLOBAL: "/dev/null" };
const environment = { ...process.env, ...named, RALPH_HOME: join(parent, "home"), RALPH_TRUST: "1" };
const recall =
  "/recall?objective=Make+the+tests+of+the+cart+importer+pass&error=sqlite3.OperationalError%3A+database+is+locked&budget=600";

try {
  mkdirSync(root);
  execFileSync("git", ["init", "--quiet", root]);
  await replayHistory(openMemory, { root, environment });
  await addNotesAndFindings(openMemory, { root, environment });
  const memory = await openMemory({ root, environment });
  const [best] = await memory.learnings.weigh();
  const retried = (await memory.tasks.list()).find((task) => task.total_attempts > 1);
  await memory.close();
  const task = `/tasks/${retried?.id ?? "task-001"}?attempt=1&iteration=2`;
  const all = {
    now: "/",
    tasks: "/tasks",
    task,
    learnings: "/learnings",
    learning: `/learnings/${best?.id}`,
    review: "/review",
    notes: "/notes",
    recall,
    impact: "/impact",
    health: "/health",
  };
  if (flag === "--all" && folder !== undefined) {
    mkdirSync(folder, { recursive: true });
    await draw(async (shoot) => {
      for (const [name, path] of Object.entries(all))
        for (const width of [1280, 390])
          for (const scheme of ["light", "dark"])
            await shoot(path, {
              width,
              scheme,
              file: join(folder, `${name}-${width}-${scheme}.png`),
              isWhole: true,
            });
    });
  } else
    await draw(async (shoot) => {
      const file = (name) => join(project, `docs/page-${name}.png`);
      await shoot(task, { width: 1080, height: 600, scheme: "light", file: file("task") });
      await shoot("/learnings", { width: 1080, height: 520, scheme: "light", file: file("learnings") });
      await shoot("/impact", { width: 1280, height: 1080, scheme: "dark", file: file("impact") });
      await shoot(recall, { width: 1080, height: 600, scheme: "light", file: file("recall") });
    });
} finally {
  rmSync(parent, { recursive: true, force: true });
}

async function draw(work) {
  const executablePath = [process.env.CHROMIUM_PATH, "/usr/bin/chromium"].find(
    (path) => path && existsSync(path),
  );
  const server = spawn(
    process.execPath,
    [join(project, "dist/cli/main.cjs"), "ui", "--json", "--root", root],
    {
      env: environment,
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  const address = await new Promise((done) =>
    server.stdout.once("data", (line) => done(JSON.parse(line).address)),
  );
  const browser = await chromium.launch({
    executablePath,
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--force-color-profile=srgb"],
  });
  try {
    const page = await browser.newPage({ reducedMotion: "reduce", timezoneId: "Europe/Berlin" });
    await page.goto(address);
    await page.locator("h1").waitFor();
    await work(async (path, { width, height = 900, scheme, file, isWhole = false }) => {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: scheme });
      await page.goto(new URL(path, address).href);
      await page.locator("h1").waitFor();
      await page.locator(".starting").waitFor({ state: "detached" });
      await page.waitForTimeout(path === "/health" ? 2000 : 400);
      await page.screenshot({ path: file, fullPage: isWhole });
    });
  } finally {
    await browser.close();
    server.kill("SIGINT");
  }
}
