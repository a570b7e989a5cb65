import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../../domain/environment.js";
import { RalphError } from "../../domain/ralph-error.js";

/**
 * Opens the user's editor on a text and returns what was saved. Editors end a file with a line end: one that the text did not
 * have is taken away again.
 */
export function editText(text: string, name: string, environment: Environment): string {
  const folder = mkdtempSync(join(tmpdir(), "ralph-edit-"));
  const file = join(folder, name);
  try {
    writeFileSync(file, text.endsWith("\n") ? text : `${text}\n`, { mode: 0o600 });
    runEditor(environment.VISUAL || environment.EDITOR || "vi", file);
    const saved = readFileSync(file, "utf8");
    return text.endsWith("\n") ? saved : saved.replace(/\r?\n$/, "");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The setting may contain arguments, such as `code --wait`, so a shell reads it; the file is no part of its text. */
function runEditor(editor: string, file: string): void {
  const ignore = () => undefined;
  // Ctrl-C is for the editor while it is open.
  process.on("SIGINT", ignore);
  const { status, error } = spawnSync("/bin/sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit" });
  process.removeListener("SIGINT", ignore);
  if (status === 0) return;
  const why = error === undefined ? `ended with ${status ?? "a signal"}` : "cannot be started";
  throw new RalphError("program-unusable", `The editor ${why}: ${editor}`, {
    hint: "nothing was changed; set VISUAL or EDITOR to your editor, or give the new content as an argument",
  });
}
