import { execFile } from "node:child_process";
import { promisify } from "node:util";

const timeoutMs = 10_000;
const maxBuffer = 64 * 1024 * 1024;

/** Pathspecs that exclude Ralph's own folders, wherever in the repository the command runs. */
export const withoutOwnFolders = [":/", ":(exclude,top).agent", ":(exclude,top).ralph"];

/** Git's output; undefined if git fails or is not installed. */
export async function runGit(root: string, ...args: string[]): Promise<string | undefined> {
  try {
    const options = { cwd: root, timeout: timeoutMs, maxBuffer };
    return (await promisify(execFile)("git", ["--no-optional-locks", ...args], options)).stdout;
  } catch {
    return undefined;
  }
}
