import { shownSettings } from "../../../text/secrets/shown-settings.js";
import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";
import { printNotice } from "../../output/terminal/notices.js";
import { readSettingKey, settingArgument } from "./setting-argument.js";

export const getConfigCommand = defineCommand({
  summary: "print the value of one setting",
  description:
    "The value that counts, from wherever it comes. A list has one line for each item. What the project's file\n" +
    'asks for and you have not allowed does not count, and a note on stderr says so; "ralph trust" allows it.',
  arguments: [settingArgument],
  options: {},
  formats: ["table", "json"],
  examples: ["ralph config get memories.budget", "ralph config get run.verify --json"],
  async run({ arguments: [word = ""], format, terminal, openMemory }) {
    const key = readSettingKey(word);
    const { settings, origins, leftOut, refused } = await (await openMemory()).settings();
    const waiting = leftOut.filter(({ name }) => name === key || name.startsWith(`${key}.`));
    if (waiting.length > 0) printNotice({ kind: "left-out", requests: waiting }, terminal);
    if (refused.includes(key)) printNotice({ kind: "setting-refused", key }, terminal);
    const value = shownSettings(settings)[key];
    if (format === "json") terminal.out(renderJson({ key, value, origin: origins[key] }));
    else terminal.out(Array.isArray(value) ? value.map((item) => `${item}\n`).join("") : `${plain(value)}\n`);
    return 0;
  },
});

function plain(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
