const blockBytes = 64;
const rounds = 64;

/** The fractional parts of the roots of the first primes, from which SHA-256 takes its constants. */
function rootsOfPrimes(count: number, exponent: number): Int32Array {
  const roots = new Int32Array(count);
  for (let candidate = 2, found = 0; found < count; candidate += 1) {
    if (!isPrime(candidate)) continue;
    roots[found] = (candidate ** exponent % 1) * 2 ** 32;
    found += 1;
  }
  return roots;
}

function isPrime(candidate: number): boolean {
  for (let divisor = 2; divisor * divisor <= candidate; divisor += 1)
    if (candidate % divisor === 0) return false;
  return true;
}

let constants: { start: Int32Array; ofRound: Int32Array } | undefined;

/** SHA-256 in hexadecimal, for a few bytes: done sooner than `node:crypto` is loaded. */
export function shortSha256(content: Uint8Array): string {
  constants ??= { start: rootsOfPrimes(8, 1 / 2), ofRound: rootsOfPrimes(rounds, 1 / 3) };
  const { start, ofRound } = constants;
  const words = padded(content);
  const state = Int32Array.from(start);
  for (let at = 0; at < words.length; at += blockBytes / 4)
    digestBlock(words.subarray(at, at + blockBytes / 4), state, ofRound);
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** The content, a bit, zeros, and the number of its bits, as words whose first byte counts most. */
function padded(content: Uint8Array): Int32Array {
  const words = new Int32Array(16 * Math.ceil((content.length + 9) / blockBytes));
  const put = (at: number, byte: number) => {
    words[at >> 2] = (words[at >> 2] as number) | (byte << (24 - 8 * (at & 3)));
  };
  for (let at = 0; at < content.length; at += 1) put(at, content[at] as number);
  put(content.length, 0x80);
  words[words.length - 1] = content.length * 8;
  return words;
}

function digestBlock(block: Int32Array, state: Int32Array, ofRound: Int32Array): void {
  const schedule = new Int32Array(rounds);
  schedule.set(block);
  for (let at = 16; at < rounds; at += 1) {
    const early = schedule[at - 15] as number;
    const late = schedule[at - 2] as number;
    const one = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
    const other = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
    schedule[at] = (schedule[at - 16] as number) + one + (schedule[at - 7] as number) + other;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let at = 0; at < rounds; at += 1) {
    const chosen = (e & f) ^ (~e & g);
    const mixed = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const first = (h + mixed + chosen + (ofRound[at] as number) + (schedule[at] as number)) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const second = ((rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + majority) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  for (const [place, word] of [a, b, c, d, e, f, g, h].entries())
    state[place] = (state[place] as number) + word;
}

function rotated(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}
