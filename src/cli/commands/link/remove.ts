import { defineCommand } from "../../framework/command.js";
import { linkArguments } from "../../options/link-arguments.js";
import { renderLinks } from "../../output/links.js";
import { renderJson } from "../../output/terminal/json.js";

export const removeLinkCommand = defineCommand({
  summary: "remove a link",
  description: "The link can be named from either end. A learning that the link superseded is shown again.",
  arguments: linkArguments,
  options: {},
  formats: ["table", "json"],
  examples: ["ralph link remove learn-0a1b2c3d4e5f supersedes learn-5f4e3d2c1b0a"],
  async run({ arguments: [from = "", relation = "", to = ""], format, terminal, openMemory }) {
    const link = await (await openMemory()).links.remove({ from, relation, to });
    const [shown = ""] = renderLinks([link]);
    terminal.out(format === "json" ? renderJson({ ...link, removed: true }) : `removed  ${shown}\n`);
    return 0;
  },
});
