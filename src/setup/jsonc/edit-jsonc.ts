import { lineStart } from "../line-start.js";
import { problemAt } from "../problem-at.js";
import {
  findMember,
  isBlank,
  type JsonArray,
  type JsonElement,
  type JsonMember,
  type JsonNode,
  type JsonObject,
  parseJsonc,
  skipTrivia,
} from "./parse-jsonc.js";

type Container = JsonObject | JsonArray;
type Item = JsonMember | JsonElement;

/**
 * Adds a member to the object at `path`, or with `key` undefined an element to the array there, at its end; what is missing on
 * the way is made, the document as well. All other bytes stay. `removeItem` is its exact reverse: it tells what was made from what was
 * there, but empty, by the single space that stands before what is put into the latter.
 */
export function insertItem(
  text: string | undefined,
  path: readonly string[],
  key: string | undefined,
  value: unknown,
): string {
  if (text === undefined || isBlank(text)) {
    const whole = path.reduceRight<unknown>((inner, outer) => ({ [outer]: inner }), keyed(key, value));
    // A line end before it says that there was a file, with nothing in it.
    const before = text === undefined ? "" : `${text}\n`;
    return `${before}${JSON.stringify(whole, undefined, 2)}\n`;
  }
  let container = containerOf(text, parseJsonc(text), "the document");
  for (const [depth, name] of path.entries()) {
    const member = findMember(container, name);
    if (member === undefined) {
      const wrapped = path
        .slice(depth + 1)
        .reduceRight<unknown>((inner, outer) => ({ [outer]: inner }), keyed(key, value));
      return insertInto(text, container, name, wrapped);
    }
    const isLast = depth === path.length - 1;
    container = containerOf(text, member.value, name, isLast && key === undefined ? "array" : "object");
  }
  return insertInto(text, container, key, value);
}

function keyed(key: string | undefined, value: unknown): unknown {
  return key === undefined ? [value] : { [key]: value };
}

function containerOf(
  text: string,
  node: JsonNode,
  name: string,
  kind: Container["kind"] = "object",
): Container {
  if (node.kind === kind) return node as Container;
  throw problemAt(text, node.start, `${name} is not an ${kind}`);
}

function insertInto(text: string, container: Container, key: string | undefined, value: unknown): string {
  const style = styleOf(text);
  const last = container.items.at(-1);
  const render = (base: string | undefined) => renderItem(key, value, style, base);
  if (last === undefined) {
    const base = style.unit === undefined ? undefined : indentAt(text, container.start) + style.unit;
    return splice(text, container.start + 1, container.start + 1, ` ${render(base)}`);
  }
  const afterLast = skipTrivia(text, last.end);
  const hasComma = text[afterLast] === ",";
  const place = endOfComments(text, hasComma ? afterLast + 1 : last.end);
  const base = style.unit === undefined ? undefined : baseAfter(text, container, last, style.unit);
  const before = base === undefined ? " " : style.lineEnd + base;
  const isCommented = text.slice(last.end, place).includes("//");
  const lead = isCommented && base === undefined ? style.lineEnd : before;
  const added = splice(text, place, place, `${lead}${render(base)}${hasComma ? "," : ""}`);
  return hasComma ? added : splice(added, last.end, last.end, ",");
}

/** The indentation of a line of its own; none where the last item stands in a line with others. */
function baseAfter(text: string, container: Container, last: Item, unit: string): string | undefined {
  if (startsLine(text, last.start)) return indentAt(text, last.start);
  return text.slice(last.start, last.end).includes("\n") ? indentAt(text, container.start) + unit : undefined;
}

/** Removes a member or an element, and what `insertItem` made around it; undefined if nothing of the document is left. */
export function removeItem(text: string, path: readonly (string | number)[]): string | undefined {
  const chain = chainTo(text, path);
  if (chain.length === 0) return text;
  for (const { container, item } of chain.toReversed()) {
    const index = (container.items as Item[]).indexOf(item);
    if (container.items.length > 1) return cutOut(text, container, index);
    const before = endOfTrivia(text, container.start + 1, item.start);
    const lead = text.slice(container.start + 1, item.start);
    const comma = commaAfter(text, item.end);
    const rest = text.slice(comma ?? item.end, container.end - 1);
    if (lead === " ") return splice(text, container.start + 1, comma ?? item.end, "");
    // A comment is somebody's: what holds it stays.
    if (lead.trim() !== "" || rest.trim() !== "") return splice(text, before, comma ?? item.end, "");
  }
  const before = text.slice(0, chain[0]?.container.start);
  return isBlank(before) && before.endsWith("\n") ? before.slice(0, -1) : undefined;
}

