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
const pytest: FrameKind = { frame: /^(?<file>[^\s:]+\.py):(?<line>\d+): /, foreign: python.foreign };
const java: FrameKind = {
  frame: /^\s+at (?<owner>[^\s(]+)\((?<file>[\w$]+\.\w+):(?<line>\d+)\)/,
  foreign:
    /^(?:[\w.]*\/\/?)?(?:java|javax|jdk|sun|junit|org\.(?:junit|hamcrest|opentest4j|assertj|mockito|apache|gradle|springframework|hibernate|postgresql|flywaydb)|com\.(?:zaxxer|mysql|fasterxml)|kotlin|kotlinx|scala|reactor|io\.(?:netty|kotest))\./,
};
const go: FrameKind = {
  frame: /^\t(?<file>\S+\.go):(?<line>\d+)/,
  foreign: /\/go(?:-[\d.]+)?\/src\/|\/pkg\/mod\/|^_testmain\.go$/,
};

/** A frame of the project in Ruby. */
export const rubyFrame =
  /^\s*(?:# )?(?:\.\/)?(?<file>(?!\/usr\/|\/var\/lib\/gems|\S*\/gems\/)[^\s:]+\.rb):(?<line>\d+)(?::in .*)?$/;

/** The frames of the project, as places. */
function ownFrames(body: readonly string[], { frame, foreign }: FrameKind): Groups[] {
  return listGroups(body, frame)
    .filter(({ owner, file = "" }) => !foreign.test(owner ?? file))
    .map(({ file, line }) => ({ file, line }));
}

export const findGoPlace = (body: readonly string[]): Groups => ownFrames(body, go)[0] ?? {};
export const findJavaPlace = (body: readonly string[]): Groups => ownFrames(body, java)[0] ?? {};
// In Python the newest call comes last.
export const findPythonPlace = (body: readonly string[]): Groups => ownFrames(body, python).at(-1) ?? {};
export const findPytestPlace = (body: readonly string[]): Groups => ownFrames(body, pytest).at(-1) ?? {};

/** A library's frame is better than none; source lines shown in between are not frames. */
export function findJavascriptPlace(body: readonly string[]): Groups {
  const frames = body.filter((line) => !/^\s*>?\s*\d* ?\|/.test(line));
  const [place] = ownFrames(frames, javascript);
  return place ?? ownFrames(frames, { ...javascript, foreign: /^node:|^\[|^</ })[0] ?? {};
}
