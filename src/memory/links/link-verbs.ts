import type { Link } from "../../domain/knowledge/link.js";
import type { RecordLink } from "../../semantic/records/link-records.js";

/** `memory.links`: typed relations between records of any kind. */
export interface LinkVerbs {
  /** Adds a link; `isNew` is false when it exists already. */
  add(link: LinkInput): Promise<Link & { isNew: boolean }>;
  /** Removes a link and returns it. */
  remove(link: LinkInput): Promise<Link>;
  /** Of one record, or all. */
  list(id?: string): Promise<RecordLink[]>;
}

/** Ids may be shortened while they are unique; the relation is checked. */
export interface LinkInput {
  from: string;
  to: string;
  relation: string;
}
