import { counted } from "../../../text/counted.js";
import { defineCommand } from "../../framework/command.js";
import { globalOption, ownerOf } from "../../options/note-options.js";
import { renderJson } from "../../output/terminal/json.js";
import { progressOn } from "../../output/terminal/progress.js";

export const embedCommand = defineCommand({
  summary: "give records a vector, so that they are found by their meaning",
  description:
    "Works when an embedder is set, such as with `embedder: minilm` in ralph.yml. Records that have a vector and have not\n" +
    "changed are left alone. Searches use the vectors that are there; adding a note does not wait for one.",
  arguments: [],
  options: {
    all: { kind: "flag", summary: "also those that have a vector" },
    limit: { kind: "number", short: "n", placeholder: "N", summary: "most records [default: all]" },
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
        `Embedded ${counted(embedded, "record")} with ${model}${waiting > 0 ? `, ${waiting} wait` : ""}\n`,
      );
    return 0;
  },
});
