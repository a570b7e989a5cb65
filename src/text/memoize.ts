/** Caches the results for short texts: the same few words make up most texts. */
export function memoize<Result>(compute: (text: string) => Result): (text: string) => Result {
  const cache = new Map<string, Result>();
  return (text) => {
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    const result = compute(text);
    if (text.length > maxKeyLength) return result;
    if (cache.size >= maxEntries) cache.clear();
    cache.set(text, result);
    return result;
  };
}

const maxEntries = 5_000;
const maxKeyLength = 40;
