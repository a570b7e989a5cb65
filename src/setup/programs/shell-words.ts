/** Quotes words for a POSIX shell. */
export function quoteWords(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(" ");
}

const word = /(?:[^\s'"\\$`;&|<>()*?[\]{}~#!]|\\[^\n]|'[^']*'|"(?:[^"\\$`!]|\\["\\$`])*")+/y;

/** The words of a command that calls one program, as a shell reads them; undefined if it does anything more than that. */
export function splitWords(command: string): string[] | undefined {
  const words: string[] = [];
  let at = 0;
  for (;;) {
    while (command[at] === " " || command[at] === "\t") at += 1;
    if (at === command.length) return words;
    word.lastIndex = at;
    const found = word.exec(command)?.[0];
    if (found === undefined) return undefined;
    words.push(unquote(found));
    at += found.length;
    if (at < command.length && command[at] !== " " && command[at] !== "\t") return undefined;
  }
}

function unquote(text: string): string {
  return text.replace(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g, (_, single, double, escaped) => {
    if (single !== undefined) return single;
    return double === undefined ? escaped : double.replace(/\\(["\\$`])/g, "$1");
  });
}
