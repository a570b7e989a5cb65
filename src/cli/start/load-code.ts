import { openSync, readFileSync, readSync, statSync } from "node:fs";
import { Script } from "node:vm";
import { version } from "../../version.js";

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

/** Chunks that are kept as one script: what is read, hashed and decoded once takes half as long. */
export interface KeptGroup {
  names: readonly string[];
  /** How long the source of each chunk is. */
  sizes: readonly number[];
  /** Where its source and then its code are in the file; no code is kept until a run has compiled it. */
  begin: number;
  sourceEnd: number;
  end: number;
  /** How many further runs add the functions that those before them did not use. */
  growing: number;
}

/** A group as one run found and used it. */
export interface LoadedGroup extends KeptGroup {
  script?: Script;
  chunks?: readonly CompiledChunk[];
  /** Its code was not kept yet, or for another build of V8. */
  isCompiledAnew?: boolean;
}

/** What a run knows that is not kept yet. */
export interface CodeNews {
  path: string;
  bundleDirectory: string;
  /** The file that was read, which may have lost its name since. */
  descriptor: number;
  groups: readonly LoadedGroup[];
  used: readonly string[];
  /** It is one of the runs that add the functions they used to what is kept. */
  isLookedAt: boolean;
}

interface LoadedCode {
  require: Require;
  /** Undefined if everything is kept as it is. */
  findNews(): CodeNews | undefined;
}

/** The list of groups fills the first bytes of the file, up to here. */
const headBytes = 8192;
/** A group is split where a run needs a part of it; each one more takes a quarter of a millisecond. */
const mostGroups = 5;
/** To split off less than this saves nobody anything. */
const leastSplit = 4096;
/** One run in so many looks whether it used functions whose code is not kept. */
const lookedAtOneIn = 32;

/** How the file is laid out. As a value, because whoever keeps code is in a chunk of its own and cannot import this one. */
export const keptLayout = { version, headBytes, mostGroups, isWorthSplitting, timeOf, readPart, asFunction };
export type KeptLayout = typeof keptLayout;

/**
 * A `require` for the chunks of the bundle, which all lie in one folder. It keeps their compiled code between runs: a quarter
 * of a command's time. It is the same on every version of Node; what Node offers from 22.1 on, `module.enableCompileCache`,
 * saves less than half as much (docs/decisions/0003-start-up.md). A cache that cannot be kept costs time, nothing else.
 *
 * No code is kept of this file, and of none of Node's own functions: each one that is called here costs all commands some hundredths
 * of a millisecond. What is rarely needed is in `keep-code.ts`.
 */
export function loadCode(words: readonly string[], bundleDirectory: string, outside: Require): LoadedCode {
  const command = commandOf(words);
  if (command === "") return { require: outside, findNews: () => undefined };
  const path = `${ownFolder(outside)}/cache/${version}-${process.version}-${process.arch}/${command}.bin`;
  const { descriptor, groups } = openKept(path);
  const loaded = new Map<string, Chunk>();
  let isComplete = descriptor !== -1;

  const requireFile: Require = (id) => {
    if (!id.startsWith("./")) return outside(id);
    const name = id.slice(2);
    const known = loaded.get(name);
    if (known !== undefined) return known.exports;
    const chunk: Chunk = { exports: {} };
    loaded.set(name, chunk);
    const filename = `${bundleDirectory}/${name}`;
    const run = findKept(name) ?? compileAlone(filename);
    run.call(chunk.exports, chunk.exports, requireFile, chunk, filename, bundleDirectory);
    return chunk.exports;
  };

  const findKept = (name: string): CompiledChunk | undefined => {
    for (const group of groups) {
      const place = group.names.indexOf(name);
      if (place !== -1) return (group.chunks ?? compileGroup(group, descriptor, path))?.[place];
    }
    return undefined;
  };

  const compileAlone = (filename: string): CompiledChunk => {
    isComplete = false;
    // Plain ASCII, and Node reads this encoding sooner than any other.
    const script = new Script(`(${asFunction(readFileSync(filename, "utf8"))})`, { filename });
    return script.runInThisContext() as CompiledChunk;
  };

  const isNew = (group: LoadedGroup) =>
    group.isCompiledAnew ||
    group.growing > 0 ||
    (groups.length < mostGroups && isWorthSplitting(group, (name) => loaded.has(name)));

  return {
    require: requireFile,
    findNews() {
      const isLookedAt = Math.random() < 1 / lookedAtOneIn;
      if (isComplete && !isLookedAt && !groups.some((group) => group.script && isNew(group)))
        return undefined;
      return { path, bundleDirectory, descriptor, groups, used: [...loaded.keys()], isLookedAt };
    },
  };
}

