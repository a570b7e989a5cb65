import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { version } from "../../src/version.js";
import { ralphEnvironment } from "../support/run-ralph.js";
import { scratchFolder } from "../support/scratch.js";
import { projectRoot } from "../support/source-imports.js";

const launcher = join(projectRoot, "plugins/claude/plugins/ralph-memory/bin/ralph-memory");
const system = ["/usr/bin", "/bin", dirname(process.execPath)];

/** Runs a launcher with these folders on the PATH. */
function launch(program: string, folders: readonly string[], args: readonly string[], cwd = scratchFolder()) {
  const env = ralphEnvironment(cwd, { PATH: [...folders, ...system].join(delimiter) });
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: "utf8" });
  return { status, stdout, stderr };
}

/** A folder with a copy of the launcher, as agents make them. */
function copied(): string {
  const folder = join(scratchFolder(), "plugins/cache/ralph/ralph-memory/0.1.0/bin");
  mkdirSync(folder, { recursive: true });
  copyFileSync(launcher, join(folder, "ralph-memory"));
  return folder;
}

/** A folder with a command that tells its arguments. */
function installed(folder = join(scratchFolder(), "with a space")): string {
  mkdirSync(folder, { recursive: true });
  const script = '#!/bin/sh\nprintf "<%s>" "$@"\nexit 3\n';
  writeFileSync(join(folder, "ralph-memory"), script, { mode: 0o755 });
  return folder;
}

describe("the launcher of the plugin", () => {
  it("can be executed", () => {
    expect(statSync(launcher).mode & 0o111).toBe(0o111);
  });

  it("starts the command on the PATH, whatever other launchers are there", () => {
    const [one, other] = [copied(), copied()];
    const linked = scratchFolder();
    symlinkSync(join(one, "ralph-memory"), join(linked, "ralph-memory"));
    const folders = [linked, one, other, installed()];
    const args = ["memory", "add", "two words", "", "*", "a:b"];
    expect(launch(join(one, "ralph-memory"), folders, args)).toEqual({
      ...{ status: 3, stdout: "<memory><add><two words><><*><a:b>", stderr: "" },
    });
  });

  it("starts the command of the package that it lies in, if there is none on the PATH", () => {
    expect(launch(launcher, [dirname(launcher)], ["--version"])).toEqual({
      ...{ status: 0, stdout: `${version}\n`, stderr: "" },
    });
  });

  it("says in one line what to install, and never starts itself or another launcher", () => {
    const [one, other] = [copied(), copied()];
    const { status, stdout, stderr } = launch(join(one, "ralph-memory"), [one, other, one], ["--version"]);
    expect([status, stdout]).toEqual([127, ""]);
    expect(stderr).toMatch(/^ralph-memory: .*npm install -g ralph-memory\n$/);
  });

  it("runs nothing that lies in the current folder", () => {
    const cwd = scratchFolder();
    installed(cwd);
    installed(join(cwd, "node_modules/.bin"));
    const folder = copied();
    const { status } = launch(join(folder, "ralph-memory"), ["", ".", "node_modules/.bin", folder], [], cwd);
    expect(status).toBe(127);
  });
});
