// Numbers of six bits as characters from "0" to "o", which a program reads from its own text without decoding it first.

export function asCharacters(numbers) {
  return String.fromCharCode(...Array.from(numbers, (number) => 48 + number));
}

/** The text as a literal of several lines. */
export function asLiteral(text) {
  return text
    .match(/.{1,100}/g)
    .map((line) => `  ${JSON.stringify(line)}`)
    .join(" +\n");
}
