import { noteTypes } from "../../domain/knowledge/note.js";
import { RalphError } from "../../domain/ralph-error.js";
import { nearest } from "../../text/nearest.js";
import { type Settings, scaleDownReasons, scaleUpReasons } from "../default-settings.js";
import { readAgentSettings } from "./agent-settings.js";
import {
  readAmount,
  readBatch,
  readBoolean,
  readCommands,
  readCount,
  readDuration,
  readList,
  readListOf,
  readOneOf,
  readPatterns,
  readSeconds,
  readShare,
  readText,
  readVariable,
  readWeight,
  readWholeNumber,
  readWord,
} from "./read-value.js";

export type SettingKey = keyof Settings;

export interface SettingDefinition<Value> {
  summary: string;
  /** Parses a value from YAML or an environment variable; throws a TypeError whose message follows the key. */
  read(raw: unknown): Value;
}

export const settingDefinitions: { [Key in SettingKey]: SettingDefinition<Settings[Key]> } = {
  "memories.enabled": {
    summary: "whether prompts include notes or explain the memory commands; the commands work either way",
    read: readBoolean,
  },
  "memories.inject": {
    summary: "auto: add notes to every prompt; manual: agents search themselves; none: neither",
    read: readOneOf(["auto", "manual", "none"]),
  },
  "memories.budget": {
    summary: "maximum tokens of notes in a prompt; 0: no limit",
    read: readWholeNumber,
  },
  "memories.scope": {
    summary: "repository: all worktrees share one notes file; branch: each worktree has its own",
    read: readOneOf(["repository", "branch"]),
  },
  "memories.skill_injection": {
    summary: "whether prompts explain how to use the memory commands",
    read: readBoolean,
  },
  "memories.filter.types": {
    summary: "only add notes of these types to prompts; empty: all",
    read: readListOf(noteTypes),
  },
  "memories.filter.tags": {
    summary: "only add notes with one of these tags to prompts; empty: all",
    read: readList,
  },
  "memories.filter.recent": {
    summary: "only add notes from the last N days to prompts; 0: all",
    read: readWholeNumber,
  },
  "memory_config.default_capacity": {
    summary: "number of recent reflections that an attempt starts with",
    read: readWholeNumber,
  },
  "memory_config.presets.simple": {
    summary: "number of reflections for --memory simple",
    read: readWholeNumber,
  },
  "memory_config.presets.moderate": {
    summary: "number of reflections for --memory moderate",
    read: readWholeNumber,
  },
  "memory_config.presets.complex": {
    summary: "number of reflections for --memory complex",
    read: readWholeNumber,
  },
  "memory_config.presets.maximum": {
    summary: "number of reflections for --memory maximum",
    read: readWholeNumber,
  },
  "memory_config.auto_scaling.enabled": {
    summary: "whether failures raise that number and good results lower it",
    read: readBoolean,
  },
  "memory_config.auto_scaling.scale_up_on": {
    summary: "what raises it",
    read: readListOf(scaleUpReasons),
  },
  "memory_config.auto_scaling.scale_down_on": {
    summary: "what lowers it",
    read: readListOf(scaleDownReasons),
  },
  "recall.budget": {
    summary: "maximum tokens of a brief; 0: no limit",
    read: readWholeNumber,
  },
  "recall.holdout": {
    summary: "share of tasks, 0 to 1, that get no memory of other tasks, to measure whether memory helps",
    read: readShare,
  },
  "hooks.enabled": {
    summary: "whether hooks of agents record sessions and tell them what is remembered",
    read: readBoolean,
  },
  "hooks.events": {
    summary: "the only events that hooks react to, by the agent's own names; none: all",
    read: readList,
  },
  "hooks.exclude": {
    summary:
      "what hooks leave alone: folders (beginning with /, ./ or ~), and prompts that match one of the other patterns",
    read: readPatterns,
  },
  "memory_config.storage.reflections_path": {
    summary:
      'folder for each reflection of a task in "ralph export cross-task"; {loop_id} stands for the task id',
    read: readText,
  },
  "memory_config.storage.all_reflections_kept": {
    summary:
      "whether that export contains all reflections, or only those in the window; the database keeps all",
    read: readBoolean,
  },
  "cross_task_learning.enabled": {
    summary: "whether to look for similar finished tasks",
    read: readBoolean,
  },
  "cross_task_learning.storage.memory_path": {
    summary: 'default folder of "ralph export cross-task"',
    read: readText,
  },
  "cross_task_learning.storage.index_file": {
    summary: "name of the index file in that export",
    read: readText,
  },
  "cross_task_learning.storage.embeddings_path": {
    summary: "folder for the vector of each task in that export; used if an embedder is set",
    read: readText,
  },
  "cross_task_learning.storage.reflections_path": {
    summary: "folder for the reflections of each task in that export",
    read: readText,
  },
  "cross_task_learning.embedding.model": {
    summary: "model of the embedder when embedder.model is auto; the published default changes nothing",
    read: readText,
  },
  "cross_task_learning.embedding.dimensions": {
    summary:
      "required vector dimensions; vectors of another size are refused; the published default is not checked",
    read: readCount,
  },
  "cross_task_learning.retrieval.top_k": {
    summary: "maximum number of similar tasks to show",
    read: readWholeNumber,
  },
  "cross_task_learning.retrieval.similarity_threshold": {
    summary: "minimum similarity, 0 to 1",
    read: readShare,
  },
  "cross_task_learning.retrieval.max_age_days": {
    summary: "ignore older tasks; 0: no limit",
    read: readWholeNumber,
  },
  "cross_task_learning.injection.inject_reflections": {
    summary: "whether prompts include the reflections of similar tasks",
    read: readBoolean,
  },
  "cross_task_learning.injection.inject_summary": {
    summary: "whether prompts include the outcome of similar tasks",
    read: readBoolean,
  },
  "cross_task_learning.injection.max_tokens": {
    summary: "maximum tokens of similar tasks in a prompt; 0: no limit",
    read: readWholeNumber,
  },
  "learnings.promotion": {
    summary:
      "what tasks teach; auto: promote; review: stage it and imports for a person; off: learn only by command",
    read: readOneOf(["auto", "review", "off"]),
  },
  "continuity.path": {
    summary: "path of the continuity file, relative to the project",
    read: readText,
  },
  "store.url": {
    summary: "address of a team's database, postgres://user@host/database; empty: in the project's .ralph",
    read: readWord,
  },
  "project.key": {
    summary: "name of the project in a team's database; empty: the address of its git remote",
    read: readWord,
  },
  "secrets.patterns": {
    summary: "regular expressions; what matches is redacted as well; each file adds to the list",
    read: readPatterns,
  },
  "secrets.exceptions": {
    summary: "regular expressions; a secret that matches as a whole is left alone; not from a project's file",
    read: readPatterns,
  },
  "embedder.use": {
    summary: "how to search by meaning: none, minilm, openai (a server), use-lite, or static (word vectors)",
    read: readOneOf(["none", "minilm", "openai", "use-lite", "static"]),
  },
  "embedder.path": {
    summary: "minilm: the model folder; static: the word vector file",
    read: readText,
  },
  "embedder.address": { summary: "address of the OpenAI-compatible server", read: readText },
  "embedder.model": { summary: "model name; auto: the embedder's default", read: readText },
  "embedder.key_variable": {
    summary: "environment variable that holds the API key",
    read: readVariable,
  },
  "embedder.batch": { summary: "number of texts to embed at once, 1 to 2048", read: readBatch },
  "embedder.weight": {
    summary: "weight of meaning against words, 0 to 1; auto: the embedder's default",
    read: readWeight,
  },
  "reflector.use": {
    summary: "what writes reflections: rules, agent (a command) or openai (a server)",
    read: readOneOf(["rules", "agent", "openai"]),
  },
  "reflector.command": {
    summary:
      "program and arguments of the agent; it runs in the project's root and gets the prompt on standard input",
    read: readList,
  },
  "reflector.address": { summary: "address of the OpenAI-compatible server", read: readText },
  "reflector.model": { summary: "model name", read: readText },
  "reflector.key_variable": {
    summary: "environment variable that holds the API key",
    read: readVariable,
  },
  "reflector.timeout_seconds": {
    summary: "time limit for one reflection in seconds, 1 to 3600",
    read: readSeconds,
  },
  "reflector.max_input_tokens": { summary: "maximum tokens to send to a model", read: readWholeNumber },
  "reflector.max_output_tokens": {
    summary: "maximum tokens in a server's response",
    read: readWholeNumber,
  },
  "reflector.max_calls": {
    summary: "maximum number of reflections by a model per task",
    read: readWholeNumber,
  },
  "run.agent": {
    summary: "agent to run; empty: the first one installed",
    read: readWord,
  },
  "run.allow_all": {
    summary: "whether the agent may do anything without asking; dangerous outside a sandbox",
    read: readBoolean,
  },
  "run.max_iterations": { summary: "maximum iterations per attempt", read: readCount },
  "run.attempts": { summary: "maximum attempts per run", read: readCount },
  "run.timeout": { summary: "time limit for a run", read: readDuration },
  "run.iteration_timeout": { summary: "time limit for one iteration", read: readDuration },
  "run.idle_timeout_seconds": {
    summary: "how long the agent may go without output; 0: no limit",
    read: readWholeNumber,
  },
  "run.kill_grace_seconds": {
    summary: "how long the agent may take to exit before it is killed",
    read: readAmount,
  },
  "run.first_pause_seconds": {
    summary: "pause after the agent crashes at once; doubles with every further crash, up to 30 seconds",
    read: readAmount,
  },
  "run.verify_timeout": { summary: "time limit for one verification command", read: readDuration },
  "run.verify": {
    summary: "commands that must succeed before a task counts as completed",
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

/** Parses one value; errors name where it came from. */
export function readSetting<Key extends SettingKey>(key: Key, raw: unknown, origin: string): Settings[Key] {
  try {
    return settingDefinitions[key].read(raw);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new RalphError("invalid-settings", `${origin}: ${key} ${error.message}`, {
      hint: typeof error.cause === "string" ? error.cause : `${key}: ${settingDefinitions[key].summary}`,
    });
  }
}

/** Whether a block is a single setting: a map with keys of the user's choice. */
export function isMapBlock(block: string): boolean {
  return isSettingKey(block);
}

/** Blocks that may also be a single word, as in `reflector: agent`, and the key that the word sets. */
export const shortForms: Readonly<Record<string, SettingKey>> = {
  reflector: "reflector.use",
  embedder: "embedder.use",
  store: "store.url",
  project: "project.key",
};

export function unknownSetting(key: string, origin: string): RalphError {
  return new RalphError("invalid-settings", `${origin}: unknown setting ${key}`, {
    hint: suggestSetting(key),
  });
}

/** The nearest setting, else those of the same block; there are too many to list them all. */
function suggestSetting(key: string): string {
  const [block = ""] = key.split(".");
  const near = nearest(key, settingKeys);
  if (near !== undefined) return `did you mean "${near}"?`;
  const siblings = settingKeys.filter((each) => each.startsWith(`${block}.`));
  return siblings.length > 0 ? `known: ${siblings.join(", ")}` : '"ralph config show" lists them';
}
