import { defineCommand } from "../../../framework/command.js";
import { learningArgument } from "../../../options/learning-options.js";
import { noteJson } from "../../../output/notes.js";
import { renderJson } from "../../../output/terminal/json.js";
import { printRedacted } from "../../../output/terminal/notices.js";

export const publishCommand = defineCommand({
  summary: "publish a learning as a note",
  description:
    'Adds a note to .agent/memories.md, tagged with the task type and "learned", so that it can be reviewed in Git.\n' +
    "Strategies, conventions and patterns become pattern notes; antipatterns become fix notes with their reason and\n" +
    "prevention; estimates and facts become context notes.",
  arguments: [learningArgument],
  options: {},
  formats: ["table", "json", "quiet"],
  examples: ["ralph learnings publish learn-0a1b2c3d4e5f"],
  async run({ arguments: [id = ""], format, terminal, openMemory }) {
    const { note, kind, learning, redacted } = await (await openMemory()).learnings.publish(id);
    printRedacted(redacted, terminal);
    const isExisting = kind === "existing";
    if (format === "json") {
      const existing = isExisting && { existing: true };
      terminal.out(renderJson({ ...noteJson(note, "project"), ...existing, learning: learning.id }));
    } else if (format === "quiet") terminal.out(`${note.id}\n`);
    else {
      terminal.out(`📝 Memory ${isExisting ? "is already stored" : "stored"}: ${note.id}\n`);
      terminal.talk("Review it in .agent/memories.md, edit it if needed, and commit it\n");
    }
    return 0;
  },
});
