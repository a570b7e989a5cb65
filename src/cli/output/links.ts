import type { Link } from "../../domain/link.js";
import { oneLine } from "./printable.js";

/** A line for each link. */
export function renderLinks(links: readonly Link[]): string[] {
  return links.map(({ from, relation, to }) => oneLine(`${from} ${relation} ${to}`));
}
