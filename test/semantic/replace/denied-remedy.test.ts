import { describe, expect, it } from "vitest";
import { deniesRemedy } from "../../../src/semantic/records/link-to-older.js";

const older = {
  problem: "npm ERR! ERESOLVE could not resolve the peer dependency of the chart package",
  remedy: "run `npm install --legacy-peer-deps`",
};

describe("a newer statement", () => {
  it.each([
    "Upgrade the chart package for the peer dependency instead of using --legacy-peer-deps",
    "Never use --legacy-peer-deps: pin the peer dependency of the chart package",
    "The peer dependency of charts is pinned, do not install with --legacy-peer-deps",
  ])("denies a remedy that it says not to use, about the same topic: %s", (newer) => {
    expect(deniesRemedy(newer, older)).toBe(true);
  });

  it.each([
    [
      "it recommends it",
      "Install with --legacy-peer-deps when a peer dependency of the chart package conflicts",
    ],
    ["it is about something else", "Do not pass --legacy-peer-deps to the docs site"],
    ["it names another option", "Never use --force for the peer dependency of the chart package"],
    ["it denies in general", "Do not install the chart package by hand when a peer dependency conflicts"],
  ])("does not when %s", (_why, newer) => {
    expect(deniesRemedy(newer, older)).toBe(false);
  });
});
