import { applyRules, type Mark, type SecretRule } from "./mark.js";

// A key that is cut off has no end line: then everything to the end of the text is the key.
const blocks: readonly RegExp[] = [
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----BEGIN )[\s\S])*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  /---- BEGIN SSH2 (?:ENCRYPTED )?PRIVATE KEY ----(?:(?!---- BEGIN )[\s\S])*?(?:---- END SSH2 (?:ENCRYPTED )?PRIVATE KEY ----|$)/g,
  /-----BEGIN OpenVPN Static key V1-----(?:(?!-----BEGIN )[\s\S])*?(?:-----END OpenVPN Static key V1-----|$)/g,
  /PuTTY-User-Key-File-\d:(?:(?!PuTTY-User-Key-File)[\s\S])*?(?:Private-MAC:\s{0,3}[0-9a-fA-F]+|$)/g,
  /(?<=minisign encrypted secret key\r?\n)[A-Za-z0-9+/=]{60,}/g,
  /(?<=== ed25519v1-secret: type0 ==)[\s\S]{0,120}/g,
];

/** The body of a key without its first line, as the end of a long output shows it. */
const rest =
  /(?:^|(?<=[\s"'\\n]))(?:[A-Za-z0-9+/]{40,80}={0,2}(?:\r?\n|\\n|\\r\\n)[ \t>|]*)*[A-Za-z0-9+/=]{0,80}(?:\r?\n|\\n)?[ \t>|]*-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;

const jwk = /\{[^{}]{0,4000}?\\*"kty\\*"[^{}]{0,8000}\}/g;
const jwkField = /(\\*"(?:d|p|q|dp|dq|qi|k)\\*"\s{0,3}:\s{0,3}\\*")([\w-]{6,})/g;
const rsaXml = /(<(?:D|P|Q|DP|DQ|InverseQ)>)([A-Za-z0-9+/=\s]{16,})(?=<\/)/g;

const rules: readonly SecretRule[] = [
  ...blocks.map(
    (pattern): SecretRule => ({
      kind: "private-key",
      pattern,
      hint: /PRIVATE KEY|PuTTY|OpenVPN|minisign|ed25519v1/,
    }),
  ),
  { kind: "private-key", pattern: rest, hint: /-----END / },
  { kind: "private-key", pattern: rsaXml, hint: /<RSAKeyValue>/ },
];
const jwkRules: readonly SecretRule[] = [{ kind: "private-key", pattern: jwkField }];

/** Private keys in their own formats. */
export function redactKeys(text: string, mark: Mark): string {
  const safe = applyRules(text, rules, mark);
  return safe.includes("kty") ? safe.replace(jwk, (key) => applyRules(key, jwkRules, mark)) : safe;
}
