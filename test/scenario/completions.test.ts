import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { hasShell, type InteractiveShell, startShell } from "../support/interactive-shell.js";
import { ralphEnvironment, ralphProgram, runRalph } from "../support/run-ralph.js";
import { scratchFolder } from "../support/scratch.js";

let cwd: string;
const ralph = (...args: string[]) => runRalph(args, { cwd });
/** What may follow, without the summaries. */
const completed = async (...words: string[]) =>
  (await ralph("__complete", "zsh", ...words)).stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => line.split("\t")[0]);

beforeEach(() => {
  cwd = scratchFolder();
});

/** A folder of programs that has `ralph`. */
function installed(): string {
  const bin = join(cwd, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "ralph"), `#!/bin/sh\nexec '${process.execPath}' '${ralphProgram}' "$@"\n`);
  chmodSync(join(bin, "ralph"), 0o755);
  return bin;
}

describe("completions", () => {
  it("know commands, their other names, options and values", async () => {
    expect(await completed("mem")).toEqual(["memory"]);
    expect(await completed("memory", "e")).toEqual(["edit"]);
    expect(await completed("memory", "add", "text", "--ty")).toEqual(["--type"]);
    expect(await completed("memory", "add", "text", "--type", "de")).toEqual(["decision"]);
    expect(await completed("memory", "add", "text", "--type=de")).toEqual(["--type=decision"]);
    expect(await completed("memory", "ls", "-t", "fix,de")).toEqual(["fix,decision"]);
    expect(await completed("history", "--status", "fail")).toEqual(["failed"]);
    expect(await completed("memory", "list", "--format", "j")).toEqual(["json"]);
    expect(await completed("completion", "")).toEqual(["bash", "zsh", "fish"]);
    expect(await completed("history", "ar")).toEqual(["archive"]);
    expect(await completed("setup", "g")).toEqual(["gemini", "git"]);
    expect(await completed("ingest", "co")).toEqual(["codex"]);
    expect(await completed("run", "Fix it", "--agent", "op")).toEqual(["opencode"]);
    expect(await completed("learnings", "export", "")).toEqual([":files"]);
    for (const before of [[], ["memory"], ["history"], ["memory", "list"]])
      expect(await completed(...before, "--root", "")).toEqual([":folders"]);
    expect(await completed("--root=")).toEqual([":folders"]);
    expect(await completed("--format", "j")).toEqual(["json"]);
    expect(await completed("--root", cwd, "mem")).toEqual(["memory"]);
  });

  it("know tasks, notes and learnings of the project by id", async () => {
    const { stdout: note } = await ralph("memory", "add", "Start docker first", "--format", "quiet");
    await ralph("task", "init", "Fix the login test");
    await ralph("task", "init", "Add an endpoint");
    expect(await completed("task", "start", "")).toEqual(["task-002", "task-001"]);
    expect(await completed("history", "task-001")).toEqual(["task-001"]);
    // Neither has ever been run.
    expect(await completed("resume", "")).toEqual([]);
    expect(await completed("stop", "")).toEqual([]);
    expect(await completed("recall", "--task", "")).toEqual(["task-002", "task-001"]);
    expect(await completed("memory", "rm", "mem-")).toEqual([note.trim()]);
    expect((await ralph("__complete", "zsh", "memory", "show", "")).stdout).toBe(
      `${note.trim()}\tStart docker first\n`,
    );
    expect(await completed("--root", cwd, "task", "show", "task-002")).toEqual(["task-002"]);
  });

  it("say nothing when something is wrong", async () => {
    mkdirSync(join(cwd, ".ralph"));
    writeFileSync(join(cwd, ".ralph", "ralph.db"), "this is no database");
    writeFileSync(join(cwd, "ralph.yml"), "memories: [broken");
    for (const words of [
      ["task", "start", ""],
      ["nonsense", ""],
      ["memory", "nonsense", ""],
      [],
      ["--root", "/nowhere", "task", "show", ""],
    ])
      expect(await runRalph(["__complete", "bash", ...words], { cwd })).toMatchObject({
        status: 0,
        stderr: "",
      });
  });

  it("work in bash", async () => {
    const { stdout: script } = await ralph("completion", "bash");
    await ralph("task", "init", "Fix the login test");
    const bin = installed();
    const complete = (...words: string[]) => {
      const quoted = ["ralph", ...words].map((word) => `'${word}'`).join(" ");
      const ask = `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; _ralph; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return execFileSync("bash", ["--norc", "-c", `set -u\n${script}\n${ask}`], {
        cwd,
        env: { ...ralphEnvironment(cwd), PATH: `${bin}:${process.env.PATH}` },
        encoding: "utf8",
      })
        .trim()
        .split("\n");
    };
    expect(complete("memory", "ad")).toEqual(["add"]);
    expect(complete("history", "")).toEqual(["task-001", "archive"]);
    // Bash takes an equals sign for a word of its own.
    expect(complete("memory", "list", "--type", "=", "de")).toEqual(["decision"]);
    expect(complete("memory", "nothing", "x")).toEqual([""]);
  });

  it("leave out what a comma list has already, and see through quotes", async () => {
    await ralph("task", "init", "Fix the login test");
    expect(await completed("memory", "ls", "-t", "fix,")).toEqual([
      "fix,pattern",
      "fix,decision",
      "fix,context",
    ]);
    expect(await completed("task", "start", '"task-')).toEqual(["task-001"]);
    expect(await completed("--root", `'${cwd}'`, "task", "start", "'task-001'")).toEqual(["task-001"]);
  });

  it("print a script for each shell", async () => {
    expect((await ralph("completion", "zsh")).stdout).toMatch(/^#compdef ralph ralph-memory\n/);
    expect((await ralph("completion", "fish")).stdout).toContain("complete -c ralph -c ralph-memory ");
    expect(await ralph("completion", "csh")).toMatchObject({ status: 2, stdout: "" });
  });
});

const loading: Record<InteractiveShell, string> = {
  bash: "source <(ralph completion bash)",
  zsh: "autoload -Uz compinit; compinit -u -D; source <(ralph completion zsh)",
  fish: "ralph completion fish | source",
};

describe.each(["bash", "zsh", "fish"] as const)("somebody who types in %s", (shell) => {
  it.skipIf(!hasShell(shell))("gets commands, options, values, ids with their order, and files", async () => {
    const { stdout } = await ralph("memory", "add", "Docker: start it 'first', $HOME", "--format", "quiet");
    const note = stdout.trim();
    await ralph("task", "init", "Fix the login: test");
    await ralph("task", "init", "Add an endpoint");
    const failing = { status: "failed", analysis: { errors: ["SyntaxError: unexpected token"] } };
    await runRalph(["learnings", "extract", "-", "--promote"], {
      cwd,
      input: JSON.stringify({
        loopId: "ralph-001",
        objective: "Fix failing tests",
        status: "completed",
        iterations: [1, 2].map((number) => ({ number, ...failing })),
      }),
    });
    writeFileSync(join(cwd, "rules of ours.json"), "[]");
    const bin = installed();
    const path = `${bin}:${process.env.PATH}`;
    const type = startShell(shell, cwd, { PATH: path, HOME: cwd });
    await type(`${loading[shell]}; echo load''ed\r`, /loaded/);
    await type("ralph mem\t", /ralph memory /);
    await type("ralph memory sho\t", /ralph memory show /);
    await type("ralph memory add text --ty\t", /--type /);
    await type("ralph memory add text --type=de\t", /--type=decision/);
    await type("ralph memory list -t fix,de\t", /-t fix,decision/);
    await type("ralph config get memories.b\t", /memories\.budget/);
    await type("ralph memory show m\t", new RegExp(`show ${note}`));
    await type('ralph memory show "m\t', new RegExp(`show "${note}`));
    await type("~/bin/ralph memory show m\t", new RegExp(`show ${note}`));
    await type("ralph learnings show l\t", /show learn-[0-9a-f]{4}/);
    await type("ralph learnings export rul\t", /rules\\ of\\ ours\.json/);
    mkdirSync(join(cwd, "rule folder"));
    await type("ralph --root rul\t", /--root rule\\ folder/);
    await type("ralph history --root rul\t", /--root rule\\ folder/);
    const tasks = await type("ralph task start task-00\t\t", /task-00[12][\s\S]*task-00[12]/);
    expect(tasks.indexOf("task-002")).toBeLessThan(tasks.indexOf("task-001"));
    if (shell !== "bash") expect(tasks).toContain("Fix the login: test");
  });
});
