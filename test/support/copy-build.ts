import { chmodSync, cpSync, mkdtempSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { ralphProgram } from "./run-ralph.js";

const root = resolve(import.meta.dirname, "../..");

/** What the built command needs at run time, copied from this checkout, so that no registry is asked. */
export function copyNeededPackages(folder: string): void {
  for (const name of ["@photostructure", "yaml", "node-gyp-build", "node-addon-api"]) {
    cpSync(join(root, "node_modules", name), join(folder, "node_modules", name), { recursive: true });
  }
}

export interface BuildCopy {
  node: string;
  program: string;
  remove(): void;
}

/** The built command where every user can start it, as a checkout below somebody's home often cannot be entered. */
export function copyBuildForEverybody(): BuildCopy {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "ralph-build-")));
  chmodSync(folder, 0o755);
  for (const part of ["dist", "package.json"])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  copyNeededPackages(folder);
  return {
    node: nodeForEverybody(folder),
    program: join(folder, relative(root, ralphProgram)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function nodeForEverybody(folder: string): string {
  const own = realpathSync(process.execPath);
  if (isOpenToEverybody(own)) return own;
  const copy = join(folder, basename(own));
  cpSync(own, copy);
  chmodSync(copy, 0o755);
  return copy;
}

function isOpenToEverybody(path: string): boolean {
  const isOpen = (statSync(path).mode & 0o001) !== 0;
  return isOpen && (path === dirname(path) || isOpenToEverybody(dirname(path)));
}
