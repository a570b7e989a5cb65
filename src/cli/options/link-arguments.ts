import { linkRelations } from "../../domain/knowledge/link.js";
import type { ArgumentSpec } from "../framework/command.js";

/** What names a link. */
export const linkArguments = [
  { name: "from", summary: "a learning (may be shortened), note, task (task-001) or attempt (task-001/2)" },
  { name: "relation", summary: linkRelations.join(", ") },
  { name: "to", summary: "another such record" },
] as const satisfies readonly ArgumentSpec[];