/** The text with another value in the place of the one at `path`. */
export function replaceScalar(text: string, path: readonly (string | number)[], value: string): string {
  const old = chainTo(text, path).at(-1)?.item.value;
  return old === undefined ? text : splice(text, old.start, old.end, JSON.stringify(value));
}

/** What leads to a place, the document first; nothing if there is no such place. */
function chainTo(text: string, path: readonly (string | number)[]): { container: Container; item: Item }[] {
  const chain: { container: Container; item: Item }[] = [];
  let node: JsonNode = parseJsonc(text);
  for (const step of path) {
    const item: Item | undefined =
      typeof step === "string"
        ? findMember(node, step)
        : node.kind === "array"
          ? node.items[step]
          : undefined;
    if (item === undefined || node.kind === "scalar") return [];
    chain.push({ container: node, item });
    node = item.value;
  }
  return chain;
}

function cutOut(text: string, container: Container, index: number): string {
  const item = container.items[index] as Item;
  const previous = container.items[index - 1];
  const comma = commaAfter(text, item.end);
  const from = endOfTrivia(text, previous?.end ?? container.start + 1, item.start);
  if (comma !== undefined) {
    const cut = splice(text, comma - 1, comma, "");
    return splice(cut, from, item.end, "");
  }
  const cut = splice(text, from, item.end, "");
  const separator = skipTrivia(cut, previous?.end ?? 0);
  return splice(cut, separator, separator + 1, "");
}

/** The end of the comma that follows. */
function commaAfter(text: string, from: number): number | undefined {
  const at = skipTrivia(text, from);
  return text[at] === "," ? at + 1 : undefined;
}

/** The end of the last comment or comma between two places; the first place if there is none. */
function endOfTrivia(text: string, from: number, to: number): number {
  const token = /\/\/[^\n\r]*|\/\*[\s\S]*?\*\/|,|[ \t\r\n]+/y;
  let end = from;
  for (let at = from; at < to; at = token.lastIndex) {
    token.lastIndex = at;
    const found = token.exec(text)?.[0];
    if (found === undefined) return end;
    if (found.trim() !== "") end = token.lastIndex;
  }
  return end;
}

/** The end of the comments in the rest of the line. */
function endOfComments(text: string, from: number): number {
  const inLine = /(?:[ \t]*(?:\/\*[^\n]*?\*\/|\/\/[^\n\r]*))*/y;
  inLine.lastIndex = from;
  return from + (inLine.exec(text)?.[0].length ?? 0);
}

interface Style {
  lineEnd: string;
  /** One step of indentation; undefined where all is in one line. */
  unit: string | undefined;
}

function styleOf(text: string): Style {
  const root = parseJsonc(text);
  const inside = text.slice(root.start, root.end);
  const lineEnd = inside.includes("\r\n") ? "\r\n" : "\n";
  const isEmpty = root.kind !== "scalar" && root.items.length === 0;
  if (!isEmpty && !inside.includes("\n")) return { lineEnd, unit: undefined };
  const first = root.kind === "scalar" ? undefined : root.items.find(({ start }) => startsLine(text, start));
  const indent = first === undefined ? "" : indentAt(text, first.start);
  return { lineEnd, unit: indent || "  " };
}

function renderItem(key: string | undefined, value: unknown, style: Style, base: string | undefined): string {
  const isInOneLine = base === undefined || style.unit === undefined;
  const text = isInOneLine
    ? JSON.stringify(value)
    : JSON.stringify(value, undefined, style.unit).replaceAll("\n", style.lineEnd + base);
  return key === undefined ? text : `${JSON.stringify(key)}:${isInOneLine ? "" : " "}${text}`;
}

function startsLine(text: string, offset: number): boolean {
  const start = lineStart(text, offset);
  return start > 0 && /^[ \t]*$/.test(text.slice(start, offset));
}

/** The white space that the line of a place begins with. */
function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? "";
}

function splice(text: string, from: number, to: number, inserted: string): string {
  return text.slice(0, from) + inserted + text.slice(to);
}
