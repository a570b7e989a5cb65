import { durationRule, parseDuration } from "../../domain/duration.js";
import { noteTypes } from "../../domain/knowledge/note.js";
import { RalphError } from "../../domain/ralph-error.js";
import { suggest } from "../../text/nearest.js";
import { type Settings, scaleDownReasons, scaleUpReasons } from "../default-settings.js";
import { readAgentSettings } from "./agent-settings.js";

export type SettingKey = keyof Settings;

export interface SettingDefinition<Value> {
  summary: string;
  /** Reads a value from YAML, or from the text of an environment variable; throws a plain sentence part when it is wrong. */
  read(raw: unknown): Value;
}

export const settingDefinitions: { [Key in SettingKey]: SettingDefinition<Settings[Key]> } = {
  "memories.enabled": {
    summary: "whether notes are used at all",
    read: readBoolean,
  },
  "memories.inject": {
    summary: "auto: put notes into every prompt; manual: agents search by themselves; none: neither",
    read: readOneOf(["auto", "manual", "none"]),
  },
  "memories.budget": {
    summary: "most tokens of notes in a prompt; 0 is unlimited",
    read: readWholeNumber,
  },
  "memories.scope": {
    summary: "repository: all worktrees share one notes file; branch: each worktree has its own",
    read: readOneOf(["repository", "branch"]),
  },
  "memories.skill_injection": {
    summary: "whether prompts explain how to use the memory",
    read: readBoolean,
  },
  "memories.filter.types": {
    summary: "only notes of these types go into prompts; empty is all",
    read: readListOf(noteTypes),
  },
  "memories.filter.tags": {
    summary: "only notes with one of these tags go into prompts; empty is all",
    read: readList,
  },
  "memories.filter.recent": {
    summary: "only notes of the last so many days go into prompts; 0 is all",
    read: readWholeNumber,
  },
  "memory_config.default_capacity": {
    summary: "how many of a task's last reflections an attempt starts with",
    read: readWholeNumber,
  },
  "memory_config.presets.simple": { summary: "what --memory simple means", read: readWholeNumber },
  "memory_config.presets.moderate": { summary: "what --memory moderate means", read: readWholeNumber },
  "memory_config.presets.complex": { summary: "what --memory complex means", read: readWholeNumber },
  "memory_config.presets.maximum": { summary: "what --memory maximum means", read: readWholeNumber },
  "memory_config.auto_scaling.enabled": {
    summary: "whether failures widen and good results narrow that window",
    read: readBoolean,
  },
  "memory_config.auto_scaling.scale_up_on": {
    summary: "what widens it",
    read: readListOf(scaleUpReasons),
  },
  "memory_config.auto_scaling.scale_down_on": {
    summary: "what narrows it",
    read: readListOf(scaleDownReasons),
  },
  "recall.budget": {
    summary: "most tokens of a whole brief; 0 is unlimited",
    read: readWholeNumber,
  },
  "recall.holdout": {
    summary:
      "the share of tasks, from 0 to 1, that are shown nothing of others, to measure whether memory helps",
    read: readShare,
  },
  "memory_config.storage.reflections_path": {
    summary: "where other tools keep reflections; ours are in the database, and files only on export",
    read: readText,
  },
  "memory_config.storage.all_reflections_kept": {
    summary: "accepted as published; all reflections are kept whatever it says",
    read: readBoolean,
  },
  "cross_task_learning.enabled": {
    summary: "whether similar finished tasks are looked for",
    read: readBoolean,
  },
  "cross_task_learning.storage.memory_path": {
    summary: 'where "ralph export cross-task" writes when no folder is named',
    read: readText,
  },
  "cross_task_learning.storage.index_file": {
    summary: "what the file with all tasks is called there",
    read: readText,
  },
  "cross_task_learning.storage.embeddings_path": {
    summary: "where other tools keep vectors; ours are derived and not exported",
    read: readText,
  },
  "cross_task_learning.storage.reflections_path": {
    summary: "where that export writes the reflections of each task",
    read: readText,
  },
  "cross_task_learning.embedding.model": {
    summary: "the model whose vectors are used when an embedder is set up",
    read: readText,
  },
  "cross_task_learning.embedding.dimensions": {
    summary: "how many numbers a vector of that model has",
    read: readCount,
  },
  "cross_task_learning.retrieval.top_k": {
    summary: "how many similar tasks are shown at most",
    read: readWholeNumber,
  },
  "cross_task_learning.retrieval.similarity_threshold": {
    summary: "how similar they have to be, from 0 to 1",
    read: readShare,
  },
  "cross_task_learning.retrieval.max_age_days": {
    summary: "older ones are not looked for; 0 is any age",
    read: readWholeNumber,
  },
  "cross_task_learning.injection.inject_reflections": {
    summary: "whether prompts tell the reflections of similar tasks",
    read: readBoolean,
  },
  "cross_task_learning.injection.inject_summary": {
    summary: "whether prompts tell how similar tasks went",
    read: readBoolean,
  },
  "cross_task_learning.injection.max_tokens": {
    summary: "most tokens of similar tasks in a prompt; 0 is unlimited",
    read: readWholeNumber,
  },
  "learnings.promotion": {
    summary: "what a finished task teaches is promoted (auto), staged for a person (review), or left (off)",
    read: readOneOf(["auto", "review", "off"]),
  },
  "continuity.path": {
    summary: "where the continuity file is, from the project's folder",
    read: readText,
  },
  "embedder.use": {
    summary:
      "what finds records by meaning: none, minilm, openai (a server), use-lite, or static (word vectors)",
    read: readOneOf(["none", "minilm", "openai", "use-lite", "static"]),
  },
  "embedder.path": {
    summary: "minilm: the folder of the model; static: the file of word vectors",
    read: readText,
  },
  "embedder.address": { summary: "where the OpenAI-compatible server is", read: readText },
  "embedder.model": { summary: "the model that is asked for; auto is the usual one", read: readText },
  "embedder.key_variable": {
    summary: "the environment variable that holds the server's key",
    read: readText,
  },
  "embedder.batch": { summary: "how many texts are embedded at once, from 1 to 2048", read: readBatch },
  "embedder.weight": {
    summary: "how much meaning counts beside words, from 0 to 1; auto is what was measured",
    read: readWeight,
  },
  "reflector.use": {
    summary: "who writes reflections: rules, an agent's command, or an OpenAI-compatible server",
    read: readOneOf(["rules", "agent", "openai"]),
  },
  "reflector.command": {
    summary: "the agent's program and its arguments; the prompt comes on standard input",
    read: readList,
  },
  "reflector.address": { summary: "where the OpenAI-compatible server is", read: readText },
  "reflector.model": { summary: "the model that the server is asked for", read: readText },
  "reflector.key_variable": {
    summary: "the environment variable that holds the server's key",
    read: readText,
  },
  "reflector.timeout_seconds": {
    summary: "how long a model may take for a reflection, from 1 to 3600",
    read: readSeconds,
  },
  "reflector.max_input_tokens": { summary: "most tokens a model is sent", read: readWholeNumber },
  "reflector.max_output_tokens": {
    summary: "most tokens a server may answer with",
    read: readWholeNumber,
  },
  "reflector.max_calls": {
    summary: "most reflections that a model writes for one task",
    read: readWholeNumber,
  },
  "run.agent": {
    summary: "the agent that ralph run starts; empty is the first one that is installed",
    read: readWord,
  },
  "run.allow_all": {
    summary: "whether the agent may do everything without asking; dangerous outside of a sandbox",
    read: readBoolean,
  },
  "run.max_iterations": { summary: "most iterations of one attempt", read: readCount },
  "run.attempts": { summary: "most attempts of one run", read: readCount },
  "run.timeout": { summary: "how long a run may take", read: readDuration },
  "run.iteration_timeout": { summary: "how long the agent may take in one iteration", read: readDuration },
  "run.idle_timeout_seconds": {
    summary: "how long the agent may print nothing; 0 is unlimited",
    read: readWholeNumber,
  },
  "run.kill_grace_seconds": {
    summary: "how long the agent may take to end after it was asked to, before it is killed",
    read: readAmount,
  },
  "run.first_pause_seconds": {
    summary: "how long to wait after the agent broke down at once; twice as long after each further time",
    read: readAmount,
  },
  "run.verify_timeout": { summary: "how long one verification command may take", read: readDuration },
  "run.verify": {
    summary: "the commands that must succeed before a task is completed",
    read: readCommands,
  },
  agents: {
    summary: "agents by name: program, args, prompt, output, careful_args, allow_all_args",
    read: readAgentSettings,
  },
};

