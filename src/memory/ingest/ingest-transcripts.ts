import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { ExtractedLearning, StagedLearning } from "../../domain/knowledge/learning.js";
import { RalphError } from "../../domain/ralph-error.js";
import { findProject, type Project } from "../../files/find-project.js";
import { realPathOf } from "../../files/path-inside.js";
import { instructionIn } from "../../semantic/staging/validate-learning.js";
import {
  type ChosenTranscript,
  type ChosenTranscripts,
  chooseTranscripts,
  quietMs,
  readSession,
} from "../../transcripts/choose-transcripts.js";
import {
  type FoundTranscripts,
  findTranscripts,
  transcriptFolders,
} from "../../transcripts/find-transcripts.js";
import type { ReadTranscript, TranscriptAgent } from "../../transcripts/session.js";
import type { OpenProject } from "../project/open-project.js";
import { homeIsNoProject, isPlainHome } from "../project/place.js";
import { type IngestOptions, type IngestSession, withIngesting } from "./ingest-session.js";
import { isOnlyTalk } from "./session-tasks.js";

export interface IngestInput {
  agents: readonly TranscriptAgent[];
  /** A transcript or a folder of them; by default this project's transcripts in the agents' own folders. */
  path?: string | undefined;
  /** Only sessions that continued after this time. */
  since?: string | undefined;
  dryRun?: boolean | undefined;
  promotion: IngestOptions["promotion"];
  onProgress?: ((progress: IngestProgress) => void) | undefined;
}

export interface IngestProgress {
  done: number;
  total: number;
  bytes: number;
  totalBytes: number;
}

export interface IngestReport {
  sessions: {
    ingested: number;
    /** Recorded before, with nothing new. */
    known: number;
    other_projects: number;
    /** Ended before the given time. */
    older: number;
    /** Probably still being written: a later run records them. */
    being_written: number;
    /** Without a prompt. */
    without_prompt: number;
    /** Without a tool call, so that no work was done. */
    only_talk: number;
    /** Recorded by `ralph run` itself. */
    of_ralph_run: number;
  };
  subagents: { attached: number; without_session: number };
  tasks: number;
  /** Attempts added to known tasks. */
  continued: number;
  /** Tasks and attempts whose last check, or else last action, failed, or that were interrupted. */
  ended_with_failure: number;
  actions: number;
  findings: number;
  /** Learnings that read like an instruction to an agent, so that a person always decides: now waiting or, in a dry run, found. */
  suspect: number;
  /** Learnings that another session has to confirm: now waiting or, in a dry run, found. */
  unconfirmed: number;
  unknown_rows: Record<string, number>;
  unreadable_rows: number;
  /** Files that are not transcripts. */
  other_files: number;
  problems: string[];
  bytes: number;
  ms: { reading: number; recording: number; reflecting: number };
  task_ids: string[];
  /** Those valid with the evidence of one task. */
  ready: ExtractedLearning[];
  /** Learnings that wait for a review because of these sessions. */
  staged: StagedLearning[];
}

/** A process that died leaves half a row forever. */
const abandonedMs = 24 * 60 * 60 * 1000;
const maxBatchBytes = 16 * 1024 * 1024;
const prompted = /^# Task\n[\s\S]*\n## Where you are\n\nThis is iteration \d+ of at most \d+/;

