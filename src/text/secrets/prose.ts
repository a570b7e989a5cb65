import { applyRules, type Mark, type SecretRule } from "./mark.js";
import { isRandom, isStandIn, isWords } from "./values.js";

const said =
  /(\b(?:pass(?:word|phrase|code|wd)|passwort|kennwort|pwd|pw|secret(?: key)?|api[ -]?key|access key|(?:auth|access|api|bearer|deploy|bot)? ?token|pin(?: code)?|credentials?|client secret|license key|encryption key)s?(?:\s[(\w.'’-]{1,20}\)?){0,6}?\s(?:(?:is|was|were|been|got)\s(?:now\s)?(?:re)?(?:set|changed|reset|updated|rotated)\sto|is|was|are|=|to|became|becomes|reads|ist|lautet|of|as|now|:)\s{1,3}(?:now |still |currently |simply |just |always |set to |called )?["'`“‘«]?)([^\s"'`”’»]{4,200})/gi;
const used =
  /(\b(?:use|using|try|with|enter|type|set|has|have|via|by|is|the|and|my|our|new|old)\s{1,2}(?:[a-z-]{1,12}\s){0,3}?(?:pass(?:word|phrase|wd|code)|pwd|pw|secret|api[ -]?key|access key|token|pin|credential)s?\s{1,3}(?:of |=|:)?\s{0,2}["'`“‘«(]{0,2})([^\s"'`”’»]{4,200})/gi;
const pair =
  /(\b(?:log(?:ged|ging)?[ -]?in|login|sign(?:ed|ing)? in|credentials?|creds|authenticat\w+|connect(?:ed|ing)?|account)\b[^\n.;]{0,40}?(?:\s|["'`(:])[\w.@+-]{2,40}\s?[/:]\s?)([^\s"'`”’»,;)\\]{5,100})/gi;

const alone =
  /(\b(?:pass(?:word|phrase|wd|code)|passwort|kennwort|api[ -]?key|secret key|access key|private key|client secret)\s{1,4}["'`“‘«]?)([^\s"'`”’»]{8,200})/gi;
const as =
  /(\b(?:use|used|using|enter|type|with|put|set)\s{1,2}["'`“‘«]?)([^\s"'`”’»]{5,200})(?=["'`”’»]?\s{1,2}(?:as|for)\s{1,2}(?:the |your |my |our |an? )?(?:[\w-]{1,14}\s){0,2}?(?:pass(?:word|phrase|wd|code)|secret|api[ -]?key|token|pin)\b)/gi;
/** `auth=("bob", "…")`, `login('bob', '…')`. */
const call =
  /(\b(?:\w{0,20}auth|login|authenticate|\w{0,20}credentials?)\s{0,2}=?\s{0,2}\(\s{0,2}["'][^"'\n]{1,80}["']\s{0,2},\s{0,2}["'])([^"'\n\s]{4,200})/gi;

const secretWord =
  /passw|passphrase|passcode|kennwort|\bpwd?\b|secret|token|(?:api|access|license|encryption)[ -]?key|\bpin\b|credential/i;
const called = /(?:auth|login|authenticate|credentials?)\s{0,2}=?\s{0,2}\(/i;
const access = /log(?:ged|ging)?[ -]?in|sign(?:ed|ing)? in|cred|auth|connect|account/i;

const isQuoted = (start: string) => /["'`“‘«(]$/.test(start);
const isNamed = (value: string, start: string) => isSpoken(value, isQuoted(start));

const rules: readonly SecretRule[] = [
  { kind: "credential", pattern: said, hint: secretWord, isSecret: isNamed, isInSentence: true },
  { kind: "credential", pattern: used, hint: secretWord, isSecret: isNamed, isInSentence: true },
  {
    kind: "credential",
    pattern: alone,
    hint: secretWord,
    isSecret: (value, start) => isNamed(value, start) && isGenerated(value),
    isInSentence: true,
  },
  { kind: "credential", pattern: as, hint: secretWord, isSecret: isNamed },
  { kind: "credential", pattern: call, hint: called, isSecret: (value) => isSpoken(value, true) },
  { kind: "credential", pattern: pair, hint: access, isSecret: isPasswordOfUser, isInSentence: true },
];

/** Secrets in sentences: "the password is …", "log in as admin / …". Words alone are taken for prose. */
export function redactProse(text: string, mark: Mark): string {
  return applyRules(text, rules, mark);
}

function isPasswordOfUser(value: string, start: string): boolean {
  return (
    isSpoken(value, false) &&
    !/^\/|\/\S*\/|\.(?:com|org|io|net|ts|js|py|md|json|ya?ml)\b/i.test(value) &&
    !/(?:^|[\s"'`(:])(?:https?|[\d.]+|port|line|v|node|step|file)\s?[/:]\s?$/i.test(start)
  );
}

/** Without a verb before it, only what nobody would take for a word. */
function isGenerated(value: string): boolean {
  return isRandom(value, 8) && (/[a-z]/.test(value) && /[A-Z]/.test(value) ? true : value.length >= 16);
}

function isSpoken(value: string, isQuoted: boolean): boolean {
  if (value.length < 4 || isStandIn(value)) return false;
  if (
    /^[\w-]+\(|[()[\]{}<>=|]|^\W|\/|::|->|^\d+(?:\.\d+)*\w{0,7}$|^[A-Z]{2,6}-?\d+$|^v?\d+\.\d|^\w+\.\w{1,5}$|^--|^\w+(?:-\w+)*\.\w+$/.test(
      value,
    )
  )
    return false;
  if (
    /^(?:base|sha|md|oauth|utf|aes|rsa|hs|rs|es|argon|pbkdf|http|ipv|win|x|i|p|s|k|es|v)-?\d+\b/i.test(value)
  )
    return false;
  if (!/\d/.test(value))
    return (
      isQuoted &&
      (/[^\w-]/.test(value) || !isWords(value)) &&
      value.length >= 6 &&
      /[a-z]/i.test(value) &&
      !/[.:,]/.test(value)
    );
  if (!/[A-Za-z]/.test(value)) return isQuoted && value.length >= 4 && /^\d+$/.test(value);
  return /^[a-z]+-(?:[a-z]+-)*\d{1,4}$/i.test(value) ? isQuoted || value.length >= 14 : true;
}
