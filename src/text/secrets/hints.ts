/** Words that tell of secrets, or parts of such words. */
const telling = (
  "pass pw secret token key auth cred bearer basic cookie sess jwt otp psk pat salt hmac dsn sid sas conn mnemonic seed identified " +
  "community cryptsetup securestring sudo log sign account kennwort contrase senha mdp response putty openvpn ed25519 rabbitmqctl"
).split(" ");
const pin = /pin\b/i;
const tellingPattern = new RegExp(`${telling.join("|")}|${pin.source}`, "i");
/** Up to this length, looking for each word takes less time than compiling the pattern of all. */
const shortText = 1000;
const longWordLength = 16;

/** What a text could hold a secret by. */
export interface Hints {
  /** A word that tells of secrets. */
  isTold: boolean;
  /** A word as long as tokens are. */
  hasLongWord: boolean;
}

export function hintsOf(text: string): Hints {
  return { isTold: isTold(text), hasLongWord: hasLongWord(text) };
}

function isTold(text: string): boolean {
  if (text.length > shortText) return tellingPattern.test(text);
  const lower = text.toLowerCase();
  return telling.some((word) => lower.includes(word)) || (lower.includes("pin") && pin.test(lower));
}

/** What joins a name and a value, an address, an option or a pair; every secret but a long word stands beside one of them or a telling word. Not the end of a question, nor "don't". */
function hasJoint(text: string): boolean {
  return (
    /[:=@|<>&"`\\]/.test(text) ||
    /\?\S/.test(text) ||
    (text.includes("'") && /'(?!(?:s|t|d|m|re|ve|ll)\b)/.test(text)) ||
    (text.includes("-") && /(?:^|\s)--?\w/.test(text))
  );
}

/** Whether a text cannot hold a secret; the cheapest looks come first. */
export function isPlain(text: string): boolean {
  return !hasJoint(text) && !hasLongWord(text) && !isTold(text);
}

/** Looks at every sixteenth character, one of which is in each long word, and around those that may be in one. */
function hasLongWord(text: string): boolean {
  const isIn = (at: number) => isInToken(text.charCodeAt(at));
  for (let at = longWordLength - 1; at < text.length; at += longWordLength) {
    if (!isIn(at)) continue;
    let start = at;
    while (start > at - longWordLength + 1 && isIn(start - 1)) start -= 1;
    let end = at + 1;
    while (end - start < longWordLength && isIn(end)) end += 1;
    if (end - start >= longWordLength) return true;
  }
  return false;
}

/** Letters, digits and `+/=.~_-`. */
function isInToken(code: number): boolean {
  const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
  return isLetter || (code >= 45 && code <= 57) || code === 43 || code === 61 || code === 95 || code === 126;
}
