import {
  type Learning,
  type LearningType,
  learningTypes,
  type StagedLearning,
} from "../../domain/knowledge/learning.js";
import { statementOf, withStatement } from "../../domain/knowledge/statement.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { LearningVerbs } from "../../memory/learnings/learning-verbs.js";
import { evidenceView, type LearningRow, learningRow, remedyField } from "../views/learning-row.js";
import { fieldOf, flagOf, type Listed, mustHave, pageOf, textOf, wordOf } from "./query.js";
import type { Asked, Routes } from "./route.js";

type Why = Awaited<ReturnType<LearningVerbs["why"]>>;

export interface LearningPage extends LearningRow, Omit<Why, "learning" | "lift"> {
  learning: Learning;
  stale?: { changed: number; files: string[] };
  isAltered: boolean;
  older: { id: string; statement: string }[];
  newer: { id: string; statement: string }[];
}

export interface LearningList extends Listed<LearningRow> {
  byType: Record<string, number>;
  byTaskType: Record<string, number>;
  /** Those that wait for a review. */
  waiting: number;
}

/** A finding that waits for a decision. */
export interface ReviewRow {
  id: string;
  type: LearningType;
  taskType: string;
  statement: string;
  remedy?: string;
  confidence: number;
  sources: string[];
  stagedAt: string;
  status: StagedLearning["status"];
  /** Why one should look at it with care. */
  reason?: string;
  rejectionReason?: string;
}

export interface ReviewPage {
  waiting: ReviewRow[];
  rejected: ReviewRow[];
  /** Findings that another task must confirm first. */
  awaitingEvidence: number;
}

const mostFound = 200;
const idsAtOnce = 400;
const verdicts = ["helps", "hurts", "unclear", "none"] as const;

export const learningRoutes: Routes = {
  "GET /api/learnings": listLearnings,
  "GET /api/learnings/stale": async ({ memory: { learnings }, query }) => {
    const ids = query.getAll("id").slice(0, mostFound);
    const found = await Promise.all(ids.map((id) => learnings.get(id)));
    return learnings.findStale(found);
  },
  "GET /api/learnings/:id": showLearning,
  "POST /api/learnings/:id/reword": async (asked) => {
    const { learnings } = asked.memory;
    const [id = ""] = asked.parts;
    const { content } = withStatement(await learnings.get(id), mustHave(asked, "statement"));
    return learnings.update(id, { content });
  },
  "POST /api/learnings/:id/retire": ({ memory, parts: [id = ""] }) => memory.learnings.delete(id),
  "POST /api/learnings/:id/keep": ({ memory, parts: [id = ""] }) => memory.learnings.acceptAltered(id),
  "GET /api/review": async ({ memory }): Promise<ReviewPage> => {
    const staged = await memory.learnings.listStaged();
    const isAwaiting = ({ status, awaitsEvidence = false }: StagedLearning) =>
      status === "pending" && awaitsEvidence;
    const isRejected = ({ status }: StagedLearning) => status === "rejected";
    return {
      waiting: staged.filter((entry) => !isAwaiting(entry) && !isRejected(entry)).map(reviewRow),
      rejected: staged.filter(isRejected).map(reviewRow),
      awaitingEvidence: staged.filter(isAwaiting).length,
    };
  },
  "POST /api/review/:id/accept": async (asked) => {
    const { learnings } = asked.memory;
    const [id = ""] = asked.parts;
    const statement = fieldOf(asked, "statement");
    if (statement !== undefined) await learnings.acceptStaged(id, statement);
    const {
      promotions,
      learnings: promoted,
      rejected,
    } = await learnings.promoteStaged({
      ids: [id],
      autoValidate: true,
    });
    const [refused] = rejected;
    if (refused !== undefined)
      throw new RalphError(
        "wrong-use",
        `${id} cannot be accepted: ${refused.rejectionReason ?? "it is not valid"}`,
      );
    return { promotions, learnings: promoted.map(({ id: learned }) => learned) };
  },
  "POST /api/review/:id/reject": (asked) =>
    asked.memory.learnings.rejectStaged(asked.parts[0] ?? "", mustHave(asked, "reason")),
};

