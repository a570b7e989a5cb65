import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
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
  "memory task learnings link history continuity ledger handoff export import skill index config store" as const
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
    const cachedData = kept.find(name);
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
    if (status !== 0 || fresh.size === 0) return;
    const compiled = new Map<string, Buffer>();
    for (const name of kept.names) {
      const code = existsSync(join(bundleDirectory, name)) ? kept.find(name) : undefined;
      if (code !== undefined) compiled.set(name, code);
    }
    keep(cachePath, compiled, fresh);
  });
  return requireFile;
}

/** As Node wraps every CommonJS file. */
function asFunction(content: string): string {
  return `(function (exports, require, module, __filename, __dirname) { ${content}\n})`;
}

/**
 * What stands first in the file of a command: where the code of each chunk begins and ends. All is in one file, as opening
 * one takes longer than reading it. The code of a chunk stands there twice: V8 crashes over damaged code, and comparing is the
 * quickest check.
 */
type Contents = [name: string, start: number, end: number][];

/** The code that a command once used; it reads only what it uses this time. */
interface KeptCode {
  names: readonly string[];
  find(name: string): Buffer | undefined;
}

/** What V8 reads has to begin at a multiple of this. */
const alignment = 8;
/** A name and two numbers. */
const longestEntry = 160;
/** Room for all chunks. */
const longestHead = 16_384;

function readKept(path: string): KeptCode {
  try {
    const stat = statSync(path);
    // Anything else, such as a pipe, might never end.
    if (stat.isFile()) return openKept(openSync(path, "r"), stat.size);
  } catch {}
  return { names: [], find: () => undefined };
}

/** The file stays open: another process may give its name to a new one. */
function openKept(descriptor: number, size: number): KeptCode {
  const head = readPart(descriptor, 0, Math.min(size, longestHead));
  const contents = JSON.parse(head.toString("latin1", 0, head.indexOf("\n"))) as Contents;
  const places = new Map(contents.map(([name, begin, end]) => [name, { begin, end }]));
  return {
    names: [...places.keys()],
    find(name) {
      const { begin, end } = places.get(name) ?? { begin: 0, end: 0 };
      const length = aligned(end - begin);
      if (!(length > 0 && begin + 2 * length <= size)) return undefined;
      try {
        const both = readPart(descriptor, begin, 2 * length);
        const isWhole = both.compare(both, length, 2 * length, 0, length) === 0;
        return isWhole ? both.subarray(0, end - begin) : undefined;
      } catch {
        return undefined;
      }
    },
  };
}

/** What cannot be read is left zero, which no compiled code begins with. */
function readPart(descriptor: number, begin: number, length: number): Buffer {
  const part = Buffer.allocUnsafeSlow(length);
  const read = readSync(descriptor, part, 0, length, begin);
  return part.fill(0, read);
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
  let size = headLengthOf(compiled.size);
  const contents = [...compiled].map(([name, { length }]): Contents[number] => {
    const begin = size;
    size += 2 * aligned(length);
    return [name, begin, begin + length];
  });
  const file = Buffer.alloc(size);
  file.write(`${JSON.stringify(contents)}\n`, "latin1");
  for (const [name, begin, end] of contents) {
    compiled.get(name)?.copy(file, begin);
    file.copy(file, begin + aligned(end - begin), begin, end);
  }
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
