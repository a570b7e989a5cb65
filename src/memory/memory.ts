/// <reference lib="esnext.disposable" preserve="true" />
import type { LoadedSettings } from "../config/loaded-settings.js";
import type { Project } from "../files/find-project.js";
import type { ImpactOverTime } from "../recall/metrics/impact-over-time.js";
import type { ImpactMetrics } from "../recall/metrics/measure-impact.js";
import type { Embedded, EmbedOptions } from "./derived/vectors/embed-records.js";
import type { Health, HealthOptions } from "./health/check-health.js";
import type { MemoryFile } from "./health/memory-files.js";
import type { ImportVerbs } from "./imports/import-verbs.js";
import type { LearningVerbs } from "./learnings/learning-verbs.js";
import type { LinkVerbs } from "./links/links.js";
import type { InitStep } from "./notes/init-notes.js";
import type { NoteVerbs } from "./notes/notes.js";
import type { Recall, RecallInput } from "./recall/recall-input.js";
import type { RecordVerbs } from "./records/record-verbs.js";
import type { SkillVerbs } from "./skills/skills.js";
import type { TaskVerbs } from "./tasks/tasks.js";
import type { TeamVerbs } from "./team/team.js";
import type { TrustVerbs } from "./trust/trust.js";
import type { WorkingVerbs } from "./working/working.js";

/**
 * The memory of a project, or of the user. Ids of records that do not exist throw a `RalphError` with the code `not-found`.
 * With `dryRun`, methods report what would change and change nothing.
 */
export interface Memory extends AsyncDisposable {
  readonly project: Project;
  readonly notes: NoteVerbs;
  readonly tasks: TaskVerbs;
  readonly learnings: LearningVerbs;
  readonly links: LinkVerbs;
  readonly skills: SkillVerbs;
  readonly working: WorkingVerbs;
  readonly trust: TrustVerbs;
  readonly team: TeamVerbs;
  readonly records: RecordVerbs;
  readonly imports: ImportVerbs;

  /** The records most relevant to an objective, as a brief within a token budget. */
  recall(input: RecallInput): Promise<Recall>;
  /** Whether memory helps: how tasks and retries went with and without it. */
  metrics(options?: { since?: string }): Promise<ImpactMetrics>;
  /** The same figures as they came about, task by task. */
  metricsOverTime(options?: { since?: string }): Promise<ImpactOverTime>;

  /** Creates the notes file and the database if they are missing. */
  init(): Promise<InitStep[]>;
  /** The effective settings, and the origin of each. */
  settings(): Promise<LoadedSettings>;
  /** Where the settings are, whether or not there are any. */
  settingsFiles(): { user: string; project: string };
  /** The files that the memory consists of, with their sizes, whether or not they exist yet. */
  files(): Promise<MemoryFile[]>;
  /** Checks every part and repairs derived data; repairs damaged records and looks for secrets only when asked to. */
  checkHealth(options?: HealthOptions): Promise<Health>;
  /** Rebuilds all derived data and returns the number of notes. */
  rebuildIndex(): Promise<{ notes: number }>;
  /** Embeds records without a vector, with the configured embedder. */
  embed(options?: EmbedOptions): Promise<Embedded>;
  close(): Promise<void>;
}
