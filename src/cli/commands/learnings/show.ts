import { defineCommand } from "../../framework/command.js";
import { learningArgument } from "../../options/learning-options.js";
import { asJson, markLearnings, renderLearning } from "../../output/learnings.js";
import { renderLinks } from "../../output/links.js";
import { renderJson } from "../../output/terminal/json.js";

export const showLearningCommand = defineCommand({
  summary: "show a learning and its links",
  description: 'Showing a learning does not count as using it. "ralph learnings why" shows its evidence.',
  arguments: [learningArgument],
  options: {},
  formats: ["table", "json"],
  isLong: true,
  examples: ["ralph learnings show learn-0a1b2c3d4e5f", "ralph learnings show 0a1b --json"],
  async run({ arguments: [given = ""], format, terminal, openMemory }) {
    const memory = await openMemory();
    const [learning] = await markLearnings(memory, [await memory.learnings.get(given)]);
    if (learning === undefined) return 1;
    const links = await memory.links.list(learning.id);
    if (format === "json") terminal.out(renderJson({ ...asJson(learning), links }));
    else {
      const lines = renderLinks(links).map((line) => `  ${line}\n`);
      terminal.out(
        [renderLearning(learning, terminal), ...(lines.length > 0 ? ["Links:\n", ...lines] : [])].join(""),
      );
    }
    return 0;
  },
});
