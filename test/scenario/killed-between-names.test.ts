import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
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
    let cwd: string;
    const path = () => join(cwd, ".agent", name);
    const kill = async (moment: "before" | "behind", call: string) => {
      const preload = join(import.meta.dirname, "../support/kill-at-call.cjs");
      const env = { NODE_OPTIONS: `--require ${preload}`, KILL_AT: `${moment},${call},${name}` };
      const { status } = await runRalph(change, { cwd, env });
      expect(status).toBe(null);
    };
    beforeEach(() => {
      cwd = scratchRepository();
      mkdirSync(join(cwd, ".agent"));
      writeFileSync(path(), start);
    });

    it("leaves the name free, and the next command that reads gives it back", async () => {
      await kill("behind", "renameSync");
      expect(readdirSync(join(cwd, ".agent"))).toEqual([]);
      const { stdout, status } = await runRalph(show, { cwd });
      expect([status, stdout.includes("mine")]).toEqual([0, true]);
      expect(readFileSync(path(), "utf8")).toBe(start);
      expect((await runRalph(change, { cwd })).status).toBe(0);
      expect(readFileSync(path(), "utf8").match(/mine\n|added by Ralph\n/g)).toHaveLength(2);
    });

    it("loses nothing when the next command writes", async () => {
      await kill("before", "linkSync");
      expect((await runRalph(change, { cwd })).status).toBe(0);
      expect(readFileSync(path(), "utf8").match(/mine\n|added by Ralph\n/g)).toHaveLength(2);
    });

    it("behind the last call has written the file, whose note is indexed by the next", async () => {
      await kill("behind", "linkSync");
      const { stdout, status } = await runRalph(show, { cwd });
      expect([status, stdout.includes("added by Ralph")]).toEqual([0, true]);
      expect((await runRalph(change, { cwd })).status).toBe(0);
      expect(readFileSync(path(), "utf8").match(/mine\n|added by Ralph\n/g)).toHaveLength(2);
    });
  },
);
