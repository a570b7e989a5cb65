import { maxExamples } from "../learning-limits.js";

export interface FoundConvention {
  pattern: string;
  examples: string[];
  confidence: number;
}

/** Conventions that the paths of changed files show. */
export function findConventions(files: readonly string[]): FoundConvention[] {
  const paths = [...new Set(files.map((file) => file.replaceAll("\\", "/")))];
  const tests = paths.filter(isTest);
  const modules = paths.filter((path) => /\.(?:mjs|ts)$/.test(path));
  const source = findSourceFolder(paths.filter((path) => !isTest(path)));
  return [
    convention("Tests co-located with source or in test/ directory", tests, 0.7),
    convention("ES modules (.mjs) or TypeScript (.ts)", modules, 0.8),
    convention(`Source files organized under ${source.directory}/`, source.files, 0.6),
  ].filter(({ examples }) => examples.length > 0);
}

function convention(pattern: string, files: readonly string[], confidence: number): FoundConvention {
  return { pattern, examples: files.slice(0, maxExamples), confidence };
}

function isTest(path: string): boolean {
  return path.includes(".test.") || path.includes(".spec.");
}

/** The top-level directory of most files; needs at least three of them. */
function findSourceFolder(paths: readonly string[]): { directory: string; files: string[] } {
  const byDirectory = new Map<string, string[]>();
  for (const path of paths) {
    const [directory = "", ...rest] = path.replace(/^\.\//, "").split("/");
    if (rest.length === 0 || directory === "" || directory === "..") continue;
    byDirectory.set(directory, [...(byDirectory.get(directory) ?? []), path]);
  }
  const isSource = (files: readonly string[]) => files.length >= 3 && files.length > paths.length / 2;
  const found = [...byDirectory].find(([, files]) => isSource(files));
  return found === undefined ? { directory: "", files: [] } : { directory: found[0], files: found[1] };
}
