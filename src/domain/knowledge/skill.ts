import { RalphError } from "../ralph-error.js";

/** What goes wrong on the way, and what helps. */
export interface SkillFix {
  error: string;
  fix?: string;
}

/** A procedure that worked. Fields are named as in the published sections, here and in JSON. */
export interface Skill {
  /** That of its folder. */
  name: string;
  /** What it does and when to use it. */
  description: string;
  title?: string;
  prerequisites: string[];
  steps: string[];
  common_errors: SkillFix[];
  exit_criteria: string[];
  /** Whatever its author keeps beside: where it comes from, a version. */
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

export const maxSkillName = 64;
export const maxSkillDescription = 1024;

export function isSkillName(name: string): boolean {
  return name.length <= maxSkillName && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name);
}

/** A name becomes part of a path, so nothing but letters, digits and hyphens may be in it. */
export function checkSkillName(name: string): string {
  if (isSkillName(name)) return name;
  const shown = JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name);
  throw new RalphError("wrong-use", `Not the name of a skill: ${shown}`, {
    hint: `a to z, 0 to 9 and single hyphens, at most ${maxSkillName} characters`,
  });
}
