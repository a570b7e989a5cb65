import { useState } from "preact/hooks";
import type { LearningPage as LearningPageView } from "../../src/ui/routes/learning-routes.js";
import { post, useLoaded } from "../api.js";
import { EvidenceBar } from "../charts/evidence-bar.js";
import { useKeys } from "../keys.js";
import { Badge, StateBadge, Verdict } from "../parts/badges.js";
import { useChange } from "../parts/change.js";
import { Dialog } from "../parts/dialog.js";
import { FilePath } from "../parts/file-path.js";
import { Head } from "../parts/head.js";
import { Link, RecordLink } from "../parts/link.js";
import { Ready } from "../parts/state.js";
import { StatementDialog } from "../parts/statement-dialog.js";
import { Ago } from "../parts/time.js";
import { goTo } from "../router.js";
import { counted, figure, fullTime, percent } from "../words.js";

export function LearningPage({ id }: { id: string }) {
  const loaded = useLoaded<LearningPageView>(`/api/learnings/${encodeURIComponent(id)}`);
  return (
    <>
      {loaded.value === undefined && <Head title={id} crumb={<Link to="/learnings">Learnings</Link>} />}
      <Ready loaded={loaded}>{(learning) => <Detail learning={learning} onChange={loaded.reload} />}</Ready>
    </>
  );
}

const reasons = {
  cited: "the agent cited it",
  "touched its files": "the agent touched its files",
  "met its error": "the agent met its error",
  shown: "it was only shown",
} as const;

type Asking = "reword" | "retire";

