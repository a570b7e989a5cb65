import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { Script } from "node:vm";
import { userHome } from "../config/paths.js";
import type { Environment } from "../domain/environment.js";
import { makeFolder } from "../files/make-folder.js";
import { version } from "../version.js";

/** Keeps the compiled code of this program in the user's folder, so that the next command need not compile it again. */
export function cacheCompiledCode(environment: Environment): void {
  const cache = join(userHome(environment), "cache");
  const { enableCompileCache } = Module as { enableCompileCache?: (directory: string) => unknown };
  if (enableCompileCache === undefined) cacheOnNode20(cache);
  else enableCompileCache(join(cache, "code"));
}

interface NodeModule {
  exports: unknown;
  _compile(content: string, path: string): unknown;
}

/** Node 20 has no such cache: the files of the bundle are compiled here, each with its own cache file. */
function cacheOnNode20(cache: string): void {
  const directory = join(cache, `${version}-node-${process.versions.node}`);
  const { prototype } = Module as unknown as { prototype: NodeModule };
  const compile = prototype._compile;
  const uncached = new Map<string, Script>();
  prototype._compile = function (content, path) {
    if (dirname(path) !== import.meta.dirname) return compile.call(this, content, path);
    const cacheFile = join(directory, basename(path));
    const cachedData = readIfThere(cacheFile);
    const script = new Script(Module.wrap(content), { filename: path, ...(cachedData && { cachedData }) });
    if (cachedData === undefined || script.cachedDataRejected) uncached.set(cacheFile, script);
    const run = script.runInThisContext();
    return run.call(this.exports, this.exports, createRequire(path), this, path, dirname(path));
  };
  process.once("exit", () => {
    if (uncached.size === 0) return;
    try {
      makeOnly(directory);
      for (const [cacheFile, script] of uncached) replaceFile(cacheFile, script.createCachedData());
    } catch {
      // A home folder that is full or read-only costs time, nothing else.
    }
  });
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Makes the folder, and removes those of other versions. */
function makeOnly(directory: string): void {
  makeFolder(directory, 0o700);
  for (const name of readdirSync(dirname(directory)))
    if (name !== basename(directory) && name.includes("-node-"))
      rmSync(join(dirname(directory), name), { recursive: true, force: true });
}

function replaceFile(path: string, content: Buffer): void {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, content, { mode: 0o600 });
  renameSync(temporary, path);
}
