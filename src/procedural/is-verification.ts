const verifying =
  /(?:^|[\s:/._-])(?:tests?|specs?|check|verify|lint|build|typecheck|tsc|pytest|vitest|jest|mocha|eslint|mypy|ruff|clippy|rspec|phpunit|tox)(?![\w])/i;
/** Programs that work on files or on history, whatever those are called. */
const handling =
  /^(?:git|rm|mv|cp|ln|mkdir|touch|echo|printf|cat|less|head|tail|sed|awk|ls|cd|grep|rg|find|tree|wc|which|pwd|chmod|code|vim?|nano)\b/;
const installing =
  /^(?:npm|pnpm|yarn|bun|pip3?|uv|poetry|cargo|go|gem|composer|apt(?:-get)?|brew)\s+(?:install|i|add|ci|remove|uninstall|get|init)\b/;

/** Whether a command is a check of the work, such as a run of the tests. */
export function isVerification(command: string): boolean {
  return partsOf(command).some((part) => verifying.test(part) && !isUpkeepPart(part));
}

/** Whether a command does nothing but look after files, history or packages. */
export function isUpkeep(command: string): boolean {
  return partsOf(command).every(isUpkeepPart);
}

function isUpkeepPart(part: string): boolean {
  return handling.test(part) || installing.test(part);
}

/** The commands of a line, without quoted text and what is set before them. */
function partsOf(command: string): string[] {
  return command
    .replace(/"[^"]*"|'[^']*'/g, "")
    .split(/&&|\|\||[;|]/)
    .map((part) => part.trim().replace(/^(?:\w+=\S*\s+|sudo\s+|time\s+)+/, ""))
    .filter(Boolean);
}
