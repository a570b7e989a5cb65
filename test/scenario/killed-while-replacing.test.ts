import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runRalph } from "../support/run-ralph.js";
import { scratchRepository } from "../support/scratch.js";

const files = {
  "memories.md": {
    start:
      "# Memories\n\n## Patterns\n\n### mem-1700000000-0001\n> mine\n<!-- tags: | created: 2023-11-14 -->\n",
    change: ["memory", "add", "added by Ralph"],
    show: ["memory", "list", "--json"],
  },
  "CONTINUITY.md": {
    start: "# Title\n\nmine\n",
    change: ["continuity", "update", "--note", "added by Ralph"],
    show: ["continuity", "show"],
  },
};

describe.each(Object.entries(files))(
  "a command that is killed while it replaces %s",
  (name, { start, change, show }) => {
    it.each(["before", "behind"] as const)("%s the rename leaves a whole file", async (moment) => {
      const cwd = scratchRepository();
      const path = join(cwd, ".agent", name);
      mkdirSync(join(cwd, ".agent"));
      writeFileSync(path, start);
      const preload = join(import.meta.dirname, "../support/kill-at-call.cjs");
      const env = { NODE_OPTIONS: `--require ${preload}`, KILL_AT: `${moment},renameSync,${name}` };
      expect((await runRalph(change, { cwd, env })).status).toBe(null);
      const isWritten = moment === "behind";
      const text = readFileSync(path, "utf8");
      if (isWritten) expect(text.match(/mine\n|added by Ralph\n/g)).toHaveLength(2);
      else expect(text).toBe(start);
      // What was written is indexed by the next command.
      const { stdout, status } = await runRalph(show, { cwd });
      expect([status, stdout.includes("mine"), stdout.includes("added by Ralph")]).toEqual([
        0,
        true,
        isWritten,
      ]);
      expect((await runRalph(change, { cwd })).status).toBe(0);
      expect(readFileSync(path, "utf8").match(/mine\n|added by Ralph\n/g)).toHaveLength(2);
    });
  },
);
