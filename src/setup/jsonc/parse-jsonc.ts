import { problemAt } from "../problem-at.js";

/** A value in the text of a JSON document, with the place where it stands. */
export type JsonNode = JsonObject | JsonArray | JsonScalar;

interface Span {
  start: number;
  end: number;
}

export interface JsonObject extends Span {
  kind: "object";
  items: JsonMember[];
}

/** From its key to the end of its value. */
export interface JsonMember extends Span {
  key: string;
  value: JsonNode;
}

export interface JsonArray extends Span {
  kind: "array";
  items: JsonElement[];
}

export interface JsonElement extends Span {
  value: JsonNode;
}

export interface JsonScalar extends Span {
  kind: "scalar";
  value: string | number | boolean | null;
}

const maxDepth = 500;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows none of them in a string
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const trivia = /(?:[ \t\r\n]+|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/)*/y;

/** Reads JSON with comments and trailing commas, as agents write and read their settings. */
export function parseJsonc(text: string): JsonNode {
  let at = text.startsWith("\ufeff") ? 1 : 0;
  const fail = (message: string): never => {
    throw problemAt(text, at, message);
  };
  const skip = () => {
    at = skipTrivia(text, at);
  };
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  const found = () => {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    return at >= text.length ? "the end of the file" : JSON.stringify(character);
  };
  const readString = (): string => {
    const literal = match(string);
    if (literal === undefined) return fail("a string is not closed, or has a wrong character in it");
    at += literal.length;
    return JSON.parse(literal) as string;
  };
  const readValue = (depth: number): JsonNode => {
    if (depth > maxDepth) return fail("nested too deeply");
    const start = at;
    const first = text[at];
    if (first === "{" || first === "[") return readContainer(first, depth);
    if (first === '"') return { kind: "scalar", value: readString(), start, end: at };
    const literal = match(scalar);
    if (literal === undefined) return fail(`a value is expected, not ${found()}`);
    at += literal.length;
    return { kind: "scalar", value: JSON.parse(literal) as JsonScalar["value"], start, end: at };
  };
  const readMember = (depth: number): JsonMember => {
    const start = at;
    if (text[at] !== '"') fail(`a name in double quotes is expected, not ${found()}`);
    const key = readString();
    skip();
    if (text[at] !== ":") fail(`":" is expected after ${JSON.stringify(key)}, not ${found()}`);
    at += 1;
    skip();
    const value = readValue(depth);
    return { key, value, start, end: at };
  };
  const readContainer = (open: "{" | "[", depth: number): JsonNode => {
    const start = at;
    const close = open === "{" ? "}" : "]";
    const members: JsonMember[] = [];
    const elements: JsonElement[] = [];
    at += 1;
    for (skip(); text[at] !== close; skip()) {
      if (open === "{") members.push(readMember(depth + 1));
      else {
        const value = readValue(depth + 1);
        elements.push({ value, start: value.start, end: value.end });
      }
      skip();
      if (text[at] === ",") at += 1;
      else if (text[at] !== close) fail(`"," or "${close}" is expected, not ${found()}`);
    }
    at += 1;
    return open === "{"
      ? { kind: "object", items: members, start, end: at }
      : { kind: "array", items: elements, start, end: at };
  };
  skip();
  const root = readValue(0);
  skip();
  if (at < text.length) fail(`nothing is expected after the end of the document, not ${found()}`);
  return root;
}

/** A file that is there, but holds nothing, as some programs leave it. */
export function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** The end of whitespace and comments from here on. */
export function skipTrivia(text: string, from: number): number {
  trivia.lastIndex = from;
  return from + (trivia.exec(text)?.[0].length ?? 0);
}

/** The last member of that name, which is the one that counts. */
export function findMember(node: JsonNode | undefined, key: string): JsonMember | undefined {
  return node?.kind === "object" ? node.items.findLast((member) => member.key === key) : undefined;
}

/** The plain value of a node. */
export function plainValue(node: JsonNode): unknown {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "array") return node.items.map(({ value }) => plainValue(value));
  return Object.fromEntries(node.items.map(({ key, value }) => [key, plainValue(value)]));
}
