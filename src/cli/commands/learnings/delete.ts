import { statementOf } from "../../../domain/knowledge/statement.js";
import { defineCommand } from "../../framework/command.js";
import { learningArgument } from "../../options/learning-options.js";
import { renderJson } from "../../output/terminal/json.js";
import { oneLine } from "../../output/terminal/printable.js";

export const deleteLearningCommand = defineCommand({
  summary: "delete a learning",
  description: "It is not added again by an import, a merge or a new extraction.",
  arguments: [learningArgument],
  options: {},
  formats: ["table", "json", "quiet"],
  examples: ["ralph learnings delete learn-0a1b2c3d4e5f"],
  async run({ arguments: [given = ""], format, terminal, openMemory }) {
    const learning = await (await openMemory()).learnings.delete(given);
    if (format === "json") terminal.out(renderJson({ ...learning, deleted: true }));
    else if (format === "quiet") terminal.out(`${learning.id}\n`);
    else terminal.out(`deleted  ${learning.id}  ${oneLine(statementOf(learning))}\n`);
    return 0;
  },
});
