import { type Groups, listGroups } from "./failure-reader.js";

interface FrameKind {
  frame: RegExp;
  /** Matches frames outside of the project. */
  foreign: RegExp;
}

const javascript: FrameKind = {
  frame:
    /^(?:#)?\s*(?:at |❯ |async )?(?:.*[( ])?(?:webpack:\/\/[^\s/:]*\/(?:\.\/)?)?(?<file>(?:file:\/\/)?[^\s():]+):(?<line>\d+):\d+\)?(?: \{)?$/,
  foreign: /^node:|(?:^|\/)node_modules\/|^\[|^</,
};
const python: FrameKind = {
  frame: /^(?:E {3})?\s*File "(?<file>[^"]+)", line (?<line>\d+)/,
  foreign: /\/(?:site|dist)-packages\/|\/lib\/python\d|^</,
};
const pytest: FrameKind = {
  frame: /^(?<file>[^\s:]+\.py):(?<line>\d+): /,
  foreign: python.foreign,
};
const java: FrameKind = {
  frame: /^\s+at (?<owner>[^\s(]+)\((?<file>[\w$]+\.\w+):(?<line>\d+)\)/,
  foreign:
    /^(?:[\w.]*\/\/?)?(?:java|javax|jdk|sun|junit|org\.(?:junit|hamcrest|opentest4j|assertj|mockito|apache|gradle|springframework|hibernate|postgresql|flywaydb)|com\.(?:zaxxer|mysql|fasterxml)|kotlin|kotlinx|scala|reactor|io\.(?:netty|kotest))\./,
};
const go: FrameKind = {
  frame: /^\t(?<file>\S+\.go):(?<line>\d+)/,
  foreign: /\/go(?:-[\d.]+)?\/src\/|\/pkg\/mod\/|^_testmain\.go$/,
};

function isOwn({ owner, file = "" }: Groups, { foreign }: FrameKind): boolean {
  return !foreign.test(owner ?? file);
}

/** The project's frame nearest to the error, when the newest call comes first. */
function findFirst(body: readonly string[], kind: FrameKind): Groups {
  const { file, line } = listGroups(body, kind.frame).find((place) => isOwn(place, kind)) ?? {};
  return file === undefined ? {} : { file, line };
}

/** The same, when the newest call comes last. */
function findLast(body: readonly string[], kind: FrameKind): Groups {
  const { file, line } = listGroups(body, kind.frame).findLast((place) => isOwn(place, kind)) ?? {};
  return file === undefined ? {} : { file, line };
}

export const findGoPlace = (body: readonly string[]) => findFirst(body, go);
export const findJavaPlace = (body: readonly string[]) => findFirst(body, java);
export const findPythonPlace = (body: readonly string[]) => findLast(body, python);
export const findPytestPlace = (body: readonly string[]) => findLast(body, pytest);

/** A library's frame is better than none; source lines shown in between are not frames. */
export function findJavascriptPlace(body: readonly string[]): Groups {
  const frames = body.filter((line) => !/^\s*>?\s*\d* ?\|/.test(line));
  const own = findFirst(frames, javascript);
  return own.file === undefined ? findFirst(frames, { ...javascript, foreign: /^node:|^\[|^</ }) : own;
}
