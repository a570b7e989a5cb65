import type { ExtractedLearning, SourceFigures } from "../../domain/knowledge/learning.js";
import { combineWays, otherWay } from "../merge/agreed-habit.js";
import { casesOf } from "../merge/source-figures.js";
import type { TaskRecord } from "./task-record.js";

/** How things are done in a project, as far as one task shows it: a convention for each subject, to be joined with others. */
export function taskWays(task: TaskRecord): ExtractedLearning[] {
  const bySubject = new Map<string, NonNullable<SourceFigures["ways"]>>();
  for (const { subject, choice, example } of fileWays(task.files)) {
    const known = bySubject.get(subject) ?? {};
    const { cases } = known[choice] ?? { cases: 0 };
    bySubject.set(subject, { ...known, [choice]: { cases: cases + 1, example } });
  }
  return [...bySubject].flatMap(([subject, choices]) => toConvention(task, subject, choices) ?? []);
}

const wordingConfidence = 0.7;

function toConvention(
  { task_id, ended, episodes }: TaskRecord,
  subject: string,
  ways: NonNullable<SourceFigures["ways"]>,
): ExtractedLearning | undefined {
  const count = Object.values(ways).reduce((sum, { cases }) => sum + cases, 0);
  const figures: SourceFigures = {
    ...{ confidence: wordingConfidence, successRate: 1, count, at: ended },
    ways,
  };
  const combined = combineWays([figures]);
  if (combined === undefined) return undefined;
  return {
    type: "convention",
    taskType: "general",
    content: { subject, ...combined.content },
    confidence: combined.confidence,
    successRate: 1,
    sourceLoops: [],
    source_episodes: [...episodes],
    merged: { wordingConfidence, sources: { [casesOf(task_id)]: figures }, uses: {} },
  };
}

/** One case of how something is done in a project. */
export interface Way {
  /** What it is about; cases of one subject are compared with each other. */
  subject: string;
  /** How it is done, as a sentence; `otherWay` if everybody expects that, or if it follows no rule. */
  choice: string;
  /** The file that shows it. */
  example: string;
}

/** How the files that a task changed are placed and named. */
function fileWays(files: readonly string[]): Way[] {
  const paths = new Map(files.flatMap((file) => projectPath(file) ?? []).map((each) => [each.path, each]));
  return [...paths.values()].flatMap((path) => {
    if (isMigration(path.folders)) return migrationName(path);
    return [...testPlace(path), ...fileName(path)];
  });
}

/** Languages in which tests can be anywhere; in others the language or its usual build tool decides. */
const freeTests = /^(?:[cm]?[jt]sx?|py|rb|c|cc|cpp)$/;
const testName = /^(?:test_.+|.+(?:[._-](?:test|spec)))$/i;

function testPlace({ path, folders, name, extension }: ProjectPath): Way[] {
  if (!freeTests.test(extension)) return [];
  const bare = name.slice(0, -extension.length - 1);
  if (!testName.test(bare)) return [];
  const affix = /^test_/i.test(bare) ? "test_*" : `*${/[._-](?:test|spec)$/i.exec(bare)?.[0] ?? ""}`;
  const folder = testFolder(folders);
  const place = folder === undefined ? "lie beside their source" : `are in ${folder}/`;
  return [
    { subject: `tests .${extension}`, choice: `Tests ${place} as ${affix}.${extension}`, example: path },
  ];
}

const cases: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["kebab-case", /^[a-z0-9]+(?:-[a-z0-9]+)+$/],
  ["snake_case", /^[a-z0-9]+(?:_[a-z0-9]+)+$/],
  ["camelCase", /^[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+$/],
  ["PascalCase", /^(?:[A-Z][a-z0-9]+)+$/],
];

/** What everybody expects of files of a language; languages that aren't listed have no common habit. */
const expected: ReadonlyMap<string, string> = new Map([
  ...["py", "rb", "rs", "ex", "exs", "lua", "dart", "go"].map((each) => [each, "snake_case"] as const),
  ...["java", "kt", "cs", "swift", "php", "scala", "tsx", "jsx", "vue", "svelte"].map(
    (each) => [each, "PascalCase"] as const,
  ),
]);
const namedFiles = /^(?:[cm]?[jt]s|css|scss|less)$/;

/** A name of one lower-case word fits every case. */
function fileName({ path, stem, extension }: ProjectPath): Way[] {
  if (!namedFiles.test(extension) && !expected.has(extension)) return [];
  const words = stem.replace(/^test_|[_-](?:test|spec)$|(?<=[a-z0-9])(?:Tests?|Spec)$/g, "");
  const [found] = cases.find(([, pattern]) => pattern.test(words)) ?? [];
  if (found === undefined) return [];
  const choice = found === expected.get(extension) ? otherWay : `Files are named in ${found}: *.${extension}`;
  return [{ subject: `file names .${extension}`, choice, example: path }];
}

const prefixes: readonly (readonly [shown: string, pattern: RegExp])[] = [
  ["YYYYMMDDhhmmss", /^20\d{12}(?=[_-])/],
  ["YYYYMMDD", /^20\d{6}(?=[_-])/],
  ["<unix time>", /^\d{10}(?:\d{3})?(?=[_-])/],
  ["NNNNN", /^\d{5}(?=[_-])/],
  ["NNNN", /^\d{4}(?=[_-])/],
  ["NNN", /^\d{3}(?=[_-])/],
];

function migrationName({ path, name, stem, extension }: ProjectPath): Way[] {
  if (!/^(?:sql|[cm]?[jt]s|py|rb|php|exs|go|cs)$/.test(extension) || !/\d/.test(name)) return [];
  const [shown, pattern] = prefixes.find(([, each]) => each.test(stem)) ?? [];
  const separator = pattern === undefined ? "" : stem.replace(pattern, "").charAt(0);
  // Rails and Django number them by themselves.
  const isUsual = shown === undefined || extension === "rb" || extension === "py";
  const choice = isUsual ? otherWay : `Migrations are named ${shown}${separator}name.${extension}`;
  return [{ subject: "migration names", choice, example: path }];
}

/** A path of the project in its parts; undefined for what is outside it, generated or installed. */
interface ProjectPath {
  path: string;
  folders: string[];
  /** The file's name up to its first dot after the start. */
  stem: string;
  /** Without the dot; the last part. */
  extension: string;
  name: string;
}

const notOurs = /^(?:node_modules|vendor|dist|build|target|coverage|generated|__generated__|\.\w.*)$/;

function projectPath(file: string): ProjectPath | undefined {
  const path = file.replaceAll("\\", "/").replace(/^(?:\.\/)+/, "");
  if (/^(?:\/|[a-z]:|\.\.|~)/i.test(path)) return undefined;
  const folders = path.split("/");
  const name = folders.pop() ?? "";
  const dot = name.lastIndexOf(".");
  if (dot <= 0 || folders.some((folder) => notOurs.test(folder))) return undefined;
  return {
    path,
    folders,
    name,
    stem: name.slice(0, name.indexOf(".", 1)),
    extension: name.slice(dot + 1).toLowerCase(),
  };
}

/** The folder that holds tests, if the path has one. */
function testFolder(folders: readonly string[]): string | undefined {
  return folders.find((folder) => /^(?:tests?|specs?|__tests__|e2e)$/i.test(folder));
}

function isMigration(folders: readonly string[]): boolean {
  return folders.some((folder) => /^(?:migrations?|migrate)$/i.test(folder));
}
