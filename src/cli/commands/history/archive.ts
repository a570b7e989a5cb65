import { counted } from "../../../text/counted.js";
import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";

export const archiveCommand = defineCommand({
  summary: "summarise and archive old tasks",
  description:
    "Actions are shown in full for 7 days and as a summary after that. A finished task of more than 30 days is archived\n" +
    "unless something refers to it. Nothing is lost: the full record stays, compressed, and --archived shows it.",
  arguments: [],
  options: { "dry-run": { kind: "flag", summary: "only tell what would change" } },
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
      for (const id of result.kept) terminal.out(`kept        ${id}  something refers to it\n`);
      const verb = dryRun ? "would be" : "";
      terminal.talk(
        `${counted(result.summarised.length, "attempt")} ${verb || "were"} summarised, ${counted(result.archived.length, "task")} ${verb || "were"} archived\n`,
      );
    }
    return 0;
  },
});
