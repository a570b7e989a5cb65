import type { TaskType } from "../domain/knowledge/learning.js";
import { wordSet } from "../text/word-set.js";
import { looseStem } from "../words/stem.js";
import { wordsOf } from "../words/words.js";

type Weights = Partial<Record<TaskType, number>>;

/**
 * Word weights by task type. A verb that names the work
 * counts twice when it comes first: "Document the test helper" is documentation, not a test fix.
 */
const clues: Record<Exclude<TaskType, "general">, string> = {
  "test-fix":
    "test=3 spec=2.5 jest=2.5 vitest=2.5 pytest=2.5 e2e=2.5 snapshot=1.5 coverage=2.5 failing=1.5" +
    " flaky=2.5 flake=2",
  feature:
    "implement=3 feature=3 build=1.5 add=1.5 create=1.5 introduce=1.5 support=1.5 enable=1.5" +
    " allow=1.5 develop=1.5 integrate=1.5 new=0.5",
  refactor:
    "refactor=4 reorganise=3 restructure=3 clean=2.5 cleanup=2.5 simplify=2.5 rename=2.5 extract=2" +
    " deduplicate=2.5 modernise=2.5 tidy=2.5 migrate=1.5 convert=1.5 split=1.5 inline=1.5 move=1" +
    " unused=1 dead=1",
  "bug-fix":
    "fix=2 bug=3 bugfix=4 error=2 crash=3 issue=1.5 broken=2.5 repair=2.5 regression=2.5" +
    " exception=2 debug=2.5 resolve=1.5 prevent=1 hang=2 leak=1.5 wrong=1.5 incorrect=1.5" +
    " typeerror=3 fail=1 patch=1.5 deadlock=2",
  documentation:
    "document=3.5 documentation=3.5 docs=3.5 readme=3.5 guide=2.5 tutorial=3 changelog=3.5" +
    " docstring=3.5 jsdoc=3.5 comment=1.5 typo=1.5 explain=1.5 manual=1",
  architecture: "architecture=3.5 design=2.5 structure=1.5 adr=3.5 architect=3.5 blueprint=2.5 schema=0.5",
  performance:
    "optimise=3.5 performance=3.5 perf=3.5 speed=3.5 slow=3 faster=3.5 fast=2 latency=3" +
    " throughput=3 bottleneck=3 benchmark=2.5 profile=1 memoise=2",
  research:
    "research=3.5 investigate=3 explore=3 evaluate=3 compare=2.5 analyse=2 survey=2.5 spike=3" +
    " prototype=1.5 feasibility=3 study=2.5 assess=2.5 why=1",
};

/** Verbs that name the work; what follows them is only its object. */
const workVerbs =
  "implement build add create introduce support enable allow develop integrate refactor reorganise restructure clean " +
  "simplify rename extract deduplicate modernise tidy migrate convert split inline move document explain architect design " +
  "optimise speed research investigate explore evaluate compare analyse survey study assess spike debug benchmark profile";

/** Words that may come before the verb. */
const skipped = wordSet(
  "please can could you we i need to the a an let us lets should must want like would help me and then",
);

const weightsByStem = new Map<string, Weights>();
for (const [type, table] of Object.entries(clues))
  for (const clue of table.split(" ")) {
    const [word = "", weight] = clue.split("=");
    weightsByStem.set(stemOf(word), { ...weightsByStem.get(stemOf(word)), [type]: Number(weight) });
  }

const workStems = new Set(workVerbs.split(" ").map(stemOf));

/** Exceptions whose stem would collide with a word of another meaning. */
function stemOf(word: string): string {
  return word === "documents" || word === "specific" || word === "structured" ? word : looseStem(word);
}

/** The type of a task, by the words of its objective; `general` when none is conclusive. */
export function classifyTask(objective: string): TaskType {
  const scores = new Map<string, number>();
  let isFirst = true;
  for (const word of wordsOf(objective)) {
    if (skipped.has(word)) continue;
    const stem = stemOf(word);
    const factor = isFirst && workStems.has(stem) ? 2 : 1;
    for (const [type, weight] of Object.entries(weightsByStem.get(stem) ?? {})) {
      scores.set(type, (scores.get(type) ?? 0) + weight * factor);
    }
    isFirst = false;
  }
  let best: TaskType = "general";
  for (const type of byPrecedence) {
    if ((scores.get(type) ?? 0) > (scores.get(best) ?? minScore)) best = type;
  }
  return best;
}

/** Too high for `move` alone: "Move the button" is not a refactoring. */
const minScore = 1;

/** Ties go to the earlier type. */
const byPrecedence = [
  "test-fix",
  "performance",
  "documentation",
  "bug-fix",
  "refactor",
  "architecture",
  "research",
  "feature",
] as const satisfies readonly TaskType[];

const names = {
  "test-fix": "testing",
  feature: "implementation",
  "bug-fix": "debugging",
  refactor: "refactoring",
  performance: "refactoring",
  documentation: "documentation",
  architecture: "architecture",
  research: "research",
} as const satisfies Record<Exclude<TaskType, "general">, string>;

type CrossTaskType = (typeof names)[keyof typeof names];

/** The name of a task type in the cross-task exchange format; undefined for `general`. */
export function crossTaskType(type: TaskType): CrossTaskType | undefined {
  return type === "general" ? undefined : names[type];
}
