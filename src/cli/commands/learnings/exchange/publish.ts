import { defineCommand } from "../../../framework/command.js";
import { learningArgument } from "../../../options/learning-options.js";
import { noteJson } from "../../../output/notes.js";
import { renderJson } from "../../../output/terminal/json.js";
import { tellRedacted } from "../../../output/terminal/notices.js";

export const publishCommand = defineCommand({
  summary: "write a learning as a note, for review in git",
  description:
    'The note goes to .agent/memories.md with the task type and "learned" as tags. Strategies, conventions and patterns\n' +
    "become patterns, antipatterns fixes with their reason and prevention, estimates and facts context.",
  arguments: [learningArgument],
  options: {},
  formats: ["table", "json", "quiet"],
  examples: ["ralph learnings publish learn-0a1b2c3d4e5f"],
  async run({ arguments: [id = ""], format, terminal, openMemory }) {
    const { note, kind, learning, redacted } = await (await openMemory()).learnings.publish(id);
    tellRedacted(redacted, terminal);
    const isExisting = kind === "existing";
    if (format === "json") {
      const existing = isExisting && { existing: true };
      terminal.out(renderJson({ ...noteJson(note, "project"), ...existing, learning: learning.id }));
    } else if (format === "quiet") terminal.out(`${note.id}\n`);
    else {
      terminal.out(`📝 Memory ${isExisting ? "is already stored" : "stored"}: ${note.id}\n`);
      terminal.talk("Look at it in .agent/memories.md, change what is not right, and commit it\n");
    }
    return 0;
  },
});
