import type { Format } from "../../framework/command.js";
import type { Terminal } from "../terminal/terminal.js";

export interface CutList<Item> {
  items: Item[];
  /** Says that there is more, after the items were printed. */
  tell(): void;
}

/** The first items of a list. Counting the others takes a second look, which is only worth it for a person. */
export async function cutList<Item>(
  limit: number | undefined,
  find: (limit: number | undefined) => Promise<Item[]>,
  { terminal, format }: { terminal: Terminal; format: Format },
): Promise<CutList<Item>> {
  const items = await find(limit);
  const isCut = limit !== undefined && items.length === limit && format === "table";
  if (!isCut || !terminal.isScreen) {
    const message = `Showing at most ${limit}; all with -n 0\n`;
    return { items, tell: () => (isCut ? terminal.talk(message) : undefined) };
  }
  const total = (await find(undefined)).length;
  const message = `${items.length} of ${total}, all with -n 0\n`;
  return { items, tell: () => (total > items.length ? terminal.talk(message) : undefined) };
}

/** The first items of a list that is there as a whole, so that counting it costs nothing. */
export function cutWholeList<Item>(
  limit: number | undefined,
  all: readonly Item[],
  { terminal, format }: { terminal: Terminal; format: Format },
): CutList<Item> {
  const items = all.slice(0, limit);
  const isCut = items.length < all.length && format === "table";
  const message = `${items.length} of ${all.length}, all with -n 0\n`;
  return { items, tell: () => (isCut ? terminal.talk(message) : undefined) };
}
