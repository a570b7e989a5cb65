import { existsSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { Script } from "node:vm";
import { version } from "../../version.js";
import { type KeptCode, keep, readKept, type Together } from "./kept-code.js";

/** How a chunk of the bundle, or the first file of it, asks for another file. */
export type Require = (id: string) => unknown;

interface Chunk {
  exports: unknown;
}

type CompiledChunk = (
  this: unknown,
  exports: unknown,
  require: Require,
  module: Chunk,
  filename: string,
  directory: string,
) => void;

/**
 * A `require` for the chunks of the bundle, which all lie in one folder. It keeps their compiled code between runs: a quarter
 * of a command's time. It is the same on every version of Node; what Node offers from 22.1 on, `module.enableCompileCache`,
 * saves less than half as much (docs/decisions/0003-start-up.md). A cache that cannot be kept costs time, nothing else.
 */
export function requireKeptCode(
  words: readonly string[],
  bundleDirectory: string,
  outside: Require,
): Require {
  const command = commandOf(words);
  if (command === "") return outside;
  const folder = join(ownFolder(outside), "cache", `${version}-${process.version}-${process.arch}`);
  return requireChunks(join(folder, `${command}.bin`), bundleDirectory, outside);
}

/** Not `userHome()`: this file is loaded before anything else, and must not load more than itself. */
function ownFolder(outside: Require): string {
  const { RALPH_HOME, HOME } = process.env;
  if (RALPH_HOME) return RALPH_HOME;
  const isTold = HOME && process.platform !== "win32";
  return join(isTold ? HOME : (outside("node:os") as HomeFinder).homedir(), ".ralph");
}

interface HomeFinder {
  homedir(): string;
}

/** Commands that are named by two words; the tree of commands is not loaded yet. */
export const commandGroups: readonly string[] = (
  "memory task learnings link history continuity ledger handoff export import skill index config store" as const
).split(" ");

/** The words that name a command; what is kept holds the functions that this command uses. */
function commandOf(words: readonly string[]): string {
  const [first = "", second = "", third = ""] = words;
  // Each event of an agent is a command of its own: most need a small part of what another one needs, and inside a loop nothing.
  const names =
    first === "hook"
      ? [first, third, process.env.RALPH_TASK ? "inside" : ""]
      : commandGroups.includes(first)
        ? [first, second]
        : [first];
  return names.filter((word) => /^[A-Za-z]{3,24}$/.test(word)).join("-");
}

/** Chunks load each other here: Node's way of finding a file takes as long as compiling it. */
function requireChunks(cachePath: string, bundleDirectory: string, outside: Require): Require {
  const kept = readKept(cachePath);
  const together = kept.together && compileTogether(kept.together, cachePath);
  const fresh = new Map<string, Script>();
  const loaded = new Map<string, Chunk>();

  const requireFile: Require = (id) => (id.startsWith("./") ? requireChunk(id.slice(2)) : outside(id));

  const requireChunk = (name: string): unknown => {
    const known = loaded.get(name);
    if (known !== undefined) return known.exports;
    const chunk: Chunk = { exports: {} };
    loaded.set(name, chunk);
    const filename = `${bundleDirectory}${sep}${name}`;
    const run = together?.chunks[together.names.indexOf(name)] ?? compileAlone(name, filename);
    run.call(chunk.exports, chunk.exports, requireFile, chunk, filename, bundleDirectory);
    return chunk.exports;
  };

  const compileAlone = (name: string, filename: string): CompiledChunk => {
    const cachedData = kept.find(name);
    const script = new Script(`(${asFunction(readFileSync(filename, "latin1"))})`, {
      filename,
      ...(cachedData && { cachedData }),
    });
    if (cachedData === undefined || script.cachedDataRejected) fresh.set(name, script);
    return script.runInThisContext() as CompiledChunk;
  };

  process.on("exit", (status) => {
    if (status !== 0) return;
    const next = nextTogether(kept, together, fresh.size > 0, [...loaded.keys()], bundleDirectory);
    if (fresh.size === 0 && next === kept.together) return;
    const chunks = new Map<string, Buffer>();
    for (const name of kept.names) {
      const code = existsSync(join(bundleDirectory, name)) ? kept.find(name) : undefined;
      if (code !== undefined) chunks.set(name, code);
    }
    for (const [name, script] of fresh) chunks.set(name, script.createCachedData());
    if (next?.code !== undefined) for (const name of next.names) chunks.delete(name);
    keep(cachePath, chunks, next);
  });
  return requireFile;
}

interface CompiledTogether extends Pick<Together, "names"> {
  script: Script;
  chunks: readonly CompiledChunk[];
  /** Its code was not kept yet, or for another build of V8. */
  isFresh: boolean;
}

function compileTogether({ names, source, code }: Together, filename: string): CompiledTogether {
  const script = new Script(source.toString("latin1"), { filename, ...(code && { cachedData: code }) });
  const chunks = script.runInThisContext() as CompiledChunk[];
  return { names, script, chunks, isFresh: code === undefined || script.cachedDataRejected === true };
}

/**
 * What every run of the command uses is put together by the second run, and compiled by the third. A run that does about the same
 * with less takes out what it did not need; one that ended early says nothing, and has not compiled what the others need.
 */
function nextTogether(
  { together }: KeptCode,
  compiled: CompiledTogether | undefined,
  isChanging: boolean,
  used: readonly string[],
  bundleDirectory: string,
): Together | undefined {
  if (together === undefined || compiled === undefined)
    return isChanging ? undefined : put(used, bundleDirectory);
  const { names } = together;
  if (isChanging && !names.every((name) => existsSync(join(bundleDirectory, name)))) return undefined;
  const needed = names.filter((name) => used.includes(name));
  if (needed.length < names.length)
    return needed.length >= names.length / 2 ? put(needed, bundleDirectory) : together;
  return compiled.isFresh ? { ...together, code: compiled.script.createCachedData() } : together;
}

function put(names: readonly string[], bundleDirectory: string): Together {
  const functions = names.map((name) => asFunction(readFileSync(join(bundleDirectory, name), "latin1")));
  return { names, source: Buffer.from(`[${functions.join(",\n")}]`, "latin1"), code: undefined };
}

/** As Node wraps every CommonJS file. */
function asFunction(content: string): string {
  return `function (exports, require, module, __filename, __dirname) { ${content}\n}`;
}