function Detail({ learning: page, onChange }: { learning: LearningPageView; onChange(): void }) {
  const [asking, setAsking] = useState<Asking>();
  const change = useChange();
  const { id, statement, remedy, evidence, learning, stale, isAltered, attempts, credits, links } = page;
  const path = `/api/learnings/${id}`;
  const reword = async (text: string) => {
    if (await change(() => post(`${path}/reword`, { statement: text }), "Reworded")) onChange();
    setAsking(undefined);
  };
  const retire = async () => {
    setAsking(undefined);
    if (await change(() => post(`${path}/retire`), `${id} was retired`)) goTo("/learnings");
  };
  const keep = async () => {
    if (await change(() => post(`${path}/keep`), "Kept as it is now")) onChange();
  };
  useKeys({ e: () => setAsking("reword"), r: () => setAsking("retire") });
  return (
    <>
      <Head
        title={statement}
        crumb={
          <>
            <Link to="/learnings">Learnings</Link> / <span class="mono">{id}</span>
          </>
        }
        actions={
          <>
            <button type="button" class="button" onClick={() => setAsking("reword")}>
              Reword <kbd>e</kbd>
            </button>
            <button type="button" class="button is-bad" onClick={() => setAsking("retire")}>
              Retire <kbd>r</kbd>
            </button>
          </>
        }
      >
        {remedy && <p class="remedy">→ {remedy}</p>}
        <p class="row small">
          <Badge word={page.type} />
          <span>{page.taskType}</span>
          <span>confidence {percent(page.confidence)}</span>
          <span>shown {counted(page.useCount, "time")}</span>
          <span>
            updated <Ago time={page.updatedAt} />
          </span>
        </p>
      </Head>
      {isAltered && (
        <div class="note row">
          <span>
            Something other than Ralph changed this learning; no brief shows it until you accept it.
          </span>
          <button type="button" class="button" onClick={keep}>
            Accept it as it is
          </button>
        </div>
      )}
      {stale && (
        <p class="note">
          It may be outdated: {percent(stale.changed)} of {stale.files.join(", ")} changed since it was
          learned.
        </p>
      )}
      <div class="split">
        <div class="stack">
          <section class="panel stack">
            <h2>Does it help?</h2>
            <EvidenceBar evidence={evidence} />
            {evidence.verdict !== "none" && (
              <p class="soft">
                Of the tasks that were shown it, {percent(evidence.lower)} to {percent(evidence.upper)}{" "}
                succeed (one-sided 90 % bounds, weight {figure(evidence.trials)});{" "}
                {percent(evidence.baseRate)} of such tasks do anyway.
              </p>
            )}
            {credits.length > 0 && (
              <table class="table">
                <thead>
                  <tr>
                    <th scope="col">Task</th>
                    <th scope="col">Ended</th>
                    <th scope="col" class="number">
                      Counts
                    </th>
                    <th scope="col">Because</th>
                  </tr>
                </thead>
                <tbody>
                  {credits.map((credit) => (
                    <tr key={credit.task_id}>
                      <td class="nowrap">
                        <RecordLink id={credit.task_id} />
                      </td>
                      <td>
                        <Verdict success={credit.succeeded} />
                      </td>
                      <td class="number">{figure(credit.weight)}</td>
                      <td>{reasons[credit.reason]}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </section>
          <section class="panel stack">
            <h2>Why: the attempts behind it</h2>
            {attempts.length === 0 ? (
              <p class="soft">No attempt in this memory.</p>
            ) : (
              <ol class="trail">
                {attempts.map((attempt) => (
                  <li key={attempt.episode}>
                    <p class="row">
                      <RecordLink id={attempt.episode} />
                      <StateBadge state={attempt.outcome} />
                      {attempt.ended && (
                        <span class="soft small">
                          <Ago time={attempt.ended} />
                        </span>
                      )}
                    </p>
                    <p>{attempt.description}</p>
                    {attempt.errors.map((error) => (
                      <p key={error} class="small no">
                        ✗ {error}
                      </p>
                    ))}
                    {attempt.reflections.map((text) => (
                      <p key={text} class="small soft">
                        {text}
                      </p>
                    ))}
                    {attempt.actions.length > 0 && (
                      <details class="small">
                        <summary>Its last {counted(attempt.actions.length, "action")}</summary>
                        {attempt.actions.map((action, index) => (
                          <div key={`${index} ${action.what}`} class="act is-plain">
                            <Verdict success={action.success} />
                            <span>{action.tool}</span>
                            <span class="subject">{action.what}</span>
                            <span />
                          </div>
                        ))}
                      </details>
                    )}
                  </li>
                ))}
              </ol>
            )}
            {page.otherSources.length > 0 && (
              <p class="small soft">Also from: {page.otherSources.join(", ")} (not in this memory)</p>
            )}
          </section>
          {page.remedies.length > 0 && (
            <section class="panel">
              <h2>What helped against it, and what did not</h2>
              <ul class="list-plain">
                {page.remedies.map(({ source, remedy: helped, isSaid, inVain }) => (
                  <li key={source}>
                    <RecordLink id={source} />{" "}
                    {helped && (
                      <span class="remedy">
                        → {helped}{" "}
                        <span class="soft small">
                          ({isSaid ? "somebody said so" : "read from the actions"})
                        </span>
                      </span>
                    )}
                    {inVain.map((text) => (
                      <div key={text} class="small soft">
                        in vain: {text}
                      </div>
                    ))}
                  </li>
                ))}
              </ul>
            </section>
          )}
        </div>
        <aside class="stack" aria-label="About this learning">
          <Chain page={page} />
          <section class="panel">
            <h2>Links</h2>
            {links.length === 0 ? (
              <p class="soft">None.</p>
            ) : (
              <ul class="list-plain">
                {links.map(({ from, relation, to }) => (
                  <li key={`${relation} ${from} ${to}`}>
                    <span class="soft">{relation.replaceAll("_", " ")}</span>{" "}
                    <RecordLink id={to === id ? from : to} />
                  </li>
                ))}
              </ul>
            )}
          </section>
          <section class="panel">
            <h2>Details</h2>
            <dl class="facts">
              <dt>Learned</dt>
              <dd>{fullTime(learning.createdAt)}</dd>
              {learning.last_used && (
                <>
                  <dt>Last shown</dt>
                  <dd>{fullTime(learning.last_used)}</dd>
                </>
              )}
              {learning.files && learning.files.length > 0 && (
                <>
                  <dt>Files</dt>
                  <dd>
                    {learning.files.map((file) => (
                      <div key={file}>
                        <FilePath path={file} />
                      </div>
                    ))}
                  </dd>
                </>
              )}
              {learning.conditions && learning.conditions.length > 0 && (
                <>
                  <dt>Applies when</dt>
                  <dd>{learning.conditions.join("; ")}</dd>
                </>
              )}
            </dl>
          </section>
        </aside>
      </div>
      {asking === "reword" && (
        <StatementDialog
          title="Reword this learning"
          statement={statement}
          action="Save"
          onSave={reword}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking === "retire" && (
        <Dialog title="Retire this learning?" onClose={() => setAsking(undefined)}>
          <p>{statement}</p>
          <p class="soft">
            No brief shows it any more, and neither an import nor a later task brings it back.
          </p>
          <p class="row">
            <button type="button" class="button is-bad" onClick={retire}>
              Retire
            </button>
            <button type="button" class="button" onClick={() => setAsking(undefined)}>
              Cancel
            </button>
          </p>
        </Dialog>
      )}
    </>
  );
}

function Chain({ page: { older, newer, statement, id } }: { page: LearningPageView }) {
  if (older.length === 0 && newer.length === 0) return null;
  return (
    <section class="panel">
      <h2>Superseded chain</h2>
      <ol class="trail">
        {newer.toReversed().map((each, index) => (
          <li key={each.id}>
            <p class="small soft">{index === 0 ? "holds today" : "replaced"}</p>
            <Link to={`/learnings/${each.id}`}>{each.statement}</Link>
          </li>
        ))}
        <li>
          <p class="small soft">{newer.length === 0 ? "holds today (this one)" : "replaced (this one)"}</p>
          <span title={id}>{statement}</span>
        </li>
        {older.map((each) => (
          <li key={each.id}>
            <p class="small soft">replaced</p>
            <Link to={`/learnings/${each.id}`}>{each.statement}</Link>
          </li>
        ))}
      </ol>
    </section>
  );
}
