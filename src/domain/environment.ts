import { homedir } from "node:os";

/** Environment variables as passed in by the front end, the only place that reads the process's own. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The user's home. On Windows, HOME is what a shell such as Git Bash calls home, which no agent uses. */
export function homeFolder(environment: Environment = process.env): string {
  const home = process.platform === "win32" ? environment.USERPROFILE : environment.HOME;
  return home || homedir();
}
