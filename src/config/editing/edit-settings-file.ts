import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { RalphError } from "../../domain/ralph-error.js";
import { isObject } from "../../domain/shape.js";
import { stampFile } from "../../files/file-stamp.js";
import { makeFolder } from "../../files/make-folder.js";
import { readFileSnapshot } from "../../files/read-file.js";
import { replaceIfUnchanged } from "../../files/replace-file.js";
import { decodeUtf8 } from "../../text/decode-utf8.js";
import { findLinksOut } from "../../trust/links-out.js";
import { readSetting, type SettingKey, shortForms } from "../loading/schema.js";
import { setInYaml, UneditableYaml, unsetInYaml } from "./edit-yaml.js";

export interface EditOptions {
  /** Folders that a link in the path must not lead out of. */
  within?: readonly [string, ...string[]];
}

/** Sets a value in a settings file, and leaves every other byte of it alone. Returns whether anything changed. */
export async function setInFile(
  path: string,
  key: SettingKey,
  value: unknown,
  { within }: EditOptions = {},
): Promise<boolean> {
  refuseLinkOut(path, within);
  return editFile(path, key, value);
}

/** Takes a value out of a settings file. Returns whether it was there. */
export async function unsetInFile(
  path: string,
  key: SettingKey,
  { within }: EditOptions = {},
): Promise<boolean> {
  refuseLinkOut(path, within);
  return editFile(path, key, undefined);
}

function refuseLinkOut(path: string, within: EditOptions["within"]): void {
  const [link] = within === undefined ? [] : findLinksOut([path], within);
  if (link === undefined) return;
  throw new RalphError(
    "not-trusted",
    `${link.name} is a link that leads out of the project, to ${link.target}`,
    {
      hint: "edit the file itself",
    },
  );
}

async function editFile(path: string, key: SettingKey, value: unknown): Promise<boolean> {
  if (!key.includes("."))
    throw new RalphError("wrong-use", `${key} is a block of several values`, { hint: `edit it in ${path}` });
  const yaml = await import("yaml");
  const { bytes, stamp } = readFileSnapshot(path);
  const before = decodeUtf8(bytes ?? Buffer.alloc(0));
  if (before === undefined) throw byHand(path, "it is not text in UTF-8");
  const content = contentOf(path, before, yaml);
  if (value !== undefined && isDeepStrictEqual(at(content, key), value)) return false;
  const after = edited(path, before, pathIn(content, key), value, yaml);
  if (after === before) return false;
  checkEdit(path, content, contentOf(path, after, yaml), key, value);
  if (value === undefined && after.trim() === "" && stampFile(path) === stamp) {
    // Nothing is left to say.
    rmSync(path);
    return true;
  }
  makeFolder(dirname(path), 0o755);
  if (replaceIfUnchanged(path, [Buffer.from(after)], stamp) === undefined)
    throw new RalphError("file-unusable", `Another process is writing to ${path}`, { hint: "try again" });
  return true;
}

function edited(
  path: string,
  text: string,
  keys: readonly string[],
  value: unknown,
  yaml: typeof import("yaml"),
): string {
  try {
    return value === undefined
      ? unsetInYaml(text, keys, yaml)
      : setInYaml(text, keys, renderValue(value), yaml);
  } catch (error) {
    if (error instanceof UneditableYaml) throw byHand(path, error.message);
    throw error;
  }
}

/** A block may hold one value alone, such as `embedder: minilm`. */
function pathIn(content: unknown, key: SettingKey): string[] {
  const [block = "", ...rest] = key.split(".");
  const isShort = isObject(content) && typeof content[block] === "string" && shortForms[block] === key;
  return isShort ? [block] : [block, ...rest];
}

function contentOf(path: string, text: string, { parseDocument }: typeof import("yaml")): unknown {
  const document = parseDocument(text);
  if (document.errors.length > 0) throw byHand(path, "it is not valid YAML");
  return document.toJS() ?? {};
}

/** Nothing but the value may have changed, and it must be read as it was meant. */
function checkEdit(path: string, before: unknown, after: unknown, key: SettingKey, value: unknown): void {
  const isRead =
    value === undefined
      ? at(after, key) === undefined
      : isDeepStrictEqual(readSetting(key, at(after, key), path), value);
  if (!isRead || !isDeepStrictEqual(without(before, key), without(after, key)))
    throw byHand(path, "it is written in an unusual way");
}

function at(content: unknown, key: SettingKey): unknown {
  return pathIn(content, key).reduce<unknown>(
    (value, name) => (isObject(value) ? value[name] : undefined),
    content,
  );
}

/** All other values by their path; a block without any is none. */
function without(content: unknown, key: SettingKey): Map<string, unknown> {
  const values = new Map<string, unknown>();
  const collect = (value: unknown, path: string) => {
    if (isObject(value))
      for (const [name, below] of Object.entries(value)) collect(below, path ? `${path}.${name}` : name);
    else if (value !== null) values.set(path, value);
  };
  collect(content, "");
  values.delete(pathIn(content, key).join("."));
  return values;
}

const plainWord = /^[A-Za-z][A-Za-z0-9_./-]*$/;
const otherMeaning = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

function renderValue(value: unknown): string {
  if (typeof value === "string" && plainWord.test(value) && !otherMeaning.test(value)) return value;
  return Array.isArray(value)
    ? `[${value.map((item) => JSON.stringify(item)).join(", ")}]`
    : JSON.stringify(value);
}

function byHand(path: string, why: string): RalphError {
  return new RalphError("file-unusable", `Cannot change ${path}: ${why}`, { hint: "edit the file itself" });
}
