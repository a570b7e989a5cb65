import { notesMigration } from "./0001-0010/0001-notes.js";
import { episodicMigration } from "./0001-0010/0002-episodic.js";
import { iterationsAndArchiveMigration } from "./0001-0010/0003-iterations-and-archive.js";
import { semanticMigration } from "./0001-0010/0004-semantic.js";
import { workingMigration } from "./0001-0010/0005-working.js";
import { proceduralMigration } from "./0001-0010/0006-procedural.js";
import { vectorsMigration } from "./0001-0010/0007-vectors.js";
import { runsMigration } from "./0001-0010/0008-runs.js";
import { agentWordsMigration } from "./0001-0010/0009-agent-words.js";
import { evidenceMigration } from "./0001-0010/0010-evidence.js";
import { leasesMigration } from "./0011-leases.js";
import { rowChecksMigration } from "./0012-row-checks.js";
import { outboxMigration } from "./0013-outbox.js";
import { foreignRecordsMigration } from "./0014-foreign-records.js";
import { peopleMigration } from "./0015-people.js";
import { lastWorkedOnMigration } from "./0016-last-worked-on.js";
import { frequentWordsMigration } from "./0017-frequent-words.js";
import type { Migration } from "./migration.js";

export const allMigrations: readonly Migration[] = [
  notesMigration,
  episodicMigration,
  iterationsAndArchiveMigration,
  semanticMigration,
  workingMigration,
  proceduralMigration,
  vectorsMigration,
  runsMigration,
  agentWordsMigration,
  evidenceMigration,
  leasesMigration,
  rowChecksMigration,
  outboxMigration,
  foreignRecordsMigration,
  peopleMigration,
  lastWorkedOnMigration,
  frequentWordsMigration,
];
