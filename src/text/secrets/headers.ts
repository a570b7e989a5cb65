import { applyRules, type Mark, type SecretRule } from "./mark.js";
import { isStandIn, isWords } from "./values.js";

const scheme =
  /(\b(?:proxy-)?authorization\\*["'`]?\]?\s{0,3}(?:[:=,]|=>)\s{0,3}\\*["'`]?\s{0,3}(?:[A-Za-z][\w-]{1,20}\s{1,3})?)(?!\[redacted:)([^\s"'`\\,;<>]{8,8000})/gi;
const bearer = /(\bbearer\s{1,3})([A-Za-z0-9._~+/=-]{16,8000})/gi;
const basic = /(\bbasic\s{1,3})([A-Za-z0-9+/_-]{8,400}={0,2})(?![\w/.-])/gi;
const signature =
  /(\b(?:Signature|SharedKey|SharedAccessSignature|response|oauth_signature|oauth_token)["']?\s{0,2}[= ]\s{0,2}["']?(?:[\w-]{1,64}:)?)([A-Za-z0-9+/%=_-]{28,600})/g;

const cookieHeader = /(\b(?:set-)?cookie\\*["'`]?\s{0,3}[:=]\s{0,3}\\*["'`]?)([^\r\n"'`]{4,8000})/gi;
const cookieFlag = /(\bcurl\b[^\n]{0,300}?\s(?:-b|--cookie)[ =]["']?)([^\n"']{4,4000})/g;
const cookiePair = /([\w!#$%&*+.^|~-]{1,80}=)([^\s;,]{6,4000})/g;
const cookieAttribute =
  /^(?:path|domain|expires|max-age|samesite|priority|version|lang|locale|theme|tz|timezone|currency|country)=/i;
/** A cookie that is known by its name, outside of a header. */
const sessionCookie =
  /(\b(?:connect\.sid|PHPSESSID|JSESSIONID|ASP\.NET_SessionId|\.AspNetCore\.\w+|_gitlab_session|user_session|__Host-[\w-]+|__Secure-[\w-]+|laravel_session|ci_session|_session_id|sessionid|XSRF-TOKEN|csrftoken|auth_session|remember_\w+|sid|d)["']?\s{0,2}=\s{0,2}["']?)((?=[^\s;"']{0,60}\d)[\w%.+/:~-]{20,4000})/g;

const rules: readonly SecretRule[] = [
  {
    kind: "basic-credentials",
    pattern: scheme,
    hint: /authorization/i,
    isSecret: (value, start) => /basic\s+$/i.test(start) && isSecret(value),
  },
  { kind: "bearer-token", pattern: scheme, hint: /authorization/i, isSecret },
  { kind: "bearer-token", pattern: bearer, hint: /bearer/i, isSecret },
  { kind: "basic-credentials", pattern: basic, hint: /basic/i, isSecret: holdsUserAndPassword },
  {
    kind: "credential",
    pattern: signature,
    hint: /ignature|SharedKey|response|oauth_/,
    isSecret: (value) => /\d/.test(value) && isSecret(value),
  },
  { kind: "cookie", pattern: sessionCookie, hint: /=/, isSecret },
];
const cookieRules: readonly SecretRule[] = [
  {
    kind: "cookie",
    pattern: cookiePair,
    isSecret: (value, name) =>
      !cookieAttribute.test(name) && isSecret(value) && !(isWords(value) && value.length < 20),
  },
];

/** Credentials in the headers of requests, and cookies. */
export function redactHeaders(text: string, mark: Mark): string {
  let safe = text;
  if (/cookie/i.test(safe))
    for (const header of [cookieHeader, cookieFlag])
      safe = safe.replace(
        header,
        (_whole, start: string, pairs: string) => start + applyRules(pairs, cookieRules, mark),
      );
  return applyRules(safe, rules, mark);
}

function isSecret(value: string): boolean {
  return !isStandIn(value) && (/\d/.test(value) || !isWords(value));
}

/** Whether a Base64 text is `user:password`. */
export function holdsUserAndPassword(value: string): boolean {
  const decoded = Buffer.from(value, "base64").toString("latin1");
  return /^[\x20-\x7e\xa0-\xff]{0,200}:[\x20-\x7e\xa0-\xff]{1,400}$/.test(decoded);
}
