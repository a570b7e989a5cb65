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
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    of: (items) => items[below(items.length)] as (typeof items)[number],
    text: (alphabet, length, max = length) =>
      Array.from({ length: length + below(max - length + 1) }, () => alphabet[below(alphabet.length)]).join(
        "",
      ),
  };
}
