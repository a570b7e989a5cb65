import { RalphError } from "../../../../domain/ralph-error.js";
import { defineCommand } from "../../../framework/command.js";
import { renderJson } from "../../../output/terminal/json.js";

export const rejectCommand = defineCommand({
  summary: "reject a staged learning",
  description:
    'It stays staged with the reason, and is only promoted if "ralph learnings review --accept" names it.',
  arguments: [{ name: "id", summary: 'staged learning, as listed by "ralph learnings review"' }],
  options: { reason: { kind: "text", placeholder: "TEXT", summary: "reason (required)" } },
  formats: ["table", "json"],
  examples: ['ralph learnings reject stage-1767225600000-0 --reason "true of one test only"'],
  async run({ arguments: [id = ""], options, format, terminal, openMemory }) {
    const { reason = "" } = options;
    if (reason.trim() === "") {
      throw new RalphError("wrong-use", "--reason is missing", { hint: "say why it is wrong" });
    }
    const rejected = await (await openMemory()).learnings.rejectStaged(id, reason);
    terminal.out(format === "json" ? renderJson(rejected) : `rejected  ${rejected.id}  ${reason}\n`);
    return 0;
  },
});
