import { join } from "node:path";
import type { Environment } from "../../../domain/environment.js";
import { RalphError } from "../../../domain/ralph-error.js";
import type { HealthCheck } from "../../../memory/health/check-health.js";
import type { Memory } from "../../../memory/memory.js";
import { renderDiff } from "../../../setup/file-changes.js";
import {
  driverName,
  examineMerging,
  isNothing,
  type MergingPlan,
  notesPath,
  planMerging,
  writeMerging,
} from "../../../setup/merge-driver.js";
import type { OwnProgram } from "../../../setup/own-program.js";
import { placesOf } from "./agent-findings.js";

/** The working tree that the project's notes are committed in; undefined if that is not one of Git's. */
export async function notesTreeOf({ project, settings }: Memory): Promise<string | undefined> {
  if (project.kind !== "git") return undefined;
  return (await settings()).settings["memories.scope"] === "branch" ? project.root : project.home;
}

/** Sets up merging for `ralph init`, and returns what was written and what to say about it. */
export async function initMerging(
  memory: Memory,
  environment: Environment,
): Promise<{ written: string[]; said: string[] }> {
  const root = await notesTreeOf(memory);
  if (root === undefined) return { written: [], said: [] };
  const { program } = placesOf(root, environment);
  try {
    const plan = await planMerging({ root, program, action: "add" });
    if (isNothing(plan)) return { written: [], said: plan.notes };
    await writeMerging(root, plan);
    const written = filesOf(plan);
    const said = `git merges notes by their ids: written to ${written.join(" and ")} (ralph setup git --remove undoes it)`;
    return { written: written.map((name) => join(root, name)), said: [said] };
  } catch (error) {
    // The memory is set up all the same.
    if (!(error instanceof RalphError)) throw error;
    return { written: [], said: [`git goes on merging notes by lines: ${error.message}`] };
  }
}

function filesOf({ attributes, config }: MergingPlan): string[] {
  return [
    ...(attributes.length > 0 ? [".gitattributes"] : []),
    ...(config.length > 0 ? [".git/config"] : []),
  ];
}

/** A plan as people read it. */
export function describeMerging({ attributes, config }: MergingPlan): { path: string; diff: string }[] {
  const asText = (side: "before" | "after") =>
    config.flatMap(({ key, [side]: value }) => (value === undefined ? [] : [`${key} = ${value}\n`])).join("");
  return [
    ...attributes.map((change) => ({ path: change.path, diff: renderDiff(change, ".gitattributes") })),
    ...(config.length === 0
      ? []
      : [
          {
            path: ".git/config",
            diff: renderDiff({ before: asText("before"), after: asText("after") }, ".git/config"),
          },
        ]),
  ];
}

/** A finding for `ralph doctor`: each clone needs the driver once. */
export async function mergingFindings(
  memory: Memory,
  environment: Environment,
): Promise<Omit<HealthCheck, "part">[]> {
  const root = await notesTreeOf(memory);
  if (root === undefined) return [];
  const { program } = placesOf(root, environment);
  const { hasAttribute, driver } = await examineMerging(root, program);
  if (!hasAttribute) return [];
  if (driver === "current") return [{ status: "ok", detail: `git merges ${notesPath} by the ids of notes` }];
  const state =
    driver === "missing"
      ? "this clone lacks it, so git merges notes by lines"
      : "here it is of another version or place";
  const detail = `.gitattributes asks for the merge driver ${driverName}: ${state} (ralph setup git writes it)`;
  return [{ status: "warning", detail }];
}

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
