import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { lineEndOf, lineStart, problemAt } from "./text-edit.js";

type Path = readonly (string | number)[];

/** Reads JSON with comments and trailing commas, as agents write and read their settings. */
export function parseJsonc(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text.replace(/^\ufeff/, " "), errors, { allowTrailingComma: true });
  const [error] = errors;
  if (root !== undefined && error === undefined) return root;
  const problem = error === undefined ? "value expected" : printParseErrorCode(error.error);
  const words = problem.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
  throw problemAt(text, error?.offset ?? text.length, words);
}

/** Whether a file exists but is empty, as some programs leave it. */
export function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** Whether a piece of JSON contains comments: outside of strings, nothing else has a slash. */
export function hasComments(text: string): boolean {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"/g, "").includes("/");
}

/** The members of an object or the elements of an array. */
export function itemsOf(node: Node | undefined): Node[] {
  return node?.children ?? [];
}

/** The last member of that name, which takes precedence. */
export function findMember(node: Node | undefined, key: string): Node | undefined {
  if (node?.type !== "object") return undefined;
  return itemsOf(node).findLast((member) => keyOf(member) === key);
}

export function keyOf(member: Node): string {
  return String(member.children?.[0]?.value);
}

/** The value of a member, or an element itself. */
export function valueIn(item: Node | undefined): Node | undefined {
  return item?.type === "property" ? item.children?.[1] : item;
}

export function plainValue(node: Node | undefined): unknown {
  // The parser makes objects without a prototype.
  return node === undefined ? undefined : structuredClone(getNodeValue(node));
}

export function endOf({ offset, length }: Node): number {
  return offset + length;
}

/**
 * Adds a member to the object at `path` or, if `key` is undefined, an element to the array there, at its end; creates missing containers
 * and the document. All other bytes are kept. `removeItem` is its exact inverse: a single space before the first item marks a container
 * that existed but was empty.
 */
export function insertItem(
  text: string | undefined,
  path: readonly string[],
  key: string | undefined,
  value: unknown,
): string {
  const last = key === undefined ? [value] : { [key]: value };
  const wrap = (keys: readonly string[]) =>
    keys.reduceRight<unknown>((inner, outer) => ({ [outer]: inner }), last);
  if (text === undefined || isBlank(text)) {
    // A line end before it shows that there was an empty file.
    const before = text === undefined ? "" : `${text}\n`;
    return `${before}${JSON.stringify(wrap(path), undefined, 2)}\n`;
  }
  let container = checkType(text, parseJsonc(text), "the document", "object");
  for (const [depth, name] of path.entries()) {
    const next = valueIn(findMember(container, name));
    if (next === undefined) return insertInto(text, container, name, wrap(path.slice(depth + 1)));
    const isList = key === undefined && depth === path.length - 1;
    container = checkType(text, next, name, isList ? "array" : "object");
  }
  return insertInto(text, container, key, value);
}

function checkType(text: string, node: Node, name: string, type: "object" | "array"): Node {
  if (node.type === type) return node;
  throw problemAt(text, node.offset, `${name} is not an ${type}`);
}

function insertInto(text: string, container: Node, key: string | undefined, value: unknown): string {
  const { lineEnd, unit } = styleOf(text);
  const render = (indent: string | undefined) => {
    const isInOneLine = indent === undefined || unit === undefined;
    const content = isInOneLine
      ? JSON.stringify(value)
      : JSON.stringify(value, undefined, unit).replaceAll("\n", lineEnd + indent);
    return key === undefined ? content : `${JSON.stringify(key)}:${isInOneLine ? "" : " "}${content}`;
  };
  const last = itemsOf(container).at(-1);
  if (last === undefined) {
    const start = container.offset + 1;
    const indent = unit === undefined ? undefined : indentAt(text, start) + unit;
    return splice(text, start, start, ` ${render(indent)}`);
  }
  const end = endOf(last);
  const comma = commaAfter(text, end);
  const place = endOfLineComments(text, comma ?? end);
  const indent = unit === undefined ? undefined : indentAfter(text, container, last, unit);
  // After a line comment, the item needs its own line.
  const lead = indent !== undefined ? lineEnd + indent : hasLineComment(text, end, place) ? lineEnd : " ";
  const added = splice(text, place, place, `${lead}${render(indent)}${comma === undefined ? "" : ","}`);
  return comma === undefined ? splice(added, end, end, ",") : added;
}

function hasLineComment(text: string, from: number, to: number): boolean {
  return text.slice(from, to).includes("//");
}

/** The indentation for an item on its own line; undefined where the last item shares a line. */
function indentAfter(text: string, container: Node, last: Node, unit: string): string | undefined {
  if (startsLine(text, last.offset)) return indentAt(text, last.offset);
  const isLong = text.slice(last.offset, endOf(last)).includes("\n");
  return isLong ? indentAt(text, container.offset) + unit : undefined;
}

