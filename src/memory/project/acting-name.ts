import { join } from "node:path";
import type { Environment } from "../../domain/environment.js";
import { readGitConfiguration } from "../../files/find-project.js";
import { maxSmallFileBytes, readRegularFile } from "../../files/read-regular-file.js";
import { withoutControls } from "../../text/control-characters.js";
import { redact } from "../../text/secrets/redact.js";

const longestName = 60;

export interface Acting {
  /** What `--as` says. */
  as: string | undefined;
  root: string;
  environment: Environment;
}

/** Who does what is recorded: as was said, else whom Git knows here. A name is shown to others, so it is one plain line. */
export function actingName({ as, root, environment }: Acting): string | undefined {
  const given = as || environment.RALPH_AS || findGitUserName(root, environment);
  if (given === undefined) return undefined;
  const line = withoutControls(redact(given).text).replace(/\s+/g, " ").trim();
  return [...line].slice(0, longestName).join("") || undefined;
}

/** The name that Git signs commits with here, read without starting Git. Files that the configuration includes are not followed. */
export function findGitUserName(root: string, environment: Environment): string | undefined {
  if (environment.GIT_AUTHOR_NAME) return environment.GIT_AUTHOR_NAME;
  const own = nameIn(readGitConfiguration(root) ?? "");
  if (own !== undefined) return own;
  for (const path of userFiles(environment)) {
    const name = nameIn(textOf(path));
    if (name !== undefined) return name;
  }
  return undefined;
}

/** The first one that has a name counts. */
function userFiles({ GIT_CONFIG_GLOBAL: given, HOME: home, XDG_CONFIG_HOME: xdg }: Environment): string[] {
  if (given !== undefined) return [given];
  if (!home) return [];
  return [join(home, ".gitconfig"), join(xdg || join(home, ".config"), "git", "config")];
}

/** Who cannot be named is not named: nobody is kept from working by a strange file. */
function textOf(path: string): string {
  try {
    return readRegularFile(path, { maxBytes: maxSmallFileBytes }).toString("utf8");
  } catch {
    return "";
  }
}

/** The last one counts, as in Git. */
function nameIn(configuration: string): string | undefined {
  let isUser = false;
  let name: string | undefined;
  for (const line of configuration.split("\n")) {
    const section = /^\s*\[([^\]]*)\]/.exec(line)?.[1];
    if (section !== undefined) isUser = section.trim().toLowerCase() === "user";
    const value = isUser ? /^(?:\s*\[[^\]]*\])?\s*name\s*=\s*(.*?)\s*$/i.exec(line)?.[1] : undefined;
    if (value !== undefined) name = unquoted(value);
  }
  return name || undefined;
}

/** Without its quotes, and without the comment behind it. */
function unquoted(value: string): string {
  const parts = value.match(/\\.|"(?:\\.|[^"\\])*"|[^"\\#;]+|[#;].*/g) ?? [];
  const kept = parts.filter((part) => !/^[#;]/.test(part)).map((part) => part.replace(/^"(.*)"$/, "$1"));
  return kept.join("").replace(/\\(.)/g, "$1").trim();
}
