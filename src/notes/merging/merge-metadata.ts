import { isUtf8 } from "node:buffer";
import { listTags, renderTags, splitAtTags } from "../metadata-tags.js";

/**
 * Merges a line of metadata that both changed, given without line ends: its tags as a set, the rest as one of them wrote it.
 * Undefined if both changed the rest. One character stands for one byte.
 */
export function mergeMetadata(base: string, ours: string, theirs: string): string | undefined {
  if (![base, ours, theirs].every((line) => isUtf8(Buffer.from(line, "latin1")))) return undefined;
  const [b, o, t] = [splitAtTags(base), splitAtTags(ours), splitAtTags(theirs)];
  const [was, our, their] = [b, o, t].map(({ before, after }) => before + after);
  if (our !== was && their !== was && our !== their) return undefined;
  const { before, after } = our === was ? t : o;
  return before + mergeTags(b.tags, o.tags, t.tags) + after;
}

function mergeTags(base: string, ours: string, theirs: string): string {
  const [was = [], our = [], their = []] = [base, ours, theirs].map((text) =>
    listTags(Buffer.from(text, "latin1").toString()),
  );
  const kept = our.filter((tag) => their.includes(tag) || !was.includes(tag));
  const added = their.filter((tag) => !our.includes(tag) && !was.includes(tag));
  const merged = [...new Set([...kept, ...added])];
  const written = [ours, theirs].find((_, side) => merged.join() === [our, their][side]?.join());
  return written ?? Buffer.from(renderTags(merged)).toString("latin1");
}