export const settingKeys = Object.keys(settingDefinitions) as SettingKey[];

export const settingBlocks = [...new Set(settingKeys.map((key) => key.split(".")[0] ?? key))];

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(settingDefinitions, key);
}

/** Reads one value, or fails with the place it came from. */
export function readSetting<Key extends SettingKey>(key: Key, raw: unknown, place: string): Settings[Key] {
  try {
    return settingDefinitions[key].read(raw);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new RalphError("invalid-settings", `${place}: ${key} ${error.message}`, {
      hint: typeof error.cause === "string" ? error.cause : `it means: ${settingDefinitions[key].summary}`,
    });
  }
}

/** Whether a block is one setting: a map whose keys the user chooses. */
export function isMapBlock(block: string): boolean {
  return isSettingKey(block);
}

/** A block that may also be given as one word, and the key that the word is for: `reflector: agent`. */
export const shortForms: Readonly<Record<string, SettingKey>> = {
  reflector: "reflector.use",
  embedder: "embedder.use",
};

export function unknownSetting(key: string, place: string): RalphError {
  return new RalphError("invalid-settings", `${place}: there is no setting ${key}`, {
    hint: suggest(key, settingKeys),
  });
}

function readBoolean(raw: unknown): boolean {
  if (typeof raw === "boolean") return raw;
  if (raw === "true" || raw === "1") return true;
  if (raw === "false" || raw === "0") return false;
  throw new TypeError("must be true or false");
}

