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
  // One more tells whether there are others.
  const found = await find(limit === undefined ? undefined : limit + 1);
  const items = found.slice(0, limit);
  if (items.length === found.length || format !== "table") return { items, tell: () => undefined };
  const count = terminal.isScreen
    ? `${items.length} of ${(await find(undefined)).length}`
    : `${items.length} shown, there are more`;
  return { items, tell: () => terminal.talk(`${count}; all with -n 0\n`) };
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
