import { RalphError } from "../ralph-error.js";

/** A known error and its fix. */
export interface SkillFix {
  error: string;
  fix?: string;
}

/** A procedure that worked. Field names follow the published sections, here and in JSON. */
export interface Skill {
  /** The name of its folder. */
  name: string;
  /** What it does and when to use it. */
  description: string;
  title?: string;
  prerequisites: string[];
  steps: string[];
  common_errors: SkillFix[];
  exit_criteria: string[];
  /** Extra data from its author, such as origin or version. */
  metadata: Record<string, string>;
}

/** One attempt that used a skill. */
export interface SkillUse {
  skill: string;
  task_id: string;
  attempt_id: number;
  succeeded: boolean;
  time: string;
}

export interface SkillUsage {
  uses: number;
  successes: number;
}

export const maxSkillNameLength = 64;
export const maxSkillDescriptionLength = 1024;

export function isSkillName(name: string): boolean {
  return name.length <= maxSkillNameLength && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name);
}

/** A name becomes part of a path, so only letters, digits and hyphens are allowed. */
export function checkSkillName(name: string): string {
  if (isSkillName(name)) return name;
  const shown = JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);
  throw new RalphError("wrong-use", `Invalid skill name: ${shown}`, {
    hint: `use a to z, 0 to 9 and single hyphens, at most ${maxSkillNameLength} characters`,
  });
}
