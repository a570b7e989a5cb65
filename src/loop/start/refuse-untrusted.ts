import type { Settings } from "../../config/default-settings.js";
import type { LoadedSettings } from "../../config/loaded-settings.js";
import type { Run, RunOptions } from "../../domain/tasks/run.js";
import type { Memory } from "../../memory/memory.js";
import { notTrusted } from "../../memory/project/project-trust.js";
import { projectOf } from "../../memory/project-of.js";
import { isRecordedElsewhere, runDigest, storedCommands } from "../../memory/trust/trust-requests.js";
import { agentRequestName } from "../../trust/request.js";

interface Wanted {
  /** Empty for the first one that is installed, or that the settings define. */
  agent: string;
  isVerifiedBySettings: boolean;
}

/** A run whose agent or check was left out does not start: it would do something else, or go on unverified. */
export function refuseUntrusted({ leftOut }: LoadedSettings, { agent, isVerifiedBySettings }: Wanted): void {
  const denied = leftOut.filter(({ name }) =>
    name === "run.verify"
      ? isVerifiedBySettings
      : name === agentRequestName(agent) || (agent === "" && name.startsWith(agentRequestName(""))),
  );
  if (denied.length > 0) throw notTrusted(denied);
}

/** The options of a run to resume. If somebody else recorded them, the user has to allow them, and they give no rights. */
export function trustedOptions(memory: Memory, run: Run, settings: Settings): RunOptions {
  const { trust } = projectOf(memory);
  const isImported = trust.importedRuns().has(runDigest(run));
  if (!isImported && !isRecordedElsewhere(run) && !trust.isForeign()) return run.options;
  const request = storedCommands(run);
  if (!trust.openAllowed()(request)) throw notTrusted([request]);
  return { ...run.options, isAllAllowed: settings["run.allow_all"] };
}
