import { RalphError } from "../domain/ralph-error.js";

/** The block between two lines of `---` at the beginning of a file, and what stands below it. */
export interface SplitText {
  /** With both lines and the line end behind them; empty when there is no block. */
  block: string;
  rest: string;
}

export type FrontMatter = Readonly<Record<string, unknown>>;

const opening = /^\u{feff}?---[ \t]*\r?\n/u;
const maxLength = 64 * 1024;
const closing = /^---[ \t]*(?:\r?\n|$)/m;

export function splitFrontMatter(text: string): SplitText {
  const [first] = opening.exec(text) ?? [];
  if (first === undefined) return { block: "", rest: text };
  const end = closing.exec(text.slice(first.length));
  // A line of dashes alone is a rule in the text.
  if (end === null) return { block: "", rest: text };
  const length = first.length + end.index + end[0].length;
  return { block: text.slice(0, length), rest: text.slice(length) };
}

/** Whether a text begins with fields of a skill that no second line of dashes ends. */
export function isUnclosed(text: string): boolean {
  const [first] = opening.exec(text) ?? [];
  if (first === undefined || closing.test(text.slice(first.length))) return false;
  const [paragraph = ""] = text.slice(first.length).split(/\r?\n[ \t]*\r?\n/);
  return /^(?:name|description)[ \t]*:/m.test(paragraph);
}

/** What the block says; throws when it is not YAML. */
export async function readFrontMatter(block: string): Promise<FrontMatter> {
  if (block === "") return {};
  if (block.length > maxLength) {
    throw new RalphError("file-unusable", "The front matter has more than 64 KB", {
      hint: "close it with a line of three dashes, and keep what is long below it",
    });
  }
  const content = block.replace(opening, "").replace(closing, "");
  return readPlainFields(content) ?? (await readYaml(content));
}

/**
 * Front matter that is nothing but `key: words`, which most is: loading a YAML parser takes longer than a command. Nothing
 * is returned for everything that YAML could read in another way.
 */
export function readPlainFields(content: string): FrontMatter | undefined {
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

async function readYaml(content: string): Promise<FrontMatter> {
  const value = readValue(content, await import("yaml"));
  if (value === null || value === undefined) return {};
  if (typeof value !== "object" || Array.isArray(value)) {
    throw new RalphError("file-unusable", "The front matter is not a list of keys and values", {
      hint: "it needs lines such as `name: my-skill`",
    });
  }
  return value as FrontMatter;
}

function readValue(content: string, { parseDocument, YAMLParseError }: typeof import("yaml")): unknown {
  try {
    const document = parseDocument(content, { logLevel: "silent" });
    const [problem] = document.errors;
    if (problem !== undefined) throw problem;
    return document.toJS({ maxAliasCount: 10 });
  } catch (error) {
    // Aliases without a meaning, too many of them, or lists nested too deeply are found only while values are made.
    if (!(error instanceof Error)) throw error;
    // The first line of the file is the one with dashes.
    const line = error instanceof YAMLParseError ? `line ${(error.linePos?.[0].line ?? 0) + 1}: ` : "";
    const what = error.message.split("\n")[0]?.replace(/ at line \d+.*$/, "");
    throw new RalphError("file-unusable", `The front matter is not YAML: ${line}${what}`, {
      hint: "put text with a colon, an asterisk or an ampersand into quotation marks",
      cause: error,
    });
  }
}

/** Text as a YAML value on one line. */
export function yamlText(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const isPlain = readPlainFields(`key: ${line}`)?.key === line;
  // JSON's strings are YAML's, too.
  return isPlain ? line : JSON.stringify(line);
}
