import { chainOf, readShellLine } from "./shell-line.js";

/** File and Git commands, whatever their arguments are named. */
const fileCommands =
  /^(?:git|rm|mv|cp|ln|mkdir|touch|echo|printf|cat|less|head|tail|sed|awk|ls|cd|grep|rg|find|tree|wc|which|pwd|chmod|code|vim?|nano)\b/;
const installing =
  /^(?:npm|pnpm|yarn|bun|pip3?|uv|poetry|cargo|go|gem|composer|apt(?:-get)?|brew)\s+(?:install|i|add|ci|remove|uninstall|get|init)\b/;
const lookingUp =
  /^(?:ls|cat|head|tail|less|more|grep|egrep|rg|ag|find|fd|pwd|cd|wc|tree|which|type|echo|printf|test|\[|true|stat|file|du|df|ps|env|printenv|date|whoami|uname|sleep|wait|jq|yq|diff|cmp|sort|uniq|awk|sed -n|man|time|lsof|netstat|ss|ping|dig|nslookup|host|top|free|id|hostname|nm|ldd|objdump|readelf|strings|xxd|od|md5sum|sha\d*sum|curl(?!.*\s(?:-X\s*(?:POST|PUT|PATCH|DELETE)|-d|--data\S*|-F|-T|-o|-O|--output)\b)|wget --spider|xargs (?:ls|cat|grep)|git (?:status|diff|log|show|blame|branch|remote|fetch|describe|rev-parse|ls-files|grep|config --get|stash list)|gh (?:run (?:view|list|watch)|pr (?:view|list|checks|diff|status)|issue (?:view|list)|auth status|api)|docker(?:-compose| compose)? (?:ps|logs|images|inspect|stats|config|port|top)|kubectl (?:get|describe|logs|top|explain|version)|helm (?:list|status|get|history)|terraform (?:show|state list|output|version|providers)|(?:npm|pnpm|yarn) (?:ls|list|view|info|outdated|why|explain|audit|config get|root|bin|-v)|pip3? (?:list|show|freeze)|cargo (?:tree|metadata|search)|go (?:list|env|version|doc)|bundle (?:list|show|info)|\S+ (?:--version|-v|-V|version|--help|-h|help))(?:\s|$)/;
/** Tools and scripts that check the work, as words of a command. */
const checking =
  /^(?:(?:[\w.-]+:)*(?:tests?|e2e|spec|checks?|verify|smoke|lint|typecheck|coverage|bench|validate)(?:[:.-][\w:.-]+)?|tsc|pytest|py\.test|unittest|vitest|jest|mocha|eslint|biome|mypy|pyright|ruff|flake8|pylint|clippy|rspec|rubocop|phpunit|pest|phpstan|tox|nox|ctest|shellcheck|markdownlint\S*|cspell|vale|golangci-lint|vet|size-limit|cypress|tflint|hadolint|yamllint|actionlint|check-\S+|\S+-(?:check|lint|test)s?|\S*[a-z](?:Check|Lint|Tests?))$/;
/** `migrate:test` and `db:test:prepare` only prepare for tests. */
const preparing =
  /(?:^|[:.-])(?:migrate|seed|set-?up|prepare|reset|generate|gen|create|drop|start|stop|up|down|load|install)(?=[:.-]|$)/;
/** Options and scripts with which a checker fixes what it reports. */
const mending =
  /\s--(?:fix(?!-dry-run)(?:-\S+)?|write|apply(?:-unsafe)?|unsafe-fixes|auto-?(?:fix|correct)(?:-all)?|update(?:-?snapshots?)?|updateSnapshot|snapshot-update)(?:[=\s]|$)|\b(?:vitest|jest|tests?)\b.*\s-u(?:\s|$)|\brubocop\b.*\s-[aA](?:\s|$)|[\w-][:.](?:fix|write|update)(?:\s|$)|\bruff format\b(?!.*\s--(?:check|diff))/;
/** Node runs tests by an option. */
const nodeTest = /^node\s(?:.*\s)?--test(?:\s|$)/;
const serving =
  /^(?:docker|podman|docker-compose|systemctl|service|brew services|pm2|kubectl|helm)\b.*\b(?:up|start|stop|down|restart|create|rm|apply|install|upgrade|rollout|scale|delete)\b/;
/** Subcommands and options that only read. */
const asking =
  /^\S+(?:\s+-\S+)*\s+(?:\S+\s+)?(?:list|ls|status|view|show|describe|info|inspect|history|logs?|diff|version|help|current-context|trace|tree|why|explain|doctor|whoami|search|plan|validate|template|lint|outdated|freeze|env)(?:\s|$)|\s--?(?:check|dry-run|verify|list|diff|version|help)(?:-[\w-]+)?(?:[=\s]|$)|^gofmt -l\b|^kubectl config\b/;
const retrying = /\b(?:re-?run|retry|re-?try)\b/i;
const recording = /^git (?:add|commit|push|tag|stash)\b/;
const building = /(?:^|[\s:/._-])(?:build|compile|bundle|assemble|package)(?![\w])/i;
const selecting =
  /^(?:psql|mysql|mariadb|sqlite3|duckdb|mongosh|sqlcmd)\b.*\b(?:select|show|describe|explain|\\d)\b/i;
/** How many words name a program, its subcommands and its target. */
const programLength = 4;
const changingData = /\b(?:insert|update|delete|drop|create|alter|truncate|grant)\b/i;

/** Whether a command only manages files, Git history or packages. */
export function isHousekeeping(command: string): boolean {
  return partsOf(command).every(isHousekeepingPart);
}

/** Whether a command runs tests or a checker; its arguments, such as the name of a service, do not count. */
export function isCheck(command: string): boolean {
  return partsOf(command).some((part) => {
    if (isHousekeepingPart(part) || serving.test(part)) return false;
    if (nodeTest.test(part)) return true;
    const words = part.split(/\s+/).filter((word) => !word.startsWith("-"));
    return words.slice(0, 4).some((word) => {
      const name = word.replace(/^.*[/\\]/, "");
      return checking.test(name) && !preparing.test(name);
    });
  });
}

/** Whether a command runs a checker that also changes what it finds: `eslint --fix`, `npm run lint:fix`, `vitest -u`. */
export function isMending(command: string): boolean {
  return partsOf(command).some((part) => mending.test(part) && isCheck(part));
}

/** Whether a command only starts or stops services. */
export function isServing(command: string): boolean {
  return partsOf(command).every((part) => serving.test(part) || lookingUp.test(part));
}

/** Whether a command only reads something, or waits. */
export function isLookup(command: string): boolean {
  if (selecting.test(command) && !changingData.test(command)) return true;
  return (
    !/>\s*[\w./~$-]/.test(command.replace(/\d?>&\d|>\s*\/dev\/null/g, "")) &&
    partsOf(command).every((part) => lookingUp.test(part) || asking.test(part))
  );
}

/** Whether a command only restarts something. */
export function isRetry(command: string): boolean {
  return partsOf(command).every((part) => retrying.test(part) || lookingUp.test(part));
}

/** Whether a command only records work in Git. */
export function isRecording(command: string): boolean {
  return partsOf(command).every((part) => recording.test(part) || lookingUp.test(part));
}

/** Whether a command builds something that other commands use. */
export function isBuild(command: string): boolean {
  return partsOf(command).some((part) => {
    const words = part.split(/\s+/).filter((word) => !word.startsWith("-"));
    return building.test(words.slice(0, 4).join(" ")) && !isHousekeepingPart(part);
  });
}

/** Whether the output and exit status of a command judge the work. */
export function judgesWork(command: string): boolean {
  return isCheck(command) || isBuild(command);
}

const variables = /^(?:[A-Z_][A-Z0-9_]*=(?:"[^"]*"|'[^']*'|\S*)\s+)+/;
/** Variables that affect only the output. */
const outputVariables =
  /\b(?:CI|DEBUG|VERBOSE|LOG_LEVEL|TERM|COLUMNS|(?:FORCE_|NO_|CLI)COLOR\w*|RUST_(?:BACKTRACE|LOG)|PYTHONUNBUFFERED)=\S*\s*/g;

/** A command without what hardly affects it: folder, variables, output redirection, numbers other than versions. */
export function commandShape(command: string): string {
  return withoutOutput(readShellLine(command).rest)
    .replace(variables, "")
    .replace(/(?<![@=:.\w])\d+\b(?!\.)/g, "#");
}

/** The variables a command runs with, or the commands that set them. */
export function variablesOf(command: string): string {
  const { loading, exported, rest } = readShellLine(command);
  const set = `${exported}${variables.exec(rest)?.[0] ?? ""}`;
  return `${loading}${set.replace(outputVariables, "")}`.trim();
}

/** A command without its folder and without redirections of its output. `export A=b && c` runs c as `A=b c` does. */
export function plainCommand(command: string): string {
  const { loading, exported, rest } = readShellLine(command);
  return `${loading}${exported}${withoutOutput(rest)}`;
}

function withoutOutput(command: string): string {
  return command
    .replace(/\s*(?:2>&1|\d?>\s*\/dev\/null)/g, "")
    .replace(/\s*\|\s*(?:tail|head|cat|tee|less|grep)\b.*$/, "")
    .replace(/\s*(?:\|\||;|&&)\s*(?:true|echo\b.*)$/, "")
    .trim();
}

/** Programs that only start another one. */
const launcher =
  /^(?:(?:uv|poetry|pipenv|pdm|hatch|rye) run|python[\d.]* -m|npx|bunx|uvx|(?:npm|pnpm|yarn) exec(?: --)?|bundle exec)\s+/;

/** The names of the programs a command starts, at any depth: `pytest` for `.venv/bin/python -m pytest`. */
export function startedPrograms(command: string): string[] {
  return chainOf(command).flatMap((part) => {
    const bare = withoutFolder(part.replace(variables, "").replace(/^(?:sudo|time)\s+/, ""));
    return [bare, withoutFolder(bare.replace(launcher, ""))].map((each) => each.split(/\s/, 1)[0] ?? "");
  });
}

function withoutFolder(command: string): string {
  return command.replace(/^(?:\$\([^)]*\)|[^\s'"=]*)\//, "");
}

/** The programs and scripts a command works with: `make proto`, `bin/rails db:migrate`; empty for a command that only reads. */
export function programsOf(command: string): string[] {
  return partsOf(command)
    .filter((part) => !isLookup(part))
    .map((part) =>
      part
        .split(/\s+/)
        .filter((word) => !word.startsWith("-"))
        .slice(0, programLength)
        .join(" "),
    );
}

function isHousekeepingPart(part: string): boolean {
  return fileCommands.test(part) || installing.test(part);
}

/** The commands of a shell line, without quoted text, variable assignments and `sudo`. */
function partsOf(command: string): string[] {
  return command
    .replace(/"[^"]*"|'[^']*'/g, "")
    .split(/&&|\|\||[;|]/)
    .map((part) => part.trim().replace(/^(?:\w+=\S*\s+|sudo\s+|time\s+)+/, ""))
    .filter(Boolean);
}
