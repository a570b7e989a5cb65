const table: Readonly<Record<string, string>> = {
  "language translation":
    "arabic chinese czech danish dutch english finnish french german greek hebrew hindi hungarian italian japanese korean " +
    "norwegian polish portuguese romanian russian spanish swedish thai turkish ukrainian vietnamese",
  "database sql": "postgres postgresql mysql mariadb sqlite oracle mongodb dynamodb",
  container: "docker dockerfile podman kubernetes k8s helm",
  "test testing": "jest vitest mocha pytest junit playwright cypress selenium",
  "ci continuous integration pipeline": "jenkins circleci gitlab travis buildkite",
  "framework library": "react angular vue svelte django flask rails laravel express fastapi",
  "cloud deploy": "aws azure gcp heroku vercel netlify terraform",
  "secret credential": "password passwords token tokens certificate certificates",
  "security advisory audit": "vulnerability vulnerabilities vulnerable cve cves exploit exploits",
  "slow performance speed latency": "seconds milliseconds ms faster lag laggy sluggish",
};

const hypernyms: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(table).flatMap(([kind, names]) =>
    names.split(" ").map((name) => [name, kind.split(" ")] as const),
  ),
);

/** More general words: "language" for "German". */
export function hypernymsOf(word: string): readonly string[] {
  return hypernyms.get(word) ?? [];
}
