import type { Document, Pair, Scalar, YAMLMap } from "yaml";

type Yaml = typeof import("yaml");

/** Why a file cannot be edited without touching more than the value. */
export class UneditableYaml extends Error {}

/** The text with a value at a path; every other byte stays. */
export function setInYaml(text: string, path: readonly string[], value: string, yaml: Yaml): string {
  const document = yaml.parseDocument(text, { keepSourceTokens: true });
  const found = follow(document, path, yaml);
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  if (found.rest.length === 0) return replaceValue(text, found.pair, value);
  const lines = (indent: string) =>
    found.rest.map((key, depth) => {
      const isLast = depth === found.rest.length - 1;
      return `${indent}${"  ".repeat(depth)}${key}:${isLast ? ` ${value}` : ""}`;
    });
  if (found.map !== undefined) {
    const last = found.map.items.at(-1) as NodePair | undefined;
    const first = found.map.items[0] as NodePair | undefined;
    if (last === undefined || first === undefined || found.map.flow) throw unusual(path);
    const indent = " ".repeat(columnOf(text, startOf(first)));
    return insertAfterLine(text, endOf(text, last), lines(indent), lineEnd);
  }
  if (found.pair !== undefined) {
    const indent = " ".repeat(columnOf(text, startOf(found.pair)) + 2);
    return insertAfterLine(text, endOf(text, found.pair), lines(indent), lineEnd);
  }
  const gap = text === "" || text.endsWith("\n") ? "" : lineEnd;
  return `${text}${gap}${lines("").join(lineEnd)}${lineEnd}`;
}

/** The text without the value at a path, and without the blocks that held nothing else. */
export function unsetInYaml(text: string, path: readonly string[], yaml: Yaml): string {
  const { pairs, rest } = follow(yaml.parseDocument(text, { keepSourceTokens: true }), path, yaml);
  if (rest.length > 0) return text;
  let pair = pairs.at(-1);
  for (const owner of pairs.slice(0, -1).reverse()) {
    const map = owner.value as YAMLMap | null;
    if (map?.flow) throw unusual(path);
    const isAlone = map?.items.length === 1;
    const between = pair && text.slice(text.indexOf(":", keyEnd(owner)) + 1, startOf(pair));
    if (!isAlone || between?.trim() !== "") break;
    pair = owner;
  }
  if (pair === undefined) return text;
  const start = text.lastIndexOf("\n", startOf(pair) - 1) + 1;
  const end = text.indexOf("\n", endOf(text, pair));
  return text.slice(0, start) + (end === -1 ? "" : text.slice(end + 1));
}

type NodePair = Pair<Scalar, Scalar | YAMLMap | null>;

interface Found {
  /** From the outermost block to the value. */
  pairs: NodePair[];
  /** The last of them. */
  pair: NodePair | undefined;
  /** The block in which the rest of the path is missing; undefined for one without content. */
  map: YAMLMap | undefined;
  rest: string[];
}

function follow(document: Document, path: readonly string[], yaml: Yaml): Found {
  const pairs: NodePair[] = [];
  let node: unknown = document.contents;
  for (const [depth, key] of path.entries()) {
    if (yaml.isScalar(node) && node.value === null) node = null;
    if (node === null) return { pairs, pair: pairs.at(-1), map: undefined, rest: path.slice(depth) };
    if (!yaml.isMap(node)) throw unusual(path.slice(0, depth));
    const pair = node.items.find((item) => yaml.isScalar(item.key) && item.key.value === key);
    if (pair === undefined) return { pairs, pair: pairs.at(-1), map: node, rest: path.slice(depth) };
    pairs.push(pair as NodePair);
    node = pair.value;
  }
  return { pairs, pair: pairs.at(-1), map: undefined, rest: [] };
}

function replaceValue(text: string, pair: NodePair | undefined, value: string): string {
  if (pair === undefined) return text;
  const [start, end] = spanOf(text, pair);
  if (start === end) {
    const colon = text.indexOf(":", keyEnd(pair)) + 1;
    return `${text.slice(0, colon)} ${value}${text.slice(colon)}`;
  }
  return text.slice(0, start) + value + text.slice(end);
}

function insertAfterLine(text: string, at: number, lines: readonly string[], lineEnd: string): string {
  const end = text.indexOf("\n", at);
  if (end === -1) return `${text}${lineEnd}${lines.join(lineEnd)}${lineEnd}`;
  return `${text.slice(0, end + 1)}${lines.join(lineEnd)}${lineEnd}${text.slice(end + 1)}`;
}

/** Where the value is, without the white space behind it. */
function spanOf(text: string, pair: NodePair): [number, number] {
  const [start = 0, end = start] = pair.value?.range ?? [keyEnd(pair), keyEnd(pair)];
  return [start, start + text.slice(start, end).trimEnd().length];
}

function endOf(text: string, pair: NodePair): number {
  return Math.max(keyEnd(pair), spanOf(text, pair)[1]);
}

function startOf(pair: NodePair): number {
  return pair.key.range?.[0] ?? 0;
}

function keyEnd(pair: NodePair): number {
  return pair.key.range?.[1] ?? 0;
}

function columnOf(text: string, at: number): number {
  return at - (text.lastIndexOf("\n", at - 1) + 1);
}

function unusual(path: readonly string[]): UneditableYaml {
  return new UneditableYaml(`"${path.join(".")}" is not written as a block with a key on each line`);
}
