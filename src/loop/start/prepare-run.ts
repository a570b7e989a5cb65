import { type AgentDefinition, chooseAgent } from "../../agents/agent-definition.js";
import { defaultPromise } from "../../agents/completion-promise.js";
import { checkCommand } from "../../agents/find-program.js";
import type { Settings } from "../../config/default-settings.js";
import type { LoadedSettings } from "../../config/loaded-settings.js";
import { parseDuration } from "../../domain/duration.js";
import type { Environment } from "../../domain/environment.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { Run, RunOptions } from "../../domain/tasks/run.js";
import type { Memory } from "../../memory/memory.js";
import { notTrusted } from "../../memory/project/project-trust.js";
import { projectOf } from "../../memory/project-of.js";
import { runsOf } from "../../memory/runs/runs.js";
import { isRecordedElsewhere, runDigest, storedCommands } from "../../memory/trust/trust-requests.js";
import { agentRequestName } from "../../trust/request.js";

/** Options given by the user; the settings fill in the rest. */
export interface RunRequest {
  verify?: readonly string[] | undefined;
  agent?: string | undefined;
  isAllAllowed?: boolean | undefined;
  maxIterations?: number | undefined;
  attempts?: number | undefined;
  timeout?: string | undefined;
  iterationTimeout?: string | undefined;
  maxCostUsd?: string | undefined;
  memory?: string | undefined;
  isCrossTask?: boolean | undefined;
  isAutoScaled?: boolean | undefined;
  /** The branch of the worktree made for the run. */
  branch?: string | undefined;
}

export interface PreparedRun {
  options: RunOptions;
  agent: AgentDefinition;
  settings: Settings;
}

interface Place {
  root: string;
  environment: Environment;
}

/** Checks everything that can be checked before the run starts. */
export async function prepareRun(
  request: RunRequest,
  memory: Memory,
  environment: Environment,
): Promise<PreparedRun> {
  const loaded = await memory.settings();
  const { settings } = loaded;
  const limits = readLimits(request, settings);
  refuseUntrusted(loaded, {
    agent: request.agent ?? settings["run.agent"],
    isVerifiedBySettings: !request.verify?.length,
  });
  const place = { root: memory.project.root, environment };
  const verify = [...(request.verify?.length ? request.verify : settings["run.verify"])];
  const agent = findAgent(request.agent, settings, place);
  const options: RunOptions = {
    verify,
    agent: agent.name,
    isAllAllowed: request.isAllAllowed || settings["run.allow_all"],
    ...limits,
    ...(request.memory !== undefined && { memory: request.memory }),
    ...(request.isAutoScaled && { isAutoScaled: true }),
    isCrossTask: request.isCrossTask ?? settings["cross_task_learning.enabled"],
    promise: defaultPromise,
    folder: place.root,
    ...(request.branch !== undefined && { branch: request.branch }),
  };
  // Checked before a task is created.
  await runsOf(memory).checkWindow(request.memory);
  await checkVerification(verify, place);
  return { options, agent, settings };
}

type Limits = Pick<
  RunOptions,
  | "maxIterations"
  | "attempts"
  | "timeoutMs"
  | "iterationTimeoutMs"
  | "idleTimeoutMs"
  | "verifyTimeoutMs"
  | "maxCostUsd"
>;

/** Read before an agent is looked for, so that a wrong option is reported first. */
function readLimits(request: RunRequest, settings: Settings): Limits {
  return {
    maxIterations: atLeastOne("max-iterations", request.maxIterations ?? settings["run.max_iterations"]),
    attempts: atLeastOne("attempts", request.attempts ?? settings["run.attempts"]),
    timeoutMs: duration("timeout", request.timeout ?? settings["run.timeout"]),
    iterationTimeoutMs: duration(
      "iteration-timeout",
      request.iterationTimeout ?? settings["run.iteration_timeout"],
    ),
    idleTimeoutMs: settings["run.idle_timeout_seconds"] * 1000,
    verifyTimeoutMs: parseDuration(settings["run.verify_timeout"]),
    ...(request.maxCostUsd !== undefined && { maxCostUsd: positiveCost(request.maxCostUsd) }),
  };
}

/** Uses the current settings, also for a resumed run. */
export function findAgent(
  name: string | undefined,
  settings: Settings,
  { root, environment }: Place,
): AgentDefinition {
  return chooseAgent(name, settings, { folder: root, searchPath: environment.PATH });
}

export async function checkVerification(
  verify: readonly string[],
  { root, environment }: Place,
): Promise<void> {
  for (const command of verify) {
    const check = await checkCommand(command, { folder: root, environment });
    if (check.kind === "cannot-run")
      throw new RalphError(
        "wrong-use",
        `Cannot run the verification ${JSON.stringify(command)}: ${check.reason}`,
        {
          hint: "it must be a shell command, such as --verify 'npm test'",
        },
      );
  }
}

function atLeastOne(option: string, count: number): number {
  if (Number.isSafeInteger(count) && count >= 1) return count;
  throw new RalphError("wrong-use", `--${option} takes a whole number, 1 or more, not ${count}`);
}

function positiveCost(text: string): number {
  const cost = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isFinite(cost) && cost > 0) return cost;
  throw new RalphError(
    "wrong-use",
    `--max-cost takes an amount in USD, such as 2.50, not ${JSON.stringify(text)}`,
  );
}

function duration(option: string, text: string): number {
  try {
    return parseDuration(text);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new RalphError("wrong-use", `--${option} ${error.message}, not ${JSON.stringify(text)}`);
  }
}

interface Wanted {
  /** Empty for the first one that is installed or defined in the settings. */
  agent: string;
  isVerifiedBySettings: boolean;
}

/** A run whose agent or check was left out does not start: it would run something else, or continue unverified. */
export function refuseUntrusted({ leftOut }: LoadedSettings, { agent, isVerifiedBySettings }: Wanted): void {
  const denied = leftOut.filter(({ name }) =>
    name === "run.verify"
      ? isVerifiedBySettings
      : name === agentRequestName(agent) || (agent === "" && name.startsWith(agentRequestName(""))),
  );
  if (denied.length > 0) throw notTrusted(denied);
}

/** The options of a run to resume. Options recorded by someone else grant no rights and need the user's consent. */
export function trustedOptions(memory: Memory, run: Run, settings: Settings): RunOptions {
  const { trust } = projectOf(memory);
  const isImported = trust.importedRuns().has(runDigest(run));
  if (!isImported && !isRecordedElsewhere(run) && !trust.isForeign()) return run.options;
  const request = storedCommands(run);
  if (!trust.openAllowed()(request)) throw notTrusted([request]);
  return { ...run.options, isAllAllowed: settings["run.allow_all"] };
}
