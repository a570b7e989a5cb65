import { counted } from "../../../text/counted.js";
import { defineCommand } from "../../framework/command.js";
import { globalOption, ownerOf } from "../../options/note-options.js";
import { renderJson } from "../../output/terminal/json.js";
import { progressOn } from "../../output/terminal/progress.js";

export const embedCommand = defineCommand({
  summary: "embed records for search by meaning",
  description:
    "Needs an embedder, such as `embedder: minilm` in ralph.yml. Records that already have a vector and have not changed\n" +
    "are skipped. Searches use the vectors that exist; adding a note does not wait for its vector.",
  arguments: [],
  options: {
    all: { kind: "flag", summary: "re-embed records that already have a vector" },
    limit: {
      kind: "number",
      short: "n",
      placeholder: "N",
      summary: "maximum number of records [default: all]",
    },
    global: globalOption,
  },
  formats: ["table", "json"],
  examples: ["ralph index embed", "ralph index embed --all"],
  async run({ options, format, terminal, openMemory }) {
    const memory = await openMemory({ owner: ownerOf(options) });
    const result = await memory.embed({
      isAll: options.all,
      limit: options.limit,
      onProgress: progressOn(terminal, "Embedding"),
    });
    const { embedded, waiting, model } = result;
    if (format === "json") terminal.out(renderJson(result));
    else
      terminal.out(
        `Embedded ${counted(embedded, "record")} with ${model}${waiting > 0 ? `, ${waiting} remaining` : ""}\n`,
      );
    return 0;
  },
});