/** Removes a member or an element, and what `insertItem` created around it; undefined if nothing of the document is left. */
export function removeItem(text: string, path: Path): string | undefined {
  const steps = stepsTo(text, path);
  if (steps.length === 0) return text;
  for (const { container, item } of steps.toReversed()) {
    const items = itemsOf(container);
    if (items.length > 1) return cutOut(text, container, items.indexOf(item));
    const start = container.offset + 1;
    const end = commaAfter(text, endOf(item)) ?? endOf(item);
    const lead = text.slice(start, item.offset);
    if (lead === " ") return splice(text, start, end, "");
    // A container with a comment of the user is kept.
    const rest = text.slice(end, endOf(container) - 1);
    if (lead.trim() !== "" || rest.trim() !== "")
      return splice(text, endOfComments(text, start, item.offset), end, "");
  }
  const before = text.slice(0, steps[0]?.container.offset);
  return isBlank(before) && before.endsWith("\n") ? before.slice(0, -1) : undefined;
}

/** The text with another value at `path`. */
export function replaceScalar(text: string, path: Path, value: string): string {
  const old = valueIn(stepsTo(text, path).at(-1)?.item);
  return old === undefined ? text : splice(text, old.offset, endOf(old), JSON.stringify(value));
}

/** The steps that lead to a path, starting at the document; empty if the path does not exist. */
function stepsTo(text: string, path: Path): { container: Node; item: Node }[] {
  const steps: { container: Node; item: Node }[] = [];
  let container: Node | undefined = parseJsonc(text);
  for (const step of path) {
    const item: Node | undefined =
      typeof step === "string" ? findMember(container, step) : itemsOf(container)[step];
    if (container === undefined || item === undefined) return [];
    steps.push({ container, item });
    container = valueIn(item);
  }
  return steps;
}

function cutOut(text: string, container: Node, index: number): string {
  const item = itemsOf(container)[index] as Node;
  const previous = itemsOf(container)[index - 1];
  const previousEnd = previous === undefined ? container.offset + 1 : endOf(previous);
  const from = endOfComments(text, previousEnd, item.offset);
  const comma = commaAfter(text, endOf(item));
  if (comma !== undefined) return splice(splice(text, comma - 1, comma, ""), from, endOf(item), "");
  const cut = splice(text, from, endOf(item), "");
  const separator = skipTrivia(cut, previousEnd);
  return splice(cut, separator, separator + 1, "");
}

const trivia = /(?:[ \t\r\n]+|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/)*/y;
const triviaOrComma = /\/\/[^\n\r]*|\/\*[\s\S]*?\*\/|,|[ \t\r\n]+/y;
const lineComments = /(?:[ \t]*(?:\/\*[^\n]*?\*\/|\/\/[^\n\r]*))*/y;

function matchAt(pattern: RegExp, text: string, from: number): string {
  pattern.lastIndex = from;
  return pattern.exec(text)?.[0] ?? "";
}

/** The end of the white space and comments from here on. */
function skipTrivia(text: string, from: number): number {
  return from + matchAt(trivia, text, from).length;
}

/** The end of the following comma. */
function commaAfter(text: string, from: number): number | undefined {
  const at = skipTrivia(text, from);
  return text[at] === "," ? at + 1 : undefined;
}

/** The end of the last comment or comma between two places; the first place if there are none. */
function endOfComments(text: string, from: number, to: number): number {
  let end = from;
  for (let at = from; at < to; ) {
    const found = matchAt(triviaOrComma, text, at);
    if (found === "") return end;
    at += found.length;
    if (found.trim() !== "") end = at;
  }
  return end;
}

/** The end of the comments in the rest of the line. */
function endOfLineComments(text: string, from: number): number {
  return from + matchAt(lineComments, text, from).length;
}

/** The line end and one step of indentation; no indentation where everything is on one line. */
function styleOf(text: string): { lineEnd: string; unit: string | undefined } {
  const root = parseJsonc(text);
  const inside = text.slice(root.offset, endOf(root));
  const lineEnd = lineEndOf(inside);
  if (itemsOf(root).length > 0 && !inside.includes("\n")) return { lineEnd, unit: undefined };
  const first = itemsOf(root).find(({ offset }) => startsLine(text, offset));
  return { lineEnd, unit: (first && indentAt(text, first.offset)) || "  " };
}

function startsLine(text: string, offset: number): boolean {
  const start = lineStart(text, offset);
  return start > 0 && isBlank(text.slice(start, offset));
}

/** The white space at the start of the line. */
function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? "";
}

function splice(text: string, from: number, to: number, inserted: string): string {
  return text.slice(0, from) + inserted + text.slice(to);
}
