import { readMarkdown } from "../markdown.js";

/** A line of a list that is a record of its own. */
export type NoteItem = { line: number } & (
  | { kind: "observation"; category: string; text: string; tags: string[]; context: string }
  | { kind: "task"; mark: string; text: string }
  | { kind: "relation"; word: string; target: string }
);

export interface ParsedNote {
  title: string | undefined;
  permalink: string | undefined;
  type: string;
  tags: readonly string[];
  created: string | undefined;
  modified: string | undefined;
  items: NoteItem[];
  /** Without the items, and without headings that are otherwise empty. */
  prose: string;
  /** Wiki links in the prose. */
  mentions: string[];
}

const listItem = /^\s*[-*+]\s+(.*)$/;
const wikiLink = /\[\[([^\][\n]{1,500})\]\]/g;

export function parseNote(text: string): ParsedNote {
  const { fields, lists, bodyLine } = readMarkdown(text);
  const lines = text.split(/\r?\n/);
  const items: NoteItem[] = [];
  const prose: string[] = [];
  let isCode = false;
  for (const [index, line] of lines.entries()) {
    if (index + 1 < bodyLine) continue;
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    const found = isCode ? [] : itemsOf(line, index);
    items.push(...found);
    if (found.length === 0) prose.push(line);
  }
  const ownProse = withoutEmptySections(prose);
  return {
    title: fields.get("title"),
    permalink: fields.get("permalink"),
    type: fields.get("type") ?? "note",
    tags:
      lists.get("tags") ?? (fields.get("tags") ?? "").split(",").map((tag) => tag.trim().replace(/^#/, "")),
    created: fields.get("created"),
    modified: fields.get("modified"),
    items,
    prose: ownProse,
    mentions: targetsIn(ownProse),
  };
}

function itemsOf(line: string, index: number): NoteItem[] {
  const text = listItem.exec(line)?.[1];
  if (text === undefined) return [];
  const place = { line: index };
  const [, mark, todo = ""] = /^\[([ xX/-])\]\s+(.+)$/.exec(text) ?? [];
  if (mark !== undefined) return [{ kind: "task", ...place, mark: mark.toLowerCase(), text: todo }];
  const [, category = "", rest = ""] = /^\[([^\][()]+)\]\s+(.+)$/.exec(text) ?? [];
  const isCategory = category !== "" && !/^[\d:.\s-]+$/.test(category);
  if (isCategory) return [{ kind: "observation", ...place, category, ...observed(rest) }];
  const typed = /^(?:"([^"]+)"|([^\s"[\]]+))\s+\[\[([^\][\n]{1,500})\]\](?:\s*\([^()]*\))?\s*$/.exec(text);
  if (typed !== null) {
    const [, quoted, plain = "", target = ""] = typed;
    return [{ kind: "relation", ...place, word: quoted ?? plain, target: targetOf(target) }];
  }
  const targets = targetsIn(text);
  if (targets.length > 0)
    return targets.map((target) => ({ kind: "relation", ...place, word: "links_to", target }));
  const isTagged = text.split(/\s+/).some((word) => /^#[^\s#]/.test(word));
  return isTagged ? [{ kind: "observation", ...place, category: "", ...observed(text) }] : [];
}

/** The text without its trailing tags and context. */
function observed(text: string): { text: string; tags: string[]; context: string } {
  const [whole = "", context = ""] = /\s*\(([^()]*)\)\s*$/.exec(text) ?? [];
  const said = text.slice(0, text.length - whole.length);
  const words = said.split(/\s+/).filter((word) => word.startsWith("#"));
  const tags = words.flatMap((word) => word.split("#")).filter((tag) => tag !== "");
  return { text: said.replace(/(?:\s+#[^\s]+)+\s*$/, "").trim(), tags, context };
}

function targetsIn(text: string): string[] {
  return [...new Set([...text.matchAll(wikiLink)].map(([, target = ""]) => targetOf(target)))];
}

/** `Target|label` leads to the target. */
function targetOf(link: string): string {
  return link.split("|")[0]?.trim() ?? link;
}

function withoutEmptySections(lines: readonly string[]): string {
  const text = lines.join("\n").trim();
  const isHeading = (line: string) => /^#{1,6}\s/.test(line);
  const filled = text.split("\n").filter((line) => line.trim() !== "");
  const kept = filled.filter((line, index) => {
    const next = filled[index + 1];
    const isEmpty = next === undefined || (isHeading(next) && levelOf(next) <= levelOf(line));
    return !isHeading(line) || levelOf(line) === 1 || !isEmpty;
  });
  return kept.length === filled.length ? text : kept.join("\n");
}

function levelOf(line: string): number {
  return /^#*/.exec(line)?.[0].length ?? 0;
}
