/** What stands where a secret would, and is none. */
export function isStandIn(value: string): boolean {
  return isPlaceholder(value) || isReference(value);
}

/** A value that stands for a secret: an example, a variable, a template, a mask. */
export function isPlaceholder(value: string): boolean {
  return (
    masked.test(value) ||
    template.test(value) ||
    // Many are written in capitals or with a telling word: YOUR_API_KEY, my-secret-token, example-password.
    (standIn.test(value) && !hasRandomPart(value)) ||
    commonWords.has(value.toLowerCase()) ||
    exampleValue.test(value)
  );
}

const masked =
  /^(?:(.)\1{2,}|[x*•.…_#-]+|(?:\w{0,12}[-_])?(?:x{3,}|\*{2,}|•{2,}|\.{3,}|…).*|.{0,12}(?:\.{3}|…|\*{3,}|x{4,}))$/i;
const template =
  /^(?:<.*>?$|\[.*\]?$|\{\{|\{[\w.]*\}$|\$\{|\$\(|\$[A-Za-z_{(]|\$\$?\d?$|%[A-Za-z_]\w*%$|%\(?\w*\)?[sd]|@@?[A-Za-z_]\w*@$|#\{|__\w+__$|!\w|&[a-z]|\*[a-z]\w*$|op:\/\/|vault:|ref\+|arn:|kms:|ssm:|secretsmanager:|file:|env:|env\.|https?:\/\/[^\s:@]*$)/i;
const standIn =
  /(?:^|[\s_.-])(?:your|my|some|the|an?|insert|enter|replace|change|put|set|dummy|fake|example|sample|test|demo|placeholder|default|foo|bar|todo|fixme|redacted|hidden|masked|removed|omitted|here|goes|same|none|null|nil|empty|undefined|unset|missing|required|optional|invalid|wrong|expired|temp)(?:[\s_.-]|$)|^(?:change|replace)_?me|placeholder|redacted|example|^your[A-Z_ -]?/i;

/** What tests and tutorials use. */
const exampleValue =
  /^(?:test|pass(?:word)?|admin|user|foo(?:bar)?|secret|example|demo|dummy|hello|qwerty|abc|letmein|my)[-_]?(?:pass(?:word)?|pw|secret|token|key)?[-_]?\d{0,4}!?$/i;

const commonWords = new Set(
  (
    "password passwort passwd pass pwd pw secret token key apikey auth credentials credential user username login admin root guest " +
    "true false null none nil undefined yes no on off string str text number int integer bool boolean bytes byte object array list dict map any " +
    "unknown never void optional required secretstr char varchar buffer uint8array uuid uri url email date datetime float double " +
    "bearer basic digest oauth oauth2 jwt saml ldap oidc hmac bcrypt scrypt argon2 argon2id argon2i pbkdf2 sha1 sha256 sha512 md5 " +
    "hs256 rs256 es256 aes aes256 rsa ecdsa ed25519 x25519 base64 base32 hex utf8 utf-8 ascii json yaml toml env vault keychain " +
    "postgres mysql redis mongo test example dummy changeme letmein default empty blank new old this self it that value values " +
    "field input type name id file path stdin prompt plaintext plain encrypted hashed md4 ntlm kerberos publickey"
  ).split(" "),
);

/** Code that gets the secret from elsewhere, a path, or an address without credentials. */
function isReference(value: string): boolean {
  return (
    member.test(value) ||
    call.test(value) ||
    (path.test(value) && !isBase64(value)) ||
    integrity.test(value) ||
    /^(?:process|os|env|ENV|config|settings|secrets|vars?|self|this|import\.meta|std|System|Environment|github|steps|data|module|local|each|inputs|params|args|options|opts|props|ctx|req|request|res|response|user|event)\b[.[(]/.test(
      value,
    )
  );
}

/** Base64 may begin with a slash, too. */
function isBase64(value: string): boolean {
  if (!/^\/[A-Za-z0-9/+]{27,}={0,2}(?![\w./+-])/.test(value)) return false;
  return /[+=]/.test(value) || value.split("/").some((part) => part.length >= 8 && !isWords(part));
}

const member = /^[!&*]?[A-Za-z_$][\w$]*(?:(?:\?\.|\.|::|->)[A-Za-z_$][\w$]*)+(?:\(|\[|[!?])?$/;
const call = /^(?:await |new |!)?[A-Za-z_$][\w$.:]*(?:\(|\[["'`\w]|<[A-Z])/;
const path = /^(?:[.~]{0,2}\/(?!$)|[A-Za-z]:[\\/]|[\w.@-]+\/[\w.@/-]*\.\w{1,5}$)/;
const integrity = /^(?:sha(?:1|256|384|512)[-:=]|md5[-:=]|(?:sha256|blake\w*):)/i;

/** Whether a text is made of words, as names and prose are; a short number may follow. */
export function isWords(value: string): boolean {
  const digits = value.match(/\d+/g) ?? [];
  if (digits.length > 2 || digits.some((group) => group.length > 4)) return false;
  const words = value.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  const letters = words.join("").length;
  if (letters + digits.join("").length < value.replace(/[\s_./:-]/g, "").length) return false;
  // Capitals in the middle of words, and single letters between them, are what a generator makes.
  const odd = words.filter(
    (word) => word.length === 1 || (word.length > 1 && word === word.toUpperCase()),
  ).length;
  const isMixed = value !== value.toUpperCase() && odd > 1 && !/[\s_./:-]/.test(value);
  return words.length > 0 && !isMixed && letters / words.length >= 2.6 && words.every(isPronounceable);
}

function isPronounceable(word: string): boolean {
  const lower = word.toLowerCase();
  // Abbreviations: API, HTTPS, db.
  if (lower.length <= 2 || (word === word.toUpperCase() && lower.length <= 5)) return true;
  const vowels = (lower.match(/[aeiouy]/g)?.length ?? 0) / lower.length;
  return vowels >= 0.15 && vowels <= 0.8 && !/[^aeiouy]{6}|[aeiou]{5}/.test(lower);
}

function hasRandomPart(value: string): boolean {
  if ((value.match(/\d/g)?.length ?? 0) >= 4 && /[^\w\s.<>{}[\]()-]/.test(value)) return true;
  return value.split(/[^A-Za-z0-9]+/).some((part) => part.length >= 12 && /\d/.test(part) && !isWords(part));
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Hashes, ids and numbers, which only a telling name makes a secret. */
export function isIdentifier(value: string): boolean {
  return /^(?:0x)?[0-9a-f]+$/i.test(value) || uuid.test(value) || /^[\d.,:_-]+$/.test(value);
}

/** Letters and digits as a generator makes them: long, mixed, and not words. */
export function isRandom(value: string, minLength = 16): boolean {
  if (value.length < minLength || !/^[\w+/=.~:|%!@#$^&*-]+$/.test(value)) return false;
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return /^[A-Za-z]{24,}$/.test(value) && !isWords(value);
  return !isWords(value) && bitsPerCharacter(value) >= (isIdentifier(value) ? 2.5 : 3);
}

function bitsPerCharacter(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
