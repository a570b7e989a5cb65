import { messageOf } from "../../domain/message-of.js";
import { RalphError } from "../../domain/ralph-error.js";
import { isObject } from "../../domain/shape.js";
import { absentStamp, type FileStamp, stampFile } from "../../files/file-stamp.js";
import { readFileSnapshot } from "../../files/read-file.js";
import { isMapBlock, settingBlocks, shortForms } from "./schema.js";

/** A settings file: the values of our blocks by dotted key, and the blocks that belong to other tools. */
export interface SettingsFile {
  path: string;
  values: Record<string, unknown>;
  otherBlocks: string[];
}

/** Keeps parsed files; the stamp says which state of the file was parsed. */
export interface ParsedFiles {
  find(path: string, stamp: FileStamp): Promise<string | undefined>;
  save(path: string, stamp: FileStamp, content: string): Promise<unknown>;
}

/** Reads a settings file, through what is kept of it while the file stays unchanged. */
export async function readSettingsFile(
  path: string,
  kept: ParsedFiles | undefined,
): Promise<SettingsFile | undefined> {
  const stamp = stampFile(path);
  if (stamp === absentStamp) return undefined;
  const known = await kept?.find(path, stamp);
  if (known !== undefined) return JSON.parse(known) as SettingsFile;
  const snapshot = readFileSnapshot(path);
  if (snapshot.bytes === undefined) return undefined;
  const file = await parseSettings(path, snapshot.bytes.toString("utf8"));
  await kept?.save(path, snapshot.stamp, JSON.stringify(file));
  return file;
}

async function parseSettings(path: string, text: string): Promise<SettingsFile> {
  // Loading YAML takes longer than most commands; it is needed only after a change.
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
    throw new RalphError("invalid-settings", `${path} must hold blocks such as "memories:"`, {
      hint: "see docs/guide.md",
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
      throw new RalphError("invalid-settings", `${path}: the block "${block}" must hold keys`, {
        hint: `write them indented below "${block}:"`,
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
    // What holds itself cannot be kept.
    JSON.stringify(content);
    return content;
  } catch (error) {
    // Aliases that lead nowhere, to what they stand in, or multiply.
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