/** Records past sessions of agents as tasks, each in its own transaction, and learns from them. */
export async function ingestTranscripts(project: OpenProject, input: IngestInput): Promise<IngestReport> {
  if (input.path === undefined) refuseNoProject(project.folders);
  const now = project.clock();
  const rootOf = makeSessionRoot(project.folders, project.ralphHome);
  const found = await findAll(project, input);
  const isNamed = input.path !== undefined;
  const choice = chooseTranscripts(
    found.transcripts.filter(({ agent }) => input.agents.includes(agent)),
    {
      ...{ now, since: input.since, mayBeCopies: isNamed },
      belongs: (cwd) => isNamed || rootOf(cwd) !== undefined,
    },
  );
  const report = newReport(found, choice);
  const totalBytes = choice.chosen.reduce((sum, each) => sum + bytesOf(each), 0);
  const seen = new Set<string>();
  let done = 0;
  for (const batch of batchesOf(choice.chosen))
    await withIngesting(project, { dryRun: input.dryRun ?? false }, async (ingest) => {
      for (const chosen of batch) {
        const { cwd } = chosen.main;
        await ingestOne(
          ingest,
          chosen,
          { ...input, now, seen, root: rootOf(cwd) ?? (cwd || project.root) },
          report,
        );
        report.bytes += bytesOf(chosen);
        done += 1;
        input.onProgress?.({ done, total: choice.chosen.length, bytes: report.bytes, totalBytes });
      }
    });
  if (input.dryRun || report.task_ids.length === 0) return report;
  // Several sessions may yield the same learning, and it may be known or rejected already.
  const staged = await project.readOrEmpty(({ store }) => listStaged(store, report.task_ids));
  report.staged = staged.filter(({ awaitsEvidence = false }) => !awaitsEvidence);
  report.suspect = report.staged.filter(
    ({ learning }) => instructionIn(learning.content) !== undefined,
  ).length;
  report.unconfirmed = staged.length - report.staged.length;
  return report;
}

/** Sessions are matched by project; recording one in a folder of several projects would make it the project of everything below it. */
function refuseNoProject(project: Project): void {
  if (isPlainHome(project)) throw homeIsNoProject(project);
  if (!project.isUnmarked) return;
  throw new RalphError("wrong-use", `No project found in ${project.root}`, {
    hint: 'go to the folder of one, or run "ralph init" to make a project of this one',
  });
}

async function findAll(project: OpenProject, { agents, path }: IngestInput): Promise<FoundTranscripts> {
  const all: FoundTranscripts = { transcripts: [], foreign: [], problems: [] };
  const places =
    path === undefined
      ? agents.flatMap((agent) => transcriptFolders(agent, project.environment)).filter(existsSync)
      : [path];
  for (const place of places) {
    const { transcripts, foreign, problems } = await findTranscripts(place);
    all.transcripts.push(...transcripts);
    all.foreign.push(...foreign);
    all.problems.push(...problems);
  }
  return all;
}

function newReport(found: FoundTranscripts, choice: ChosenTranscripts): IngestReport {
  return {
    sessions: {
      ...{ ingested: 0, known: 0, other_projects: choice.elsewhere, older: choice.older },
      ...{ being_written: choice.busy.length, without_prompt: 0, only_talk: 0, of_ralph_run: 0 },
    },
    subagents: { attached: 0, without_session: choice.orphans },
    ...{
      tasks: 0,
      continued: 0,
      ended_with_failure: 0,
      actions: 0,
      findings: 0,
      suspect: 0,
      unconfirmed: 0,
      unknown_rows: {},
      unreadable_rows: 0,
    },
    ...{ other_files: found.foreign.length, problems: [...found.problems], bytes: 0 },
    ms: { reading: 0, recording: 0, reflecting: 0 },
    ...{ task_ids: [], ready: [], staged: [] },
  };
}

/** Between batches, the memory checks its database and whether a backup is due. */
function batchesOf(chosen: readonly ChosenTranscript[]): ChosenTranscript[][] {
  const batches: ChosenTranscript[][] = [];
  let bytes = maxBatchBytes;
  for (const each of chosen) {
    if (bytes >= maxBatchBytes) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(each);
    bytes += bytesOf(each);
  }
  return batches;
}

