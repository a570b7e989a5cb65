import { counted } from "../../../text/counted.js";
import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";

export const archiveCommand = defineCommand({
  summary: "summarise and archive old tasks",
  description:
    "Actions older than 7 days are shown as a summary. Finished tasks older than 30 days are archived unless another\n" +
    "record refers to them. Nothing is lost: the full record is kept, compressed; ralph history --archived shows it.",
  arguments: [],
  options: { "dry-run": { kind: "flag", summary: "show what would change, without changing it" } },
  formats: ["table", "json"],
  examples: ["ralph history archive --dry-run", "ralph history archive"],
  async run({ options, format, terminal, openMemory }) {
    const dryRun = options["dry-run"];
    const result = await (await openMemory()).tasks.archive({ dryRun });
    if (format === "json") terminal.out(renderJson(result));
    else {
      for (const { task_id, attempt_id, ended } of result.summarised)
        terminal.out(`summarised  ${task_id} attempt ${attempt_id}  ended ${ended.slice(0, 10)}\n`);
      for (const { task_id, updated } of result.archived)
        terminal.out(`archived    ${task_id}  last changed ${updated.slice(0, 10)}\n`);
      for (const id of result.kept) terminal.out(`kept        ${id}  another record refers to it\n`);
      const verb = dryRun ? "would be" : "";
      terminal.talk(
        `${counted(result.summarised.length, "attempt")} ${verb || "were"} summarised, ${counted(result.archived.length, "task")} ${verb || "were"} archived\n`,
      );
    }
    return 0;
  },
});
