import { rmSync } from "node:fs";
import { relative } from "node:path";
import { RalphError } from "../../../domain/ralph-error.js";
import { hasStore, listKeptDatabases, searchDatabaseFile } from "../../../store/open-store.js";
import { counted, listed } from "../../../text/counted.js";
import type { SecretKind } from "../../../text/secrets/mark.js";
import { rebuildIndex } from "../../derived/rebuild-index.js";
import type { OpenProject } from "../../project/open-project.js";
import type { Place } from "../../project/place.js";
import { describeError, type Finding, ok } from "../finding.js";
import { filesToSearch, isTooLarge, searchFile } from "./secret-files.js";
import { redactingRecords } from "./secret-records.js";

type Kinds = Map<string, Set<SecretKind>>;

interface Search {
  session: OpenProject;
  place: Place;
  /** Replaces what is found. */
  isWritten: boolean;
}

/** Secrets that were stored before they could be redacted, or that a person wrote: their kinds and places, never themselves. */
export function checkSecrets(
  session: OpenProject,
  place: Place,
  { redact }: { redact: boolean },
): Promise<Finding[]> {
  const search = { session, place, isWritten: redact };
  return session.redacting(async () => {
    const findings = [
      ...(await searchFiles(search)),
      ...(await searchDatabase(search)),
      ...(await searchBackups(search)),
      ...(await searchKeptDatabases(search)),
    ];
    const isFound = findings.some(({ status }) => status !== "warning");
    const elsewhere = findings.length > 0 ? " elsewhere" : "";
    const none = ok(`none found${elsewhere} in notes, continuity, skills, database, backups and logs`);
    return [...findings, isFound ? nextStep(redact) : none];
  });
}

function nextStep(isRedacted: boolean): Finding {
  const detail = isRedacted
    ? "make these secrets invalid where they are used, too: Git's history or a copy may still hold them"
    : '"ralph doctor --secrets --redact" replaces them there; make them invalid where they are used, too';
  return { status: "warning", detail };
}

async function searchFiles({ session, place, isWritten }: Search): Promise<Finding[]> {
  return (await filesToSearch(session, place)).flatMap((path): Finding[] => {
    if (isTooLarge(path)) return [tooLarge(session, path)];
    const found = searchFile(path, { isWritten });
    if (found === undefined) return [];
    const lines = found.lines.length === 0 ? "" : `, ${listed(found.lines, "line", "lines")}`;
    const detail = `${relative(session.root, path)}${lines}: ${found.kinds.join(", ")}`;
    if (isWritten && !found.isRedacted)
      return [{ status: "failed", detail: `${detail} (somebody is writing to it; try again)` }];
    return [toFinding(detail, isWritten)];
  });
}

function tooLarge(session: OpenProject, path: string): Finding {
  return { status: "warning", detail: `${relative(session.root, path)} is too large to be searched` };
}

async function searchDatabase({ session, place, isWritten }: Search): Promise<Finding[]> {
  if (!hasStore(place.storeDirectory)) return [];
  const kinds: Kinds = new Map();
  const shelf = await session.openStore(place);
  const columns = await shelf.store.scrubRecords(redactingRecords(kinds), { isWritten });
  if (columns.length === 0) return [];
  if (isWritten) {
    // The index holds the words of what it was made from, and a deleted page keeps its bytes until the file is rewritten.
    await rebuildIndex(shelf);
    await shelf.store.compact();
  }
  return columns
    .filter(({ table, column }) => kinds.has(`${table}.${column}`))
    .map(({ table, column, rows }) =>
      toFinding(
        `database, ${table}.${column}, ${counted(rows, "record")}: ${[...(kinds.get(`${table}.${column}`) ?? [])].join(", ")}`,
        isWritten,
      ),
    );
}

/** A backup is removed rather than changed; a new one takes its place. */
async function searchBackups({ session, place, isWritten }: Search): Promise<Finding[]> {
  if (!hasStore(place.storeDirectory)) return [];
  const { store } = await session.openStore(place);
  const findings: Finding[] = [];
  for (const path of (await store.describe()).backups) {
    const kinds: Kinds = new Map();
    const name = relative(session.root, path);
    try {
      await searchDatabaseFile(path, redactingRecords(kinds));
    } catch (error) {
      findings.push({ status: "warning", detail: `${name} cannot be searched: ${describeError(error)}` });
    }
    if (kinds.size === 0) continue;
    const detail = `${name}: ${allOf(kinds).join(", ")}`;
    if (isWritten) rmSync(path, { force: true });
    findings.push(
      isWritten
        ? { status: "repaired", detail: `${detail}; the backup was removed` }
        : toFinding(detail, false),
    );
  }
  if (isWritten && findings.some(({ status }) => status === "repaired"))
    await store.backUpIfDue(session.clock());
  return findings;
}

/** Databases that a repair put aside. They are the last copy of what it could not read, so only the user removes them. */
async function searchKeptDatabases({ session, place }: Search): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const path of await listKeptDatabases(place.storeDirectory)) {
    const kinds = await kindsInDatabase(path);
    if (kinds === undefined) findings.push(tooLarge(session, path));
    else if (kinds.length > 0)
      findings.push({
        status: "failed",
        detail: `${relative(session.root, path)}: ${kinds.join(", ")} (kept by a repair; remove it when you do not need it)`,
      });
  }
  return findings;
}

/** Of a database that cannot be read, by its bytes; undefined if there are too many of them. */
async function kindsInDatabase(path: string): Promise<SecretKind[] | undefined> {
  const kinds: Kinds = new Map();
  try {
    await searchDatabaseFile(path, redactingRecords(kinds));
    return allOf(kinds);
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    return isTooLarge(path) ? undefined : (searchFile(path, { isWritten: false })?.kinds ?? []);
  }
}

function allOf(kinds: Kinds): SecretKind[] {
  return [...new Set([...kinds.values()].flatMap((each) => [...each]))];
}

function toFinding(detail: string, isWritten: boolean): Finding {
  return isWritten ? { status: "repaired", detail } : { status: "failed", detail };
}
