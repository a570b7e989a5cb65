import {
  closeSync,
  existsSync,
  fsyncSync,
  futimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { version } from "../../version.js";

/** Chunks that a command always uses, as one script: what is read, hashed and decoded once takes half as long. */
export interface Together {
  names: readonly string[];
  source: Buffer;
  /** Undefined until a run has compiled it. */
  code: Buffer | undefined;
}

/** The code that a command once used; it reads only what it uses this time. */
export interface KeptCode {
  /** The chunks that are kept one by one. */
  names: readonly string[];
  find(name: string): Buffer | undefined;
  together: Together | undefined;
}

/**
 * What stands first in the file of a command: where each part begins and ends, all in one file, as opening one takes longer than
 * reading it.
 */
interface Contents {
  chunks: [name: string, begin: number, end: number][];
  together?: { names: string[]; begin: number; sourceEnd: number; end: number };
}

/** What V8 reads has to begin at a multiple of this. */
const alignment = 8;
/** A name and two numbers, for each chunk once alone and once together. */
const longestEntry = 320;
/** Room for all chunks. */
const longestHead = 32_768;
const maxCommands = 100;

export function readKept(path: string): KeptCode {
  try {
    const stat = statSync(path);
    // Anything else, such as a pipe, might never end.
    if (stat.isFile() && stat.mtimeMs === timeOf(stat.size) * 1000)
      return openKept(openSync(path, "r"), stat.size);
  } catch {}
  return { names: [], find: () => undefined, together: undefined };
}

/**
 * V8 crashes over damaged code. A file gets a time that tells its size, which it loses when anything else writes to it; to check its
 * content would take longer than to read it.
 */
function timeOf(size: number): number {
  // Whole minutes, as some file systems keep no seconds.
  return 1_000_000_020 + 60 * (size % 10_000_000);
}

/** The file stays open: another process may give its name to a new one. */
function openKept(descriptor: number, size: number): KeptCode {
  const head = readPart(descriptor, 0, Math.min(size, longestHead));
  const { chunks, together } = JSON.parse(head.toString("latin1", 0, head.indexOf("\n"))) as Contents;
  const read = (begin: number, end: number): Buffer | undefined => {
    if (!(begin < end && end <= size)) return undefined;
    try {
      return readPart(descriptor, begin, end - begin);
    } catch {
      return undefined;
    }
  };
  return {
    names: chunks.map(([name]) => name),
    find(name) {
      const place = chunks.find(([each]) => each === name);
      return place && read(place[1], place[2]);
    },
    together: together && readTogether(together, read),
  };
}

function readTogether(
  { names, begin, sourceEnd, end }: NonNullable<Contents["together"]>,
  read: (begin: number, end: number) => Buffer | undefined,
): Together | undefined {
  const all = read(begin, end);
  if (all === undefined) return undefined;
  const source = all.subarray(0, sourceEnd - begin);
  const code = all.subarray(aligned(source.length));
  return { names, source, code: code.length === 0 ? undefined : code };
}

/** What cannot be read is left zero, which no compiled code begins with. */
function readPart(descriptor: number, begin: number, length: number): Buffer {
  const part = Buffer.allocUnsafeSlow(length);
  const read = readSync(descriptor, part, 0, length, begin);
  return part.fill(0, read);
}

function aligned(length: number): number {
  return Math.ceil(length / alignment) * alignment;
}

/** What a home folder that is read-only or full does not keep costs time, nothing else. */
export function keep(
  path: string,
  chunks: ReadonlyMap<string, Buffer>,
  together: Together | undefined,
): void {
  const temporary = `${path}.${process.pid}`;
  const isKept = succeeds(() => {
    makeRoom(dirname(path));
    writeDurably(temporary, packed(chunks, together));
    renameSync(temporary, path);
  });
  if (!isKept) succeeds(() => rmSync(temporary, { force: true }));
}

/** On the disk before it gets its name: a loss of power leaves holes in what was not. */
function writeDurably(path: string, content: Buffer): void {
  const descriptor = openSync(path, "w", 0o600);
  try {
    writeFileSync(descriptor, content);
    futimesSync(descriptor, timeOf(content.length), timeOf(content.length));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function succeeds(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

function packed(chunks: ReadonlyMap<string, Buffer>, together: Together | undefined): Buffer {
  let size = aligned((chunks.size + (together?.names.length ?? 0)) * longestEntry + longestEntry);
  const parts: [part: Buffer, begin: number][] = [];
  const place = (part: Buffer): [begin: number, end: number] => {
    const begin = size;
    parts.push([part, begin]);
    size += aligned(part.length);
    return [begin, begin + part.length];
  };
  const contents: Contents = { chunks: [] };
  if (together !== undefined) {
    const { names, source, code } = together;
    const gap = Buffer.alloc(aligned(source.length) - source.length);
    const [begin, end] = place(code === undefined ? source : Buffer.concat([source, gap, code]));
    contents.together = { names: [...names], begin, sourceEnd: begin + source.length, end };
  }
  for (const [name, code] of chunks) contents.chunks.push([name, ...place(code)]);
  const file = Buffer.alloc(size);
  file.write(`${JSON.stringify(contents)}\n`, "latin1");
  for (const [part, begin] of parts) part.copy(file, begin);
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
