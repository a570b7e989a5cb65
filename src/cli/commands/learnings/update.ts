import { statementOf, withStatement } from "../../../domain/knowledge/statement.js";
import { RalphError } from "../../../domain/ralph-error.js";
import { defineCommand } from "../../framework/command.js";
import { readShare } from "../../input/read-share.js";
import { learningArgument } from "../../options/learning-options.js";
import { renderJson } from "../../output/terminal/json.js";
import { oneLine } from "../../output/terminal/printable.js";

export const updateLearningCommand = defineCommand({
  summary: "change a learning's confidence, success rate or statement",
  description: "Id, sources and creation time are kept.",
  arguments: [learningArgument],
  options: {
    confidence: { kind: "text", placeholder: "Q", summary: "confidence, from 0 to 1" },
    "success-rate": { kind: "text", placeholder: "Q", summary: "success rate, from 0 to 1" },
    statement: { kind: "text", placeholder: "TEXT", summary: "new statement" },
  },
  formats: ["table", "json", "quiet"],
  examples: [
    "ralph learnings update learn-0a1b2c3d4e5f --confidence 0.9",
    'ralph learnings update 0a1b --statement "Run the database tests one by one"',
  ],
  async run({ arguments: [id = ""], options, format, terminal, openMemory }) {
    const { statement } = options;
    const confidence = readShare("confidence", options.confidence);
    const successRate = readShare("success-rate", options["success-rate"]);
    if (confidence === undefined && successRate === undefined && statement === undefined) {
      throw new RalphError("wrong-use", "Nothing to change", {
        hint: "use --confidence, --success-rate or --statement",
      });
    }
    const memory = await openMemory();
    const learning = await memory.learnings.get(id);
    const updated = await memory.learnings.update(learning.id, {
      ...(confidence !== undefined && { confidence }),
      ...(successRate !== undefined && { successRate }),
      ...(statement !== undefined && { content: withStatement(learning, statement).content }),
    });
    if (format === "json") terminal.out(renderJson(updated));
    else if (format === "quiet") terminal.out(`${updated.id}\n`);
    else terminal.out(`updated  ${updated.id}  ${oneLine(statementOf(updated))}\n`);
    return 0;
  },
});
