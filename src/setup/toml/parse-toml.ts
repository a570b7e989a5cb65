import { problemAt } from "../problem-at.js";

export type TomlValue = string | number | boolean | TomlTable | TomlValue[];

export interface TomlTable {
  [key: string]: TomlValue;
}

const maxDepth = 200;
const bareKey = /[A-Za-z0-9_-]+/y;
const blank = /[ \t]*/y;
const restOfLine = /[ \t]*(?:#[^\n]*?)?(?=\r?\n|$)/y;
/** White space, line ends and comments, as between the elements of an array. */
const anything = /(?:[ \t\r\n]+|#[^\n]*)*/y;
const multiline = /"""(?:\r?\n)?((?:[^\\]|\\[\s\S])*?"{0,2})"""(?!")/y;
const basic = /"((?:[^"\\\n]|\\[^\n])*)"/y;
const multilineLiteral = /'''(?:\r?\n)?([\s\S]*?'{0,2})'''(?!')/y;
const literal = /'([^'\n]*)'/y;
const bareValue = /[A-Za-z0-9_+:.-]+(?: \d{2}:\d{2}[\d:.Zz+-]*)?/y;
const number =
  /^(?:[+-]?(?:0|[1-9](?:_?\d)*)(?:\.\d(?:_?\d)*)?(?:[eE][+-]?\d(?:_?\d)*)?|0x[\da-fA-F](?:_?[\da-fA-F])*|0o[0-7](?:_?[0-7])*|0b[01](?:_?[01])*|[+-]?(?:inf|nan))$/;
const date =
  /^(?:\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}:\d{2})?)?|\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)$/;
