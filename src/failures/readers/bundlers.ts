import {
  type FailureReader,
  type Groups,
  listGroups,
  readBlocks,
  readersOf,
  readLines,
  textsOf,
  toFailure,
} from "../failure-reader.js";

const firstText = (body: readonly string[]) => (body.find((line) => line.trim() !== "") ?? "").trim();

/** Where TypeScript or a loader is behind an error, its code and place stand in the message. */
const readWebpack = readBlocks(
  /^ERROR in (?!\[)(?<subject>\S.*)$/,
  ({ groups: { subject = "" }, body }): Groups | undefined => {
    const place = /^(?<file>[^\s:]+\.\w+)(?:[: ](?<line>\d+):\d+(?:-[\d:]+)?)?$/.exec(subject)?.groups;
    const message = firstText(body);
    const [, code, text] = /^(TS\d+): (.+)$/.exec(message) ?? [];
    if (message === "" || /^\[tsl\]/.test(message)) return undefined;
    return { ...place, ...(code && { code }), message: text ?? message };
  },
  /^(?:webpack \d|ERROR in |$)/,
);

/** Next names the file above each error. */
const readNext: FailureReader = (lines) => {
  const start = lines.findIndex((line) =>
    /^(?:Failed to compile\.|.*Turbopack build failed with \d+ errors?:)$/.test(line.trim()),
  );
  if (start < 0) return [];
  const header = /^(?<file>\.\/[^\s:]+\.\w+)(?::(?<line>\d+):\d+)?$/;
  const read = readBlocks(
    header,
    ({ body }) => {
      const texts = textsOf(body);
      const [, line, text] =
        /^(\d+):\d+ +Error: (.+)$/.exec(texts.find((each) => /^\d+:\d+ +Error: /.test(each)) ?? "") ?? [];
      if (text !== undefined) {
        const [, message, code] = /^(.*?)(?: {2,}(\S+))?$/.exec(text) ?? [];
        return { line, message, ...(code && { code }) };
      }
      const [first = "", second = ""] = texts;
      if (/^\d+:\d+ +Warning: /.test(first)) return undefined;
      return { message: first === "Error:" ? second.replace(/^[x×] /, "") : first };
    },
    /^(?:info|> Build|Import trace|https?:)/,
  );
  return read(lines.slice(start)).map(({ at, failure }) => ({ at: start + at, failure }));
};

/** Vite and Rollup put the place in front of the message, or below it. */
function readRollupMessage(text: string, body: readonly string[]): Groups {
  const [, file, line, rest] = /^(?:\[[^\]]+\] )?(?:\S+\/)?(\S+\.\w+) \((\d+):\d+\): (.+)$/.exec(text) ?? [];
  const [below] = listGroups(
    body,
    /^(?:file: )?(?<file>[^\s:]+\.\w+)(?::(?<line>\d+):\d+| \((?<row>\d+):\d+\))?$/,
  );
  const [, importer] = / from "([^"]+)"/.exec(text) ?? [];
  const place =
    file === undefined
      ? { file: below?.file ?? importer, line: below?.line ?? below?.row }
      : { file: below?.file ?? file, line };
  return { ...place, message: rest ?? text };
}

const readVite = readBlocks(
  /^error during build:$/,
  ({ body }) => {
    const text = firstText(body);
    // An error of Node, such as of the settings file, has its own reader.
    if (/^[A-Z]\w*Error(?: \[\w+\])?: (?!.*\bresolve\b)/.test(text)) return undefined;
    return readRollupMessage(text.replace(/^\w*Error: /, ""), body.slice(1, 8));
  },
  /^$/,
);

const readRollup = readBlocks(
  /^\[!\] (?:\(plugin (?<plugin>[^)]+)\) )?(?:\w+: )?(?<message>.+)$/,
  ({ groups: { message = "" }, body }) => readRollupMessage(message, body.slice(0, 6)),
  /^$/,
);

const readEsbuild = readBlocks(
  /^\s*[✘X] \[ERROR\] (?<message>.+?)(?: \[plugin [^\]]+\])?$/,
  ({ groups: { message = "" }, body }) => {
    const [place] = listGroups(body, /^ {4}(?<file>[^\s:]+):(?<line>\d+):\d+:$/);
    const [, code, text] = /^(TS-?\d+|NG\d+): (.+)$/.exec(message) ?? [];
    return { ...place, ...(code && { code }), message: text ?? message };
  },
  /^\d+ errors?$/,
);

/** Limits of the size of what is built; the file stands above, if there is more than one. */
const readSizes: FailureReader = (lines) =>
  lines.flatMap((line, at) => {
    const message = /^\s*(Package size limit has exceeded by .+)$/.exec(line)?.[1];
    if (message === undefined) return [];
    const [{ limit } = {}] = listGroups(lines.slice(at + 1, at + 3), /^\s*Size limit: +(?<limit>.+)$/);
    const told = limit === undefined ? message : `${message} (limit ${limit})`;
    return [{ at, failure: toFailure({ file: lines[at - 1]?.trim(), message: told }) }];
  });

const readBundlesize = readLines(/^\s*FAIL {1,2}(?<file>\S+): (?<message>.+ > maxSize .+)$/);

export const bundlerReaders: FailureReader[] = [
  readersOf("webpack", readWebpack),
  readersOf("next", readNext),
  readersOf("vite", readVite),
  readersOf("rollup", readRollup),
  readersOf("esbuild", readEsbuild),
  readersOf("size-limit", readSizes, readBundlesize),
];
