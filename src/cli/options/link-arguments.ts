import { linkRelations } from "../../domain/knowledge/link.js";
import type { ArgumentSpec } from "../framework/command.js";

export const linkArguments = [
  {
    name: "from",
    summary: "learning (a unique prefix is enough), note, task (task-001) or attempt (task-001/2)",
  },
  { name: "relation", summary: linkRelations.join(", ") },
  { name: "to", summary: "id of another record" },
] as const satisfies readonly ArgumentSpec[];