function readWholeNumber(raw: unknown): number {
  const value = typeof raw === "string" && raw.trim() !== "" ? Number(raw) : raw;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw new TypeError("must be a whole number, 0 or more");
}

function readAmount(raw: unknown): number {
  const value = typeof raw === "string" && raw.trim() !== "" ? Number(raw) : raw;
  if (typeof value === "number" && value >= 0 && value <= 3600) return value;
  throw new TypeError("must be a number from 0 to 3600");
}

function readCount(raw: unknown): number {
  const count = readWholeNumber(raw);
  if (count >= 1) return count;
  throw new TypeError("must be a whole number, 1 or more");
}

function readDuration(raw: unknown): string {
  if (typeof raw !== "string" && typeof raw !== "number") throw new TypeError(durationRule);
  parseDuration(raw);
  return String(raw).trim();
}

function readWord(raw: unknown): string {
  if (typeof raw === "string") return raw.trim();
  throw new TypeError("must be a text");
}

/** Each is a whole command line, which may hold commas. */
function readCommands(raw: unknown): string[] {
  const list = Array.isArray(raw) ? raw : [raw];
  if (list.some((item) => typeof item !== "string")) throw new TypeError("must be a list of commands");
  return list.map((item: string) => item.trim()).filter((item) => item !== "");
}

function readSeconds(raw: unknown): number {
  const seconds = readWholeNumber(raw);
  if (seconds >= 1 && seconds <= 3600) return seconds;
  throw new TypeError("must be from 1 to 3600");
}

function readShare(raw: unknown): number {
  const value = typeof raw === "string" && raw.trim() !== "" ? Number(raw) : raw;
  if (typeof value === "number" && value >= 0 && value <= 1) return value;
  throw new TypeError("must be from 0 to 1");
}

function readBatch(raw: unknown): number {
  const size = readWholeNumber(raw);
  if (size >= 1 && size <= 2048) return size;
  throw new TypeError("must be from 1 to 2048");
}

function readWeight(raw: unknown): number | "auto" {
  return raw === "auto" ? raw : readShare(raw);
}

function readText(raw: unknown): string {
  if (typeof raw === "string" && raw.trim() !== "") return raw.trim();
  throw new TypeError("must be a text");
}

function readOneOf<const Word extends string>(words: readonly Word[]): (raw: unknown) => Word {
  return (raw) => {
    const word = words.find((candidate) => candidate === raw);
    if (word === undefined) throw new TypeError(`must be one of ${words.join(", ")}`);
    return word;
  };
}

function readList(raw: unknown): string[] {
  const list = typeof raw === "string" ? raw.split(",").map((item) => item.trim()) : raw;
  if (!Array.isArray(list) || list.some((item) => typeof item !== "string" && typeof item !== "number")) {
    throw new TypeError("must be a list of words");
  }
  return list.map(String).filter((item) => item !== "");
}

function readListOf<const Word extends string>(words: readonly Word[]): (raw: unknown) => Word[] {
  return (raw) => readList(raw).map(readOneOf(words));
}
