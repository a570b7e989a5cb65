import type { Link } from "../../domain/knowledge/link.js";
import { RalphError } from "../../domain/ralph-error.js";
import {
  addLink,
  checkRelation,
  listLinks,
  type RecordLink,
  removeLink,
} from "../../semantic/records/link-records.js";
import { counted } from "../../text/counted.js";
import { learningVerbsOf } from "../learnings/learnings.js";
import { makeNoteVerbs } from "../notes/notes.js";
import type { OpenProject } from "../project/open-project.js";
import { taskAccess } from "../project/task-context.js";
import { makeSkillVerbs } from "../skills/skills.js";
import { taskVerbs } from "../tasks/tasks.js";

/** `memory.links`: typed relations between records of any kind. */
export interface LinkVerbs {
  /** Adds a link; `isNew` is false if it already exists. */
  add(link: LinkInput): Promise<Link & { isNew: boolean }>;
  /** Removes a link and returns it. */
  remove(link: LinkInput): Promise<Link>;
  /** The links of one record, or all links. */
  list(id?: string): Promise<RecordLink[]>;
}

/** Ids may be shortened if unique. */
export interface LinkInput {
  from: string;
  to: string;
  relation: string;
}

export function linkVerbs(project: OpenProject): LinkVerbs {
  const { readOrEmpty, write, change } = taskAccess(project);

  /** The record may have been deleted before its links. */
  const idOrGiven = async (given: string): Promise<string> => {
    try {
      return await resolveRecordId(project, given);
    } catch (error) {
      if (error instanceof RalphError && error.code === "not-found") return given;
      throw error;
    }
  };

  const resolved = async (
    { from, to, relation }: LinkInput,
    idOf: (given: string) => Promise<string>,
  ): Promise<Link> => {
    const checked = checkRelation(relation);
    return { from: await idOf(from), relation: checked, to: await idOf(to) };
  };

  return {
    async add(input) {
      const link = await resolved(input, (given) => resolveRecordId(project, given));
      return { ...link, isNew: await write((context) => addLink(context, link)) };
    },
    async remove(input) {
      const link = await resolved(input, idOrGiven);
      if (await change((context) => removeLink(context, link))) return link;
      throw new RalphError("not-found", `There is no link ${link.from} ${link.relation} ${link.to}`, {
        hint: '"ralph link list" shows all links',
      });
    },
    async list(given) {
      const links = await readOrEmpty((context) => listLinks(context, given));
      if (links.length > 0 || given === undefined) return links;
      const id = await resolveRecordId(project, given);
      return readOrEmpty((context) => listLinks(context, id));
    },
  };
}

/** The full id of a learning, note, task or attempt, or the name of a skill; the record must exist. */
export async function resolveRecordId(project: OpenProject, given: string): Promise<string> {
  const id = given.trim();
  if (id === "") throw new RalphError("wrong-use", "The record id is missing");
  if (id.startsWith("learn-")) return (await learningVerbsOf(project).get(id)).id;
  if (id.startsWith("mem-")) return (await makeNoteVerbs(project).get(id)).id;
  const [, taskId, attempt] = /^(task-\d+)(?:\/(\d+))?$/.exec(id) ?? [];
  if (taskId === undefined) return resolveUnprefixed(project, id);
  const task = await taskVerbs(project).history(taskId);
  if (attempt === undefined) return task.id;
  if (task.attempts.some((each) => each.id === Number(attempt))) return `${task.id}/${Number(attempt)}`;
  throw new RalphError("not-found", `${task.id} has no attempt ${attempt}`, {
    hint: `it has ${counted(task.attempts.length, "attempt")}`,
  });
}

/** A skill, as briefs refer to it or by its name alone, or a learning without the start of its id. */
async function resolveUnprefixed(project: OpenProject, id: string): Promise<string> {
  const name = id.replace(/^skill:\s*/, "");
  if ((await makeSkillVerbs(project).list()).some((skill) => skill.name === name)) return name;
  if (/^[0-9a-f]{4,12}$/i.test(id)) return (await learningVerbsOf(project).get(id)).id;
  throw new RalphError("not-found", `No record has the id ${id}`, {
    hint: 'an id begins with "learn-", "mem-" or "task-" ("task-001/2" is an attempt); "ralph skill list" shows the names of skills',
  });
}
