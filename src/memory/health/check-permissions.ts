import { chmodSync, existsSync, statSync } from "node:fs";
import { isIgnoredByGit, protectDirectory } from "../../files/private-directory.js";
import { storeFile } from "../../store/open-store.js";
import type { Place } from "../project/place.js";
import { type Finding, ok } from "./finding.js";

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
