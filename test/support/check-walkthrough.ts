import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
// @ts-expect-error a plain script without types
import { findMissing, playSteps, readSteps } from "../../scripts/walkthrough.mjs";

interface Step {
  commands: string;
  shown: string | undefined;
  expected: string[];
}

/** More than the shell is given, so that its own message is seen. */
const busyTimeoutMs = 150_000;

/** Runs the commands of a document and looks for what it says of their output. */
export function checkWalkthrough(name: string): void {
  describe(`docs/${name}`, () => {
    const document = readFileSync(join(import.meta.dirname, "../../docs", name), "utf8");
    const steps: Step[] = readSteps(document);
    const withOutput = steps.filter(({ shown }) => shown !== undefined);

    it("says of every output what matters, and shows it", () => {
      expect(withOutput).not.toEqual([]);
      expect(steps.length).toBe(document.match(/^```sh$/gm)?.length);
      expect(withOutput.length).toBe(document.match(/^```text$/gm)?.length);
      for (const { commands, shown, expected } of withOutput) {
        expect(expected, commands).not.toEqual([]);
        expect(findMissing(expected, shown), `${commands}shows:\n${shown}`).toBeUndefined();
      }
    });

    it(
      "can be followed: every command works and prints that",
      async () => {
        const outputs: string[] = await playSteps(steps);
        steps.forEach(({ commands, shown, expected }, at) => {
          if (shown !== undefined)
            expect(findMissing(expected, outputs[at]), `${commands}printed:\n${outputs[at]}`).toBeUndefined();
          else expect(outputs[at], commands).toBe("\n");
        });
      },
      busyTimeoutMs,
    );
  });
}