/** Whether a run did not need enough of a group that others without it would gain. */
function isWorthSplitting({ names, sizes }: KeptGroup, isUsed: (name: string) => boolean): boolean {
  let unused = 0;
  for (let at = 0; at < names.length; at += 1)
    if (!isUsed(names[at] as string)) unused += sizes[at] as number;
  return unused >= leastSplit;
}

/** Not `userHome()`: this file is loaded before anything else, and must not load more than itself. */
function ownFolder(outside: Require): string {
  const { RALPH_HOME, HOME } = process.env;
  if (RALPH_HOME) return RALPH_HOME;
  const isTold = HOME && process.platform !== "win32";
  return `${isTold ? HOME : (outside("node:os") as HomeFinder).homedir()}/.ralph`;
}

interface HomeFinder {
  homedir(): string;
}

/** Commands that are named by two words; the tree of commands is not loaded yet. */
export const commandGroups: readonly string[] = (
  "memory task learnings link history continuity ledger handoff export import skill index config store" as const
).split(" ");

/** The words that name a command; what is kept holds the functions that this command uses. */
function commandOf([first = "", second = "", third = ""]: readonly string[]): string {
  // Each event of an agent is a command of its own: most need a small part of what another one needs, and inside a loop nothing.
  const names =
    first === "hook"
      ? [first, third, process.env.RALPH_TASK ? "inside" : ""]
      : commandGroups.includes(first)
        ? [first, second]
        : [first];
  return names.filter((word) => /^[A-Za-z]{3,24}$/.test(word)).join("-");
}

/** The file stays open: another process may give its name to a new one. */
function openKept(path: string): { descriptor: number; groups: LoadedGroup[] } {
  try {
    const { size, mtimeMs, mode } = statSync(path);
    if (isRegular(mode) && mtimeMs === timeOf(size) * 1000) {
      const descriptor = openSync(path, "r");
      const groups = JSON.parse(readPart(descriptor, 0, headBytes).toString()) as LoadedGroup[];
      return { descriptor, groups };
    }
  } catch {}
  return { descriptor: -1, groups: [] };
}

/** Anything else, such as a pipe, might never end. */
function isRegular(mode: number): boolean {
  return (mode & 0o170000) === 0o100000;
}

/**
 * V8 crashes over damaged code. A file gets a time that tells its size, which it loses when anything else writes to it; to check its
 * content would take longer than to read it.
 */
function timeOf(size: number): number {
  // Whole minutes, as some file systems keep no seconds.
  return 1_000_000_020 + 60 * (size % 10_000_000);
}

function readPart(descriptor: number, begin: number, end: number, into = roomFor(end - begin)): Buffer {
  const part = into.subarray(0, end - begin);
  if (readSync(descriptor, part, 0, part.length, begin) !== part.length)
    throw new Error("The file is shorter");
  return part;
}

function roomFor(length: number): Buffer {
  return Buffer.allocUnsafeSlow(length);
}

/** Undefined if it cannot be read; then each of its chunks is compiled alone. */
function compileGroup(
  group: LoadedGroup,
  descriptor: number,
  filename: string,
): readonly CompiledChunk[] | undefined {
  try {
    const { begin, sourceEnd, end } = group;
    // One after the other in the same memory: the first touch of each page of it takes two microseconds.
    const room = roomFor(Math.max(sourceEnd - begin, end - sourceEnd));
    const source = readPart(descriptor, begin, sourceEnd, room).toString();
    const cachedData = end > sourceEnd ? readPart(descriptor, sourceEnd, end, room) : undefined;
    group.script = new Script(source, cachedData ? { filename, cachedData } : filename);
    group.isCompiledAnew = cachedData === undefined || group.script.cachedDataRejected === true;
    group.chunks = group.script.runInThisContext() as CompiledChunk[];
    return group.chunks;
  } catch {
    group.names = [];
    return undefined;
  }
}

/** As Node wraps every CommonJS file. */
function asFunction(content: string): string {
  return `function (exports, require, module, __filename, __dirname) { ${content}\n}`;
}
