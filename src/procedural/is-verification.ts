const verifying =
  /(?:^|[\s:/._-])(?:tests?|specs?|check|verify|lint|build|typecheck|tsc|pytest|vitest|jest|mocha|eslint|mypy|ruff|clippy|rspec|phpunit|tox)(?![\w])/i;
/** File and Git commands, whatever the names of their arguments. */
const fileCommands =
  /^(?:git|rm|mv|cp|ln|mkdir|touch|echo|printf|cat|less|head|tail|sed|awk|ls|cd|grep|rg|find|tree|wc|which|pwd|chmod|code|vim?|nano)\b/;
const installing =
  /^(?:npm|pnpm|yarn|bun|pip3?|uv|poetry|cargo|go|gem|composer|apt(?:-get)?|brew)\s+(?:install|i|add|ci|remove|uninstall|get|init)\b/;

/** Whether a command verifies the work, such as a test run. */
export function isVerification(command: string): boolean {
  return partsOf(command).some((part) => verifying.test(part) && !isHousekeepingPart(part));
}

/** Whether a command only manages files, Git history or packages. */
export function isHousekeeping(command: string): boolean {
  return partsOf(command).every(isHousekeepingPart);
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
