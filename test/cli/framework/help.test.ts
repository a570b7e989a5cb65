import { describe, expect, it } from "vitest";
import { defineCommand } from "../../../src/cli/framework/command.js";
import { type CommandTree, commandTree } from "../../../src/cli/framework/command-table.js";
import { renderCommandHelp } from "../../../src/cli/framework/help.js";
import { flag, number } from "../../../src/cli/framework/options.js";
import { helpOf } from "../../support/help-of.js";

const command = defineCommand({
  summary: "do something",
  description: "It was written in lines that are\nas long as these, and no longer.",
  options: { count: number("N", "how often it is to be done, at most", { short: "n" }), all: flag("all") },
  formats: ["table"],
  examples: ['ralph try --count 3 --and-a-long-option "with words"'],
  run: async () => 0,
});

describe("help", () => {
  it("is printed as it was written where it fits", () => {
    const help = renderCommandHelp(["try"], command, 80);
    expect(help).toBe(renderCommandHelp(["try"], command));
    expect(help).toBe(`ralph try: do something

It was written in lines that are
as long as these, and no longer.

Usage: ralph try [options]

Options:
  -n, --count <N>   how often it is to be done, at most
      --all         all
      --root <DIR>  run as if started in this folder
  -h, --help        show this help

Examples:
  ralph try --count 3 --and-a-long-option "with words"
`);
  });

  it("fits a narrow screen: sentences are filled anew, summaries stay in their column, examples can be copied", () => {
    expect(renderCommandHelp(["try"], command, 40)).toBe(`ralph try: do something

It was written in lines that are
as long as these, and no longer.

Usage: ralph try [options]

Options:
  -n, --count <N>   how often it is to
                    be done, at most
      --all         all
      --root <DIR>  run as if started in
                    this folder
  -h, --help        show this help

Examples:
  ralph try --count 3 \\
      --and-a-long-option "with words"
`);
    expect(renderCommandHelp(["try"], command, 30)).toContain(
      "It was written in lines that\nare as long as these, and no\nlonger.",
    );
  });

  it("one long command does not narrow the column of all others", async () => {
    const lines = (await helpOf([], 80)).split("\n");
    const at = lines.indexOf("  merge-notes <base> <ours> <theirs> [options]");
    const column = lines.find((line) => line.startsWith("  init "))?.indexOf("set up") ?? 0;
    expect(column).toBeLessThan(40);
    for (const line of lines.slice(at + 1, at + 3)) expect(line.search(/\S/)).toBe(column);
  });

  const pathsIn = (tree: CommandTree, above: string[] = []): string[][] =>
    Object.entries(tree).flatMap(([word, entry]) => [
      [...above, word],
      ...(typeof entry === "function" ? [] : pathsIn(entry.commands, [...above, word])),
    ]);
  const wordsOf = (text: string) => text.replaceAll(" \\\n", " ").split(/\s+/);

  it.each([80, 120])("of every command fits a screen of %i columns, without a broken word", async (width) => {
    for (const path of [[], ...pathsIn(commandTree)]) {
      const fitted = await helpOf(path, width);
      expect(fitted.split("\n").filter((line) => line.length > width)).toEqual([]);
      expect(wordsOf(fitted)).toEqual(wordsOf(await helpOf(path)));
    }
  });
});
