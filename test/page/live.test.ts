import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { eventually } from "../support/eventually.js";
import { loopRepository, sayAsClaude } from "../support/scripted-agent.js";
import { describeInBrowser, useBrowser } from "./support/chromium.js";
import { servePage } from "./support/served-page.js";

/** Each iteration waits until the test lets it go on; the third one succeeds. */
const agent = `
until [ -e go-$n ]; do sleep 0.05; done
${sayAsClaude("Tried something", { costUsd: 0.25 })}
[ $n -ge 3 ] && touch done-now
`;

describeInBrowser("a run, on the page", () => {
  const browser = useBrowser();

  it("appears by itself, shows iterations, checks and cost as they come, and goes when it is over", async () => {
    const repository = loopRepository(agent, { output: "claude-stream-json" });
    const served = await servePage(repository.cwd);
    const { page, complaints } = await served.visit(browser());
    await page.getByText("Nothing is running").waitFor();
    const run = repository.start([
      "run",
      "Make it done",
      "--verify",
      "test -e done-now",
      "--agent",
      "scripted",
      "--json",
    ]);
    const card = page.getByRole("article", { name: "Run of task-001" });
    await card.waitFor();
    await card.getByText("Make it done").waitFor();
    await page.getByText("Nothing is running").waitFor({ state: "detached" });
    writeFileSync(`${repository.cwd}/go-1`, "");
    await card.locator(".mini .is-bad").first().waitFor();
    await card.getByText("$0.250").waitFor();
    await card.getByText("make", { exact: true }).first().waitFor();
    await card.getByRole("link", { name: "Make it done" }).click();
    await page.getByRole("heading", { level: 1, name: "Make it done" }).waitFor();
    writeFileSync(`${repository.cwd}/go-2`, "");
    await page.locator(".box.is-bad").nth(1).waitFor();
    writeFileSync(`${repository.cwd}/go-3`, "");
    await run.ended;
    await page.locator(".box.is-ok").waitFor();
    await page.getByRole("link", { name: /^Now/ }).click();
    await page.getByText("Nothing is running").waitFor();
    expect(complaints).toEqual([]);
    await served.stop();
  });

  it("is stopped and gone on with by a button", async () => {
    const repository = loopRepository(agent, { output: "claude-stream-json" });
    const served = await servePage(repository.cwd);
    const { page } = await served.visit(browser());
    const run = repository.start([
      "run",
      "Make it done",
      "--verify",
      "test -e done-now",
      "--agent",
      "scripted",
      "--json",
    ]);
    await page.getByRole("button", { name: "Stop" }).click();
    await run.ended;
    await page.getByRole("heading", { name: "Paused" }).waitFor();
    for (const number of [1, 2, 3, 4, 5]) writeFileSync(`${repository.cwd}/go-${number}`, "");
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByRole("heading", { name: "Paused" }).waitFor({ state: "detached" });
    await eventually(async () => (await repository.json(["status"])).length === 0);
    await page.locator("tbody tr", { hasText: "Make it done" }).getByText("completed").waitFor();
    await served.stop();
  });

  it("is followed by two browsers while two runs go on: both see both, and nothing is lost", async () => {
    const repository = loopRepository(agent, { output: "claude-stream-json" });
    const served = await servePage(repository.cwd);
    const [one, other] = [await served.visit(browser()), await served.visit(browser())];
    const check = "test -e done-now";
    const start = (objective: string, ...more: string[]) =>
      repository.start([
        "run",
        objective,
        "--verify",
        check,
        "--agent",
        "scripted",
        "--json",
        "--max-iterations",
        "4",
        ...more,
      ]);
    const first = start("The first of two");
    await one.page.getByRole("article").getByText("The first of two").waitFor();
    const second = start("The second of two", "--force");
    for (const { page } of [one, other])
      for (const words of ["The first of two", "The second of two"])
        await page.getByRole("article").getByText(words).waitFor();
    for (let number = 1; number <= 8; number += 1) writeFileSync(`${repository.cwd}/go-${number}`, "");
    for (const run of [first, second]) await run.ended;
    for (const { page } of [one, other]) {
      await page.getByText("Nothing is running").waitFor();
      for (const words of ["The first of two", "The second of two"])
        await page
          .locator("tbody tr", { hasText: words })
          .getByText(/completed|failed/)
          .waitFor();
    }
    for (const id of ["task-001", "task-002"]) {
      const { attempts } = await repository.json(["history", id]);
      expect(attempts[0].results.length).toBeGreaterThan(0);
    }
    await served.stop();
  });
});
