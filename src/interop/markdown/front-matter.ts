import { closing, opening, splitFrontMatter } from "../../text/markdown/split-front-matter.js";

export interface MarkdownFile {
  /** By their names; of a field in a field, `outer.inner`. */
  fields: ReadonlyMap<string, string>;
  /** Of those that are lists. */
  lists: ReadonlyMap<string, readonly string[]>;
  body: string;
  /** On which the body begins. */
  bodyLine: number;
}

const mostLines = 1000;

/** Read line by line: what tools write there, such as `globs: *.ts`, is not always YAML. */
export function readMarkdown(text: string): MarkdownFile {
  const { block, rest } = splitFrontMatter(text);
  const fields = new Map<string, string>();
  const lists = new Map<string, string[]>();
  let outer = "";
  const lines = block.replace(opening, "").replace(closing, "").split(/\r?\n/).slice(0, mostLines);
  for (const line of lines) {
    const item = /^\s*-\s+(.*)$/.exec(line)?.[1];
    const [, indent = "", name = "", value = ""] = /^(\s*)([\w-]+):(?:\s+(.*))?$/.exec(line) ?? [];
    if (item !== undefined) lists.set(outer, [...(lists.get(outer) ?? []), unquoted(item)]);
    else if (name !== "") {
      const full = indent === "" ? name : `${outer}.${name}`;
      if (indent === "") outer = name;
      const inline = /^\[(.*)\]$/.exec(value.trim())?.[1];
      if (inline !== undefined) lists.set(full, inline.split(",").map(unquoted).filter(Boolean));
      else if (value.trim() !== "") fields.set(full, unquoted(value));
    }
  }
  return { fields, lists, body: rest, bodyLine: block === "" ? 1 : block.trimEnd().split("\n").length + 1 };
}

function unquoted(value: string): string {
  const plain = value.trim();
  return /^(["']).*\1$/.test(plain) && plain.length > 1 ? plain.slice(1, -1) : plain;
}
