/** A redacted text and the kinds of secret that were found in it. */
export interface Redacted {
  text: string;
  found: SecretKind[];
}

export type SecretKind = (typeof rules)[number]["kind"];

interface Rule<Kind extends string> {
  kind: Kind;
  pattern: RegExp;
  /** Keeps the first group of the match, which is only the context of the secret. */
  keepsContext?: true;
}

function rule<Kind extends string>(kind: Kind, pattern: RegExp, keepsContext?: true): Rule<Kind> {
  return keepsContext ? { kind, pattern, keepsContext } : { kind, pattern };
}

// Order matters: specific kinds come before general ones that would also match. Look-aheads are bounded, so that
// matching takes linear time. Patterns begin with what is rare in a text and look back from there: that is several times as fast.
const rules = [
  rule(
    "private-key",
    /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----BEGIN )[\s\S])*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  ),
  rule("age-key", /(?<![A-Za-z])AGE-SECRET-KEY-1[A-Z0-9]{20,}/g),
  rule("anthropic-key", /(?<![A-Za-z])sk-ant-[A-Za-z0-9_-]{16,}/g),
  rule(
    "openai-key",
    /(?<![A-Za-z])sk-(?=[A-Za-z0-9_-]{0,60}\d)(?=[A-Za-z0-9_-]{0,60}[A-Z])[A-Za-z0-9_-]{20,}/g,
  ),
  rule(
    "aws-key",
    /(?<![A-Za-z0-9])A(?:KIA|SIA|BIA|CCA|GPA|IDA|ROA|IPA|NPA|NVA|3T[A-Z0-9])[A-Z0-9]{16}(?![A-Za-z0-9])/g,
  ),
  rule(
    "github-token",
    /(?<![A-Za-z])(?:gh[pousr]_(?:[A-Za-z0-9]{30,}|[A-Za-z0-9_]{36,})|github_pat_[A-Za-z0-9_]{30,})/g,
  ),
  rule("gitlab-token", /(?<![A-Za-z])gl(?:pat|rt|dt|cbt|ptt|ft|soat)-[A-Za-z0-9_-]{20,}/g),
  rule("slack-token", /(?<![A-Za-z])(?:xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-\d-[A-Za-z0-9-]{10,})/g),
  rule("slack-webhook", /https:\/\/hooks\.slack\.com\/(?:services|workflows)\/[A-Za-z0-9/_-]{20,}/g),
  rule("stripe-key", /(?<![A-Za-z])(?:(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9]{20,})/g),
  rule("google-key", /(?<![A-Za-z])AIza[A-Za-z0-9_-]{35}/g),
  rule("google-token", /(?<![A-Za-z])ya29\.[A-Za-z0-9_-]{20,}/g),
  // Names of variables begin alike: npm_config_registry.
  rule(
    "npm-token",
    /(?<![A-Za-z])npm_(?:[A-Za-z0-9]{36}|(?=\w{0,35}\d)(?=\w{0,35}[A-Z])\w{36})(?![A-Za-z0-9_])/g,
  ),
  rule("pypi-token", /(?<![A-Za-z])pypi-[A-Za-z0-9_-]{50,}/g),
  rule("huggingface-token", /(?<![A-Za-z])hf_[A-Za-z0-9]{30,}/g),
  rule("sendgrid-key", /(?<![A-Za-z])SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,}/g),
  rule("service-token", serviceTokenPattern()),
  rule("telegram-token", /\b\d{8,10}:AA[A-Za-z0-9_-]{32,}/g),
  rule("jwt", /(?<![A-Za-z])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g),
  rule(
    "url-credentials",
    /(:\/\/)(?<=[a-z0-9][a-z0-9+.-]:\/\/)[^\s/:@'"`<>[\]]{0,200}:[^\s/'"`<>[\]]{1,200}(?=@(?!sha256:))/gi,
    true,
  ),
  rule("url-credentials", /(:\/\/)(?<=https?:\/\/)(?=[^\s/@]{0,200}\d)[^\s/:@'"`<>[\]]{12,200}(?=@)/gi, true),
  rule(
    "bearer-token",
    /(\bbearer\s+|\bauthorization["']?\s*[:=]\s*["']?(?:basic|token)\s+)[A-Za-z0-9._~+/=-]{16,}/gi,
    true,
  ),
  rule(
    "basic-credentials",
    /(\bcurl\b[^\n]{0,200}?\s(?:-u|--user)[ =]["']?)[^\s:"']{1,64}:[^\s"']{1,200}/g,
    true,
  ),
  rule("credential", credentialPattern(), true),
] as const;

/** Tokens of services that are known by how they begin: Shopify, DigitalOcean, Vault, Linear, Grafana and others. */
function serviceTokenPattern(): RegExp {
  const formats = [
    "shp(?:at|ca|pa|ss)_[A-Za-z0-9]{32,}",
    "dop_v1_[a-f0-9]{64}",
    "hv[sbr]\\.[A-Za-z0-9_-]{24,}",
    "lin_api_[A-Za-z0-9_]{32,}",
    "gl(?:sa_[A-Za-z0-9_]{32,}|c_[A-Za-z0-9+/]{32,}={0,2})",
    "dapi[A-Fa-f0-9]{32}(?:-\\d)?",
    "gsk_[A-Za-z0-9]{40,}",
    "ntn_[A-Za-z0-9]{40,}",
    "ops_ey[A-Za-z0-9+/=_-]{60,}",
    "vc[aikpr]_[A-Za-z0-9]{20,}",
    "dckr_[op]at_[A-Za-z0-9_-]{20,}",
    "figd_[A-Za-z0-9_-]{40,}",
  ];
  return new RegExp(`(?<![A-Za-z])(?:${formats.join("|")})`, "g");
}

/**
 * A value after a telling name such as `DB_PASSWORD=` or `apiKey: "`. Paths, calls, variables and names of other settings
 * are not secrets.
 */
function credentialPattern(): RegExp {
  const name =
    "(?:pass(?:word|wd|phrase)|secret|token|(?:api|access|account|auth|private|secret)[_-]?key)(?:[_-][A-Za-z0-9_-]{1,30})?";
  const context = `(${name}["']?\\s{0,3}(?:[:=]\\s{0,3}["']?|=>\\s{0,3}["']))`;
  // An AWS key of 40 characters may begin like a path.
  const notReference =
    "(?![.~]{0,2}/(?![A-Za-z0-9/+]{39}(?![\\w./+-]))|\\$|[A-Za-z_][A-Za-z0-9_]*(?:\\.[A-Za-z_][A-Za-z0-9_]*)+(?![^\\s\"',;)]))";
  const looksRandom = "(?=[^\\s\"',;]{0,200}\\d|[^\\s\"',;]{20})";
  return new RegExp(
    `${context}${notReference}${looksRandom}(?!\\[redacted:)[^\\s"',;<>(){}[\\]]{8,200}`,
    "gi",
  );
}

const maxPasses = 12;

/** Replaces API keys, tokens, private keys and credentials in URLs by `[redacted:<kind>]`. */
export function redact(text: string): Redacted {
  const found = new Set<SecretKind>();
  let before = text;
  let after = redactOnce(before, found);
  // Text right before a secret may have hidden its start, so repeat; the limit stops text crafted to need ever more passes.
  for (let pass = 0; pass < maxPasses && after !== before; pass += 1) {
    before = after;
    after = redactOnce(before, found);
  }
  return { text: after, found: [...found] };
}

function redactOnce(text: string, found: Set<SecretKind>): string {
  let rest = text;
  for (const { kind, pattern, keepsContext } of rules) {
    const before = rest;
    const mark = `[redacted:${kind}]`;
    rest = before.replace(pattern, (_match, context: unknown) =>
      keepsContext ? `${String(context)}${mark}` : mark,
    );
    if (rest !== before) found.add(kind);
  }
  return rest;
}

/** Whether a text contains a redaction. */
export function isRedacted(text: string): boolean {
  return text.includes("[redacted:");
}

/** Redacts every string inside a value, and replaces NUL, at which a database would cut a text. */
export function redactDeep<Value>(value: Value): Value {
  if (typeof value === "string")
    return redact(value.replaceAll("\0", "\u{fffd}").toWellFormed()).text as Value;
  if (Array.isArray(value)) return value.map(redactDeep) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [redact(name).text, redactDeep(field)]),
  ) as Value;
}
