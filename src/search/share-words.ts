/** Whether two texts have at least this share of the words of the shorter one in common: a cheap first look. */
export function shareWords(one: ReadonlySet<string>, other: ReadonlySet<string>, share: number): boolean {
  const [smaller, larger] = one.size < other.size ? [one, other] : [other, one];
  let shared = 0;
  for (const word of smaller) if (larger.has(word)) shared += 1;
  return smaller.size > 0 && shared >= smaller.size * share;
}
