import { expect, it } from "vitest";
import { countTokens } from "../../../src/text/tokens/count-tokens.js";
import { asSeen, chatMarkup, hostilePieces, interpreted } from "../../support/hostile-texts.js";
import { openScratchMemory } from "../../support/open-scratch-memory.js";

it("a fenced prime keeps hostile notes inside its fence and its budget, whole or not at all", async () => {
  const memory = await openScratchMemory();
  for (const [index, piece] of hostilePieces.entries()) {
    const type = (["fix", "pattern", "decision"] as const)[index % 3] ?? "fix";
    await memory.notes.add({ content: `note ${index}: ${piece}${piece} ${piece} end`, type, tags: ["t"] });
  }
  for (const budgetTokens of [0, 60, 100, 300, 1000, 3000]) {
    const { text, shown, leftOut } = await memory.notes.primeText({ budgetTokens, isFenced: true });
    if (budgetTokens > 0) expect(countTokens(text)).toBeLessThanOrEqual(budgetTokens);
    expect(Number(shown) + leftOut).toBe(hostilePieces.length);
    expect(text.match(/^### mem-/gm) ?? []).toHaveLength(Number(shown));
    if (shown === 0) expect(text).toBe("");
    else expect(asSeen(text).match(/<[\s/]*ralph-memory/gi)).toHaveLength(2);
    expect(asSeen(text)).not.toMatch(interpreted);
    expect(asSeen(text)).not.toMatch(chatMarkup);
  }
});
