import { useContext, useState } from "preact/hooks";
import type { NowView } from "../../src/ui/routes/run-routes.js";
import type { RunView } from "../../src/ui/views/run-view.js";
import { post, useLoaded } from "../api.js";
import { LiveRuns } from "../live-context.js";
import { useOnChange } from "../on-change.js";
import { Badge, StateBadge, Verdict } from "../parts/badges.js";
import { useChange } from "../parts/change.js";
import { Head } from "../parts/head.js";
import { Link } from "../parts/link.js";
import { Empty, ProblemPanel, Ready } from "../parts/state.js";
import { Ago, Elapsed } from "../parts/time.js";
import { cost, count, counted } from "../words.js";

export function NowPage() {
  const loaded = useLoaded<NowView>("/api/now");
  const { runs: liveRuns, problem, isConnected } = useContext(LiveRuns);
  const ids = liveRuns?.map(({ id, isActive }) => `${id} ${isActive}`).join(" ");
  // A run that began or ended changes the list of tasks below.
  useOnChange(ids, loaded.reload);
  return (
    <>
      <Head
        title="Now"
        actions={
          isConnected ? (
            <Badge tone="live" sign="●" word="live" />
          ) : (
            <Badge tone="warn" sign="!" word="not connected" />
          )
        }
      >
        <p>What is running in this project, and what waits to be gone on with.</p>
      </Head>
      {problem && <ProblemPanel problem={problem} />}
      <Ready loaded={loaded}>
        {({ runs: first, recent }) => {
          const runs = liveRuns ?? first;
          const active = runs.filter(({ isActive }) => isActive);
          const paused = runs.filter(({ isActive }) => !isActive);
          return (
            <div class="stack is-loose">
              <section class="stack" aria-label="Running">
                {active.length === 0 ? (
                  <Empty title="Nothing is running">
                    <p>A run appears here by itself, whichever terminal it is started in:</p>
                    <pre>ralph run "Fix the failing test" --verify "npm test"</pre>
                  </Empty>
                ) : (
                  active.map((run) => <RunCard key={run.id} run={run} />)
                )}
              </section>
              {paused.length > 0 && (
                <section class="stack" aria-label="Paused">
                  <h2>Paused</h2>
                  {paused.map((run) => (
                    <RunCard key={run.id} run={run} />
                  ))}
                </section>
              )}
              {recent.length > 0 && (
                <section>
                  <div class="section-head">
                    <h2>Latest tasks</h2>
                    <Link to="/tasks">All tasks</Link>
                  </div>
                  <div class="table-frame">
                    <table class="table is-stacked">
                      <thead>
                        <tr>
                          <th scope="col">Task</th>
                          <th scope="col">Objective</th>
                          <th scope="col">State</th>
                          <th scope="col" class="number">
                            Attempts
                          </th>
                          <th scope="col">Updated</th>
                        </tr>
                      </thead>
                      <tbody>
                        {recent.map(({ id, description, status, total_attempts: attempts, updated }) => (
                          <tr key={id} class="is-linked">
                            <td class="nowrap">
                              <Link to={`/tasks/${id}`} class="mono">
                                {id}
                              </Link>
                            </td>
                            <td class="wide">{description}</td>
                            <td>
                              <StateBadge state={status} />
                            </td>
                            <td class="number" data-name="attempts">
                              {attempts}
                            </td>
                            <td class="nowrap soft">
                              <Ago time={updated} />
                            </td>
                          </tr>
                        ))}
                      </tbody>
                    </table>
                  </div>
                </section>
              )}
            </div>
          );
        }}
      </Ready>
    </>
  );
}

