import { looseStem } from "../words/stem.js";
import { wordsOf } from "../words/words.js";

/** Replaces what is specific to one task by placeholders. */
export type Generalise = (text: string) => string;

export interface Particulars {
  objective: string;
  /** The project folder, which is removed from paths. */
  root: string;
  /** Files that were written or edited. */
  edited: readonly string[];
}

const genericNames = new Set(
  "app config index init lib main mod package readme server setup test tests types schema routes router".split(
    " ",
  ),
);
const minSubjectLength = 3;
const minSiblings = 2;

/**
 * Generalises the name that the edited files share or the objective mentions (`todos` in `src/routes/todos.ts` becomes
 * `{name}`), sibling files with the same extension (`{file}`), and absolute paths of the project.
 */
export function generaliser({ objective, root, edited }: Particulars): Generalise {
  const withoutRoot = (text: string) => text.replaceAll(`${root}/`, "").replaceAll(root, ".");
  const paths = edited.map(withoutRoot);
  const subjects = subjectsOf(paths, objective);
  const named = (text: string) =>
    subjects.reduce(
      (result, subject, index) => result.replace(wholeWord(subject), placeholder("name", index)),
      withoutRoot(text),
    );
  const siblings = siblingsOf(paths.map(named));
  return (text) =>
    siblings.reduce((result, [path, general]) => result.replaceAll(path, general), named(text));
}

/** Base names that two edited files share, or that the objective mentions in any inflection. */
function subjectsOf(paths: readonly string[], objective: string): string[] {
  const asked = new Set(wordsOf(objective).map(looseStem));
  const counts = new Map<string, number>();
  for (const path of new Set(paths)) {
    const name = /([^/\\]*)$/.exec(path)?.[1]?.replace(/\..*$/s, "").toLowerCase() ?? "";
    const subject = name.replace(/^(?:test|spec)[_-]|[_-](?:test|spec)$/, "");
    if (subject.length < minSubjectLength || genericNames.has(subject)) continue;
    counts.set(subject, (counts.get(subject) ?? 0) + 1);
  }
  return [...counts]
    .filter(([subject, count]) => count > 1 || asked.has(looseStem(subject)))
    .sort(([one, often], [other, oftenOther]) => oftenOther - often || other.length - one.length)
    .map(([subject]) => subject);
}

/** Paths of several files with the same extension in one folder, each with their common placeholder. */
function siblingsOf(paths: readonly string[]): [string, string][] {
  const groups = new Map<string, Set<string>>();
  for (const path of paths) {
    const [, folder = "", ending = ""] = /^(.*[/\\])[^/\\.]+((?:\.[^/\\]*)?)$/s.exec(path) ?? [];
    const general = `${folder}{file}${ending}`;
    if (folder !== "" && !path.includes("{"))
      groups.set(general, (groups.get(general) ?? new Set()).add(path));
  }
  return [...groups]
    .filter(([, members]) => members.size >= minSiblings)
    .flatMap(([general, members]) => [...members].map((path): [string, string] => [path, general]))
    .sort(([one], [other]) => other.length - one.length);
}

function wholeWord(word: string): RegExp {
  const plain = word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return new RegExp(`(?<![A-Za-z0-9{])${plain}(?![A-Za-z0-9}])`, "gi");
}

function placeholder(word: string, index: number): string {
  return index === 0 ? `{${word}}` : `{${word}${index + 1}}`;
}
