import { describe, expect, it } from "vitest";
import { defaultSettings } from "../../src/config/default-settings.js";
import { memorySkill } from "../../src/loop/build-prompt.js";

describe("the skill of using the memory", () => {
  it("tells how to search and how to add", () => {
    const skill = memorySkill(defaultSettings);
    for (const command of ["ralph-memory memory search", "ralph-memory recall", "ralph-memory memory add"])
      expect(skill).toContain(command);
  });

  it("says whether the memory is in the prompt or has to be searched", () => {
    const of = (inject: "auto" | "manual") => memorySkill({ ...defaultSettings, "memories.inject": inject });
    expect(of("auto")).toContain("included above");
    expect(of("manual")).toContain("search it before you start");
  });

  it.each([
    { "memories.enabled": false },
    { "memories.skill_injection": false },
    { "memories.inject": "none" },
  ] as const)("is left out with %j", (settings) => {
    expect(memorySkill({ ...defaultSettings, ...settings })).toBe("");
  });
});