function RunCard({ run }: { run: RunView }) {
  const { taskId, state, isActive, iterations, usage, lastActions, verify, left } = run;
  const isOpen = isActive && iterations.length < run.maxIterations;
  const next = (iterations.at(-1)?.iteration ?? 0) + 1;
  return (
    <article class="panel run" aria-label={`Run of ${taskId}`}>
      <div class="run-top">
        <div>
          <h3>
            <Link to={`/tasks/${taskId}`}>{run.objective}</Link>
          </h3>
          <p class="row soft small">
            <StateBadge state={state} />
            <span class="mono">{taskId}</span>
            <span>{run.agent}</span>
            {run.folder && <span class="mono">{run.folder}</span>}
          </p>
        </div>
        <RunActions run={run} />
      </div>
      <div class="mini" role="img" aria-label={`${counted(iterations.length, "iteration")} in this attempt`}>
        {iterations.map(({ iteration, success }) => (
          <span key={iteration} class={success === undefined ? "" : success ? "is-ok" : "is-bad"}>
            {success === undefined ? iteration : success ? "✓" : "✗"}
          </span>
        ))}
        {isOpen && <span class="is-live pulse">{next}</span>}
      </div>
      <dl class="run-facts">
        <Fact name="attempt" value={attemptOf(run)} />
        <Fact name="iterations in all" value={`${run.totalIterations}`} />
        <Fact name="actions" value={count(run.actions)} />
        <div>
          <dt>{isActive ? "running for" : "ran for"}</dt>
          <dd>
            <Elapsed from={run.begun} to={run.ended} />
          </dd>
        </div>
        <Fact name="tokens" value={count(usage.inputTokens + usage.outputTokens)} />
        <Fact
          name="cost"
          value={`${cost(usage.costUsd)}${run.maxCostUsd === undefined ? "" : ` of ${cost(run.maxCostUsd)}`}`}
        />
      </dl>
      {verify.length > 0 && (
        <p class="small soft">
          Checked by{" "}
          {verify.map((command) => (
            <code key={command}>{command} </code>
          ))}
        </p>
      )}
      {run.evidence && <p class="small soft">{run.evidence}</p>}
      {left.length > 0 && (
        <p class="note">
          The run is gone, but {counted(left.length, "process", "processes")} of its agent still run: stop it.
        </p>
      )}
      {lastActions.length > 0 && (
        <ol class="acts" aria-label="Last actions">
          {lastActions.map(({ timestamp, tool, subject, success }) => (
            <li key={`${timestamp} ${tool} ${subject}`}>
              <Verdict success={success} />
              <span>{tool}</span>
              <span class="subject">{subject}</span>
              <span class="soft nowrap">
                <Ago time={timestamp} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </article>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function RunActions({ run: { taskId, isActive, isResumable, left, state } }: { run: RunView }) {
  const change = useChange();
  const [isBusy, setBusy] = useState(false);
  const act = async (path: string, done: string, body = {}) => {
    setBusy(true);
    await change(() => post(`/api/runs/${taskId}/${path}`, body), done);
    setBusy(false);
  };
  const isElsewhere = state === "running elsewhere";
  return (
    <div class="row">
      {(isActive || left.length > 0) && (
        <button
          type="button"
          class="button is-bad"
          disabled={isBusy}
          onClick={() => act("stop", `${taskId} was stopped`, isElsewhere ? { force: true } : {})}
        >
          {isBusy ? "Stopping…" : isElsewhere ? "Take it over and stop" : "Stop"}
        </button>
      )}
      {!isActive &&
        (isResumable ? (
          <button
            type="button"
            class="button is-main"
            disabled={isBusy}
            onClick={() => act("resume", `${taskId} goes on`)}
          >
            {isBusy ? "Resuming…" : "Resume"}
          </button>
        ) : (
          <span class="soft small">cannot be resumed: its check holds a secret, which was not stored</span>
        ))}
    </div>
  );
}

/** A run that is resumed goes on beyond those that were planned. */
function attemptOf({ attempt, maxAttempts }: RunView): string {
  return attempt > maxAttempts ? count(attempt) : `${count(attempt)} of ${count(maxAttempts)}`;
}
