import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../../support/source-imports.js";

/** A hook that an agent ran. */
export interface HookRun {
  event: string;
  tookMs: number;
}

/**
 * Puts `ralph-memory` on a search path as package managers do, by a small script; this one also writes down how long hooks take.
 */
export function putTimedRalph(folder: string): { hookRuns(): HookRun[] } {
  const packages = join(folder, "node_modules");
  mkdirSync(packages);
  symlinkSync(projectRoot, join(packages, "ralph-memory"));
  const log = join(folder, "hooks.log");
  writeFileSync(log, "");
  const program = join(folder, "ralph-memory");
  const command = `'${process.execPath}' '${packages}/ralph-memory/dist/cli/main.cjs' "$@"`;
  writeFileSync(
    program,
    [
      "#!/bin/sh",
      `[ "$1" = hook ] || exec ${command}`,
      "began=$(date +%s%3N)",
      command,
      "status=$?",
      `echo "$3 $(($(date +%s%3N) - began))" >> '${log}'`,
      "exit $status",
      "",
    ].join("\n"),
  );
  chmodSync(program, 0o755);
  return {
    hookRuns: () =>
      readFileSync(log, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => {
          const [event = "", took] = line.split(" ");
          return { event, tookMs: Number(took) };
        }),
  };
}
