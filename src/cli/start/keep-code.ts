import {
  closeSync,
  existsSync,
  fsyncSync,
  futimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import type { CodeNews, KeptGroup, KeptLayout, LoadedGroup } from "./load-code.js";

interface Group extends Pick<KeptGroup, "names" | "sizes" | "growing"> {
  source: Buffer;
  code: Buffer;
}

const none = Buffer.alloc(0);
const maxCommands = 100;
/** So many runs after the one that compiled a group add what they used. */
const growingRuns = 3;
/** Code that grew by less than this is not worth writing. */
const leastGrowth = 1.01;

/** Keeps what a run knows and the file does not. What a home folder that is read-only or full does not keep costs time, nothing else. */
export function keepCode(news: CodeNews, layout: KeptLayout): void {
  const { path } = news;
  const temporary = `${path}.${process.pid}`;
  const isKept = succeeds(() => {
    const content = renewed(news, layout);
    // Windows does not replace a file that is open.
    if (news.descriptor !== -1) closeSync(news.descriptor);
    if (content === undefined) return;
    makeRoom(path, layout);
    writeDurably(temporary, content, layout);
    renameSync(temporary, path);
  });
  // Not `rmSync`, which loads more of Node.
  if (!isKept) succeeds(() => unlinkSync(temporary));
}

/** The file as it should be now; undefined if it is so already. */
function renewed(news: CodeNews, layout: KeptLayout): Buffer | undefined {
  const { groups, used, bundleDirectory } = news;
  const isThere = (name: string) => existsSync(join(bundleDirectory, name));
  const before = groups.filter(({ names }) => names.length > 0 && names.every(isThere));
  let isChanged = before.length < groups.length;
  let room = layout.mostGroups - before.length;
  const after = before.flatMap((group) => {
    const next = room > 0 ? splitByUse(news, group, layout) : undefined;
    if (next !== undefined) room -= 1;
    const grown = next === undefined ? growCode(news, group, layout) : undefined;
    isChanged ||= next !== undefined || grown !== undefined;
    return next ?? [grown ?? asBefore(news, group, layout)];
  });
  const known = new Set(before.flatMap(({ names }) => names));
  const fresh = used.filter((name) => !known.has(name));
  if (fresh.length > 0) {
    const joined = after.length < layout.mostGroups ? undefined : after.pop();
    after.push(groupOf([...(joined?.names ?? []), ...fresh], bundleDirectory, layout));
  }
  return isChanged || fresh.length > 0 ? packed(after, layout) : undefined;
}

/** What a run needs of a group, and the rest of it. Both are compiled again, by the next runs that need them. */
function splitByUse(
  { used, bundleDirectory }: CodeNews,
  group: LoadedGroup,
  layout: KeptLayout,
): Group[] | undefined {
  const isUsed = (name: string) => used.includes(name);
  if (group.script === undefined || !layout.isWorthSplitting(group, isUsed)) return undefined;
  const parts = [group.names.filter(isUsed), group.names.filter((name) => !isUsed(name))];
  return parts.map((names) => groupOf(names, bundleDirectory, layout));
}

/** With the code of functions that no earlier run used. */
function growCode(news: CodeNews, group: LoadedGroup, layout: KeptLayout): Group | undefined {
  const { script, isCompiledAnew, growing } = group;
  if (script === undefined || !(isCompiledAnew || growing > 0 || news.isLookedAt)) return undefined;
  const before = asBefore(news, group, layout);
  const code = script.createCachedData();
  if (isCompiledAnew) return { ...before, code, growing: growingRuns };
  const isWorthIt = code.length > before.code.length * leastGrowth;
  if (!isWorthIt && growing === 0) return undefined;
  return { ...before, code: isWorthIt ? code : before.code, growing: Math.max(0, growing - 1) };
}

function asBefore(
  { descriptor }: CodeNews,
  { names, sizes, growing, begin, sourceEnd, end }: LoadedGroup,
  { readPart }: KeptLayout,
): Group {
  const source = readPart(descriptor, begin, sourceEnd);
  return { names, sizes, growing, source, code: readPart(descriptor, sourceEnd, end) };
}

function groupOf(names: readonly string[], bundleDirectory: string, { asFunction }: KeptLayout): Group {
  const functions = names.map((name) => asFunction(readFileSync(join(bundleDirectory, name), "utf8")));
  const sizes = functions.map(({ length }) => length);
  return { names, sizes, growing: 0, source: Buffer.from(`[${functions.join(",\n")}]`), code: none };
}

function packed(groups: readonly Group[], { headBytes }: KeptLayout): Buffer {
  let size = headBytes;
  const contents = groups.map(({ names, sizes, growing, source, code }): KeptGroup => {
    const begin = size;
    size += source.length + code.length;
    return { names, sizes, begin, sourceEnd: begin + source.length, end: size, growing };
  });
  const head = Buffer.from(JSON.stringify(contents).padEnd(headBytes));
  if (head.length > headBytes) throw new Error("There are too many chunks");
  return Buffer.concat([head, ...groups.flatMap(({ source, code }) => [source, code])]);
}

/** On the disk before it gets its name: a loss of power leaves holes in what was not. */
function writeDurably(path: string, content: Buffer, { timeOf }: KeptLayout): void {
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

/** Makes the folder of a version; the first one to do so takes away what other versions of Ralph kept, and nothing else. */
function makeRoom(path: string, { version }: KeptLayout): void {
  const directory = dirname(path);
  const isFirst = makeFolders(directory);
  for (const name of isFirst ? readdirSync(dirname(directory)) : []) {
    if (!name.startsWith(`${version}-`) && /^\d+\.\d+\.\d+\S*-v\d+\.\d+\.\d+-\w+$/.test(name))
      rmSync(join(dirname(directory), name), { recursive: true, force: true });
  }
  const kept = readdirSync(directory).filter((name) => name.endsWith(".bin"));
  if (kept.length >= maxCommands && !kept.includes(basename(path)))
    throw new Error("Enough commands are kept");
}

/** Tells whether the last one is new. One by one: Node's own way of doing that never ends in places like /proc. */
function makeFolders(path: string): boolean {
  if (existsSync(path)) return false;
  makeFolders(dirname(path));
  mkdirSync(path, { mode: 0o700 });
  return true;
}
