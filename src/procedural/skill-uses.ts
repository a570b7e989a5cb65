import { isSkillName } from "../domain/knowledge/skill.js";
import { type Action, isEdit } from "../domain/tasks/action.js";

const skillPath = /(?:^|[\s/"'=])\.(?:agent|agents|claude)\/skills\/([a-z0-9-]+)\/SKILL\.md\b/g;
const mention = /\[skill: *([a-z0-9-]+)\]/gi;

/**
 * The skills that an attempt used: read its file, called it with the skill tool, or mentioned `[skill: name]`. Tool output
 * does not count, because a brief lists skills that were never used.
 */
export function skillsUsedIn(actions: readonly Action[]): string[] {
  const names = actions.filter(({ success }) => success).flatMap(namesIn);
  return [...new Set(names.filter(isSkillName))].sort();
}

function namesIn(action: Action): string[] {
  const { tool, params, reasoning = "", expected_outcome = "" } = action;
  const mentioned = matches(mention, `${reasoning}\n${expected_outcome}`);
  if (isEdit(action)) return mentioned;
  const texts = [params.file_path, params.path, params.file, params.command];
  const read = texts.flatMap((text) => (typeof text === "string" ? matches(skillPath, text) : []));
  const called = /^skill$/i.test(tool) ? [params.skill ?? params.name ?? params.command].map(String) : [];
  return [...mentioned, ...read, ...called];
}

function matches(pattern: RegExp, text: string): string[] {
  return [...text.matchAll(pattern)].map(([, name = ""]) => name.toLowerCase());
}
