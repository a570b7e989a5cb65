import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";

export const showContinuityCommand = defineCommand({
  summary: "show the continuity file",
  description: 'Printed as is; "ralph continuity update" refreshes it.',
  arguments: [],
  options: {},
  formats: ["markdown", "json"],
  examples: ["ralph continuity show"],
  async run({ format, terminal, openMemory }) {
    const { path, content } = await (await openMemory()).working.showContinuity();
    if (format === "json") terminal.out(renderJson({ path, content: content ?? null }));
    else if (content === undefined)
      terminal.talk('No continuity file yet; create it with "ralph continuity update"\n');
    else terminal.out(content);
    return 0;
  },
});
