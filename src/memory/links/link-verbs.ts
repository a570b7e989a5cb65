import type { Link } from "../../domain/knowledge/link.js";
import type { RecordLink } from "../../semantic/records/link-records.js";

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
