import type { NoteType } from "../domain/knowledge/note.js";
import type { AgentSetting } from "../domain/tasks/agent.js";

/** All settings; the part of a key before the first dot is a block in `ralph.yml`. */
export interface Settings {
  "memories.enabled": boolean;
  "memories.inject": "auto" | "manual" | "none";
  "memories.budget": number;
  "memories.scope": "repository" | "branch";
  "memories.skill_injection": boolean;
  "memories.filter.types": NoteType[];
  "memories.filter.tags": string[];
  "memories.filter.recent": number;
  "memory_config.default_capacity": number;
  "memory_config.presets.simple": number;
  "memory_config.presets.moderate": number;
  "memory_config.presets.complex": number;
  "memory_config.presets.maximum": number;
  "memory_config.auto_scaling.enabled": boolean;
  "memory_config.auto_scaling.scale_up_on": (typeof scaleUpReasons)[number][];
  "memory_config.auto_scaling.scale_down_on": (typeof scaleDownReasons)[number][];
  "recall.budget": number;
  "recall.holdout": number;
  "hooks.enabled": boolean;
  "hooks.events": string[];
  "hooks.exclude": string[];
  "memory_config.storage.reflections_path": string;
  "memory_config.storage.all_reflections_kept": boolean;
  "cross_task_learning.enabled": boolean;
  "cross_task_learning.storage.memory_path": string;
  "cross_task_learning.storage.index_file": string;
  "cross_task_learning.storage.embeddings_path": string;
  "cross_task_learning.storage.reflections_path": string;
  "cross_task_learning.embedding.model": string;
  "cross_task_learning.embedding.dimensions": number;
  "cross_task_learning.retrieval.top_k": number;
  "cross_task_learning.retrieval.similarity_threshold": number;
  "cross_task_learning.retrieval.max_age_days": number;
  "cross_task_learning.injection.inject_reflections": boolean;
  "cross_task_learning.injection.inject_summary": boolean;
  "cross_task_learning.injection.max_tokens": number;
  "learnings.promotion": "auto" | "review" | "off";
  "continuity.path": string;
  "store.url": string;
  "project.key": string;
  "secrets.patterns": string[];
  "secrets.exceptions": string[];
  "embedder.use": "none" | "minilm" | "openai" | "use-lite" | "static";
  "embedder.path": string;
  "embedder.address": string;
  "embedder.model": string;
  "embedder.key_variable": string;
  "embedder.batch": number;
  "embedder.weight": number | "auto";
  "reflector.use": "rules" | "agent" | "openai";
  "reflector.command": string[];
  "reflector.address": string;
  "reflector.model": string;
  "reflector.key_variable": string;
  "reflector.timeout_seconds": number;
  "reflector.max_input_tokens": number;
  "reflector.max_output_tokens": number;
  "reflector.max_calls": number;
  "run.agent": string;
  "run.allow_all": boolean;
  "run.max_iterations": number;
  "run.attempts": number;
  "run.timeout": string;
  "run.iteration_timeout": string;
  "run.idle_timeout_seconds": number;
  "run.kill_grace_seconds": number;
  "run.first_pause_seconds": number;
  "run.verify_timeout": string;
  "run.verify": string[];
  agents: Record<string, AgentSetting>;
}

/** What can raise and lower the number of reflections. */
export const scaleUpReasons = ["consecutive_failures", "low_quality_scores"] as const;
export const scaleDownReasons = ["high_quality_maintained", "fast_convergence"] as const;

export const defaultSettings: Settings = {
  "memories.enabled": true,
  "memories.inject": "auto",
  "memories.budget": 2000,
  "memories.scope": "repository",
  "memories.skill_injection": true,
  "memories.filter.types": [],
  "memories.filter.tags": [],
  "memories.filter.recent": 0,
  "memory_config.default_capacity": 3,
  "memory_config.presets.simple": 1,
  "memory_config.presets.moderate": 3,
  "memory_config.presets.complex": 5,
  "memory_config.presets.maximum": 10,
  "memory_config.auto_scaling.enabled": false,
  "memory_config.auto_scaling.scale_up_on": [...scaleUpReasons],
  "memory_config.auto_scaling.scale_down_on": [...scaleDownReasons],
  "recall.budget": 4000,
  "recall.holdout": 0,
  "hooks.enabled": true,
  "hooks.events": [],
  "hooks.exclude": [],
  "memory_config.storage.reflections_path": ".aiwg/ralph/{loop_id}/reflections/",
  "memory_config.storage.all_reflections_kept": true,
  "cross_task_learning.enabled": true,
  "cross_task_learning.storage.memory_path": ".aiwg/ralph/memory/",
  "cross_task_learning.storage.index_file": "task-index.json",
  "cross_task_learning.storage.embeddings_path": ".aiwg/ralph/memory/embeddings/",
  "cross_task_learning.storage.reflections_path": ".aiwg/ralph/memory/reflections/",
  "cross_task_learning.embedding.model": "all-MiniLM-L6-v2",
  "cross_task_learning.embedding.dimensions": 384,
  "cross_task_learning.retrieval.top_k": 3,
  "cross_task_learning.retrieval.similarity_threshold": 0.7,
  "cross_task_learning.retrieval.max_age_days": 90,
  "cross_task_learning.injection.inject_reflections": true,
  "cross_task_learning.injection.inject_summary": true,
  "cross_task_learning.injection.max_tokens": 2000,
  "learnings.promotion": "auto",
  "continuity.path": ".agent/CONTINUITY.md",
  "store.url": "",
  "project.key": "",
  "secrets.patterns": [],
  "secrets.exceptions": [],
  "embedder.use": "none",
  "embedder.path": "",
  "embedder.address": "https://api.openai.com/v1",
  "embedder.model": "auto",
  "embedder.key_variable": "OPENAI_API_KEY",
  "embedder.batch": 32,
  "embedder.weight": "auto",
  "reflector.use": "rules",
  "reflector.command": ["claude", "-p", "--output-format", "json"],
  "reflector.address": "https://api.openai.com/v1",
  "reflector.model": "gpt-5-mini",
  "reflector.key_variable": "OPENAI_API_KEY",
  "reflector.timeout_seconds": 60,
  "reflector.max_input_tokens": 4000,
  "reflector.max_output_tokens": 800,
  "reflector.max_calls": 10,
  "run.agent": "",
  "run.allow_all": false,
  "run.max_iterations": 10,
  "run.attempts": 1,
  "run.timeout": "2h",
  "run.iteration_timeout": "30m",
  "run.idle_timeout_seconds": 600,
  "run.kill_grace_seconds": 5,
  "run.first_pause_seconds": 1,
  "run.verify_timeout": "10m",
  "run.verify": [],
  agents: {},
};
