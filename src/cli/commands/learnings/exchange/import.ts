import { counted } from "../../../../text/counted.js";
import { defineCommand } from "../../../framework/command.js";
import { readDocument } from "../../../input/read-document.js";
import { printImported } from "../../../output/imported.js";
import { renderJson } from "../../../output/terminal/json.js";

export const importLearningsCommand = defineCommand({
  summary: "import learnings from a JSON export",
  description:
    "If the checksum does not match or any learning is invalid, nothing is imported. A learning that already exists, by id\n" +
    "or by statement, is merged with it. Deleted learnings stay deleted. Learnings that read like instructions to an agent\n" +
    "are staged for a review; with the setting learnings.promotion: review, all of them are. A backup is made first.",
  arguments: [{ name: "file", summary: 'JSON file, or "-" for standard input' }],
  options: {},
  formats: ["table", "json"],
  examples: [
    "ralph learnings import ralph-learnings.json",
    "ralph learnings export --root ../other | ralph learnings import -",
  ],
  async run({ arguments: [file = ""], format, terminal, openMemory }) {
    const text = readDocument(file);
    const imported = await (await openMemory()).learnings.import(text);
    if (format === "json") terminal.out(renderJson(imported));
    else {
      const { added, merged, unchanged, skipped, staged } = imported;
      const total = added + merged + unchanged + skipped + staged.length;
      printImported(imported, terminal, `Read ${counted(total, "learning")}: `);
    }
    return 0;
  },
});
