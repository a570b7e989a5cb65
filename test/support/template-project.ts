import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { isOnTeamStore } from "./postgres/team-store-variables.js";
import { git, scratchFolder, scratchRepository } from "./scratch.js";

/**
 * A repository that is filled once for a file of tests, of which each test gets a copy of its own: what takes several commands to
 * make is made once.
 */
export function templateProject(fill: (folder: string) => Promise<unknown>): () => Promise<string> {
  let made: Promise<string> | undefined;
  let folder: string | undefined;
  afterAll(() => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });
  const make = async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "ralph-template-")));
    git(folder, "init", "--quiet", "--initial-branch=main");
    await fill(folder);
    return folder;
  };
  return async () => {
    // To a server, a copy of a folder is another project.
    if (isOnTeamStore()) {
      const own = scratchRepository();
      await fill(own);
      return own;
    }
    made ??= make();
    const copy = scratchFolder();
    cpSync(await made, copy, { recursive: true });
    return copy;
  };
}
