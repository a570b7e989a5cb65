import { lazily } from "../text/memoize.js";

/**
 * How a kind of work is recognised in the first line of an objective or by the files that were changed. Compiling a pattern takes
 * longer than looking words up, so a pattern is tried only on what contains one of its words.
 */
interface Signs {
  /** Single words, each with its forms. */
  words?: string;
  /** Words with which such an objective begins. */
  opening?: string;
  /** Words in a certain order, and one of which each such line contains. */
  phrase?: { with: string; pattern: RegExp };
  /** Changed files, and one of which each such path contains. */
  paths?: { with: string; pattern: RegExp };
}

/** Kinds of software work. An objective may be of several, and of none. */
const signs = lazily(
  (): Readonly<Record<string, Signs>> => ({
    documentation: {
      words:
        "doc docs documentation document documents documented documenting readme guide guides runbook runbooks manual manuals tutorial tutorials handbook docstring docstrings",
      opening: "describe explain",
      paths: { with: "doc/ docs/ .md .rst .adoc", pattern: /(?:^|\/)docs?\/|\.(?:mdx?|rst|adoc)$/i },
    },
    upgrade: {
      words: "upgrade upgrades upgrading bump bumps bumping downgrade dependency dependencies",
      phrase: {
        with: "update raise move switch migrate pin",
        pattern:
          /^(?:update|raise|move|switch|migrate|pin)\b.*\bto\b.*(?:\bv?\d|\bnewest\b|\blatest\b|\bversion\b)/i,
      },
    },
    performance: {
      words: "slow slower slowly slowness faster perf performance optimise optimize latency throughput",
      phrase: {
        with: "speed n startup cold query queries take takes need needs last lasts below under within",
        pattern:
          /\b(?:speed up|n\+1|startup time|cold start|quer(?:y|ies) per)\b|\b(?:takes?|needs?|lasts?)\b.*\b(?:seconds?|minutes?|hours?|long)\b|\b(?:below|under|within)\b.*\b(?:seconds?|ms|minutes?)\b/i,
      },
    },
    schema: {
      words: "migration migrations schema column columns table tables enum backfill nullable constraint",
      phrase: { with: "not foreign index indexes", pattern: /\b(?:not null|foreign key|index(?:es)? on)\b/i },
      paths: { with: "migration .sql", pattern: /(?:^|\/)migrations?\/|\.sql$/i },
    },
    ci: {
      words: "ci workflow workflows gitlab jenkins",
      phrase: {
        with: "integration actions job",
        pattern:
          /\b(?:continuous integration|github actions|(?:build|unit|deploy|release|coverage|e2e|lint|test) job)\b/i,
      },
      paths: {
        with: ".github/ .gitlab-ci jenkinsfile .circleci/ azure-pipelines",
        pattern: /\.github\/workflows\/|\.gitlab-ci|jenkinsfile|\.circleci\/|azure-pipelines/i,
      },
    },
    container: {
      words: "docker dockerfile container containers podman",
      phrase: { with: "image images", pattern: /\bimages?\b.*\bbuild|\bbuild.*\bimages?\b/i },
      paths: {
        with: "dockerfile docker-compose compose.y",
        pattern: /dockerfile|docker-compose|compose\.ya?ml/i,
      },
    },
    cluster: {
      words: "kubernetes k8s helm pod pods kubectl rollout rollouts",
      phrase: { with: "roll", pattern: /\broll outs?\b/i },
      paths: { with: "chart k8s helm", pattern: /(?:^|\/)(?:charts?|k8s|helm)\//i },
    },
    infrastructure: {
      words: "terraform pulumi cloudformation ansible",
      paths: { with: ".tf", pattern: /\.tf(?:vars)?$/i },
    },
    endpoint: {
      words: "endpoint endpoints route routes rpc rpcs grpc graphql controller controllers",
      phrase: {
        with: "get post put patch delete api",
        pattern: /\b(?:GET|POST|PUT|PATCH|DELETE) \/|\/api\/|\b(?:public|rest) api\b/i,
      },
      paths: {
        with: "route handler controller endpoint resolver .proto",
        pattern: /(?:^|\/)(?:routes?|handlers?|controllers?|endpoints?|resolvers?)\/|\.proto$/i,
      },
    },
    flakiness: {
      words:
        "flaky flake flakes flakiness intermittent intermittently randomly sporadic sporadically deterministic nondeterministic stabilise stabilize sometimes occasionally",
      phrase: {
        with: "race races now test tests",
        pattern:
          /\b(?:race conditions?|data races?|now and then)\b|\btests?\b.*\b(?:hangs?|times? out|never|race|every other)\b/i,
      },
    },
    browser: {
      words: "e2e playwright cypress selenium webdriver",
      phrase: { with: "end", pattern: /\bend-to-end\b/i },
      paths: { with: "e2e cypress playwright", pattern: /(?:^|\/)(?:e2e|cypress|playwright)\//i },
    },
    removal: { opening: "remove drop delete retire", phrase: { with: "rid", pattern: /^get rid of\b/i } },
    structure: {
      words: "refactor refactoring restructure reorganise reorganize circular",
      opening: "extract split move rename convert unify inline",
      phrase: { with: "cycle break", pattern: /\bimport cycle\b|^break up\b/i },
    },
    lint: {
      words:
        "lint linter linting eslint ruff flake8 prettier clippy golangci markdownlint spellcheck spellchecker",
      phrase: { with: "spell", pattern: /\bspell check(?:er)?\b/i },
    },
    typing: {
      words: "typecheck typechecker typechecks typing typings mypy tsc",
      phrase: { with: "type", pattern: /\btype (?:check(?:er|s)?|errors?)\b/i },
    },
    permissions: {
      words: "permission permissions forbidden unauthorised unauthorized",
      phrase: { with: "denied authorised authorized", pattern: /\b(?:access denied|not authori[sz]ed)\b/i },
    },
    memory: {
      words: "heap oom oomkilled",
      phrase: { with: "memory", pattern: /\b(?:out of memory|memory leaks?)\b/i },
    },
  }),
);

/** A single file of a kind among others says less than most of the files, and both less than the words of the objective. */
const byFiles = { most: 0.8, some: 0.4 } as const;
const mostFrom = 1 / 3;
/** The first files are those that were edited. */
const readFiles = 4;
const readLength = 200;

/** The kinds of work that the first line of an objective names, or the files show; each with how sure that is, up to 1. */
export function workKinds(objective: string, files: readonly string[] = []): ReadonlyMap<string, number> {
  const line = (objective.trim().split("\n", 1)[0] ?? "").slice(0, readLength);
  const named = kindsNamedIn(line);
  const first = files.slice(0, readFiles).map((file) => file.toLowerCase());
  const kinds = new Map<string, number>();
  for (const { kind, parts, pattern } of pathsByKind()) {
    if (named.has(kind)) kinds.set(kind, 1);
    else if (pattern !== undefined && first.length > 0) {
      const isOfKind = (file: string) => parts.some((part) => file.includes(part)) && pattern.test(file);
      const share = first.filter(isOfKind).length / first.length;
      if (share > 0) kinds.set(kind, share >= mostFrom ? byFiles.most : byFiles.some);
    }
  }
  return kinds;
}

const pathsByKind = lazily(() =>
  Object.entries(signs()).map(([kind, { paths }]) => ({
    kind,
    parts: paths?.with.split(" ") ?? [],
    pattern: paths?.pattern,
  })),
);

function kindsNamedIn(line: string): ReadonlySet<string> {
  const signsOf = signsByWord();
  const named = new Set<string>();
  for (const [place, word] of (line.toLowerCase().match(/\w+/g) ?? []).entries())
    for (const { kind, as } of signsOf.get(word) ?? []) {
      if (named.has(kind)) continue;
      const isSign =
        as === "words" ||
        (as === "opening" && place === 0 && /^\w/.test(line)) ||
        (as === "phrase" && signs()[kind]?.phrase?.pattern.test(line));
      if (isSign) named.add(kind);
    }
  return named;
}

interface Sign {
  kind: string;
  as: "words" | "opening" | "phrase";
}

/** What each word is a sign of. */
const signsByWord = lazily((): ReadonlyMap<string, readonly Sign[]> => {
  const found = new Map<string, Sign[]>();
  const put = (list: string | undefined, sign: Sign) => {
    for (const word of list?.split(" ") ?? []) found.set(word, [...(found.get(word) ?? []), sign]);
  };
  for (const [kind, { words, opening, phrase }] of Object.entries(signs())) {
    put(words, { kind, as: "words" });
    put(opening, { kind, as: "opening" });
    put(phrase?.with, { kind, as: "phrase" });
  }
  return found;
});

/** A kind as a word of the index. */
export function kindWord(kind: string): string {
  return `workkind${kind}`;
}
