import type { Hints } from "./hints.js";
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

/** Takes down that a secret was found, and returns what stands in its place; the secret itself if it is an exception. */
export type Mark = (kind: SecretKind, secret: string) => string;

/** Finds one sort of secret and replaces it. */
export type Redaction = (text: string, mark: Mark, hints: Hints) => string;

/** Whether a text contains a redaction. */
export function isRedacted(text: string): boolean {
  return text.includes("[redacted:");
}

/** What stands in the place of a secret. */
export const markPattern = /\[redacted:[a-z-]+\]/;
