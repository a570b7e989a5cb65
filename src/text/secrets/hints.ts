// Compiling a pattern takes longer than most texts take to search, so one quick look comes before the many patterns.
const word =
  /pass|pw|secret|token|key|auth|cred|bearer|basic|cookie|signature|sess|jwt|otp|psk|pin\b|pat|salt|hmac|dsn|sid|sas|conn|mnemonic|seed|identified|requirepass|rootpw|community|cryptsetup|securestring|sudo|log|sign|account|kennwort|contrase|senha|mdp|response|putty|openvpn|minisign|ed25519|rabbitmqctl/i;
const longWord = /[\w+/=.~-]{16}/;

/** What a text could hold a secret by. */
export interface Hints {
  /** A word that tells of secrets. */
  isTold: boolean;
  /** A word as long as tokens are. */
  hasLongWord: boolean;
}

export function hintsOf(text: string): Hints {
  return { isTold: word.test(text), hasLongWord: longWord.test(text) };
}

/** What joins a name and a value, an address, an option or a pair; every secret but a long word stands beside one of them or a telling word. */
const joint = /[:=@|<>&?"'`\\]|(?:^|\s)--?\w/;

/** Whether a text cannot hold a secret; the cheapest looks come first. */
export function isPlain(text: string): boolean {
  return !joint.test(text) && !longWord.test(text) && !word.test(text);
}
