import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, sep } from "node:path";
import { Script } from "node:vm";
import { version } from "../version.js";

type Require = (id: string) => unknown;

interface LoadedChunk {
  exports: unknown;
}

/** The parts of Node's module loader that are used here and that its types leave out. */
interface LoaderModule extends LoadedChunk {
  require: Require;
}

interface Loader {
  enableCompileCache?(directory: string): unknown;
  Module: {
    wrap(content: string): string;
    _cache: Readonly<Record<string, LoadedChunk | undefined>>;
    prototype: { _compile(this: LoaderModule, content: string, filename: string): unknown };
  };
}

type CompiledChunk = (
  this: unknown,
  exports: unknown,
  require: Require,
  module: LoadedChunk,
  filename: string,
  directory: string,
) => void;

const maxCommands = 100;

/**
 * Keeps compiled code between runs, which spares a command a third of its time. From version 22 on Node does this by
 * itself; before that, the chunks of the bundle are compiled here. A cache that cannot be kept costs time, nothing else.
 */
export function keepCompiledCode(words: readonly string[], bundleDirectory: string): void {
  const loader = process.getBuiltinModule("node:module") as unknown as Loader;
  // Not `userHome()`: this file is loaded before anything else, and must not load more than itself.
  const root = join(process.env.RALPH_HOME || join(homedir(), ".ralph"), "cache");
  const command = commandOf(words);
  if (loader.enableCompileCache !== undefined) loader.enableCompileCache(join(root, "node"));
  else if (command !== "")
    keepChunks(loader, join(root, `${version}-${process.version}-${process.arch}`, command), bundleDirectory);
}

/** The words that name a command; what is kept holds the functions that this command uses. */
function commandOf(words: readonly string[]): string {
  const names = words.slice(0, 2).filter((word) => /^[a-z]{3,12}$/.test(word));
  return names.join("-");
}

/**
 * From the first chunk on, chunks load each other here: Node's way of finding a file takes as long as compiling it, and
 * every chunk lies beside the first.
 */
function keepChunks({ Module }: Loader, cacheDirectory: string, bundleDirectory: string): void {
  const compile = Module.prototype._compile;
  const fresh = new Map<string, Script>();
  const loaded = new Map<string, LoadedChunk>();

  const runChunk = (content: string, filename: string, chunk: LoadedChunk, outside: Require) => {
    const path = join(cacheDirectory, `${basename(filename)}.bin`);
    const cachedData = readKept(path);
    const script = new Script(Module.wrap(content), { filename, ...(cachedData && { cachedData }) });
    if (cachedData === undefined || script.cachedDataRejected) fresh.set(path, script);
    const run = script.runInThisContext() as CompiledChunk;
    const require = (id: string) => (id.startsWith("./") ? requireChunk(id.slice(2), outside) : outside(id));
    return run.call(chunk.exports, chunk.exports, require, chunk, filename, bundleDirectory);
  };

  const requireChunk = (name: string, outside: Require): unknown => {
    const filename = `${bundleDirectory}${sep}${name}`;
    const known = loaded.get(filename) ?? Module._cache[filename];
    if (known !== undefined) return known.exports;
    const chunk: LoadedChunk = { exports: {} };
    loaded.set(filename, chunk);
    // The bundle is plain ASCII, which this reads twice as fast.
    runChunk(readFileSync(filename, "latin1"), filename, chunk, outside);
    return chunk.exports;
  };

  Module.prototype._compile = function compileChunk(content, filename) {
    if (dirname(filename) !== bundleDirectory) return compile.call(this, content, filename);
    return runChunk(content, filename, this, (id) => this.require(id));
  };
  process.on("exit", (status) => {
    if (status === 0 && fresh.size > 0) keep(cacheDirectory, fresh);
  });
}

function readKept(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

function keep(directory: string, scripts: ReadonlyMap<string, Script>): void {
  try {
    makeRoom(directory);
    for (const [path, script] of scripts) {
      const temporary = `${path}.${process.pid}`;
      writeFileSync(temporary, script.createCachedData(), { mode: 0o600 });
      renameSync(temporary, path);
    }
  } catch {
    // The home folder may be read-only or full.
  }
}

/** Makes the folder of a command; the first one of a version takes away what older versions kept. */
function makeRoom(directory: string): void {
  const ofVersion = dirname(directory);
  const isFirst = makeFolders(ofVersion);
  for (const name of isFirst ? readdirSync(dirname(ofVersion)) : []) {
    if (name !== basename(ofVersion))
      rmSync(join(dirname(ofVersion), name), { recursive: true, force: true });
  }
  if (readdirSync(ofVersion).length >= maxCommands) throw new Error("Enough commands are kept");
  makeFolders(directory);
}

/** Tells whether the last one is new. One by one: Node's own way of doing that never ends in places like /proc. */
function makeFolders(path: string): boolean {
  if (existsSync(path)) return false;
  makeFolders(dirname(path));
  mkdirSync(path, { mode: 0o700 });
  return true;
}