const escapes: Record<string, string> = {
  ...{ b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", e: "\u001b" },
  ...{ '"': '"', "\\": "\\" },
};

/** A header or a line that sets a value, with the keys that lead to what it is about. */
export interface TomlStatement {
  kind: "table" | "list" | "value";
  path: readonly string[];
  start: number;
  /** Where the value itself stands, if it sets one. */
  value?: { start: number; end: number };
}

/** Reads TOML, dates as text. */
export function parseToml(text: string): TomlTable {
  return readToml(text).root;
}

/** The same with the places of its statements: what looks like one inside of a string is none. */
export function readToml(text: string): { root: TomlTable; statements: TomlStatement[] } {
  const root = newTable();
  const statements: TomlStatement[] = [];
  /** Tables with a header of their own, and those that are closed because they were written as a value. */
  const headed = new Set<unknown>();
  const closed = new Set<unknown>();
  const dotted = new Set<unknown>();
  const isElement = new Set<unknown>();
  let at = text.startsWith("\ufeff") ? 1 : 0;
  const fail = (message: string): never => {
    throw problemAt(text, at, message);
  };
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) return undefined;
    at = pattern.lastIndex;
    return match;
  };
  const endLine = () => {
    if (take(restOfLine) === undefined) fail("something stands where the line should end");
  };
  const readKeyPart = (): string => {
    take(blank);
    const quoted = text[at] === '"' ? take(basic) : text[at] === "'" ? take(literal) : undefined;
    const part =
      quoted === undefined
        ? take(bareKey)?.[0]
        : text[at - 1] === '"'
          ? resolveEscapes(quoted[1] ?? "", fail)
          : quoted[1];
    if (part === undefined) return fail("a key is expected");
    take(blank);
    return part;
  };
  const readKey = (): string[] => {
    const key = [readKeyPart()];
    while (text[at] === ".") {
      at += 1;
      key.push(readKeyPart());
    }
    return key;
  };
  /** The table that a key of a header names before its last part. */
  const descend = (table: TomlTable, part: string): TomlTable => {
    if (!Object.hasOwn(table, part)) table[part] = newTable();
    const next = table[part];
    const inner = Array.isArray(next) && isElement.has(next) ? next.at(-1) : next;
    if (!isTable(inner) || closed.has(inner)) return fail(`${part} is already something else than a table`);
    return inner;
  };
  /** Sets a value, and returns its key and its place. */
  const assign = (table: TomlTable, depth: number) => {
    const key = readKey();
    const path = [...key];
    if (text[at] !== "=") fail(`"=" is expected after ${key.join(".")}`);
    at += 1;
    const last = key.pop() ?? "";
    let target = table;
    for (const part of key) {
      target = descend(target, part);
      if (headed.has(target)) fail(`${part} has a header of its own`);
      dotted.add(target);
    }
    if (Object.hasOwn(target, last)) fail(`${last} is given twice`);
    take(blank);
    const start = at;
    target[last] = readValue(depth);
    return { path, value: { start, end: at } };
  };
  const readValue = (depth: number): TomlValue => {
    if (depth > maxDepth) return fail("nested too deeply");
    if (text[at] === "[") return readArray(depth);
    if (text[at] === "{") return readInlineTable(depth);
    const long = take(multiline);
    if (long !== undefined) return resolveEscapes((long[1] ?? "").replace(/\\[ \t]*\r?\n\s*/g, ""), fail);
    const longLiteral = take(multilineLiteral);
    if (longLiteral !== undefined) return longLiteral[1] ?? "";
    const short = text.startsWith('"""', at) ? undefined : take(basic);
    if (short !== undefined) return resolveEscapes(short[1] ?? "", fail);
    const plain = text.startsWith("'''", at) ? undefined : take(literal);
    if (plain !== undefined) return plain[1] ?? "";
    if (text[at] === '"' || text[at] === "'") return fail("a string is not closed");
    const word = take(bareValue)?.[0];
    if (word === "true" || word === "false") return word === "true";
    if (word !== undefined && number.test(word)) return Number(word.replaceAll("_", ""));
    if (word !== undefined && date.test(word)) return word;
    return fail(word === undefined ? "a value is expected" : `${word} is no value; text needs quotes`);
  };
  const readArray = (depth: number): TomlValue[] => {
    const elements: TomlValue[] = [];
    at += 1;
    for (take(anything); text[at] !== "]"; take(anything)) {
      elements.push(readValue(depth + 1));
      take(anything);
      if (text[at] === ",") at += 1;
      else if (text[at] !== "]") fail('"," or "]" is expected');
    }
    at += 1;
    return elements;
  };
  const readInlineTable = (depth: number): TomlTable => {
    const table = newTable();
    at += 1;
    for (take(anything); text[at] !== "}"; take(anything)) {
      assign(table, depth + 1);
      take(anything);
      if (text[at] === ",") at += 1;
      else if (text[at] !== "}") fail('"," or "}" is expected');
    }
    at += 1;
    closed.add(table);
    return table;
  };
  let header: readonly string[] = [];
  const readHeader = (): TomlTable => {
    const isArray = text.startsWith("[[", at);
    const start = at;
    at += isArray ? 2 : 1;
    const key = readKey();
    header = [...key];
    statements.push({ kind: isArray ? "list" : "table", path: header, start });
    if (!text.startsWith(isArray ? "]]" : "]", at)) fail('"]" is expected');
    const last = key.pop() ?? "";
    const parent = key.reduce(descend, root);
    if (isArray) {
      const list = (Object.hasOwn(parent, last) ? parent[last] : []) as TomlValue;
      if (!Array.isArray(list) || (Object.hasOwn(parent, last) && !isElement.has(list)))
        return fail(`${last} is already something else than a list of tables`);
      const element = newTable();
      list.push(element);
      isElement.add(list);
      parent[last] = list;
      at += 2;
      return element;
    }
    if (Object.hasOwn(parent, last) && Array.isArray(parent[last])) fail(`${last} is a list of tables`);
    const table = descend(parent, last);
    if (headed.has(table) || dotted.has(table)) fail(`[${[...key, last].join(".")}] is given twice`);
    headed.add(table);
    at += 1;
    return table;
  };
  let current = root;
  for (take(anything); at < text.length; take(anything)) {
    const start = at;
    if (text[at] === "[") current = readHeader();
    else {
      const { path, value } = assign(current, 0);
      statements.push({ kind: "value", path: [...header, ...path], start, value });
    }
    endLine();
  }
  return { root, statements };
}

function newTable(): TomlTable {
  return Object.create(null) as TomlTable;
}

function resolveEscapes(content: string, fail: (message: string) => never): string {
  return content.replace(
    /\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8})|x([\da-fA-F]{2})|([\s\S]))/g,
    (whole, four, eight, two, one) => {
      const code = four ?? eight ?? two;
      if (code !== undefined && Number.parseInt(code, 16) <= 0x10ffff)
        return String.fromCodePoint(Number.parseInt(code, 16));
      return escapes[one ?? ""] ?? fail(`${whole} is no escape`);
    },
  );
}

export function isTable(value: TomlValue | undefined): value is TomlTable {
  return typeof value === "object" && !Array.isArray(value);
}

/** What is at a path of keys. */
export function findToml(table: TomlTable, ...path: string[]): TomlValue | undefined {
  let value: TomlValue | undefined = table;
  for (const key of path) value = isTable(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value;
}
