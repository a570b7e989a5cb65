import { counted } from "../../text/counted.js";
import { defineCommand } from "../framework/command.js";
import { flag, globalOption, number, ownerOf } from "../framework/options.js";
import { progressOn } from "../output/terminal/progress.js";

const embed = defineCommand({
  summary: "embed records for search by meaning",
  description:
    "Needs an embedder, such as `embedder: minilm` in ralph.yml. Records that already have a vector and have not changed\n" +
    "are skipped. Searches use the vectors that exist; adding a note does not wait for its vector.",
  options: {
    all: flag("re-embed records that already have a vector"),
    limit: number("N", "maximum number of records [default: all]", { short: "n" }),
    global: globalOption,
  },
  examples: ["ralph index embed", "ralph index embed --all"],
  async run({ options, terminal, print, openMemory }) {
    const memory = await openMemory({ owner: ownerOf(options) });
    const onProgress = progressOn(terminal, "Embedding");
    const result = await memory.embed({ isAll: options.all, limit: options.limit, onProgress });
    const { embedded, waiting, model } = result;
    const remaining = waiting > 0 ? `, ${waiting} remaining` : "";
    print({ json: result, table: `Embedded ${counted(embedded, "record")} with ${model}${remaining}\n` });
  },
});

const rebuild = defineCommand({
  summary: "rebuild the search index from the files",
  description: "The current index is dropped. Files and records are not changed.",
  options: { global: globalOption },
  examples: ["ralph index rebuild"],
  async run({ options, print, openMemory }) {
    const { notes } = await (await openMemory({ owner: ownerOf(options) })).rebuildIndex();
    print({ json: { notes }, table: `Indexed ${counted(notes, "note")}\n` });
  },
});

export const indexCommands = { embed, rebuild };
