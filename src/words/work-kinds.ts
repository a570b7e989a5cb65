/**
 * How a kind of work is recognised in the first line of an objective or by the files that were changed. Compiling a pattern takes
 * longer than looking words up, so a pattern of words is tried only beside one of its words.
 */
interface Signs {
  /** Single words, each with its forms. */
  words?: string;
  /** Words with which such an objective begins. */
  opening?: string;
  /** Words in a certain order, and one of which each such line contains. */
  phrase?: { with: string; pattern: RegExp };
  paths?: RegExp;
}

/** Kinds of software work. An objective may be of several, and of none. */
const signs: Readonly<Record<string, Signs>> = {
  documentation: {
    words:
      "doc docs documentation document documents documented documenting readme guide guides runbook runbooks manual manuals tutorial tutorials handbook docstring docstrings",
    opening: "describe explain",
    paths: /(?:^|\/)docs?\/|\.(?:mdx?|rst|adoc)$/i,
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
    paths: /(?:^|\/)migrations?\/|\.sql$/i,
  },
  ci: {
    words: "ci workflow workflows gitlab jenkins",
    phrase: {
      with: "integration actions job",
      pattern:
        /\b(?:continuous integration|github actions|(?:build|unit|deploy|release|coverage|e2e|lint|test) job)\b/i,
    },
    paths: /\.github\/workflows\/|\.gitlab-ci|jenkinsfile|\.circleci\/|azure-pipelines/i,
  },
  container: {
    words: "docker dockerfile container containers podman",
    phrase: { with: "image images", pattern: /\bimages?\b.*\bbuild|\bbuild.*\bimages?\b/i },
    paths: /dockerfile|docker-compose|compose\.ya?ml/i,
  },
  cluster: {
    words: "kubernetes k8s helm pod pods kubectl rollout rollouts",
    phrase: { with: "roll", pattern: /\broll outs?\b/i },
    paths: /(?:^|\/)(?:charts?|k8s|helm)\//i,
  },
  infrastructure: {
    words: "terraform pulumi cloudformation ansible",
    paths: /\.tf(?:vars)?$/i,
  },
  endpoint: {
    words: "endpoint endpoints route routes rpc rpcs grpc graphql controller controllers",
    phrase: {
      with: "get post put patch delete api",
      pattern: /\b(?:GET|POST|PUT|PATCH|DELETE) \/|\/api\/|\b(?:public|rest) api\b/i,
    },
    paths: /(?:^|\/)(?:routes?|handlers?|controllers?|endpoints?|resolvers?)\/|\.proto$/i,
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
    paths: /(?:^|\/)(?:e2e|cypress|playwright)\//i,
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
};

/** A single file of a kind among others says less than most of the files, and both less than the words of the objective. */
const byFiles = { most: 0.8, some: 0.4 } as const;
const mostFrom = 1 / 3;
/** The first files are those that were edited. */
const readFiles = 4;
const readLength = 200;

/** The kinds of work that the first line of an objective names, or the files show; each with how sure that is, up to 1. */
export function workKinds(objective: string, files: readonly string[] = []): ReadonlyMap<string, number> {
  const line = (objective.trim().split("\n", 1)[0] ?? "").slice(0, readLength);
  const words = line.toLowerCase().match(/\w+/g) ?? [];
  const first = files.slice(0, readFiles);
  const kinds = new Map<string, number>();
  for (const [kind, sign] of Object.entries(signs)) {
    const { paths } = sign;
    const share = paths === undefined ? 0 : first.filter((file) => paths.test(file)).length / first.length;
    if (isNamed(sign, line, words)) kinds.set(kind, 1);
    else if (share > 0) kinds.set(kind, share >= mostFrom ? byFiles.most : byFiles.some);
  }
  return kinds;
}

function isNamed({ words: known, opening, phrase }: Signs, line: string, words: readonly string[]): boolean {
  if (words.some((word) => isAmong(known, word))) return true;
  if (isAmong(opening, words[0] ?? "") && /^\w/.test(line)) return true;
  return (
    phrase !== undefined && words.some((word) => isAmong(phrase.with, word)) && phrase.pattern.test(line)
  );
}

function isAmong(list: string | undefined, word: string): boolean {
  return list !== undefined && ` ${list} `.includes(` ${word} `);
}

/** A kind as a word of the index. */
export function kindWord(kind: string): string {
  return `workkind${kind}`;
}
