import { chmodSync, existsSync, statSync } from "node:fs";
import { relative } from "node:path";
import type { Settings } from "../../config/default-settings.js";
import type { Project } from "../../files/find-project.js";
import { isIgnoredByGit, protectDirectory } from "../../files/private-directory.js";
import { runGit } from "../../processes/run-git.js";
import { hasStore, storeFile } from "../../store/open-store.js";
import type { OpenProject } from "../project/open-project.js";
import type { Place } from "../project/place.js";
import { trustHint } from "../project/project-trust.js";
import { makeTrustVerbs } from "../trust/trust.js";
import { describeError, type Finding, ok } from "./finding.js";

/** What the project asks for that the user has not allowed. */
export async function checkTrust(project: OpenProject): Promise<Finding[]> {
  const denied = (await makeTrustVerbs(project).list()).filter(({ isAllowed }) => !isAllowed);
  if (denied.length === 0) return [ok("nothing of this project is left out")];
  const names = denied.map(({ name }) => name).join(", ");
  return [{ status: "warning", detail: `left out: ${names} (${trustHint})` }];
}

/** Whether git can commit the notes and ignores the records. */
export async function checkGit(project: Project, place: Place): Promise<Finding[]> {
  if (project.kind === "folder")
    return [{ status: "ok", detail: "not a git repository: this folder is the project" }];
  if (project.kind === "bare")
    return [{ status: "ok", detail: "a bare repository: notes are stored inside it and not committed" }];
  const notes = relative(project.home, place.home.path);
  const checks: Finding[] = [];
  if (await succeeds(project.home, ["check-ignore", "--quiet", notes])) {
    checks.push({ status: "warning", detail: `git ignores ${notes}: other clones will not see these notes` });
  }
  if (await succeeds(project.home, ["ls-files", "--error-unmatch", ".ralph"])) {
    checks.push({
      status: "warning",
      detail:
        'git tracks .ralph: remove it with "git rm -r .ralph" if others made the records, or else with "git rm -r --cached .ralph"; their commands go on needing your consent ("ralph trust")',
    });
  }
  return checks.length > 0
    ? checks
    : [{ status: "ok", detail: "notes can be committed, records are ignored" }];
}

/** A non-zero exit code means no, and so does a missing git. */
async function succeeds(directory: string, args: string[]): Promise<boolean> {
  return (await runGit(directory, ...args)) !== undefined;
}

/** Only the owner may read the records, and git must ignore them. */
export function checkPermissions({ storeDirectory }: Place): Finding[] {
  if (!existsSync(storeDirectory)) return [ok("nothing to protect yet")];
  const findings: Finding[] = [];
  if (!isIgnoredByGit(storeDirectory)) {
    protectDirectory(storeDirectory);
    findings.push({ status: "repaired", detail: `${storeDirectory}: ignored by git again` });
  }
  const path = storeFile(storeDirectory);
  if (process.platform !== "win32" && isOpenToOthers(path)) {
    chmodSync(path, 0o600);
    findings.push({ status: "repaired", detail: `${path}: readable only by you again` });
  }
  if (findings.length > 0) return findings;
  return [
    ok(
      process.platform === "win32"
        ? "the records have the permissions of their folder: Windows has no others"
        : "only you can read the records",
    ),
  ];
}

function isOpenToOthers(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true && (stats.mode & 0o077) !== 0;
}

/** Which embedder is configured, whether it works, and how many records have a vector. */
export async function checkEmbedder(project: OpenProject, place: Place): Promise<Finding[]> {
  const settings = await project.settings();
  if (settings["embedder.use"] === "none")
    return [ok(`none: records are found by words only${await missingEmbedder(settings)}`)];
  if (!hasStore(place.storeDirectory)) return [ok(`${settings["embedder.use"]}, nothing to embed yet`)];
  const opened = await project.openStore(place);
  const vectors = (await project.vectorSearch()).withSettings(settings);
  const { model, records, waiting } = await vectors.count(opened);
  const share = `${records - waiting} of ${records} records have a vector`;
  const rest = waiting > 0 ? `, ${waiting} pending (run "ralph index embed")` : "";
  try {
    const dimensions = await vectors.probe();
    const state = dimensions === undefined ? "not downloaded yet" : `${dimensions} dimensions`;
    return [ok(`${model}, ${state}, ${share}${rest}`)];
  } catch (error) {
    return [
      { status: "warning", detail: `${model} does not work: ${describeError(error)}; ${share}${rest}` },
    ];
  }
}

async function missingEmbedder(settings: Settings): Promise<string> {
  const { expectedByCrossTask } = await import("../derived/vectors/embedder-choice.js");
  const { model } = expectedByCrossTask(settings);
  return model === undefined
    ? ""
    : `; cross_task_learning.embedding asks for ${model}, but embedder.use is not set`;
}
