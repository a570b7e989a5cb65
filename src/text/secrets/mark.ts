import type { TokenKind } from "./token-formats.js";

export type SecretKind =
  | TokenKind
  | "private-key"
  | "url-credentials"
  | "signed-url"
  | "webhook"
  | "slack-webhook"
  | "bearer-token"
  | "basic-credentials"
  | "cookie"
  | "credential"
  | "encoded-secret"
  | "own-pattern";

/** Records that a secret was found, and returns what replaces it; the secret itself if it is an exception. */
export type Mark = (kind: SecretKind, secret: string) => string;

/** Finds one sort of secret and replaces it. */
export type Redaction = (text: string, mark: Mark) => string;

/** A pattern whose first group stays and whose second is the secret; all that it matches is, if it has no groups. */
export interface SecretRule {
  kind: SecretKind;
  pattern: RegExp;
  /** What a text with such a secret holds, and is quick to look for. */
  hint?: RegExp;
  isSecret?: (value: string, start: string) => boolean;
  /** Marks that end a sentence or a bracket are not part of the secret. */
  isInSentence?: boolean;
}

export function applyRules(text: string, rules: readonly SecretRule[], mark: Mark): string {
  let safe = text;
  for (const { kind, pattern, hint, isSecret = () => true, isInSentence = false } of rules)
    if (hint === undefined || hint.test(safe))
      safe = safe.replace(pattern, (whole: string, ...groups: unknown[]) => {
        const [start, found] = typeof groups[0] === "string" ? (groups as [string, string]) : ["", whole];
        const value = isInSentence ? found.replace(sentenceEnd, "") : found;
        if (isRedacted(value) || !isSecret(value, start)) return whole;
        return `${start}${mark(kind, value)}${whole.slice(start.length + value.length)}`;
      });
  return safe;
}

const sentenceEnd = /[.,;:!?)\]}]+$/;

/** Whether a text contains a redaction. */
export function isRedacted(text: string): boolean {
  return text.includes("[redacted:");
}

/** What replaces a secret. */
export const markPattern = /\[redacted:[a-z-]+\]/;
