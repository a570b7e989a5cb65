/** A text without its secrets, and which kinds of secret were in it. */
export interface Redacted {
  text: string;
  found: SecretKind[];
}

export type SecretKind = (typeof rules)[number]["kind"];

interface Rule<Kind extends string> {
  kind: Kind;
  pattern: RegExp;
  /** The part of the match that is kept in front of the mark, when the secret needs its context to be recognised. */
  keeps?: true;
}

function rule<Kind extends string>(kind: Kind, pattern: RegExp, keeps?: true): Rule<Kind> {
  return keeps ? { kind, pattern, keeps } : { kind, pattern };
}

// Order matters: a specific kind comes before a general one that would also match it.
const rules = [
  rule(
    "private-key",
    /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  ),
  rule("anthropic-key", /\bsk-ant-[A-Za-z0-9_-]{16,}/g),
  rule("openai-key", /\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,}/g),
  rule("aws-key", /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g),
  rule(
    "aws-secret",
    /(\baws_?(?:secret_?(?:access_?)?key|session_?token)["']?\s*[:=]\s*["']?)[A-Za-z0-9/+=]{30,}/gi,
    true,
  ),
  rule("github-token", /\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})/g),
  rule("gitlab-token", /\bgl(?:pat|rt|dt|cbt|ptt|ft|soat)-[A-Za-z0-9_-]{20,}/g),
  rule("slack-token", /\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-\d-[A-Za-z0-9-]{10,}/g),
  rule("slack-webhook", /https:\/\/hooks\.slack\.com\/(?:services|workflows)\/[A-Za-z0-9/_-]{20,}/g),
  rule("stripe-key", /\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}|\bwhsec_[A-Za-z0-9]{20,}/g),
  rule("google-key", /\bAIza[A-Za-z0-9_-]{35}/g),
  rule("google-token", /\bya29\.[A-Za-z0-9_-]{20,}/g),
  rule("npm-token", /\bnpm_[A-Za-z0-9]{36}\b/g),
  rule("pypi-token", /\bpypi-[A-Za-z0-9_-]{50,}/g),
  rule("huggingface-token", /\bhf_[A-Za-z0-9]{30,}/g),
  rule("sendgrid-key", /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g),
  rule("jwt", /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g),
  rule("url-credentials", /(\b[a-z][a-z0-9+.-]{1,30}:\/\/)[^\s/:@'"`<>[\]]*:[^\s/@'"`<>[\]]+(?=@)/gi, true),
  rule(
    "bearer-token",
    /(\b(?:authorization["']?\s*[:=]\s*["']?)?(?:bearer|basic|token)\s+)(?=[^\s"']*\d)[A-Za-z0-9._~+/=-]{20,}/gi,
    true,
  ),
  rule(
    "credential",
    /(\b[a-z0-9_.-]{0,40}(?:password|passwd|pwd|secret|api[_-]?key|access[_-]?key|auth[_-]?token|access[_-]?token|private[_-]?key)["']?\s*[:=]\s*["']?)(?=[^\s"',;]*\d)(?=[^\s"',;]*[a-z])[^\s"',;<>(){}[\]$]{10,}/gi,
    true,
  ),
] as const;

/** Replaces API keys, tokens, private keys and credentials in URLs, each by `[redacted:<kind>]`. */
export function redact(text: string): Redacted {
  const found = new Set<SecretKind>();
  let before = text;
  let after = redactOnce(before, found);
  // What stood directly before a secret may have hidden where it begins.
  while (after !== before) {
    before = after;
    after = redactOnce(before, found);
  }
  return { text: after, found: [...found] };
}

function redactOnce(text: string, found: Set<SecretKind>): string {
  let rest = text;
  for (const { kind, pattern, keeps } of rules) {
    const before = rest;
    const mark = `[redacted:${kind}]`;
    rest = before.replace(pattern, (_match, context: unknown) =>
      keeps ? `${String(context)}${mark}` : mark,
    );
    if (rest !== before) found.add(kind);
  }
  return rest;
}
