import { execFile } from "node:child_process";
import { promisify } from "node:util";

const timeoutMs = 10_000;
const maxBuffer = 64 * 1024 * 1024;

/** Pathspecs that exclude Ralph's own folders, wherever in the repository the command runs. */
export const withoutOwnFolders = [":/", ":(exclude,top).agent", ":(exclude,top).ralph"];

/** What Git answers to lines on its standard input; undefined if git fails or is not installed. */
export async function askGit(root: string, input: string, ...args: string[]): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const options = { cwd: root, timeout: timeoutMs, maxBuffer, encoding: "buffer" as const };
    const child = execFile("git", ["--no-optional-locks", ...args], options, (error, stdout) =>
      resolve(error === null ? stdout : undefined),
    );
    // Git may end before it has read everything.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
  });
}

/** Git's output; undefined if git fails or is not installed. */
export async function runGit(root: string, ...args: string[]): Promise<string | undefined> {
  try {
    const options = { cwd: root, timeout: timeoutMs, maxBuffer };
    return (await promisify(execFile)("git", ["--no-optional-locks", ...args], options)).stdout;
  } catch {
    return undefined;
  }
}
