import { homedir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { surroundingsOf } from "../../src/cli/commands/import.js";
import { homeFolder } from "../../src/domain/environment.js";
import type { Memory } from "../../src/memory/memory.js";
import { transcriptFolders } from "../../src/transcripts/find-transcripts.js";

const { platform } = process;

const on = (name: NodeJS.Platform) => Object.defineProperty(process, "platform", { value: name });

afterEach(() => {
  on(platform);
});

it.each([
  ["linux", "/h"],
  ["darwin", "/h"],
  ["win32", "C:\\Users\\ann"],
] as const)("the home of agents on %s is %s", (name, home) => {
  on(name);
  const environment = { HOME: "/h", USERPROFILE: "C:\\Users\\ann" };
  expect(homeFolder(environment)).toBe(home);
  expect(transcriptFolders("gemini", environment)).toEqual([join(home, ".gemini", "tmp")]);
  const memory = { project: { root: "/p" } } as Memory;
  expect(surroundingsOf(memory, environment)).toMatchObject({ root: "/p", home });
});

it("a home that no variable tells is the one that the system knows", () => {
  expect(homeFolder({})).toBe(homedir());
});
