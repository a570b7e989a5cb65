/** How a kind of work is recognised: by words of an objective, or by the files that were changed. */
interface Signs {
  words: RegExp;
  paths?: RegExp;
}

/** Kinds of software work. An objective may be of several, and of none. */
const signs: Readonly<Record<string, Signs>> = {
  documentation: {
    words:
      /\b(?:docs?|documentation|document(?:s|ed|ing)?|readme|guides?|runbooks?|manuals?|tutorials?|handbook|docstrings?)\b|^(?:describe|explain)\b/i,
    paths: /(?:^|\/)docs?\/|\.(?:mdx?|rst|adoc)$/i,
  },
  upgrade: {
    words:
      /\b(?:upgrad(?:e|es|ing)|bump(?:s|ing)?|downgrade|dependency|dependencies)\b|^(?:update|raise|move|switch|migrate|pin)\b.*\bto\b.*(?:\bv?\d|\bnewest\b|\blatest\b|\bversion\b)/i,
  },
  performance: {
    words:
      /\b(?:slow(?:er|ly|ness)?|speed up|faster|perf|performance|optimi[sz]e|latency|throughput|n\+1|startup time|cold start|quer(?:y|ies) per)\b|\b(?:takes?|needs?|lasts?)\b.*\b(?:seconds?|minutes?|hours?|long)\b|\b(?:below|under|within)\b.*\b(?:seconds?|ms|minutes?)\b/i,
  },
  schema: {
    words:
      /\b(?:migrations?|schema|columns?|tables?|enum|backfill|not null|nullable|foreign key|constraint)\b|\bindex(?:es)? on\b/i,
    paths: /(?:^|\/)migrations?\/|\.sql$/i,
  },
  ci: {
    words:
      /\b(?:ci|continuous integration|workflows?|github actions|gitlab|jenkins|(?:build|unit|deploy|release|coverage|e2e|lint|test) job)\b/i,
    paths: /\.github\/workflows\/|\.gitlab-ci|jenkinsfile|\.circleci\/|azure-pipelines/i,
  },
  container: {
    words:
      /\b(?:docker|dockerfile|docker-compose|containers?|podman)\b|\bimages?\b.*\bbuild|\bbuild.*\bimages?\b/i,
    paths: /dockerfile|docker-compose|compose\.ya?ml/i,
  },
  cluster: {
    words: /\b(?:kubernetes|k8s|helm|pods?|kubectl|roll ?outs?)\b/i,
    paths: /(?:^|\/)(?:charts?|k8s|helm)\//i,
  },
  infrastructure: {
    words: /\b(?:terraform|pulumi|cloudformation|ansible)\b/i,
    paths: /\.tf(?:vars)?$/i,
  },
  endpoint: {
    words:
      /\b(?:endpoints?|routes?|rpcs?|grpc|graphql|controllers?)\b|\b(?:GET|POST|PUT|PATCH|DELETE) \/|\/api\/|\b(?:public|rest) api\b/i,
    paths: /(?:^|\/)(?:routes?|handlers?|controllers?|endpoints?|resolvers?)\/|\.proto$/i,
  },
  flakiness: {
    words:
      /\b(?:flaky|flakes?|flakiness|intermittent(?:ly)?|randomly|sporadic(?:ally)?|(?:non-?)?deterministic|stabili[sz]e|race conditions?|data races?|now and then|sometimes|occasionally)\b|\btests?\b.*\b(?:hangs?|times? out|never|race|every other)\b/i,
  },
  browser: {
    words: /\b(?:e2e|end-to-end|playwright|cypress|selenium|webdriver)\b/i,
    paths: /(?:^|\/)(?:e2e|cypress|playwright)\//i,
  },
  removal: { words: /^(?:remove|drop|delete|retire|get rid of)\b/i },
  structure: {
    words:
      /\b(?:refactor(?:ing)?|restructure|reorgani[sz]e|import cycle|circular)\b|^(?:extract|split|move|rename|convert|unify|inline|break up)\b/i,
  },
  lint: {
    words:
      /\b(?:lint(?:er|ing)?|eslint|ruff|flake8|prettier|clippy|golangci(?:-lint)?|markdownlint|spell ?check(?:er)?)\b/i,
  },
  typing: { words: /\b(?:type ?check(?:er|s)?|typings?|mypy|tsc|type errors?)\b/i },
  permissions: { words: /\b(?:permissions?|forbidden|unauthori[sz]ed|access denied|not authori[sz]ed)\b/i },
  memory: { words: /\b(?:out of memory|memory leaks?|heap|oom(?:killed)?)\b/i },
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
  const first = files.slice(0, readFiles);
  const kinds = new Map<string, number>();
  for (const [kind, { words, paths }] of Object.entries(signs)) {
    const share = paths === undefined ? 0 : first.filter((file) => paths.test(file)).length / first.length;
    if (words.test(line)) kinds.set(kind, 1);
    else if (share > 0) kinds.set(kind, share >= mostFrom ? byFiles.most : byFiles.some);
  }
  return kinds;
}

/** A kind as a word of the index. */
export function kindWord(kind: string): string {
  return `workkind${kind}`;
}
