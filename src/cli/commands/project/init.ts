import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";

export const initCommand = defineCommand({
  summary: "set up a project's memory",
  description: "Makes what is missing and leaves alone what is there; running it again does no harm.",
  arguments: [],
  options: {},
  formats: ["table", "json"],
  examples: ["ralph init", "ralph init --root ../other-project"],
  async run({ format, terminal, openMemory }) {
    const memory = await openMemory();
    const steps = await memory.init();
    if (format === "json") {
      terminal.out(
        renderJson(
          steps.map(({ path, what, isNew }) => ({ path, what, status: isNew ? "made" : "present" })),
        ),
      );
      return 0;
    }
    for (const { path, what, isNew } of steps)
      terminal.out(`${isNew ? "made   " : "present"}  ${path} (${what})\n`);
    terminal.talk('\nNext: ralph memory add "<what to remember>"\n');
    return 0;
  },
});
