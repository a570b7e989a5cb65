/** The simple commands of a command line, each as its words, without variables, `cd` and what only starts another program. */
export function commandsIn(line: string): string[][] {
  return line
    .split(/&&|\|\||[;|\n]/)
    .map((part) => withoutStarters(part.trim().split(/\s+/)))
    .filter(([first]) => first !== undefined && first !== "" && first !== "cd");
}

function withoutStarters(words: string[]): string[] {
  const rest = [...words];
  for (;;) {
    const [first = "", second = ""] = rest;
    if (/^\w+=/.test(first) || /^(?:time|sudo|env|exec|nice|command|then|do|\(|\{)$/.test(first))
      rest.shift();
    else if (first === "timeout" && /^\d/.test(second)) rest.splice(0, 2);
    else return rest;
  }
}
