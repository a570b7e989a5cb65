import { describe, expect, it } from "vitest";
import { fitHelp } from "../../../../src/cli/framework/help.js";
import { helpOf } from "../../../support/help-of.js";

const help = `ralph try: do something

It was written in lines that are
as long as these, and no longer.

Options:
  -n, --count <N>  how often it is to be done, at most
      --all        all

Examples:
  ralph try --count 3 --and-a-long-option "with words"
`;

describe("help", () => {
  it("stays as it is where it fits", () => {
    expect(fitHelp(help, 80)).toBe(help);
    expect(fitHelp(help, Number.POSITIVE_INFINITY)).toBe(help);
  });

  it("fits a narrow screen: sentences are filled anew, summaries stay in their column, examples can be copied", () => {
    expect(fitHelp(help, 40)).toBe(`ralph try: do something

It was written in lines that are as long
as these, and no longer.

Options:
  -n, --count <N>  how often it is to be
                   done, at most
      --all        all

Examples:
  ralph try --count 3 \\
      --and-a-long-option "with words"
`);
  });

  it("one long command does not narrow the column of all others", async () => {
    const lines = fitHelp(await helpOf([]), 80).split("\n");
    const at = lines.indexOf("  merge-notes <base> <ours> <theirs> [options]");
    const column = lines.find((line) => line.startsWith("  init "))?.indexOf("set up") ?? 0;
    expect(column).toBeLessThan(40);
    for (const line of lines.slice(at + 1, at + 3)) expect(line.search(/\S/)).toBe(column);
  });
});
