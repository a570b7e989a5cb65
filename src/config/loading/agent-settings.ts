import { isObject, isText } from "../../domain/shape.js";
import {
  type AgentSetting,
  agentOutputs,
  builtInAgentNames,
  promptInputs,
} from "../../domain/tasks/agent.js";
import { suggest } from "../../text/nearest.js";

type Reader = (value: unknown, name: string) => unknown;

const readers: Record<keyof AgentSetting, Reader> = {
  program: readProgram,
  args: readWords,
  prompt: readOneOf(promptInputs),
  output: readOneOf(agentOutputs),
  careful_args: readWords,
  allow_all_args: readWords,
};

const knownKeys = Object.keys(readers);

/** Parses the block `agents:`; throws a TypeError whose message follows the key and whose cause is the hint. */
export function readAgentSettings(raw: unknown): Record<string, AgentSetting> {
  if (!isObject(raw)) throw new TypeError("must be a map of agents by name");
  return Object.fromEntries(Object.entries(raw).map(([name, entry]) => [name, readAgent(name, entry)]));
}

function readAgent(name: string, entry: unknown): AgentSetting {
  if (!/^[a-z0-9][\w.-]*$/i.test(name))
    throw new TypeError(`has an invalid name: "${name}"`, {
      cause: "use letters, digits, dots, underscores and hyphens, starting with a letter or digit",
    });
  if (!isObject(entry)) throw invalidEntry(name, "must have keys such as program");
  const agent: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(entry)) {
    if (!Object.hasOwn(readers, key))
      throw new TypeError(`has an unknown key: ${name}.${key}`, { cause: suggest(key, knownKeys) });
    if (value !== null) agent[key] = readers[key as keyof AgentSetting](value, `${name}.${key}`);
  }
  const isBuiltIn = (builtInAgentNames as readonly string[]).includes(name);
  if (!isBuiltIn && agent.program === undefined) throw invalidEntry(name, "has no program");
  return agent;
}

function invalidEntry(name: string, what: string): TypeError {
  return new TypeError(`is invalid: ${name} ${what}`, {
    cause: `for example ${name}: { program: ./agent.sh, args: [--quiet], prompt: stdin, output: text }`,
  });
}

function readProgram(value: unknown, name: string): string {
  if (!isText(value) || value.trim() === "") throw new TypeError(`is invalid: ${name} must be text`);
  return value.trim();
}

function readWords(value: unknown, name: string): string[] {
  const list = Array.isArray(value) ? value : [value];
  if (list.some((word) => typeof word !== "string" && typeof word !== "number"))
    throw new TypeError(`is invalid: ${name} must be a list of words`);
  return list.map(String);
}

function readOneOf(words: readonly string[]): Reader {
  return (value, name) => {
    if (!words.some((word) => word === value))
      throw new TypeError(`is invalid: ${name} cannot be ${JSON.stringify(value)}`, {
        cause: suggest(String(value), words),
      });
    return value;
  };
}
