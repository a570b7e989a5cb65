import { join } from "node:path";
import { examineMerging } from "../../../setup/git/plan-merging.js";
import type { OwnProgram } from "../../../setup/programs/own-program.js";

/** What Git needs to merge notes by their ids, and whether it is there. */
export interface CheckedMerging {
  parts: {
    part: "attribute" | "driver";
    path: string;
    state: "current" | "older" | "missing";
  }[];
}

export async function checkMerging(root: string, program: OwnProgram): Promise<CheckedMerging> {
  const { hasAttribute, driver } = await examineMerging(root, program);
  return {
    parts: [
      {
        ...{ part: "attribute", path: join(root, ".gitattributes") },
        state: hasAttribute ? "current" : "missing",
      },
      {
        ...{ part: "driver", path: join(root, ".git/config") },
        state: driver === "other" ? "older" : driver,
      },
    ],
  };
}

export function isMergingFine({ parts }: CheckedMerging): boolean {
  return parts.every(({ state }) => state === "current");
}

/** A clone of a repository whose notes are merged so lacks only the driver. */
export function isMergingWanted({ parts }: CheckedMerging): boolean {
  return parts.some(({ state }) => state !== "missing");
}

export function describeChecked({ parts }: CheckedMerging): string {
  const signs = { current: "✓", older: "!", missing: "✗" };
  const said = {
    current: "",
    older: " (from another version or place: ralph setup git replaces it)",
    missing: " (missing: ralph setup git writes it)",
  };
  const names = { attribute: ".gitattributes", driver: ".git/config" };
  const lines = parts.map(
    ({ part, state }) => `  ${signs[state]} ${part.padEnd(9)} ${names[part]}${said[state]}\n`,
  );
  return `git\n${lines.join("")}`;
}
