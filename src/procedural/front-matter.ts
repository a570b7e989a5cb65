import { RalphError } from "../domain/ralph-error.js";
import { closing, opening } from "../text/markdown/split-front-matter.js";

export type FrontMatter = Readonly<Record<string, unknown>>;

const maxLength = 64 * 1024;

/** Whether a text starts with the fields of a skill but has no closing `---`. */
export function hasUnclosedFrontMatter(text: string): boolean {
  const [first] = opening.exec(text) ?? [];
  if (first === undefined || closing.test(text.slice(first.length))) return false;
  const [paragraph = ""] = text.slice(first.length).split(/\r?\n[ \t]*\r?\n/);
  return /^(?:name|description)[ \t]*:/m.test(paragraph);
}

/** The fields of the block; throws when it is not YAML. */
export async function parseFrontMatter(block: string): Promise<FrontMatter> {
  if (block === "") return {};
  if (block.length > maxLength) {
    throw new RalphError("file-unusable", "The front matter is larger than 64 KB", {
      hint: "close it with a line of three dashes, and put long text below it",
    });
  }
  const content = block.replace(opening, "").replace(closing, "");
  return parsePlainFields(content) ?? (await parseYaml(content));
}

/**
 * Parses front matter of plain `key: words` lines, the usual case, without loading a YAML parser. Undefined for anything that YAML could
 * read differently.
 */
export function parsePlainFields(content: string): FrontMatter | undefined {
  const fields: Record<string, string> = {};
  for (const line of content.split(/\r?\n/)) {
    if (line === "") continue;
    const [, key, value] = /^([a-z][a-z-]*): +([A-Za-z][\x20-\x7e]*)$/.exec(line.trimEnd()) ?? [];
    if (key === undefined || value === undefined || key in fields) return undefined;
    if (/:(?: |$)| #/.test(value) || /^(?:true|false|null|yes|no|on|off|y|n)$/i.test(value)) return undefined;
    fields[key] = value;
  }
  return fields;
}

async function parseYaml(content: string): Promise<FrontMatter> {
  const value = loadYaml(content, await import("yaml"));
  if (value === null || value === undefined) return {};
  if (typeof value !== "object" || Array.isArray(value)) {
    throw new RalphError("file-unusable", "The front matter is not a list of keys and values", {
      hint: "it needs lines such as `name: my-skill`",
    });
  }
  return value as FrontMatter;
}

function loadYaml(content: string, { parseDocument, YAMLParseError }: typeof import("yaml")): unknown {
  try {
    const document = parseDocument(content, { logLevel: "silent" });
    const [problem] = document.errors;
    if (problem !== undefined) throw problem;
    return document.toJS({ maxAliasCount: 10 });
  } catch (error) {
    // Unresolved or excessive aliases and deep nesting fail only in toJS().
    if (!(error instanceof Error)) throw error;
    // The opening `---` is line 1 of the file.
    const line = error instanceof YAMLParseError ? `line ${(error.linePos?.[0].line ?? 0) + 1}: ` : "";
    const what = error.message.split("\n")[0]?.replace(/ at line \d+.*$/, "");
    throw new RalphError("file-unusable", `The front matter is not YAML: ${line}${what}`, {
      hint: "quote values that contain a colon, an asterisk or an ampersand",
      cause: error,
    });
  }
}

/** A text as a one-line YAML value. */
export function renderYamlText(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const isPlain = parsePlainFields(`key: ${line}`)?.key === line;
  // JSON strings are valid YAML.
  return isPlain ? line : JSON.stringify(line);
}
