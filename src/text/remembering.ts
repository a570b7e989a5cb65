/** A function of short texts that looks up what it has found out before; the same few words make up most texts. */
export function remembering<Result>(findOut: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const result = findOut(text);
    if (text.length > longestKnown) return result;
    if (known.size >= maxKnown) known.clear();
    known.set(text, result);
    return result;
  };
}

const maxKnown = 5_000;
const longestKnown = 40;
