import { RalphError } from "../../../../domain/ralph-error.js";
import { defineCommand } from "../../../framework/command.js";
import { printPromoted } from "../../../output/promoted.js";
import { renderJson } from "../../../output/terminal/json.js";

export const promoteCommand = defineCommand({
  summary: "promote staged learnings without a review",
  description:
    "Learnings are validated first; invalid ones are rejected with a reason. A learning that already exists is\n" +
    "strengthened.",
  arguments: [
    {
      name: "id",
      summary: 'staged learning, as listed by "ralph learnings review"',
      isOptional: true,
      isRepeated: true,
    },
  ],
  options: { all: { kind: "flag", summary: "promote everything pending or validated" } },
  formats: ["table", "json"],
  examples: ["ralph learnings promote --all", "ralph learnings promote stage-1767225600000-0"],
  async run({ arguments: ids, options, format, terminal, openMemory }) {
    if (ids.length > 0 === options.all) {
      throw new RalphError("wrong-use", "Give either ids or --all", {
        hint: '"ralph learnings review" lists staged learnings',
      });
    }
    const memory = await openMemory();
    const result = await memory.learnings.promoteStaged({
      autoValidate: true,
      ...(ids.length > 0 && { ids }),
    });
    if (format === "json") terminal.out(renderJson(result));
    else printPromoted(result, terminal);
    return ids.length > 0 && result.rejected.length > 0 ? 1 : 0;
  },
});
