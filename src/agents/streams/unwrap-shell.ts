/** The command inside of `/bin/bash -lc '…'`, in which some agents wrap what they run. */
export function unwrapShell(command: string): string {
  const inner = /^(?:\/\S*\/)?(?:ba|z|da|k)?sh -l?c ([\s\S]+)$/.exec(command)?.[1];
  if (inner === undefined) return command;
  const words = unquote(inner);
  return words ?? command;
}

/** A single shell word without its quotes; undefined for several words or an unclosed quote. */
function unquote(text: string): string | undefined {
  const parts = /^(?:'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|[^\s'"\\])+$/.test(text)
    ? text.match(/'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|[^\s'"\\]+/g)
    : null;
  return parts
    ?.map((part) => {
      if (part.startsWith("'")) return part.slice(1, -1);
      if (part.startsWith('"')) return part.slice(1, -1).replace(/\\([$`"\\\n])/g, "$1");
      return part.startsWith("\\") ? part.slice(1) : part;
    })
    .join("");
}
