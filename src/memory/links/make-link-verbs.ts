import type { Link } from "../../domain/knowledge/link.js";
import { RalphError } from "../../domain/ralph-error.js";
import { addLink, checkRelation, listLinks, removeLink } from "../../semantic/records/link-records.js";
import type { MemoryAccess } from "../project/memory-access.js";
import { taskAccess } from "../project/task-context.js";
import type { LinkInput, LinkVerbs } from "./link-verbs.js";
import { type LinkableRecords, resolveRecordId } from "./resolve-record-id.js";

export function makeLinkVerbs(session: MemoryAccess, records: LinkableRecords): LinkVerbs {
  const { readOrEmpty, write, change } = taskAccess(session);

  /** The record may have been deleted before its links. */
  const idOrGiven = async (given: string): Promise<string> => {
    try {
      return await resolveRecordId(records, given);
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
      const link = await resolved(input, (given) => resolveRecordId(records, given));
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
      const id = await resolveRecordId(records, given);
      return readOrEmpty((context) => listLinks(context, id));
    },
  };
}
