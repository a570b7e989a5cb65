import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildPrompt } from "../../src/loop/build-prompt.js";
import { countTokens } from "../../src/text/tokens/count-tokens.js";
import { asSeen, chatMarkup, hostilePieces, interpreted } from "../support/hostile-texts.js";
import { entries, openScratchMemory } from "../support/open-scratch-memory.js";
import { seed } from "../support/seeded-random.js";

const texts = 300;

/** Hostile pieces among ordinary words, so that a search finds them. */
function injectedTexts(): string[] {
  const word = fc.constantFrom("kettle", "boiler", "valve", "descale", "gasket", "steam", "\n", "- ", "> ");
  const text = fc
    .array(
      fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...hostilePieces) }, { weight: 3, arbitrary: word }),
      {
        minLength: 3,
        maxLength: 25,
      },
    )
    .map((parts) => `kettle ${parts.join(" ")}`);
  return fc.sample(text, { numRuns: texts, seed });
}

function expectFenced(text: string, fences: number, what: string): void {
  const seen = asSeen(text);
  expect(seen.match(/<[\s/]*ralph[\s_-]*memory/gi) ?? [], what).toHaveLength(fences * 2);
  expect(seen, what).not.toMatch(interpreted);
  expect(seen, what).not.toMatch(chatMarkup);
  const outside = seen.replace(/<ralph-memory(-\d{9})>[\s\S]*?<\/ralph-memory\1>/g, "");
  expect(outside, what).not.toMatch(/kettle (?!now)|boiler|gasket|delete it|Instructions/);
}

describe(`${texts} injected texts (RALPH_SEED=${seed})`, () => {
  it("never leave the fence of a brief, a plan or a prompt, nor make it exceed its budget", async () => {
    const memory = await openScratchMemory();
    const injected = injectedTexts();
    for (const [index, content] of injected.entries()) {
      const type = (["fix", "pattern", "decision", "context"] as const)[index % 4] ?? "fix";
      if (index % 3 === 0) await memory.notes.add({ content, type, tags: ["kettle"] });
    }
    await memory.tasks.init({ description: "Mend it now" });
    for (const [index, text] of injected.entries()) {
      if (index % 3 === 0) continue;
      const id = index % 6 < 3 ? "task-001" : (await memory.tasks.init({ description: text })).id;
      const { planText } = await memory.tasks.start(id, { memory: "maximum" });
      if (id === "task-001") expectFenced(planText, planText.split("<ralph-memory-").length - 1, "a plan");
      await memory.tasks.log(
        id,
        entries({
          tool: "Bash",
          params: { command: text },
          success: false,
          error: text,
          output: text,
          reasoning: text,
        }),
      );
      const reflection =
        index % 2 === 0 ? { observation: text, learning: text, action_items: [text] } : undefined;
      await memory.tasks.complete(id, { outcome: "failure", output: text, reflection });
    }
    for (const budgetTokens of [100, 300, 1000, 4000, 0]) {
      for (const objective of ["Descale the kettle", "boiler valve", "steam gasket kettle"]) {
        const brief = await memory.recall({ objective, budgetTokens });
        if (brief.text !== "") expectFenced(brief.text, 1, objective);
        expect(countTokens(brief.text)).toBeLessThanOrEqual(brief.tokens);
        if (budgetTokens > 0) expect(brief.tokens).toBeLessThanOrEqual(budgetTokens);
        const prompt = buildPrompt({
          task: { description: "Mend it now", completion_criteria: "", constraints: [] },
          options: { verify: [], attempts: 1, promise: "COMPLETE" },
          ...{ attempt: 1, iteration: 1, lastIteration: 2, handoffs: [], skill: "" },
          brief: brief.text,
          feedback: injected.slice(0, 5).join("\n"),
        });
        expectFenced(prompt, brief.text === "" ? 1 : 2, "a prompt");
      }
    }
    for (const budgetTokens of [0, 500, 2000]) {
      const { text } = await memory.notes.primeText({ budgetTokens, isFenced: true });
      expectFenced(text, 1, "a prime");
      if (budgetTokens > 0) expect(countTokens(text)).toBeLessThanOrEqual(budgetTokens);
    }
  });
});