async function listLearnings({ memory: { learnings }, query }: Asked): Promise<LearningList> {
  const { page, limit, offset } = pageOf(query);
  const type = wordOf(query, "type", learningTypes);
  const taskType = textOf(query, "task-type");
  const text = textOf(query, "q");
  const verdict = wordOf(query, "evidence", verdicts);
  const includesSuperseded = flagOf(query, "superseded") ?? false;
  const filter = { type, taskType, includesSuperseded };
  const [{ byType, byTaskType }, { pending, validated }] = await Promise.all([
    learnings.stats(),
    learnings.stagingStats(),
  ]);
  const rest = { page, limit, byType, byTaskType, waiting: pending + validated };
  const isWanted = (learning: Learning) =>
    (type === undefined || learning.type === type) &&
    (taskType === undefined || learning.taskType === taskType) &&
    (includesSuperseded || learning.superseded_by === undefined);
  const toRows = async (found: readonly Learning[]) => {
    const weighed = await learnings.weigh(found.map(({ id }) => id));
    const byId = new Map(weighed.map((each) => [each.id, each]));
    return found.map((learning) => learningRow(learning, byId.get(learning.id)));
  };
  if (text !== undefined) {
    const found = (await learnings.search({ text, limit: mostFound })).filter(isWanted);
    const rows = (await toRows(found)).filter(({ evidence }) => !verdict || evidence.verdict === verdict);
    return { ...rest, rows: rows.slice(offset, offset + limit), total: rows.length };
  }
  if (verdict === undefined || verdict === "none") {
    const chosen = { ...filter, ...(verdict === "none" && { isCredited: false }) };
    const [rows, total] = await Promise.all([
      learnings.list({ ...chosen, limit, offset }).then(toRows),
      learnings.count(chosen),
    ]);
    return { ...rest, rows, total };
  }
  const weighed = (await learnings.weigh()).filter((each) => evidenceView(each).verdict === verdict);
  const ids = verdict === "hurts" ? weighed.toReversed() : weighed;
  const found = new Map<string, Learning>();
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    const some = ids.slice(at, at + idsAtOnce).map(({ id }) => id);
    for (const learning of await learnings.list({ ...filter, ids: some })) found.set(learning.id, learning);
  }
  const rows = ids.flatMap((each) => {
    const learning = found.get(each.id);
    return learning === undefined ? [] : [learningRow(learning, each)];
  });
  return { ...rest, rows: rows.slice(offset, offset + limit), total: rows.length };
}

async function showLearning({ memory: { learnings }, parts: [given = ""] }: Asked): Promise<LearningPage> {
  const { learning, lift: _lift, ...why } = await learnings.why(given);
  const { id } = learning;
  const [weighed, lineage, stale, altered] = await Promise.all([
    learnings.weigh([id]),
    learnings.lineage(id),
    learnings.findStale([learning]),
    learnings.findAltered([{ id }]),
  ]);
  const [found] = stale;
  const named = (each: Learning) => ({ id: each.id, statement: statementOf(each) });
  return {
    ...learningRow(learning, weighed[0]),
    ...why,
    learning,
    ...(found && { stale: { changed: found.changed, files: found.files } }),
    isAltered: altered.length > 0,
    older: lineage.older.map(named),
    newer: lineage.newer.map(named),
  };
}

function reviewRow({ id, learning, stagedAt, status, reason, rejectionReason }: StagedLearning): ReviewRow {
  const { type, taskType, confidence, sourceLoops } = learning;
  return {
    ...{ id, type, taskType, confidence, stagedAt, status },
    statement: statementOf(learning),
    ...remedyField(learning),
    sources: sourceLoops,
    ...(reason !== undefined && { reason }),
    ...(rejectionReason !== undefined && { rejectionReason }),
  };
}
