/** Texts as one paragraph; each ends like a sentence, so that none runs into the next. */
export function asSentences(texts: readonly (string | undefined)[]): string {
  const said = texts.flatMap((text) => (text ? [text] : []));
  if (said.length < 2) return said[0] ?? "";
  return said.map((text) => (/[.!?…]["')\]`]?$/.test(text) ? text : `${text}.`)).join(" ");
}
