import { isDeepStrictEqual } from "node:util";
import type { Learning } from "../../domain/knowledge/learning.js";
import {
  inverseRelations,
  isLinkRelation,
  type Link,
  type LinkRelation,
  linkRelations,
} from "../../domain/knowledge/link.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { StoredLink } from "../../store/repositories/knowledge/links.js";
import type { Repositories } from "../../store/store.js";
import { suggest } from "../../text/nearest.js";
import type { SemanticContext } from "../semantic-context.js";
import { getLearning } from "./learning-records.js";
import { saveLearning } from "./write-learning.js";

export interface RecordLink extends StoredLink {
  /** True when the link was created from the other record and is shown inverted. */
  isOpposite?: boolean;
}

/** Links two records; a learning that becomes superseded is hidden. False when the link exists already. */
export function addLink({ store, clock }: SemanticContext, link: Link): Promise<boolean> {
  const created = clock().toISOString();
  return store.transaction((tx) => addLinkIn(tx, { ...link, created }));
}

/** The same in a transaction. */
export async function addLinkIn(tx: Repositories, link: StoredLink): Promise<boolean> {
  const relation = checkRelation(link.relation);
  if (link.from === link.to) throw new RalphError("wrong-use", "A record cannot be linked to itself");
  const isNew = !(await isKnown(tx, fromOtherEnd(link))) && (await tx.links.add({ ...link, relation }));
  const { older, newer } = replacement(link) ?? {};
  if (older !== undefined && newer !== undefined) {
    await refuseCycle(tx, older, newer);
    await setSuperseded(tx, older, newer);
  }
  return isNew;
}

/** Removes a link, whichever end it was created from; false when there is none. */
export async function removeLink({ store }: SemanticContext, link: Link): Promise<boolean> {
  checkRelation(link.relation);
  return store.transaction(async (tx) => {
    const opposite = fromOtherEnd(link);
    const isOppositeRemoved = opposite !== undefined && (await tx.links.remove(opposite));
    const isRemoved = (await tx.links.remove(link)) || isOppositeRemoved;
    const { older, newer } = replacement(link) ?? {};
    if (!isRemoved || older === undefined) return isRemoved;
    const row = await tx.learnings.find(older);
    if (row?.learning.superseded_by === newer) await setSuperseded(tx, older, undefined);
    return true;
  });
}

/** The same link, stated from its other end. */
function fromOtherEnd({ from, to, relation }: Link): Link | undefined {
  const opposite = inverseRelations[relation];
  return opposite && { from: to, to: from, relation: opposite };
}

async function isKnown(tx: Repositories, link: Link | undefined): Promise<boolean> {
  if (link === undefined) return false;
  const links = await tx.links.listForRecord(link.from);
  return links.some(({ from, to, relation }) => isDeepStrictEqual({ from, to, relation }, link));
}

/** The links of a record, seen from that record; all links when no id is given. */
export async function listLinks(
  { store }: Pick<SemanticContext, "store">,
  id?: string,
): Promise<RecordLink[]> {
  if (id === undefined) return store.links.listAll();
  return (await store.links.listForRecord(id)).map((link) => {
    const opposite = inverseRelations[link.relation];
    if (link.from === id || opposite === undefined) return link;
    return { from: id, to: link.from, relation: opposite, created: link.created, isOpposite: true };
  });
}

export function checkRelation(relation: string): LinkRelation {
  if (isLinkRelation(relation)) return relation;
  throw new RalphError("wrong-use", `Unknown relation: ${relation}`, {
    hint: suggest(relation, linkRelations),
  });
}

/** Which record supersedes which, if the link says so. */
function replacement({ from, to, relation }: Link): { older: string; newer: string } | undefined {
  if (relation === "supersedes") return { older: to, newer: from };
  return relation === "superseded_by" ? { older: from, newer: to } : undefined;
}

/** Records that supersede each other would all be hidden. */
async function refuseCycle(tx: Repositories, older: string, newer: string): Promise<void> {
  const seen = new Set<string>();
  for (let id: string | undefined = newer; id !== undefined && !seen.has(id); ) {
    if (id === older) {
      throw new RalphError("wrong-use", `${older} already supersedes ${newer}`, {
        hint: "remove that link first",
      });
    }
    seen.add(id);
    id = (await tx.learnings.find(id))?.learning.superseded_by;
  }
}

async function setSuperseded(tx: Repositories, id: string, by: string | undefined): Promise<void> {
  const row = await tx.learnings.find(id);
  if (row === undefined) return;
  const { superseded_by: _before, ...learning } = row.learning;
  await saveLearning(tx, by === undefined ? learning : { ...learning, superseded_by: by });
}

/** What a learning replaced, and what replaced it. */
export interface Lineage {
  /** Those that it replaced, directly or by another. */
  older: Learning[];
  /** The one that replaced it, and so on to the one that holds today. */
  newer: Learning[];
}

/** A damaged or hand-made chain may be a circle. */
const longestChain = 50;

export async function lineageOf(repositories: Repositories, id: string): Promise<Lineage> {
  const learning = await getLearning(repositories, id);
  const seen = new Set([learning.id]);
  const newer: Learning[] = [];
  let last = learning;
  while (last.superseded_by !== undefined && !seen.has(last.superseded_by) && newer.length < longestChain) {
    const next = await repositories.learnings.find(last.superseded_by);
    if (next === undefined) break;
    seen.add(next.learning.id);
    newer.push(next.learning);
    last = next.learning;
  }
  const older: Learning[] = [];
  const open = [learning.id];
  for (let from = open.shift(); from !== undefined && older.length < longestChain; from = open.shift())
    for (const { learning: each } of await repositories.learnings.listSupersededBy(from)) {
      if (seen.has(each.id)) continue;
      seen.add(each.id);
      older.push(each);
      open.push(each.id);
    }
  return { older, newer };
}
