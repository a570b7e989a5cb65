import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { git, scratchFolder } from "../support/scratch.js";
import type { InstallableAgent } from "./install-agent.js";

export interface ScratchProject {
  root: string;
  /** The home of the agent: nothing of the user's is read. */
  home: string;
  /** A folder on its search path. */
  programs: string;
  environment: Record<string, string | undefined>;
  /** How the agent was started, each time. */
  starts(): AgentStart[];
}

export interface AgentStart {
  /** Also the number of its process group. */
  pid: number;
  args: string[];
}

/** A git repository with a failing test, and the agent on the search path behind a log of how it is started. */
export function scratchProject(agent: InstallableAgent, program: string): ScratchProject {
  const folder = scratchFolder();
  const [root, home, programs] = ["project", "home", "programs"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const each of [root, home, programs]) mkdirSync(each);
  writeFileSync(join(root, "sum.mjs"), "export const sum = (a, b) => a - b;\n");
  writeFileSync(
    join(root, "sum.test.mjs"),
    [
      'import assert from "node:assert/strict";',
      'import { test } from "node:test";',
      'import { sum } from "./sum.mjs";',
      "",
      'test("adds two numbers", () => assert.equal(sum(2, 3), 5));',
      "",
    ].join("\n"),
  );
  git(root, "init", "--quiet", "--initial-branch=main");
  git(root, "add", ".");
  git(root, "commit", "--quiet", "--message", "a sum that does not add");
  const log = join(folder, "starts.log");
  writeFileSync(log, "");
  const shim = join(programs, agent);
  writeFileSync(
    shim,
    `#!/bin/sh\n{ printf '%s' "$$"; printf '\\037%s' "$@"; printf '\\n'; } >> '${log}'\nexec '${program}' "$@"\n`,
  );
  chmodSync(shim, 0o755);
  return {
    root,
    home,
    programs,
    environment: {
      ...withoutOwnSettings(),
      HOME: home,
      RALPH_HOME: join(home, "ralph"),
      PATH: `${programs}${delimiter}${process.env.PATH}`,
    },
    starts: () =>
      readFileSync(log, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => {
          const [pid, ...args] = line.split("\u001f");
          return { pid: Number(pid), args };
        }),
  };
}

/** What the user's environment says to agents and about the network would reach the program, too. */
function withoutOwnSettings(): Record<string, undefined> {
  const names = Object.keys(process.env).filter((name) =>
    /^(?:ANTHROPIC|CLAUDE|CODEX|GEMINI|GOOGLE|OPENAI|OPENCODE|OTEL|AWS|XDG)|_proxy$/i.test(name),
  );
  return Object.fromEntries(names.map((name) => [name, undefined]));
}
