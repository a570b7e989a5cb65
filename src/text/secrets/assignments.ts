import { holdsUserAndPassword } from "./headers.js";
import { isRedacted, type Mark } from "./mark.js";
import { mayHoldName, type NameStrength, strengthOf } from "./names.js";
import { isIdentifier, isPlaceholder, isRandom, isStandIn, isWords } from "./values.js";

/** How a name and its value are joined, as far as it changes what the value may be. */
interface Found {
  name: string;
  strength: NameStrength;
  value: string;
  isQuoted: boolean;
  /** `NAME=value`, without spaces: not how code is written. */
  isTight: boolean;
  isComparison: boolean;
  /** What comes right after the value. */
  next: string;
}

// A name, the quotes and brackets that close it, and what joins it to a value.
const joined =
  /(?<![\w-]|\w\.)(?<name>[A-Za-z_][\w.-]{0,79})(?<close>(?:\\{0,3}["'`]|&quot;|\]|\)|\*\*|[?!]){0,4})(?<join>[ \t]{0,3}(?::[ \t]{0,3}[&\w<>[\]?'. ]{1,30}?|string)[ \t]{0,3}=[ \t]{0,3}(?=["'`])|\([ \t]{0,3}(?=\\{0,3}["'`])|[ \t]{0,20}(?::=|\?=|\+=|={1,3}>?|:{1,2}|<-|->|\|)[ \t]{0,20}|,[ \t]{0,3}(?=\\{0,3}["'`]))(?<open>(?:[|>][+-]?[ \t]{0,3}\r?\n[ \t]{1,40})?(?:!!?\w{1,20}[ \t])?(?:[a-zA-Z@$]{0,2}(?=["']))?(?:\\{0,3}(?:"""|'''|["'`])|&quot;|\*\*[ \t]?)?)/g;

/** Names and values that stand apart: `name: DB_PASSWORD` and then `value: …`; `<password>…</password>`. */
const apart =
  /(\b(?:name|key|id|variable|Name|Key)\\?["']?[ \t]{0,3}[:=>][ \t]{0,3}\\?["']?)([A-Za-z_][\w.-]{0,79})(\\?["']?[ \t]{0,3}(?:,|\/?>|<\/\w{1,20}>|\r?\n)?[\s,{<-]{0,60}\\?["']?(?:value|Value|string|default|plaintext_value)\\?["']?[ \t]{0,3}(?:[:=>]|>)[ \t]{0,3})(\\?["']?)([^\s"'<>\\]{3,2000}|(?<=["'])[^"'\n<>\\]{3,2000})/g;
const element =
  /(<([A-Za-z_][\w.:-]{0,60})(?:\s[^<>\n]{0,120})?>\s{0,40}(?:<!\[CDATA\[)?)([^<>\s][^<>\n]{0,2000}?)(?=\s{0,40}(?:\]\]>)?<\/\2>)/g;

/** A line of `.pgpass`: host, port, database, user, password. */
const passwordFile =
  /(^[ \t]*(?:[\w.-]{1,80}|\*):(?:\d{2,5}|\*):(?:[A-Za-z]\w{0,62}|\*):(?:[A-Za-z][\w.-]{0,62}|\*):)([^\s:]{4,200})(?=[ \t]*$)/gm;

const maxValue = 4000;
const maxTries = 16;
/** A value is judged by how it begins. */
const maxJudged = 400;

/** Values of names that tell of a secret, in the syntax of any language or configuration file. */
export function redactAssignments(text: string, mark: Mark): string {
  if (!/[:=>|,(]/.test(text)) return text;
  const isNamed = mayHoldName(text);
  let safe = isNamed ? replaceJoined(text, mark) : text;
  if (isNamed && /value|string|default/i.test(safe) && /\b(?:name|key|id|variable)\b/i.test(safe))
    safe = safe.replace(
      apart,
      (whole: string, start: string, name: string, middle: string, quote: string, value: string) => {
        const isQuoted = quote !== "" || middle.endsWith(">");
        return isNamedSecret(name, value, isQuoted)
          ? `${start}${name}${middle}${quote}${mark("credential", value)}`
          : whole;
      },
    );
  if (/:(?:\d{2,5}|\*):/.test(safe))
    safe = safe.replace(passwordFile, (whole: string, start: string, value: string) =>
      isPlaceholder(value) || isRedacted(value) || /:(?:error|warning|info|note):$/.test(start)
        ? whole
        : `${start}${mark("credential", value)}`,
    );
  if (isNamed && safe.includes("</"))
    safe = safe.replace(element, (whole: string, start: string, name: string, value: string) =>
      isNamedSecret(name, value, true) ? `${start}${mark("credential", value)}` : whole,
    );
  return safe;
}

/** Whether a value is a secret by its name, as in an object. */
export function isNamedSecret(name: string, value: string, isQuoted: boolean): boolean {
  const strength = strengthOf(name);
  if (strength === undefined || isRedacted(value)) return false;
  return isSecret({ name, strength, value, isQuoted, isTight: true, isComparison: false, next: "" });
}

function replaceJoined(text: string, mark: Mark): string {
  let safe = "";
  let done = 0;
  let runEnd = 0;
  let tries = 0;
  joined.lastIndex = 0;
  for (let match = joined.exec(text); match !== null; match = joined.exec(text)) {
    const { name = "", close = "", join = "", open = "" } = match.groups ?? {};
    // The value may itself be a name: `env: PASSWORD=x`.
    joined.lastIndex = match.index + name.length;
    const before = text.slice(Math.max(0, match.index - 16), match.index);
    const strength = strengthOf(isOfTwoWords(name, before) ? `${before.trim()}_${name}` : name);
    if (strength === undefined || !isJoint(join, name, before)) continue;
    const start = match.index + match[0].length;
    // Names that are joined to names, without end: a few are enough to see that there is no secret.
    tries = start < runEnd ? tries + 1 : 0;
    if (tries > maxTries) {
      joined.lastIndex = runEnd;
      continue;
    }
    const { value, isQuoted } = readValue(text, start, open);
    runEnd = Math.max(runEnd, start + value.length);
    const joint = join.trim();
    const found: Found = {
      ...{ name, strength: joint === "(" && strength !== "certain" ? "faint" : strength, value, isQuoted },
      isTight: join === "=" || join === ":",
      isComparison: ["==", "===", "|", "->", "::"].includes(joint),
      next: text.slice(start + value.length, start + value.length + 2),
    };
    const isCode = joint === "=>" && isCodeArrow(close, open);
    if (value === "" || isRedacted(value) || isCode || !isSecret(found)) continue;
    // Marks at the end of a sentence may as well be its last characters.
    const ending = isQuoted
      ? ""
      : (/^[!?]+/.exec(text.slice(start + value.length, start + maxValue))?.[0] ?? "");
    safe += text.slice(done, start) + mark("credential", value + ending);
    done = start + value.length + ending.length;
    joined.lastIndex = done;
  }
  return safe + text.slice(done);
}

/** As in "API key: …". */
function isOfTwoWords(name: string, before: string): boolean {
  return (
    /^keys?$/i.test(name) &&
    /(?:api|access|secret|private|auth|encryption|signing|account|license|master|shared)[ ]$/i.test(before)
  );
}

/** Whether a name and a value belong together: not in a list, in a chain of names such as an ARN, or in a call that only asks. */
function isJoint(join: string, name: string, before: string): boolean {
  if (join.startsWith(",")) return /\(\s{0,3}\\{0,3}["'`]$/.test(before);
  if (join === ":") return !/\w:$/.test(before);
  return !join.startsWith("(") || setter.test(name);
}

const setter =
  /^(?:[\w.]*\.)?(?:(?:set|with|use|add|put|update|change)_?\w*|password|passwd|passphrase|pass|pwd|secret|token|api_?key)$/i;

/** `password => hash(password)` is code; `'password' => 'x'` is a map. */
function isCodeArrow(close: string, open: string): boolean {
  return !/["'`]/.test(close) && !/["'`]/.test(open);
}

/** The value at a place: up to the quote that closes it, or to the end of the word. */
function readValue(text: string, start: number, open: string): { value: string; isQuoted: boolean } {
  const quote = /(?:\\{0,3}(?:"""|'''|["'`])|&quot;)$/.exec(open)?.[0];
  const rest = text.slice(start, start + maxValue);
  if (quote !== undefined) {
    const end = closingQuote(rest, quote);
    if (end !== -1) return { value: rest.slice(0, end), isQuoted: true };
  }
  const run = /^[^\s"'`]+/.exec(rest)?.[0] ?? "";
  const cut = run.search(/[,;&]\s?[\w.-]{1,40}\\?["']?[:=]|\\[nrt"']|&quot;|<\/|%0A|\]\]>/);
  let end = cut === -1 ? run.length : cut;
  while (end > 0 && closers.has(run[end - 1] ?? "")) end -= 1;
  return { value: run.slice(0, end), isQuoted: false };
}

const closers = new Set("),;]}>.:!?*|");

function closingQuote(rest: string, quote: string): number {
  let end = rest.indexOf(quote);
  // A backslash before a plain quote escapes it.
  while (end > 0 && quote.length === 1 && rest[end - 1] === "\\" && rest[end - 2] !== "\\")
    end = rest.indexOf(quote, end + 1);
  const isBlock = quote === '"""' || quote === "'''";
  return end !== -1 && !isBlock && /[\r\n]/.test(rest.slice(0, end)) ? -1 : end;
}

function isSecret(found: Found): boolean {
  const { name, strength, value, isQuoted } = found;
  if (value.length > maxJudged) return isSecret({ ...found, value: value.slice(0, maxJudged) });
  if (value.length < 3 || isStandIn(value)) return false;
  if (isQuoted && /\s/.test(value)) return strength === "certain" && isPhrase(value);
  if (!isQuoted && isCode(found)) return false;
  if (strength === "certain") return isCertainSecret(found);
  if (strength === "likely") return isLikelySecret(found);
  const isSetting = name === name.toUpperCase();
  return isRandom(value) && (!isIdentifier(value) || (isSetting && value.length >= 24));
}

function isCertainSecret({ name, value, isQuoted, isTight, isComparison }: Found): boolean {
  if (/^\d+$/.test(value)) return value.length >= 4 && (isTight || isQuoted || value.length >= 6);
  if (/\d/.test(value) && value.length >= 4) return !(isComparison && !isQuoted) || value.length >= 8;
  if (/[^\w\s.:/-]/.test(value) && /[A-Za-z]/.test(value)) return value.length >= 5;
  if (!isWords(value)) return value.length >= 5;
  if (isQuoted) return value.length >= 5 && !/^[A-Z][a-z]+$/.test(value) && !isSameName(name, value);
  return (
    isTight &&
    (name === name.toUpperCase() || /[._]/.test(name)) &&
    value.length >= 5 &&
    !isSameName(name, value)
  );
}

function isLikelySecret({ name, value, isQuoted, isTight, isComparison }: Found): boolean {
  if (/^[\d.,:_-]+$/.test(value))
    return value.length >= 20 || (/(?:^|_)(?:pin|otp)$/i.test(name) && /^\d{4,8}$/.test(value));
  if (/(?:^|_)pin$/i.test(name)) return false;
  if (/auth$/i.test(name) && holdsUserAndPassword(value)) return true;
  if (isWords(value) || value.length < 8 || (isComparison && !isQuoted)) return false;
  // Sessions and signatures are often ids and digests.
  if (/sess|sid|cookie|salt|auth$/i.test(name)) return isRandom(value) && !isIdentifier(value);
  return /\d/.test(value)
    ? isRandom(value, 8) || isTight || isQuoted
    : value.length >= 20 || isRandom(value, 12);
}

/** Names and expressions that stand without quotes in code. */
function isCode({ name, value, isTight, next }: Found): boolean {
  if (/^[[({]/.test(next) && !isTight) return true;
  if (/^[A-Za-z_$][\w$]*[(<[]/.test(value) || /^[A-Za-z_]\w*\.\w+$/.test(value)) return true;
  if (/^[({[<]/.test(value)) return true;
  if (/^[;,)]/.test(next) && /^[A-Za-z_$]+$/.test(value) && isWords(value)) return true;
  return !/^[A-Z_0-9]+$/.test(name) && /^[a-z_$][\w$]*$/i.test(value) && isSameName(name, value);
}

/** `password = dbPassword1`: a variable that is called after what it holds. */
function isSameName(name: string, value: string): boolean {
  const plainName = name.toLowerCase().replace(/[^a-z]/g, "");
  const plainValue = value.toLowerCase().replace(/[^a-z]/g, "");
  if (plainValue.length < 3) return false;
  return plainName.includes(plainValue) || /pass(?:word|wd)|token|secret|apikey|credential/.test(plainValue);
}

/** Several words as a passphrase has them: no sentence, no label. */
function isPhrase(value: string): boolean {
  if (
    /^(?:.{0,200}\s)?(?:the|your|a|an|is|are|must|be|to|for|of|and|or|please|enter|at|least|not|in|with|should|from|this|has|you|was|no|new|old|confirm|forgot|password|secret|token)(?:\s|$)/i.test(
      value,
    )
  )
    return false;
  const words = value.split(/\s+/);
  return words.length >= 3
    ? words.every((word) => /^[a-z0-9-]{2,}$/i.test(word)) && /^[a-z0-9]/.test(value)
    : /\d/.test(value) && !isWords(value) && words.length <= 2 && value.length >= 8;
}
