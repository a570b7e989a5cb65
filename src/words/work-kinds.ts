/** How a kind of work is recognised in the first line of an objective, or by the changed files. */
interface Signs {
  words?: string;
  /** Words with which such an objective begins. */
  opening?: string;
  phrase?: RegExp;
  paths?: RegExp;
}

/** Kinds of software work. An objective may be of several, and of none. */
const signs: Readonly<Record<string, Signs>> = {
  documentation: {
    words:
      "docs? documentation document(?:s|ed|ing)? readme guides? runbooks? manuals? tutorials? handbook docstrings?",
    opening: "describe explain",
    paths: /(?:^|\/)docs?\/|\.(?:mdx?|rst|adoc)$/i,
  },
  upgrade: {
    words: "upgrade upgrades upgrading bump bumps bumping downgrade dependency dependencies",
    phrase:
      /^(?:update|raise|move|switch|migrate|pin)\b.*\bto\b.*(?:\bv?\d|\bnewest\b|\blatest\b|\bversion\b)/i,
  },
  performance: {
    words: "slow slower slowly slowness faster perf performance optimi[sz]e latency throughput",
    phrase:
      /\b(?:speed up|n\+1|startup time|cold start|quer(?:y|ies) per)\b|\b(?:takes?|needs?|lasts?)\b.*\b(?:seconds?|minutes?|hours?|long)\b|\b(?:below|under|within)\b.*\b(?:seconds?|ms|minutes?)\b/i,
  },
  schema: {
    words: "migrations? schema columns? tables? enum backfill nullable constraint",
    phrase: /\b(?:not null|foreign key|index(?:es)? on)\b/i,
    paths: /(?:^|\/)migrations?\/|\.sql$/i,
  },
  ci: {
    words: "ci workflows? gitlab jenkins",
    phrase:
      /\b(?:continuous integration|github actions|(?:build|unit|deploy|release|coverage|e2e|lint|test) job)\b/i,
    paths: /\.github\/workflows\/|\.gitlab-ci|jenkinsfile|\.circleci\/|azure-pipelines/i,
  },
  container: {
    words: "docker dockerfile containers? podman",
    phrase: /\bimages?\b.*\bbuild|\bbuild.*\bimages?\b/i,
    paths: /dockerfile|docker-compose|compose\.ya?ml/i,
  },
  cluster: {
    words: "kubernetes k8s helm pods? kubectl rollouts?",
    phrase: /\broll outs?\b/i,
    paths: /(?:^|\/)(?:charts?|k8s|helm)\//i,
  },
  infrastructure: { words: "terraform pulumi cloudformation ansible", paths: /\.tf(?:vars)?$/i },
  endpoint: {
    words: "endpoints? routes? rpcs? grpc graphql controllers?",
    phrase: /\b(?:GET|POST|PUT|PATCH|DELETE) \/|\/api\/|\b(?:public|rest) api\b/i,
    paths: /(?:^|\/)(?:routes?|handlers?|controllers?|endpoints?|resolvers?)\/|\.proto$/i,
  },
  flakiness: {
    words:
      "flaky flakes? flakiness intermittent(?:ly)? randomly sporadic(?:ally)? (?:non)?deterministic stabili[sz]e sometimes occasionally",
    phrase:
      /\b(?:race conditions?|data races?|now and then)\b|\btests?\b.*\b(?:hangs?|times? out|never|race|every other)\b/i,
  },
  browser: {
    words: "e2e playwright cypress selenium webdriver",
    phrase: /\bend-to-end\b/i,
    paths: /(?:^|\/)(?:e2e|cypress|playwright)\//i,
  },
  removal: { opening: "remove drop delete retire", phrase: /^get rid of\b/i },
  structure: {
    words: "refactor(?:ing)? restructure reorgani[sz]e circular",
    opening: "extract split move rename convert unify inline",
    phrase: /\bimport cycle\b|^break up\b/i,
  },
  lint: {
    words: "lint linter linting eslint ruff flake8 prettier clippy golangci markdownlint spellcheck(?:er)?",
    phrase: /\bspell check(?:er)?\b/i,
  },
  typing: {
    words: "typecheck(?:er|s)? typings? mypy tsc",
    phrase: /\btype (?:check(?:er|s)?|errors?)\b/i,
  },
  permissions: {
    words: "permissions? forbidden unauthori[sz]ed",
    phrase: /\b(?:access denied|not authori[sz]ed)\b/i,
  },
  memory: { words: "heap oom oomkilled", phrase: /\b(?:out of memory|memory leaks?)\b/i },
};

/** A single file of a kind among others says less than most of the files, and both less than the words of the objective. */
const byFiles = { most: 0.8, some: 0.4 } as const;
const mostFrom = 1 / 3;
/** The first files are those that were edited. */
const readFiles = 4;
const readLength = 200;

const kindsOfWork = Object.entries(signs).map(([kind, { words = "", opening = "", phrase, paths }]) => {
  const patterns = [
    ...(words === "" ? [] : [anyOf("\\b", words)]),
    ...(opening === "" ? [] : [anyOf("^", opening)]),
    ...(phrase === undefined ? [] : [phrase]),
  ];
  return { kind, isNamed: (line: string) => patterns.some((pattern) => pattern.test(line)), paths };
});

function anyOf(start: string, words: string): RegExp {
  return new RegExp(`${start}(?:${words.replaceAll(" ", "|")})\\b`, "i");
}

/** The kinds of work that the first line of an objective names, or the files show; each with how sure that is, up to 1. */
export function workKinds(objective: string, files: readonly string[] = []): ReadonlyMap<string, number> {
  const line = (objective.trim().split("\n", 1)[0] ?? "").slice(0, readLength);
  const first = files.slice(0, readFiles);
  const kinds = new Map<string, number>();
  for (const { kind, isNamed, paths } of kindsOfWork) {
    const share = first.filter((file) => paths?.test(file)).length / Math.max(1, first.length);
    if (isNamed(line)) kinds.set(kind, 1);
    else if (share > 0) kinds.set(kind, share >= mostFrom ? byFiles.most : byFiles.some);
  }
  return kinds;
}

/** A kind as a word of the index. */
export function kindWord(kind: string): string {
  return `workkind${kind}`;
}
