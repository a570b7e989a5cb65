import { writeFileSync } from "node:fs";
import { RalphError } from "../../domain/ralph-error.js";
import { withFileErrors } from "../../files/file-problem.js";
import { readRegularFile } from "../../files/read-regular-file.js";
import { type MergedVersions, mergeVersions } from "../../notes/merge-versions.js";
import { counted } from "../../text/counted.js";
import { defineCommand } from "../framework/command.js";
import { number, text } from "../framework/options.js";
import { oneLine } from "../output/terminal/style.js";

/** Git takes 1 for a conflict; with anything higher, the driver that setup writes lets Git merge the lines itself. */
const [conflictStatus, failedStatus] = [1, 2];

export const mergeNotesCommand = defineCommand({
  summary: "merge two branches of a notes file, as git's merge driver",
  description:
    "Git runs this once ralph init or ralph setup has registered it. Notes are merged by their ids: new ones of both sides stay,\n" +
    "deleted ones go, new text of one side and new tags of the other go together, as do tags that both added or\n" +
    "removed. A note whose text both sides changed, or that one changed and the other deleted, gets conflict markers within itself;\n" +
    "one that both moved to different sections stands in both of them, marked. Lines between notes are merged as git does. The\n" +
    "result replaces <ours>. Exit code 0: merged; 1: with conflicts; 2: not merged.",
  arguments: [
    { name: "base", summary: "the common ancestor (%O)" },
    { name: "ours", summary: "our version, which is replaced (%A)" },
    { name: "theirs", summary: "their version (%B)" },
  ],
  options: {
    "marker-size": number("count", "length of conflict markers (%L) [default: 7]"),
    path: text("path", "what the file is called (%P)"),
    "our-name": text("name", "what our side is called (%X)"),
    "their-name": text("name", "what their side is called (%Y)"),
  },
  formats: ["table"],
  examples: ["ralph merge-notes base.md ours.md theirs.md"],
  async run({ arguments: [base = "", ours = "", theirs = ""], options, terminal }) {
    try {
      const merged = mergeVersions(
        { base: readRegularFile(base), ours: readRegularFile(ours), theirs: readRegularFile(theirs) },
        {
          markerSize: options["marker-size"] || 7,
          ours: givenName(options["our-name"], "ours"),
          theirs: givenName(options["their-name"], "theirs"),
        },
      );
      withFileErrors(ours, () => writeFileSync(ours, merged.bytes));
      if (merged.notes.length + merged.places === 0) return 0;
      terminal.talk(`${oneLine(describe(merged, givenName(options.path, ours)))}\n`);
      return conflictStatus;
    } catch (error) {
      if (!(error instanceof RalphError)) throw error;
      terminal.talk(`Error: ${oneLine(error.message)}\n`);
      return failedStatus;
    }
  },
});

/** Older versions of git leave placeholders as they are. */
function givenName(given: string | undefined, otherwise: string): string {
  return given === undefined || given === "" || /^%[A-Z]$/.test(given) ? otherwise : given;
}

function describe({ notes, places }: MergedVersions, path: string): string {
  const prose = places === 0 ? [] : [`${counted(places, "place")} between notes`];
  return `Conflict in ${path}: ${[...notes, ...prose].join(", ")} (resolve what is between the markers)`;
}
