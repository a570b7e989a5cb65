import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runRalph } from "../../support/run-ralph.js";
import { scratchRepository } from "../../support/scratch.js";

// Not the code that tests share.
const homeIn = (cwd: string) => join(cwd, "own-home");
const list = (cwd: string) => runRalph(["memory", "list"], { cwd, env: { RALPH_HOME: homeIn(cwd) } });

function keptFiles(cwd: string): string[] {
  const cache = join(homeIn(cwd), "cache");
  return readdirSync(cache, { recursive: true, encoding: "utf8" })
    .map((name) => join(cache, name))
    .filter((path) => statSync(path).isFile());
}

describe("compiled code", () => {
  it("that is damaged is compiled again", async () => {
    const cwd = scratchRepository();
    await list(cwd);
    expect(keptFiles(cwd)).toHaveLength(1);
    for (const path of keptFiles(cwd)) writeFileSync(path, readFileSync(path).fill(7, 0, 64));
    expect(await list(cwd)).toMatchObject({ status: 0 });
    for (const path of keptFiles(cwd)) writeFileSync(path, "");
    expect(await list(cwd)).toMatchObject({ status: 0 });
  });

  it("is not needed: a home that cannot be written does no harm", async () => {
    const cwd = scratchRepository();
    const home = join(cwd, "a-file");
    writeFileSync(home, "");
    const { status, stderr } = await runRalph(["memory", "list"], { cwd, env: { RALPH_HOME: home } });
    expect([status, stderr]).toEqual([
      0,
      'No memories yet; store one with: ralph memory add "<what to remember>"\n',
    ]);
  });
});
