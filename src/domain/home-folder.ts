import type { Environment } from "./environment.js";

/**
 * The user's home, as programs written for Node see it: on Windows, HOME is what a shell such as Git Bash calls home, and no agent
 * looks there. Every command asks for it; Node's own module is loaded only where no variable tells, as it looks at that one first.
 */
export function homeFolder(environment: Environment = process.env): string {
  const told = process.platform === "win32" ? environment.USERPROFILE : environment.HOME;
  return told || process.getBuiltinModule("node:os").homedir();
}
