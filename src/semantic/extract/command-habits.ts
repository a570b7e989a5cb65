import { otherWay } from "../merge/agreed-habit.js";
import type { Way } from "./habits.js";

/** How a task ran its tools, from the commands that passed, in order. */
export function commandWays(lines: readonly string[]): Way[] {
  const commands = lines.flatMap(commandsIn);
  return [
    ...commands.flatMap((command) => [...packageManager(command), ...runner(command)]),
    ...check(commands),
  ];
}

function packageManager([program = "", ...rest]: string[]): Way[] {
  const manager = /^(npm|npx|pnpm|pnpx|yarn|bun|bunx)$/.exec(program)?.[1];
  if (manager === undefined) return [];
  const name = manager === "pnpx" ? "pnpm" : manager === "bunx" ? "bun" : manager;
  const choice = name.startsWith("np") ? otherWay : `Use ${name}, not npm`;
  return [{ subject: "package manager", choice, example: [program, ...rest.slice(0, 2)].join(" ") }];
}

interface Family {
  name: string;
  tools: RegExp;
}

/** Tools that a project may start through something else. */
const families: readonly Family[] = [
  {
    name: "Python tools",
    tools:
      /^(?:python3?|pytest|mypy|ruff|black|flake8|isort|pylint|pyright|alembic|coverage|celery|flask|uvicorn)$/,
  },
  { name: "Ruby tools", tools: /^(?:rails|rake|rspec|rubocop|sidekiq|ruby)$/ },
  { name: "Gradle", tools: /^gradlew?$/ },
  { name: "Maven", tools: /^mvnw?$/ },
];

function runner(words: string[]): Way[] {
  const { through, tool, length } = unwrap(words);
  const name = tool.replace(/^.*\//, "");
  const family = families.find(({ tools }) => tools.test(name));
  if (family === undefined) return [];
  const folder = tool.slice(0, tool.length - name.length);
  const wrapper = through ?? wrapperFile(name) ?? ownFolder(folder);
  const choice =
    wrapper === undefined
      ? otherWay
      : /\w[wW]$/.test(wrapper)
        ? `${family.name} runs as \`${wrapper}\``
        : `${family.name} run ${wrapper.startsWith("docker") ? "in a container: " : "through "}\`${wrapper}\``;
  return [{ subject: `running ${family.name}`, choice, example: words.slice(0, length + 2).join(" ") }];
}

/** `./gradlew` and `./mvnw` belong to the project. */
function wrapperFile(name: string): string | undefined {
  return /^(?:gradlew|mvnw)$/.test(name) ? `./${name}` : undefined;
}

/** A project's own `bin/rails`, or the tools of its virtual environment. */
function ownFolder(folder: string): string | undefined {
  const own = /^(?:\.\/)?((?:script|bin|\.?venv\/bin)\/)$/.exec(folder)?.[1];
  return own;
}

const starters: readonly RegExp[] = [
  /^(?:poetry|uv|pipenv|pdm|hatch|rye) run /,
  /^bundle exec /,
  /^(?:docker compose|docker-compose) (?:exec|run) (?:--?[\w-]+(?:=\S+)? )*[\w-]+ /,
  /^nix develop (?:-c|--command) /,
  /^(?:mise exec|mise x|doppler run|op run|dotenv) -- /,
];

/** What the tool is started through, the tool, and at which word it stands. */
function unwrap(words: readonly string[]): { through?: string; tool: string; length: number } {
  const line = `${words.slice(0, 10).join(" ")} `;
  const found = starters.map((starter) => starter.exec(line)?.[0]).find((each) => each !== undefined);
  if (found === undefined) return { tool: words[0] ?? "", length: 0 };
  const length = found.trim().split(" ").length;
  // Options such as -T or --rm are no habit worth telling.
  const through = found.trim().replace(/ --?[\w-]+(?:=\S+)?(?= [\w-])/g, "");
  return { through, tool: words[length] ?? "", length };
}

const checking = /\b(?:tests?|checks?|lint|verify|ci|spec|pytest|rspec|vitest|jest|mypy|tsc)\b/;
const ownRunner = /^(?:g?make|just|task|mage|nox|tox|rake|(?:\.\/)?(?:scripts?|bin|tools|dev)\/[\w./-]+)$/;

/** The last check of a task, if the project has a command of its own for it. */
function check(commands: readonly string[][]): Way[] {
  const last = commands.findLast((words) => checking.test(words.slice(0, 3).join(" ")));
  if (last === undefined) return [];
  const [program = "", ...rest] = last;
  const targets = rest.filter((word) => /^[\w:.-]+$/.test(word) && !word.startsWith("-")).slice(0, 2);
  const example = [program, ...targets].join(" ");
  const isOwn = ownRunner.test(program) && checking.test(example);
  return [{ subject: "check", choice: isOwn ? `The check is \`${example}\`` : otherWay, example }];
}

/** The simple commands of a command line, each as its words, without variables, `cd` and what only starts another program. */
function commandsIn(line: string): string[][] {
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
