// Compiling a pattern takes longer than most texts take to search, so one quick look comes before the many patterns.
const word =
  /pass|pw|secret|token|key|auth|cred|bearer|basic|cookie|signature|sess|jwt|otp|psk|pin\b|pat|salt|hmac|dsn|sid|sas|conn|mnemonic|seed|identified|requirepass|rootpw|community|cryptsetup|securestring|sudo|log|sign|account|kennwort|contrase|senha|mdp|response|putty|openvpn|minisign|ed25519|rabbitmqctl/i;
const longWordLength = 16;
/** By code: the characters of tokens. */
const inTokens = Array.from({ length: 128 }, (_, code) => /[\w+/=.~-]/.test(String.fromCharCode(code)));

/** What a text could hold a secret by. */
export interface Hints {
  /** A word that tells of secrets. */
  isTold: boolean;
  /** A word as long as tokens are. */
  hasLongWord: boolean;
}

export function hintsOf(text: string): Hints {
  return { isTold: word.test(text), hasLongWord: hasLongWord(text) };
}

/** What joins a name and a value, an address, an option or a pair; every secret but a long word stands beside one of them or a telling word. Not the end of a question, nor "don't". */
const joint = /[:=@|<>&"`\\]|\?\S|'(?!(?:s|t|d|m|re|ve|ll)\b)|(?:^|\s)--?\w/;

/** Whether a text cannot hold a secret; the cheapest looks come first. */
export function isPlain(text: string): boolean {
  return !joint.test(text) && !hasLongWord(text) && !word.test(text);
}

/** Looks at every sixteenth character, one of which is in each long word, and around those that may be in one. */
function hasLongWord(text: string): boolean {
  const isIn = (at: number) => inTokens[text.charCodeAt(at)] === true;
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
