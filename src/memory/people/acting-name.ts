import type { Environment } from "../../domain/environment.js";
import { withoutControls } from "../../text/control-characters.js";
import { redact } from "../../text/secrets/redact.js";
import { findGitUserName } from "./git-user-name.js";

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
