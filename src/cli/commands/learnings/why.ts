import { defineCommand } from "../../framework/command.js";
import { learningArgument } from "../../options/learning-options.js";
import { renderEvidence } from "../../output/evidence.js";
import { renderJson } from "../../output/terminal/json.js";

export const whyLearningCommand = defineCommand({
  summary: "show the evidence behind a learning",
  description:
    "Shows the attempts it was drawn from, with their last actions, errors and reflections, and all finished tasks that\n" +
    "were given it. The lift is how much better those tasks did than similar tasks without it, adjusted for sample size.",
  arguments: [learningArgument],
  options: {},
  formats: ["table", "json"],
  isLong: true,
  examples: ["ralph learnings why learn-0a1b2c3d4e5f", "ralph learnings why 0a1b --json"],
  async run({ arguments: [id = ""], format, terminal, openMemory }) {
    const evidence = await (await openMemory()).learnings.why(id);
    terminal.out(format === "json" ? renderJson(evidence) : renderEvidence(evidence, terminal));
    return 0;
  },
});
