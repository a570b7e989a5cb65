import { agentRequestName, type TrustRequest } from "../../trust/request.js";
import type { SettingKey } from "./schema.js";

/** What a setting makes Ralph do; undefined for a value that is harmless. */
type Effect = (value: unknown) => string | undefined;

const always =
  (effect: string): Effect =>
  () =>
    effect;

const unless =
  (harmless: unknown, effect: string): Effect =>
  (value) =>
    value === harmless ? undefined : effect;

const startsAgent = "starts this program as an agent";
const loadsModel = "loads this model, and may download it";
const spends = "limits what is spent on a model that reflects on tasks";
const sendsVariable = "sends this environment variable to a server as a key";

/** Settings that a repository may only set with the user's consent: programs, checks, addresses, packages. */
const guards: Partial<Record<SettingKey, Effect>> = {
  "run.verify": always("runs these commands to check a task"),
  "reflector.use": unless("rules", "sends tasks to a program or server that reflects on them"),
  "reflector.command": always("starts this program to reflect on tasks"),
  "reflector.address": always("sends tasks to this server"),
  "reflector.key_variable": always(sendsVariable),
  "reflector.model": always("asks this model to reflect on tasks"),
  "reflector.max_input_tokens": always(spends),
  "reflector.max_output_tokens": always(spends),
  "reflector.max_calls": always(spends),
  "embedder.use": unless("none", "loads a package, or sends notes and tasks to a server"),
  "embedder.path": always("loads this file or model"),
  "embedder.address": always("sends notes, tasks and questions to this server"),
  "embedder.model": always(loadsModel),
  "embedder.key_variable": always(sendsVariable),
  "cross_task_learning.embedding.model": always(loadsModel),
  "store.url": always("keeps what agents try and learn on this server"),
  "project.key": always("shares a memory with all projects of this name"),
  "secrets.patterns": always("searches every text with these patterns, which may take long"),
};

/** What a repository cannot even ask for: all rights for an agent, and to redact less. */
export function isRefused(key: SettingKey, value: unknown): boolean {
  return (
    (key === "run.allow_all" && value === true) ||
    (key === "secrets.exceptions" && Array.isArray(value) && value.length > 0)
  );
}

/** What a value makes Ralph do that a person should have said yes to; undefined if it is harmless. */
export function effectOf(key: SettingKey, value: unknown): string | undefined {
  if (isRefused(key, value))
    return key === "run.allow_all" ? "lets agents do anything without asking" : "redacts fewer secrets";
  return guards[key]?.(value);
}

/** What a value of the project's file asks for; nothing if it changes nothing, or nothing that matters. */
export function requestsOf(key: SettingKey, value: unknown, current: unknown): TrustRequest[] {
  if (key === "agents") return agentRequests(value as Record<string, unknown>, current);
  const effect = isSame(value, current) ? undefined : guards[key]?.(value);
  return effect === undefined ? [] : [{ kind: "setting", name: key, value: JSON.stringify(value), effect }];
}

function agentRequests(agents: Readonly<Record<string, unknown>>, current: unknown): TrustRequest[] {
  return Object.entries(agents)
    .filter(([name, agent]) => !isSame(agent, (current as Record<string, unknown>)[name]))
    .map(([name, agent]) => ({
      kind: "setting" as const,
      name: agentRequestName(name),
      value: JSON.stringify(agent),
      effect: startsAgent,
    }));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
