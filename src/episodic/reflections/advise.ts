import { describeFailure, type Failure, placeOf } from "../failures/failure.js";

/** Messages that say by themselves what would help. */
const remedies: readonly [RegExp, (...found: string[]) => string][] = [
  [/^(?:.*: )?([\w./@+-]+): (?:command )?not found/, (name) => `Install ${name}, or call it by its path`],
  [
    /Cannot find (?:module|package) '([^']+)'/,
    (name) => `Install ${name}, or correct the import that names it`,
  ],
  [/No module named '?([\w.]+)'?/, (name) => `Install the Python module ${name}, or correct its name`],
  [/Missing script: "?([^"\n]+?)"?$/, (name) => `Use a script that package.json has, or add "${name}"`],
  [/ECONNREFUSED (\S+)/, (address) => `Start what should listen on ${address}`],
  [/EADDRINUSE\D*([\w.:[\]]*:?\d+)/, (address) => `Free ${address}, or listen elsewhere`],
  [/out of memory|Allocation failed/, () => "Give the process more memory, or let it do less at a time"],
  [/could not resolve|ERESOLVE/i, () => "Bring the versions that exclude each other into line"],
  [/[Mm]erge conflict in (\S+)/, (path) => `Resolve the conflict in ${path}`],
  [
    /No rule to make target [`'‘"]([^`'’"]+)/,
    (target) => `Make ${target}, or correct its name in the makefile`,
  ],
  [/undefined reference to [`'‘"]([^`'’"]+)/, (name) => `Define ${name}, or link what defines it`],
  [/(?:EACCES|[Pp]ermission denied)\W+(?:\w+ )?'?([/.\w-]+)/, (path) => `Make ${path} accessible`],
];

/** What somebody could do about failures, the first one above all. */
export function advise([first, ...others]: readonly Failure[]): string[] {
  if (first === undefined) return [];
  const remedy = remedyFor(first);
  return [
    ...(remedy === undefined ? [] : [remedy]),
    ...(first.file === undefined ? [] : [`Look at ${placeOf(first)}: ${first.message}`]),
    ...others.slice(0, 2).map((failure) => `Then ${describeFailure(failure)}`),
  ];
}

function remedyFor({ message }: Failure): string | undefined {
  for (const [pattern, advice] of remedies) {
    const found = pattern.exec(message);
    if (found !== null) return advice(...found.slice(1));
  }
  return undefined;
}
