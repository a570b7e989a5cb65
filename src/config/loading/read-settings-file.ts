import { messageOf, RalphError } from "../../domain/ralph-error.js";
import { isObject } from "../../domain/shape.js";
import { absentStamp, type FileStamp, stampFile } from "../../files/file-stamp.js";
import { readFileSnapshot } from "../../files/read-file.js";
import { redactDeep } from "../../text/secrets/redact.js";
import { isMapBlock, settingBlocks, shortForms } from "./schema.js";
import type { SettingsCache } from "./settings-cache.js";

/** A settings file: our values by dotted key, and the blocks of other tools. */
export interface SettingsFile {
  path: string;
  values: Record<string, unknown>;
  otherBlocks: string[];
}

/** The YAML parser compares each key of a block with all before it. */
const maxBytes = 64 * 1024;

/** Reads a settings file, from the cache if it has not changed. */
export async function readSettingsFile(
  path: string,
  cache: SettingsCache | undefined,
): Promise<SettingsFile | undefined> {
  const stamp = stampFile(path);
  if (stamp === absentStamp) return undefined;
  const cached = cache?.find(path, stamp);
  if (cached !== undefined) return JSON.parse(cached) as SettingsFile;
  const snapshot = readFileSnapshot(path, { maxBytes: maxBytes + 1, isCut: true });
  if (snapshot.bytes === undefined) return undefined;
  if (snapshot.bytes.length > maxBytes)
    throw new RalphError("invalid-settings", `${path} is larger than ${maxBytes / 1024} KB`, {
      hint: "settings need much less; move what else is in it to another file",
    });
  const file = await parseSettings(path, snapshot.bytes.toString("utf8"));
  if (cache !== undefined) saveIn(cache, snapshot.stamp, file);
  return file;
}

/** A file that holds a secret is parsed each time: the cache must not hold it, too. */
function saveIn(cache: SettingsCache, stamp: FileStamp, file: SettingsFile): void {
  const content = JSON.stringify(file);
  if (JSON.stringify(redactDeep(file)) === content) cache.save(file.path, stamp, content);
}

async function parseSettings(path: string, text: string): Promise<SettingsFile> {
  // Loading the parser takes longer than most commands.
  const { parseDocument } = await import("yaml");
  const document = parseDocument(text);
  const [problem] = document.errors;
  if (problem !== undefined) {
    const line = problem.linePos?.[0].line ?? 1;
    throw new RalphError("invalid-settings", `${path}, line ${line}: not valid YAML`, {
      hint: firstLine(problem.message),
      cause: problem,
    });
  }
  const content = toPlain(path, document);
  if (!isObject(content)) {
    throw new RalphError("invalid-settings", `${path} must contain blocks such as "memories:"`, {
      hint: "see docs/formats.md",
    });
  }
  const values: Record<string, unknown> = {};
  for (const block of settingBlocks) {
    const value = content[block];
    if (value === undefined || value === null) continue;
    const shortForm = shortForms[block];
    if (shortForm !== undefined && typeof value === "string") {
      values[shortForm] = value;
      continue;
    }
    if (!isObject(value)) {
      throw new RalphError("invalid-settings", `${path}: the block "${block}" must contain keys`, {
        hint: `indent them below "${block}:"`,
      });
    }
    if (isMapBlock(block)) values[block] = value;
    else flatten(block, value, values);
  }
  return {
    path,
    values,
    otherBlocks: Object.keys(content).filter((block) => !settingBlocks.includes(block)),
  };
}

function toPlain(path: string, document: { toJS(): unknown }): unknown {
  try {
    const content = document.toJS() ?? {};
    // Throws on circular content, which cannot be cached.
    JSON.stringify(content);
    return content;
  } catch (error) {
    // Aliases that are undefined, circular, or expand without end.
    throw new RalphError("invalid-settings", `${path}: not valid YAML`, {
      hint: firstLine(messageOf(error)),
      cause: error,
    });
  }
}

function flatten(prefix: string, map: Record<string, unknown>, into: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(map)) {
    const path = `${prefix}.${key}`;
    if (isObject(value) && Object.keys(value).length > 0) flatten(path, value, into);
    else into[path] = isObject(value) ? null : value;
  }
}

function firstLine(text: string): string {
  return (text.split("\n")[0] ?? text).replace(/[.:]$/, "");
}
