import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join, sep } from "node:path";
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

const maxCommands = 100;

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
  // Not `userHome()`: this file is loaded before anything else, and must not load more than itself.
  const root = join(process.env.RALPH_HOME || join(homedir(), ".ralph"), "cache");
  const path = join(root, `${version}-${process.version}-${process.arch}`, `${command}.bin`);
  return requireChunks(path, bundleDirectory, outside);
}

/** Commands that are named by two words; the tree of commands is not loaded yet. */
export const commandGroups: readonly string[] = (
  "memory task learnings link history continuity ledger handoff export import skill index config" as const
).split(" ");

/** The words that name a command; what is kept holds the functions that this command uses. */
function commandOf(words: readonly string[]): string {
  const [first = "", second = "", third = ""] = words;
  // Each event of an agent is a command of its own: most need a small part of what another one needs.
  const names = first === "hook" ? [first, third] : commandGroups.includes(first) ? [first, second] : [first];
  return names.filter((word) => /^[A-Za-z]{3,24}$/.test(word)).join("-");
}

/** Chunks load each other here: Node's way of finding a file takes as long as compiling it. */
function requireChunks(cachePath: string, bundleDirectory: string, outside: Require): Require {
  const kept = readKept(cachePath);
  const fresh = new Map<string, Script>();
  const loaded = new Map<string, Chunk>();

  const requireFile: Require = (id) => (id.startsWith("./") ? requireChunk(id.slice(2)) : outside(id));

  const requireChunk = (name: string): unknown => {
    const known = loaded.get(name);
    if (known !== undefined) return known.exports;
    const chunk: Chunk = { exports: {} };
    loaded.set(name, chunk);
    const filename = `${bundleDirectory}${sep}${name}`;
    const cachedData = kept.get(name);
    const script = new Script(asFunction(readFileSync(filename, "utf8")), {
      filename,
      ...(cachedData && { cachedData }),
    });
    if (cachedData === undefined || script.cachedDataRejected) fresh.set(name, script);
    const run = script.runInThisContext() as CompiledChunk;
    run.call(chunk.exports, chunk.exports, requireFile, chunk, filename, bundleDirectory);
    return chunk.exports;
  };

  process.on("exit", (status) => {
    const isStill = ([name]: [string, Buffer]) => existsSync(join(bundleDirectory, name));
    if (status === 0 && fresh.size > 0) keep(cachePath, new Map([...kept].filter(isStill)), fresh);
  });
  return requireFile;
}

/** As Node wraps every CommonJS file. */
function asFunction(content: string): string {
  return `(function (exports, require, module, __filename, __dirname) { ${content}\n})`;
}

/**
 * What stands first in the file of a command: where the code of each chunk begins and ends. All is in one file, as opening
 * one takes longer than reading it, and there twice: V8 crashes over damaged code, and comparing is the quickest check.
 */
type Contents = [name: string, start: number, end: number][];

/** What V8 reads has to begin at a multiple of this. */
const alignment = 8;
/** A name and two numbers. */
const longestEntry = 160;

function readKept(path: string): ReadonlyMap<string, Buffer> {
  try {
    // Anything else, such as a pipe, might never end.
    if (!statSync(path).isFile()) return new Map();
    const file = readFileSync(path);
    const contents = JSON.parse(file.toString("latin1", 0, file.indexOf("\n"))) as Contents;
    const start = headLengthOf(contents.length);
    const middle = (start + file.length) / 2;
    if (!file.subarray(start, middle).equals(file.subarray(middle))) return new Map();
    return new Map(contents.map(([name, begin, end]) => [name, file.subarray(begin, end)]));
  } catch {
    return new Map();
  }
}

function headLengthOf(count: number): number {
  return aligned(count * longestEntry + 2);
}

function aligned(length: number): number {
  return Math.ceil(length / alignment) * alignment;
}

function keep(path: string, kept: ReadonlyMap<string, Buffer>, fresh: ReadonlyMap<string, Script>): void {
  const temporary = `${path}.${process.pid}`;
  const isKept = succeeds(() => {
    makeRoom(dirname(path));
    const compiled = new Map(kept);
    for (const [name, script] of fresh) compiled.set(name, script.createCachedData());
    writeDurably(temporary, packed(compiled));
    renameSync(temporary, path);
  });
  if (!isKept) succeeds(() => rmSync(temporary, { force: true }));
}

/** On the disk before it gets its name: a loss of power leaves holes in what was not. */
function writeDurably(path: string, content: Buffer): void {
  const descriptor = openSync(path, "w", 0o600);
  try {
    writeFileSync(descriptor, content);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The home folder may be read-only or full. */
function succeeds(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

function packed(compiled: ReadonlyMap<string, Buffer>): Buffer {
  const start = headLengthOf(compiled.size);
  let end = start;
  const contents = [...compiled].map(([name, { length }]): Contents[number] => {
    const begin = end;
    end = aligned(begin + length);
    return [name, begin, begin + length];
  });
  const file = Buffer.alloc(end + (end - start));
  file.write(`${JSON.stringify(contents)}\n`, "latin1");
  for (const [name, begin] of contents) compiled.get(name)?.copy(file, begin);
  file.copy(file, end, start, end);
  return file;
}

/** Makes the folder of a version; the first one to do so takes away what other versions of Ralph kept, and nothing else. */
function makeRoom(directory: string): void {
  const isFirst = makeFolders(directory);
  for (const name of isFirst ? readdirSync(dirname(directory)) : []) {
    if (!name.startsWith(`${version}-`) && /^\d+\.\d+\.\d+\S*-v\d+\.\d+\.\d+-\w+$/.test(name))
      rmSync(join(dirname(directory), name), { recursive: true, force: true });
  }
  const kept = readdirSync(directory).filter((name) => name.endsWith(".bin"));
  if (kept.length >= maxCommands) throw new Error("Enough commands are kept");
}

/** Tells whether the last one is new. One by one: Node's own way of doing that never ends in places like /proc. */
function makeFolders(path: string): boolean {
  if (existsSync(path)) return false;
  makeFolders(dirname(path));
  mkdirSync(path, { mode: 0o700 });
  return true;
}
