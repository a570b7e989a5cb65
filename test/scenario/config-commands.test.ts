import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { hasTerminals, onTerminal } from "../support/on-terminal.js";
import { runRalph } from "../support/run-ralph.js";
import { scratchRepository } from "../support/scratch.js";

let cwd: string;
/** Consent is what this is about. */
const ralph = (...args: string[]) => runRalph(args, { cwd, env: { RALPH_TRUST: undefined } });
const file = () => join(cwd, "ralph.yml");

beforeEach(() => {
  cwd = scratchRepository();
});

describe("ralph config", () => {
  it("gets, sets and unsets a setting, and says where the file is", async () => {
    expect((await ralph("config", "path")).stdout).toBe(`${file()}\n`);
    expect((await ralph("config", "path", "--global")).stdout).toBe(`${join(cwd, ".home", "ralph.yml")}\n`);
    expect((await ralph("config", "get", "memories.budget")).stdout).toBe("2000\n");
    expect(existsSync(file())).toBe(false);
    expect((await ralph("config", "set", "memories.budget", "3000")).status).toBe(0);
    expect((await ralph("config", "get", "memories.budget")).stdout).toBe("3000\n");
    await ralph("config", "set", "memories.filter.types", "fix,pattern", "--global");
    expect((await ralph("config", "get", "memories.filter.types")).stdout).toBe("fix\npattern\n");
    expect((await ralph("config", "unset", "memories.budget")).status).toBe(0);
    expect((await ralph("config", "get", "memories.budget")).stdout).toBe("2000\n");
    expect(existsSync(file())).toBe(false);
    expect((await ralph("config", "unset", "memories.budget")).status).toBe(1);
  });

  it("checks the key and the value before it writes", async () => {
    writeFileSync(file(), "# ours\n");
    const wrongKey = await ralph("config", "set", "memories.bugdet", "3");
    expect(wrongKey.stderr).toContain("memories.budget");
    const wrongValue = await ralph("config", "set", "memories.budget", "many");
    expect(wrongValue.stderr).toContain("must be a whole number");
    const otherKey = await ralph("config", "set", "hooks.exclude.prompts", "x");
    expect(otherKey.stderr).toMatch(
      /unknown setting hooks\.exclude\.prompts \(.{1,60}hooks\.exclude.{0,60}\)$/m,
    );
    expect([wrongKey.status, wrongValue.status]).toEqual([2, 2]);
    expect(readFileSync(file(), "utf8")).toBe("# ours\n");
  });

  it.each([
    ["continuity.path", "../../x.md", ".agent/CONTINUITY.md"],
    ["continuity.path", ".agent/memories.md", "a file of another tool"],
    ["store.url", "mysql://host/ralph", "postgres://user@host:5432/database"],
    ["reflector.address", "localhost:8080", "http://127.0.0.1:8080/v1"],
    ["run.agent", "cluade", "claude"],
    ["cross_task_learning.storage.memory_path", "../elsewhere", "outside the project"],
    ["cross_task_learning.storage.index_file", "../../../../index.json", "outside the project"],
    ["cross_task_learning.storage.index_file", "/index.json", "outside the project"],
    ["cross_task_learning.storage.reflections_path", ".git/hooks", "belongs to git"],
  ])("refuses what %s could not be used with: %s", async (key, value, told) => {
    const refused = await ralph("config", "set", key, value);
    expect(refused).toMatchObject({ stdout: "" });
    expect(refused.status).not.toBe(0);
    expect(refused.stderr).toContain(told);
    expect((await ralph("config", "set", key, value, "--global", "--yes")).status).not.toBe(0);
    expect([file(), join(cwd, ".home", "ralph.yml")].filter((path) => existsSync(path))).toEqual([]);
  });

  it.each([
    ["MY KEY", "must be the name of an environment variable (such as OPENAI_API_KEY)"],
    ["MY-KEY", "must be the name of an environment variable (such as OPENAI_API_KEY)"],
    ["2ND_KEY", "must be the name of an environment variable (such as OPENAI_API_KEY)"],
    ["sk-abc", "this looks like a key (put the key into a variable"],
    [`sk-proj-${"aB3-".repeat(10)}`, "this looks like a key (put the key into a variable"],
    [`ghp_${"abcDEF123".repeat(4)}`, "this looks like a key (put the key into a variable"],
    ["AKIAIOSFODNN7EXAMPLE", "this looks like a key (put the key into a variable"],
    ["3f".repeat(16), "this looks like a key (put the key into a variable"],
  ])(
    "takes only the name of a variable for a key, and does not repeat what else is given: %s",
    async (value, told) => {
      for (const key of ["embedder.key_variable", "reflector.key_variable"]) {
        const refused = await ralph("config", "set", key, value, "--global", "--yes");
        expect(refused).toMatchObject({ status: 2, stdout: "" });
        expect(refused.stderr).toContain(`${key} must be the name of an environment variable`);
        expect(refused.stderr).toContain(told);
        expect(refused.stderr).not.toContain(value);
      }
      writeFileSync(file(), `embedder:\n  key_variable: ${value}\n`);
      const { stderr } = await ralph("config", "show");
      expect(stderr).toContain(told);
      expect(stderr).not.toContain(value);
    },
  );

  it.each(["MY_KEY", "_key2", "team_2_openai_api_key_for_embeddings_2026", "OPENAIAPIKEYOFTHETEAM"])(
    "takes %s for the name of a variable",
    async (name) => {
      const set = await ralph("config", "set", "embedder.key_variable", name, "--global", "--yes");
      expect(set.status).toBe(0);
    },
  );

  it("warns once of a file that it cannot read", async () => {
    writeFileSync(file(), "memories: [broken");
    const { stderr } = await ralph("config", "set", "memories.budget", "5");
    expect(stderr.match(/not valid YAML; going on/g)).toHaveLength(1);
    expect(stderr).toContain("edit the file itself");
  });

  it("takes an agent that the project defines, whether or not it is trusted", async () => {
    writeFileSync(file(), "agents:\n  mine:\n    program: ./agent.sh\n");
    expect((await ralph("config", "set", "run.agent", "mine")).status).toBe(0);
    expect((await ralph("config", "set", "run.agent", "")).status).toBe(0);
    writeFileSync(join(cwd, ".home", "ralph.yml"), "agents:\n  codex:\n    args: [exec]\n");
    expect((await ralph("config", "set", "run.agent", "cluade")).stderr).toBe(
      'Error: Unknown agent: cluade (did you mean "claude"? known: claude, codex, gemini, opencode; define your own under "agents:" in ralph.yml)\n',
    );
  });

  it("refuses it for all projects unless the user's own file defines it", async () => {
    const own = join(cwd, ".home", "ralph.yml");
    writeFileSync(file(), "agents:\n  mine:\n    program: ./agent.sh\n  codex:\n    args: [exec]\n");
    const refused = await ralph("config", "set", "run.agent", "mine", "--global");
    expect(refused).toMatchObject({ status: 2, stdout: "" });
    expect(refused.stderr).toBe(
      `Error: Only this project defines the agent mine (leave out --global, or define it under "agents:" in ${own} too)\n`,
    );
    expect(existsSync(own)).toBe(false);
    expect((await ralph("config", "set", "run.agent", "codex", "--global")).status).toBe(0);
    writeFileSync(own, "agents:\n  mine:\n    program: agent\n");
    expect((await ralph("config", "set", "run.agent", "mine", "--global")).status).toBe(0);
  });

  it("never makes something count that needs a person's consent", async () => {
    const set = await ralph("config", "set", "run.verify", "npm test", "npm run lint");
    expect(set.stderr).toContain("ralph trust");
    const untrusted = await ralph("config", "get", "run.verify");
    expect(untrusted).toMatchObject({ status: 0, stdout: "" });
    expect(untrusted.stderr).toMatch(/^Note: .*run\.verify.*ralph trust/);
    expect((await ralph("config", "get", "memories.budget")).stderr).toBe("");
    writeFileSync(file(), "run:\n  allow_all: true\nagents:\n  mine:\n    program: ./agent.sh\n");
    expect((await ralph("config", "get", "run.allow_all")).stderr).toContain("only in your own ralph.yml");
    expect((await ralph("config", "get", "agents")).stderr).toMatch(/^Note: .*agents\.mine.*ralph trust/);
    const rights = await ralph("config", "set", "run.allow_all", "true");
    expect(rights).toMatchObject({ status: 2, stdout: "" });
    expect(rights.stderr).toContain("--global");
    const own = await ralph("config", "set", "run.allow_all", "true", "--global");
    expect(own.status).toBe(2);
    expect(own.stderr).toContain("--yes");
    expect(existsSync(join(cwd, ".home", "ralph.yml"))).toBe(false);
    expect((await ralph("config", "set", "run.allow_all", "true", "--global", "--yes")).status).toBe(0);
    expect((await ralph("config", "get", "run.allow_all")).stdout).toBe("true\n");
  });

  it("says when another source counts more", async () => {
    await ralph("config", "set", "memories.budget", "1");
    const { stderr } = await ralph("config", "set", "memories.budget", "2", "--global");
    expect(stderr).toContain(`memories.budget is still 1, set by ${file()}`);
  });

  it.skipIf(!hasTerminals)("can be read at 80 columns", async () => {
    const shown = await onTerminal(["config", "show", "--no-color"], cwd);
    expect(shown).toContain("memories.budget = 2000\n    maximum tokens of notes in a prompt; 0: no limit\n");
    expect(shown.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(shown.split("\n").filter((line) => !/^(?:[a-z_.]+ =(?: |$)|agents = | {4}|$)/.test(line))).toEqual(
      [],
    );
    expect(await onTerminal(["config", "show"], cwd)).not.toContain("\ufffd");
  });
});
