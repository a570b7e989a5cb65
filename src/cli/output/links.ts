import type { Link } from "../../domain/knowledge/link.js";
import { oneLine } from "./terminal/printable.js";

export function renderLinks(links: readonly Link[]): string[] {
  return links.map(({ from, relation, to }) => oneLine(`${from} ${relation} ${to}`));
}
