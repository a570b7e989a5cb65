import { renderJson } from "../output/terminal/style.js";
import type { Terminal } from "../output/terminal/terminal.js";
import type { Format, Invocation, OptionSpecs } from "./command.js";
import { limitOf } from "./options.js";

type Text = string | Uint8Array;

/** What a command prints, by format; what takes work is a function. */
export interface Output {
  json?: unknown;
  table?: Text | (() => Text);
  markdown?: Text | (() => Text);
  /** Only ids or names, one on each line. */
  quiet?: string | (() => string);
}

/** Prints a result in the format that the user asked for. */
export function printResult(output: Output, format: Format, terminal: Terminal): void {
  const result = output[format];
  const value = typeof result === "function" ? result() : result;
  if (format === "json") terminal.out(renderJson(value ?? null));
  else if (value !== undefined && value !== "")
    terminal.out(format === "quiet" ? `${value}\n` : (value as Text));
}

interface ListOutput<Item> {
  /** All items, or a function that finds so many of them; it is called again to count the others. */
  find: readonly Item[] | ((limit: number | undefined) => Promise<readonly Item[]>);
  /** How many are shown unless the user says so. */
  fallback?: number;
  json?: (item: Item) => unknown;
  id?: (item: Item) => string;
  markdown?: (items: readonly Item[]) => string;
  table: (items: readonly Item[]) => string;
  /** Said when there is nothing to show. */
  empty: string;
}

type ListInvocation = Pick<Invocation<OptionSpecs>, "format" | "terminal"> & {
  options: { limit?: number | undefined; all?: boolean };
};

/** Prints a list of records, and says when there are more. */
export async function printList<Item>(
  { options, format, terminal }: ListInvocation,
  { find, fallback, json = (item) => item, id = String, markdown, table, empty }: ListOutput<Item>,
): Promise<void> {
  const limit = limitOf(options, fallback);
  // One more shows whether there are others.
  const found = typeof find === "function" ? await find(limit === undefined ? undefined : limit + 1) : find;
  const items = found.slice(0, limit);
  const output: Output = {
    json: () => items.map(json),
    table: () => (items.length === 0 ? "" : table(items)),
    markdown: () => markdown?.(items) ?? "",
    quiet: () => items.map(id).join("\n"),
  };
  printResult(output, format, terminal);
  if (format !== "table") return;
  if (items.length === 0) terminal.talk(`${empty}\n`);
  if (items.length === found.length) return;
  // Counting is worth a second query only if a person reads it.
  const total = typeof find !== "function" ? found : terminal.isScreen ? await find(undefined) : undefined;
  const count =
    total === undefined ? `${items.length} shown, there are more` : `${items.length} of ${total.length}`;
  terminal.talk(`${count}; all with -n 0\n`);
}
