import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder with these packages, kept for the next run; or why they cannot be installed. */
export function installPackages(
  name: string,
  packages: readonly string[],
): { folder: string; problem?: string } {
  const folder = join(tmpdir(), `ralph-test-packages-${name}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  try {
    // Install scripts would download more; the packages alone are enough.
    execFileSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...packages], {
      cwd: folder,
      stdio: "pipe",
      timeout: 300_000,
      shell: process.platform === "win32",
    });
    return { folder };
  } catch (error) {
    return { folder, problem: error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error) };
  }
}
