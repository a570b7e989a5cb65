import { describeFailure, type Failure, placeOf } from "../../failures/failure.js";

/** Messages that suggest a remedy. */
const remedies: readonly [RegExp, (...found: string[]) => string][] = [
  [/^(?:.*: )?([\w./@+-]+): (?:command )?not found/, (name) => `Install ${name}, or call it by its path`],
  [/Cannot find (?:module|package) '([^']+)'/, (name) => `Install ${name}, or fix the import`],
  [/No module named '?([\w.]+)'?/, (name) => `Install the Python module ${name}, or fix the import`],
  [
    /Missing script: "?([^"\n]+?)"?$/,
    (name) => `Add the script "${name}" to package.json, or run another one`,
  ],
  [/ECONNREFUSED (\S+)/, (address) => `Start the server that should listen on ${address}`],
  [/EADDRINUSE\D*([\w.:[\]]*:?\d+)/, (address) => `Free ${address}, or use another port`],
  [/out of memory|Allocation failed/, () => "Give the process more memory, or split its work"],
  [/could not resolve|ERESOLVE/i, () => "Resolve the conflicting versions"],
  [/[Mm]erge conflict in (\S+)/, (path) => `Resolve the conflict in ${path}`],
  [
    /No rule to make target [`'‘"]([^`'’"]+)/,
    (target) => `Add a rule for ${target}, or fix its name in the makefile`,
  ],
  [
    /undefined reference to [`'‘"]([^`'’"]+)/,
    (name) => `Define ${name}, or link the library that defines it`,
  ],
  [/(?:EACCES|[Pp]ermission denied)\W+(?:\w+ )?'?([/.\w-]+)/, (path) => `Fix the permissions of ${path}`],
];

/** Next steps for the failures, mostly for the first one. */
export function advise([first, ...others]: readonly Failure[]): string[] {
  if (first === undefined) return [];
  const remedy = remedyFor(first);
  return [
    ...(remedy === undefined ? [] : [remedy]),
    ...(first.file === undefined ? [] : [`Look at ${placeOf(first)}: ${first.message}`]),
    ...others.slice(0, 2).map((failure) => `Then fix ${describeFailure(failure)}`),
  ];
}

function remedyFor({ message }: Failure): string | undefined {
  for (const [pattern, advice] of remedies) {
    const found = pattern.exec(message);
    if (found !== null) return advice(...found.slice(1));
  }
  return undefined;
}