async function ingestOne(
  ingest: IngestSession,
  chosen: ChosenTranscript,
  { now, seen, path, since, promotion, root }: IngestInput & { now: Date; seen: Set<string>; root: string },
  report: IngestReport,
): Promise<void> {
  const { sessions, ms } = report;
  const start = performance.now();
  const read = readOrReport(() => readSession(chosen, now, seen), report);
  ms.reading += performance.now() - start;
  if (read === undefined) return;
  const { session, isCutShort } = read;
  // A named file may be a copy with a newer mtime than its content.
  const addedMs = path === undefined ? chosen.main.modifiedMs : Date.parse(session.ended);
  if (now.getTime() - addedMs < (isCutShort ? abandonedMs : quietMs)) sessions.being_written += 1;
  else if (since !== undefined && session.ended < since) sessions.older += 1;
  else if (!session.turns.some(({ prompt }) => prompt !== "")) sessions.without_prompt += 1;
  else if (prompted.test(session.turns[0]?.prompt ?? "")) sessions.of_ralph_run += 1;
  else if (isOnlyTalk(session)) sessions.only_talk += 1;
  else {
    const { tasks, findings, recordMs, reflectMs, isOpen } = await ingest(session, { root, promotion });
    ms.recording += recordMs;
    ms.reflecting += reflectMs;
    if (isOpen) sessions.being_written += 1;
    else if (tasks.length === 0) sessions.known += 1;
    else sessions.ingested += 1;
    report.subagents.attached += tasks.length === 0 ? 0 : session.subagents;
    report.tasks += tasks.filter(({ isNew }) => isNew).length;
    report.continued += tasks.filter(({ isNew }) => !isNew).length;
    report.ended_with_failure += tasks.filter(({ outcome }) => outcome !== "success").length;
    report.actions += tasks.reduce((sum, { actions }) => sum + actions, 0);
    report.findings += findings.length;
    report.task_ids.push(...tasks.map(({ task_id: id }) => id));
    const ready = findings.filter(({ isReady }) => isReady);
    const trusted = ready.filter(({ isSuspect }) => !isSuspect);
    report.suspect += ready.length - trusted.length;
    report.unconfirmed += findings.length - ready.length;
    report.ready.push(...trusted.map(({ learning }) => learning));
    if (tasks.length > 0) countRows(read, report);
  }
}

function readOrReport(read: () => ReadTranscript, report: IngestReport): ReadTranscript | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    report.problems.push(error.message);
    return undefined;
  }
}

function countRows({ session, unknown, unreadable }: ReadTranscript, report: IngestReport): void {
  report.unreadable_rows += unreadable;
  for (const [type, count] of unknown) {
    const name = `${session.agent}: ${type}`;
    report.unknown_rows[name] = (report.unknown_rows[name] ?? 0) + count;
  }
}

function bytesOf({ main, helpers }: ChosenTranscript): number {
  return helpers.reduce((sum, { bytes }) => sum + bytes, main.bytes);
}

async function listStaged(
  { stagedLearnings }: { stagedLearnings: { list(status: "pending"): Promise<StagedLearning[]> } },
  taskIds: readonly string[],
): Promise<StagedLearning[]> {
  const tasks = new Set(taskIds);
  const isOf = (source: string) => tasks.has(source.split("/")[0] ?? "");
  // A habit that is not a rule yet has only episodes.
  return (await stagedLearnings.list("pending")).filter(
    ({ learning: { sourceLoops, source_episodes: episodes = [] } }) =>
      sourceLoops.some(isOf) || episodes.some(isOf),
  );
}

/** Finds the worktree of a session; undefined if its folder belongs to another project. */
function makeSessionRoot(project: Project, userHome: string): (cwd: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  const home = realOf(project.home);
  const find = (cwd: string): string | undefined => {
    if (!isAbsolute(cwd) || cwd.includes("\0")) return undefined;
    const other = findProject(cwd, { userHome });
    return realOf(other.home) === home ? other.root : undefined;
  };
  return (cwd) => {
    if (!known.has(cwd))
      known.set(
        cwd,
        safely(() => find(cwd)),
      );
    return known.get(cwd);
  };
}

/** A folder that cannot be read does not belong to this project. */
function safely<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof RalphError || (error instanceof Error && "code" in error)) return undefined;
    throw error;
  }
}

function realOf(path: string): string {
  return safely(() => realPathOf(path)) ?? path;
}
