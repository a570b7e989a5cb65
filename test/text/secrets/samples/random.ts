import { seededRandom } from "../../../support/seeded-random.js";

/** Random texts from a seed, so that a failure can be repeated. */
export interface Random {
  below(limit: number): number;
  of<Item>(items: readonly Item[]): Item;
  text(alphabet: string, length: number, max?: number): string;
}

export const lower = "abcdefghijklmnopqrstuvwxyz";
export const upper = lower.toUpperCase();
export const digits = "0123456789";
export const hex = `${digits}abcdef`;
export const alnum = lower + upper + digits;
export const base64 = `${alnum}+/`;
export const urlSafe = `${alnum}_-`;

export function randomFrom(seed: number): Random {
  const { below, pick } = seededRandom(seed);
  return {
    below,
    of: pick,
    text: (alphabet, length, max = length) =>
      Array.from({ length: length + below(max - length + 1) }, () => alphabet[below(alphabet.length)]).join(
        "",
      ),
  };
}
