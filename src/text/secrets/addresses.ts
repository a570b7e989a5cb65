import { applyRules, type Mark, type SecretRule } from "./mark.js";
import { isRandom, isStandIn, isWords } from "./values.js";

// A pattern begins with what is rare in a text and looks back from there: that is several times as fast.
const userInfo =
  /(:\/\/)(?<=[a-z0-9+.-][a-z0-9]:\/\/)([^\s/:@'"`<>[\]]{0,200}:(?!\d{1,5}[/?#])[^\s'"`<>[\]]{1,200})(?=@(?!sha256:)[\w.[{$%*:-])/gi;
const userOnly = /(:\/\/)(?<=https?:\/\/)(?=[^\s/@]{0,200}\d)([^\s/:@'"`<>[\]]{12,200})(?=@)/gi;

const webhooks: [kind: "webhook" | "slack-webhook", pattern: RegExp][] = [
  ["slack-webhook", /(hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/)([A-Za-z0-9/_-]{20,})/g],
  ["webhook", /(discord(?:app)?\.com\/api\/(?:v\d+\/)?webhooks\/\d{5,25}\/)([\w-]{20,})/g],
  ["webhook", /((?:webhook\.office|outlook\.office(?:365)?)\.com\/webhook(?:b2)?\/)([\w@/.-]{30,})/g],
  ["webhook", /(hooks\.zapier\.com\/hooks\/(?:catch|standard)\/)([\w/]{8,})/g],
  ["webhook", /(maker\.ifttt\.com\/(?:trigger\/[\w-]+\/(?:json\/)?with|use)\/(?:key\/)?)([\w-]{16,})/g],
  ["webhook", /(open\.(?:feishu\.cn|larksuite\.com)\/open-apis\/bot\/v2\/hook\/)([\w-]{20,})/g],
  ["webhook", /(hook\.(?:eu|us)\d?\.make\.com\/)([a-z0-9]{20,})/g],
  ["webhook", /(events\.pagerduty\.com\/(?:integration|x-ere)\/)([\w-]{20,})/g],
  ["webhook", /(\/(?:hooks|webhooks?|incoming)\/)((?=[a-z0-9]{0,25}\d)[a-z0-9]{26}(?!\w))/g],
  ["webhook", /(api\.telegram\.org\/(?:file\/)?bot)([\w:%-]{20,})/g],
  ["webhook", /(hooks\.(?:chime|airtable|datadoghq|us\.webhook)\S{0,40}\/)([\w-]{20,})/g],
];

const queryValue =
  /([?&;](?:amp;)?[\w.-]{0,30}?(?:token|secret|passw(?:or)?d|passwd|pwd|pass|api[_-]?key|access[_-]?key|subscription-key|private[_-]?key|auth|sig|signature|credential|session|sid|jwt|code|key|otp|nonce|hmac|psk|state)(?:\[\])?=)([^\s&"'`<>()\\#]{4,4000})/gi;
const certainQuery =
  /(?:token|secret|pass|pwd|api[_-]?key|access[_-]?key|subscription-key|private[_-]?key|signature|sig|otp|jwt|psk)(?:\[\])?=$/i;

/** `user:password@tcp(host)`, `user/password@host`, `user:password@host:port` after what says that it is a connection. */
const goSource = /([\w.-]{1,64}:)([^\s:@/'"`]{1,100})(?=@(?:tcp|unix)\()/g;
const oracle =
  /(\b(?:jdbc:oracle:[a-z0-9]+:|sqlplus\s+(?:-\w+\s+){0,3}|(?:imp|exp|impdp|expdp|sqlldr)\s+(?:userid=)?)["']?[\w.$#-]{1,64}\/)([^\s@'"/]{1,100})(?=@)/gi;
const bare =
  /(?<![\w/.@:-])([\w.+-]{1,40}:)([^\s:@/'"`<>(){}[\],;]{4,100})(?=@(?:localhost|[\w-]+(?:\.[\w-]+)+|\d{1,3}(?:\.\d{1,3}){3}):\d{2,5}\b)/g;

const rules: readonly SecretRule[] = [
  { kind: "url-credentials", pattern: userInfo, hint: /:\/\//, isSecret: isUserAndPassword },
  {
    kind: "url-credentials",
    pattern: userOnly,
    hint: /:\/\//,
    isSecret: (user) => !isNoSecret(user) && !isWords(user),
  },
  ...webhooks.map(
    ([kind, pattern]): SecretRule => ({
      kind,
      pattern,
      hint: /hook|discord|ifttt|pagerduty|telegram|incoming/,
    }),
  ),
  { kind: "signed-url", pattern: queryValue, hint: /[?&;]/, isSecret: isSecretParameter },
  ...[goSource, oracle, bare].map(
    (pattern): SecretRule => ({
      kind: "url-credentials",
      pattern,
      hint: /@/,
      isSecret: (password) => !isNoSecret(password) && !/^\d{1,5}$/.test(password),
    }),
  ),
];

/** Secrets in URLs and other addresses. */
export function redactAddresses(text: string, mark: Mark): string {
  return applyRules(text, rules, mark);
}

function isUserAndPassword(value: string): boolean {
  const [user = "", ...rest] = value.split(":");
  const password = rest.join(":");
  const isExample =
    /^(?:user(?:name)?|login)$/i.test(user) && /^(?:pass(?:word|wd)?|pwd|pw)$/i.test(password);
  return !isExample && !isTemplate(password);
}

function isSecretParameter(value: string, start: string): boolean {
  if (isNoSecret(value)) return false;
  if (certainQuery.test(start)) return value.length >= 8 || /\d/.test(value);
  return isRandom(value.replace(/%[0-9A-F]{2}/gi, "+"), 20);
}

/** A variable, a mask or a gap to fill in; a word may well be somebody's password. */
function isTemplate(value: string): boolean {
  return (
    /^(?:\[redacted:|\$[A-Z_][A-Z0-9_]*$|\$[{(]|%[A-Za-z_]\w*%$|%[sd]$|\{|<|(?:[xX]{3,}|\*{2,}|\.{3,}|…)$)/.test(
      value,
    ) || /^\$[a-z_]*(?:pass|pw|secret|token|user|key)[a-z_]*$/i.test(value)
  );
}

function isNoSecret(value: string): boolean {
  return isStandIn(value) || isTemplate(value);
}
