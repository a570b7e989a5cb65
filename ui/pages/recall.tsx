import { useState } from "preact/hooks";
import type { Recall, RecalledEntry } from "../../src/memory/recall/recall-input.js";
import { useLoaded } from "../api.js";
import { ScoreParts } from "../charts/score-parts.js";
import { Badge } from "../parts/badges.js";
import { Head } from "../parts/head.js";
import { RecordLink } from "../parts/link.js";
import { Empty, Ready } from "../parts/state.js";
import { goTo, type Place } from "../router.js";
import { count, counted } from "../words.js";

const taskTypes = [
  "test-fix",
  "feature",
  "refactor",
  "bug-fix",
  "documentation",
  "architecture",
  "performance",
  "research",
  "general",
];

export function RecallPage({ place: { query } }: { place: Place }) {
  const isAsked = query.get("objective") !== null;
  const loaded = useLoaded<Recall>(isAsked ? `/api/recall?${query}` : undefined);
  return (
    <>
      <Head title="Recall">
        <p>
          Type what an agent is about to do, and see the brief that it would get, and why each entry is in it.
        </p>
      </Head>
      <RecallForm key={query.toString()} query={query} />
      {isAsked ? (
        <Ready loaded={loaded}>{(recalled) => <Results recalled={recalled} />}</Ready>
      ) : (
        <Empty title="Nothing asked yet">
          <p>The same in the terminal:</p>
          <pre>ralph recall "Fix the flaky login test" --explain</pre>
        </Empty>
      )}
    </>
  );
}

function RecallForm({ query }: { query: URLSearchParams }) {
  const [objective, setObjective] = useState(query.get("objective") ?? "");
  const [errors, setErrors] = useState(query.getAll("error").join("\n"));
  const [files, setFiles] = useState(query.getAll("file").join("\n"));
  const [budget, setBudget] = useState(query.get("budget") ?? "");
  const [type, setType] = useState(query.get("type") ?? "");
  const [isCrossTask, setCrossTask] = useState(query.get("cross-task") !== "0");
  const ask = (event: Event) => {
    event.preventDefault();
    const asked = new URLSearchParams();
    if (objective.trim() !== "") asked.set("objective", objective.trim());
    for (const line of linesOf(errors)) asked.append("error", line);
    for (const line of linesOf(files)) asked.append("file", line);
    if (budget.trim() !== "") asked.set("budget", budget.trim());
    if (type !== "") asked.set("type", type);
    if (!isCrossTask) asked.set("cross-task", "0");
    goTo(`/recall?${asked}`);
  };
  return (
    <form class="panel recall-form" onSubmit={ask}>
      <label class="field is-full">
        Objective
        <input
          class="input"
          value={objective}
          placeholder="Fix the flaky login test"
          onInput={({ currentTarget }) => setObjective(currentTarget.value)}
        />
      </label>
      <label class="field">
        Errors, one on a line
        <textarea
          class="input"
          value={errors}
          onInput={({ currentTarget }) => setErrors(currentTarget.value)}
        />
      </label>
      <label class="field">
        Files, one on a line
        <textarea
          class="input"
          value={files}
          onInput={({ currentTarget }) => setFiles(currentTarget.value)}
        />
      </label>
      <div class="stack">
        <label class="field">
          Task type
          <select class="input" value={type} onChange={({ currentTarget }) => setType(currentTarget.value)}>
            <option value="">told by the objective</option>
            {taskTypes.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          Budget in tokens
          <input
            class="input"
            type="number"
            min="0"
            value={budget}
            placeholder="as set"
            onInput={({ currentTarget }) => setBudget(currentTarget.value)}
          />
        </label>
      </div>
      <p class="row is-full">
        <button type="submit" class="button is-main" disabled={objective.trim() === ""}>
          Recall
        </button>
        <label class="check">
          <input
            type="checkbox"
            checked={isCrossTask}
            onChange={({ currentTarget }) => setCrossTask(currentTarget.checked)}
          />
          with what other tasks taught
        </label>
      </p>
    </form>
  );
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function Results({ recalled }: { recalled: Recall }) {
  const { entries, omitted = [], text, tokens, budgetTokens, taskType } = recalled;
  const highest = Math.max(...[...entries, ...omitted].map(scoreWidth), 0.01);
  if (entries.length === 0 && omitted.length === 0)
    return (
      <Empty title="Nothing relevant is known">
        <p>A {taskType} task with this objective starts with an empty brief.</p>
      </Empty>
    );
  return (
    <div class="recall-results">
      <div class="stack">
        <section>
          <div class="section-head">
            <h2>{counted(entries.length, "entry", "entries")} in the brief</h2>
            <span class="soft small">
              {taskType} task, {count(tokens)}
              {budgetTokens === 0 ? "" : ` of ${count(budgetTokens)}`} tokens
            </span>
          </div>
          {entries.length > 0 && <EntryTable entries={entries} highest={highest} />}
        </section>
        {omitted.length > 0 && (
          <section>
            <h2 class="section-head">Left out</h2>
            <EntryTable
              entries={omitted}
              highest={highest}
              reasonOf={(_, index) => {
                const { reason, sameAs } = omitted[index] ?? {};
                return (
                  <>
                    {reason === "no room" ? "did not fit into its budget" : reason}
                    {sameAs && (
                      <>
                        {" as "}
                        <RecordLink id={sameAs} />
                      </>
                    )}
                  </>
                );
              }}
            />
          </section>
        )}
        {recalled.altered && (
          <p class="note">
            {counted(recalled.altered.length, "learning")} left out, as something other than Ralph changed it:{" "}
            {recalled.altered.map((id) => (
              <RecordLink key={id} id={id} />
            ))}
          </p>
        )}
      </div>
      <section>
        <div class="section-head">
          <h2>As the agent reads it</h2>
        </div>
        <pre class="text">{text || "(nothing)"}</pre>
      </section>
    </div>
  );
}

/** How far its bar reaches. */
function scoreWidth({ kind, parts, score }: RecalledEntry): number {
  if (kind === "task") return score;
  return Object.values(parts).reduce((sum, value) => sum + Math.abs(value), 0);
}

function EntryTable({
  entries,
  highest,
  reasonOf,
}: {
  entries: readonly RecalledEntry[];
  highest: number;
  reasonOf?: (entry: RecalledEntry, index: number) => preact.ComponentChildren;
}) {
  return (
    <div class="table-frame">
      <table class="table is-stacked">
        <thead>
          <tr>
            <th scope="col">Entry</th>
            <th scope="col">Score</th>
            <th scope="col" class="number">
              Sum
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry, index) => (
            <tr key={`${entry.kind} ${entry.id}`}>
              <td class="wide">
                <p class="row small">
                  <Badge word={entry.section} />
                  <RecordLink id={entry.id} />
                </p>
                <p class="clamp">{entry.statement}</p>
                <p class="small soft">{reasonOf ? reasonOf(entry, index) : entry.why}</p>
              </td>
              <td class="score-cell">
                <ScoreParts
                  parts={entry.parts}
                  score={entry.score}
                  highest={highest}
                  isSum={entry.kind !== "task"}
                />
              </td>
              <td class="number">{entry.score.toFixed(2)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
