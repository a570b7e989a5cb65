import { relative } from "node:path";
import type { Project } from "../../files/find-project.js";
import { runGit } from "../../processes/run-git.js";
import type { Place } from "../project/place.js";
import type { Finding } from "./finding.js";

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
