import { describe, expect, it } from "vitest";
import { type CommandTree, commandTree } from "../../../../src/cli/framework/command-table.js";
import { fitHelp } from "../../../../src/cli/framework/help.js";
import { helpOf } from "../../../support/help-of.js";

const pathsIn = (tree: CommandTree, above: string[] = []): string[][] =>
  Object.entries(tree).flatMap(([word, entry]) => [
    [...above, word],
    ...(typeof entry === "function" ? [] : pathsIn(entry.commands, [...above, word])),
  ]);

const wordsOf = (text: string) => text.replaceAll(" \\\n", " ").split(/\s+/);

describe.each([["ralph"], ...pathsIn(commandTree)].map((path) => [path.join(" "), path]))(
  "the help of %s",
  (name, path) => {
    it.each([80, 120])("fits a screen of %i columns, without a broken word", async (width) => {
      const help = await helpOf(name === "ralph" ? [] : (path as string[]));
      const fitted = fitHelp(help, width);
      expect(fitted.split("\n").filter((line) => line.length > width)).toEqual([]);
      expect(wordsOf(fitted)).toEqual(wordsOf(help));
    });
  },
);
