import { dirname, join } from "node:path";
import { isInside, realPathOf } from "../../files/path-inside.js";
import { readRegularFile } from "../../files/read-regular-file.js";
import type { Places } from "../agents/agent-setup.js";
import { parseJsonc, plainValue } from "../jsonc/parse-jsonc.js";

/** Gemini CLI reads a project's settings only in folders that the user trusts. Its trust is read here, never written. */
export function geminiDoubts({ root, home, environment }: Places): string[] {
  const path = environment.GEMINI_CLI_TRUSTED_FOLDERS_PATH || join(home, ".gemini/trustedFolders.json");
  const rules = Object.entries(readRules(path));
  const folder = realPathOf(root);
  const isTrusted = rules.some(
    ([place, rule]) =>
      (rule === "TRUST_FOLDER" && isInside(place, folder)) ||
      (rule === "TRUST_PARENT" && isInside(dirname(place), folder)),
  );
  const isDistrusted = rules.some(([place, rule]) => rule === "DO_NOT_TRUST" && place === folder);
  if (isTrusted && !isDistrusted) return [];
  return [
    "Gemini CLI does not trust this folder, and loads neither hooks nor servers from .gemini: start gemini here and trust " +
      "the folder (/permissions), or use ralph setup gemini --user",
  ];
}

function readRules(path: string): Record<string, unknown> {
  try {
    return Object(plainValue(parseJsonc(readRegularFile(path).toString("utf8"))));
  } catch {
    return {};
  }
}
