const letters = [..."abcdefghijklmnopqrstuvwxyz0123456789"];

/** Every word one typo away: a letter missing, added, replaced, or swapped with its neighbour. */
export function typoVariants(word: string): string[] {
  const variants = new Set<string>();
  for (let index = 0; index <= word.length; index += 1) {
    const before = word.slice(0, index);
    const after = word.slice(index);
    if (after !== "") variants.add(before + after.slice(1));
    if (after.length > 1) variants.add(before + after.charAt(1) + after.charAt(0) + after.slice(2));
    for (const letter of letters) {
      variants.add(before + letter + after);
      if (after !== "") variants.add(before + letter + after.slice(1));
    }
  }
  variants.delete(word);
  variants.delete("");
  return [...variants];
}
