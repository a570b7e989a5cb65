import { describeFailure, type Failure, placeOf } from "../../../failures/failure.js";

/** Messages that suggest where to look. They are questions: the cause is not known, and a wrong remedy costs an attempt. */
const questions: readonly [RegExp, (...found: string[]) => string][] = [
  [
    /^(?:.*: )?([\w./@+-]+): (?:command )?not found/,
    (name) => `Is ${name} installed, and found by the shell?`,
  ],
  [
    /Cannot find (?:module|package) '(\.[^']+|(?!node_modules\/)[^'@]+\/[^']+\.(?:[cm]?[jt]sx?|json|vue|svelte))'/,
    (path) => `Does ${path} exist, spelled like this?`,
  ],
  [
    /Cannot find (?:module|package) '([^']+)'/,
    (name) => `Is ${name} installed, or built if it is a package of this project?`,
  ],
  [/No module named '?([\w.]+)'?/, (name) => `Is the Python module ${name} installed, and on the path?`],
  [/Missing script: "?([^"\n]+?)"?$/, (name) => `Which package.json should have the script "${name}"?`],
  [/ECONNREFUSED ([^\s,;]+)/, (address) => `Is the server that should listen on ${address} running?`],
  [/EADDRINUSE\D*([\w.:[\]]*:?\d+)/, (address) => `What listens on ${address} already?`],
  [/out of memory|Allocation failed/, () => "What takes the memory: one step, or too many at once?"],
  [
    /ERESOLVE|ResolutionImpossible|could not resolve dependency|conflicting (?:peer )?dependenc/i,
    () => "Which package asks for the version that conflicts?",
  ],
  [/[Mm]erge conflict in (\S+)/, (path) => `Resolve the conflict in ${path}`],
  [
    /No rule to make target [`'‘"]([^`'’"]+)/,
    (target) => `Is there a rule for ${target}, spelled like this?`,
  ],
  [/undefined reference to [`'‘"]([^`'’"]+)/, (name) => `Is ${name} defined, and is what defines it linked?`],
  [
    /(?:EACCES|[Pp]ermission denied)\W+(?:\w+ )?'?([/.\w-]+)/,
    (path) => `Who may read, write or run ${path}?`,
  ],
];

/** Installed packages, the system's and the runtime's own files: nobody fixes a task there. */
const foreignPath =
  /(?:^|[\\/])(?:node_modules|site-packages|dist-packages|vendor|\.?venv|\.cargo|\.rustup|gems|pkg[\\/]mod)[\\/]|^node:|^\/(?:usr|opt|lib|nix)\//;

export function isOfTheProject(path: string): boolean {
  return !foreignPath.test(path);
}

/** Next steps for the failures, mostly for the first one, which is told elsewhere. */
export function advise([first, ...others]: readonly Failure[]): string[] {
  if (first === undefined) return [];
  const question = questionFor(first);
  return [
    ...(question === undefined ? [] : [question]),
    ...(first.file === undefined || !isOfTheProject(first.file) ? [] : [`Look at ${placeOf(first)}`]),
    ...others
      .filter(({ file }) => file === undefined || isOfTheProject(file))
      .slice(0, 2)
      .map((failure) => `Then fix ${describeFailure(failure)}`),
  ];
}

function questionFor({ message }: Failure): string | undefined {
  for (const [pattern, ask] of questions) {
    const found = pattern.exec(message);
    if (found !== null) return ask(...found.slice(1));
  }
  return undefined;
}
