import type { Repair } from "../../store/open-store.js";
import { counted } from "../../text/counted.js";
import type { Finding } from "./finding.js";

type Figure = "fromDatabase" | "fromBackups" | "lost";

const mostNamed = 10;

/** What a repair restored and what it could not, in figures; a loss is a warning, never good news. */
export function describeRepair(repair: Repair, { isDamaged }: { isDamaged: boolean }): Finding[] {
  const { kinds, backup, alteredKept, rescued, keptAs, isSchemaDamaged } = repair;
  const list = (figure: Figure): string =>
    kinds
      .filter((one) => one[figure] > 0)
      .map((one) => counted(one[figure], one.kind))
      .join(", ");
  const findings: Finding[] = [];
  const repaired = (detail: string) => findings.push({ status: "repaired", detail });
  const read = list("fromDatabase");
  const state = isDamaged ? "damaged" : "old";
  const kept = keptAs === undefined ? "" : `; the ${state} file is kept as ${keptAs}`;
  repaired(`${read === "" ? "nothing" : read} read from the ${state} database${kept}`);
  if (isSchemaDamaged) {
    // Debian builds its sqlite3 without what this needs.
    const recover = `"sqlite3 ${keptAs} .recover" can read them, with a sqlite3 from sqlite.org`;
    const detail = `the list of tables is damaged, but rows may still be in the kept file: ${recover}`;
    findings.push({ status: "warning", detail });
  }
  const taken = list("fromBackups");
  if (taken !== "") repaired(`${taken} taken from backups, the newest of ${backup?.date}`);
  for (const file of rescued) repaired(`the records in ${file} were added`);
  if (alteredKept.length > 0) {
    const names = alteredKept.slice(0, mostNamed).join(", ");
    const more = alteredKept.length > mostNamed ? ` and ${alteredKept.length - mostNamed} more` : "";
    const detail = `without an intact copy in a backup, and so kept as they are: ${names}${more}`;
    findings.push({ status: "warning", detail });
  }
  const lost = list("lost");
  if (lost !== "") findings.push({ status: "warning", detail: `lost, as far as can be counted: ${lost}` });
  const uncounted = kinds.filter(({ isUncounted }) => isUncounted).map(({ kind }) => `${kind}s`);
  if (uncounted.length > 0) {
    const since = backup === undefined ? "; there is no good backup" : ` after the backup of ${backup.date}`;
    const what = uncounted.length > mostNamed ? "whatever was recorded" : uncounted.join(", ");
    findings.push({ status: "warning", detail: `perhaps lost, which cannot be counted: ${what}${since}` });
  }
  return findings;
}
