import { useContext, useState } from "preact/hooks";
import { earlyHeading, type Reflection } from "../../src/domain/tasks/reflection.js";
import type { TaskPage as TaskPageView } from "../../src/ui/routes/task-routes.js";
import type { ActionView, AttemptView, IterationView } from "../../src/ui/views/task-view.js";
import { get, useLoaded } from "../api.js";
import { type Chosen, Timeline } from "../charts/timeline.js";
import { LiveRuns } from "../live-context.js";
import { useOnChange } from "../on-change.js";
import { Badge, StateBadge, Tags, Verdict } from "../parts/badges.js";
import { useChange } from "../parts/change.js";
import { ClippedText } from "../parts/clipped-text.js";
import { FilePath } from "../parts/file-path.js";
import { Head } from "../parts/head.js";
import { Link, RecordLink } from "../parts/link.js";
import { Empty, Ready } from "../parts/state.js";
import { Ago } from "../parts/time.js";
import { goTo, type Place, withQuery } from "../router.js";
import { between, clockTime, counted, duration, fullTime, percent } from "../words.js";

export function TaskPage({ id, place }: { id: string; place: Place }) {
  const loaded = useLoaded<TaskPageView>(`/api/tasks/${encodeURIComponent(id)}`);
  const { runs } = useContext(LiveRuns);
  const own = runs?.find((run) => run.taskId === id);
  const progress = own && `${own.state} ${own.attempt} ${own.iterations.length} ${own.actions}`;
  useOnChange(progress, loaded.reload);
  return (
    <>
      {loaded.value === undefined && <Head title={id} crumb={<Link to="/tasks">Tasks</Link>} />}
      <Ready loaded={loaded}>{(task) => <TaskDetail task={task} place={place} />}</Ready>
    </>
  );
}

function TaskDetail({ task, place: { query } }: { task: TaskPageView; place: Place }) {
  const { attempts } = task;
  const wanted = Number(query.get("attempt")) || attempts.at(-1)?.id || 0;
  const attempt = attempts.find(({ id }) => id === wanted) ?? attempts.at(-1);
  const last = attempt?.iterations.at(-1)?.iteration ?? 0;
  const iteration = attempt?.iterations.find(
    (each) => String(each.iteration) === (query.get("iteration") ?? String(last)),
  );
  const choose = ({ attempt: at, iteration: number }: Chosen) =>
    goTo(withQuery({ attempt: `${at}`, iteration: `${number}` }), { isReplaced: true });
  const totalMs = attempts.reduce((sum, { started, to }) => sum + between(started, to), 0);
  return (
    <>
      <Head
        title={task.description}
        crumb={
          <>
            <Link to="/tasks">Tasks</Link> / <span class="mono">{task.id}</span>
          </>
        }
      >
        <p class="row small">
          <StateBadge state={task.status} />
          <span>
            {counted(attempts.length, "attempt")}, {duration(totalMs)} of work
          </span>
          <span title={fullTime(task.updated)}>
            updated <Ago time={task.updated} />
          </span>
          {task.agent && <span>{task.agent}</span>}
          <Tags tags={task.tags} path="/tasks" />
        </p>
      </Head>
      {attempts.length === 0 ? (
        <Empty title="No attempt yet">
          <p>The timeline begins with the first attempt at this task.</p>
        </Empty>
      ) : (
        <section class="panel" aria-label="Timeline">
          <Timeline
            attempts={attempts}
            chosen={attempt && iteration && { attempt: attempt.id, iteration: iteration.iteration }}
            onChoose={choose}
          />
        </section>
      )}
      <div class="split task-body">
        <div class="stack">
          <Reflections title={earlyHeading} reflections={task.earlyReflections} />
          {attempt && <AttemptDetail task={task} attempt={attempt} iteration={iteration} />}
        </div>
        <aside class="stack" aria-label="About this task">
          <Around task={task} />
        </aside>
      </div>
    </>
  );
}

function Around({ task }: { task: TaskPageView }) {
  const { learned, shown, links, related_tasks: related } = task;
  return (
    <>
      <section class="panel">
        <h2>Learned from it</h2>
        {learned.length === 0 ? (
          <p class="soft">Nothing yet.</p>
        ) : (
          <ul class="list-plain">
            {learned.map(({ id, type, statement }) => (
              <li key={id}>
                <Badge word={type} /> <Link to={`/learnings/${id}`}>{statement}</Link>
              </li>
            ))}
          </ul>
        )}
      </section>
      <section class="panel">
        <h2>Shown to its agent</h2>
        {shown.isHoldout ? (
          <p class="soft">Nothing from other tasks: it is in the control group.</p>
        ) : shown.records.length === 0 ? (
          <p class="soft">Nothing from other tasks.</p>
        ) : (
          <ul class="list-plain">
            {shown.records.map(({ id, kind, statement }) => (
              <li key={id}>
                <Badge word={kind} /> <RecordLink id={id} /> <span class="soft">{statement}</span>
              </li>
            ))}
          </ul>
        )}
      </section>
      {(links.length > 0 || related.length > 0) && (
        <section class="panel">
          <h2>Links</h2>
          <ul class="list-plain">
            {links.map(({ from, relation, to }) => (
              <li key={`${relation} ${from} ${to}`}>
                <span class="soft">{relation.replaceAll("_", " ")}</span>{" "}
                <RecordLink id={to === task.id ? from : to} />
              </li>
            ))}
            {related.map((id) => (
              <li key={id}>
                <span class="soft">related to</span> <RecordLink id={id} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <section class="panel">
        <h2>Details</h2>
        <dl class="facts">
          <dt>Created</dt>
          <dd>{fullTime(task.created)}</dd>
          {task.completed && (
            <>
              <dt>Completed</dt>
              <dd>{fullTime(task.completed)}</dd>
            </>
          )}
          {task.completion_criteria && (
            <>
              <dt>Done when</dt>
              <dd>{task.completion_criteria}</dd>
            </>
          )}
          {task.constraints.length > 0 && (
            <>
              <dt>Constraints</dt>
              <dd>{task.constraints.join("; ")}</dd>
            </>
          )}
          <dt>To send</dt>
          <dd>
            <code>ralph report {task.id}</code>
          </dd>
        </dl>
      </section>
    </>
  );
}

function AttemptDetail({
  task,
  attempt,
  iteration,
}: {
  task: TaskPageView;
  attempt: AttemptView;
  iteration: IterationView | undefined;
}) {
  const { outcome, errors, reflections, files } = attempt;
  const whole = (rest: string) => `/api/tasks/${task.id}/text?attempt=${attempt.id}&${rest}`;
  return (
    <>
      {iteration && (
        <section class="panel stack" aria-label={`Iteration ${iteration.iteration}`}>
          <div class="section-head">
            <h2>
              Iteration {iteration.iteration} <Verdict success={iteration.success} />
            </h2>
            <span class="soft small">
              {clockTime(iteration.from)} to {clockTime(iteration.to)},{" "}
              {duration(between(iteration.from, iteration.to))}
              {iteration.quality !== undefined && `, quality ${percent(iteration.quality)}`}
            </span>
          </div>
          {iteration.trouble && <p class="note">{iteration.trouble}</p>}
          <Actions task={task.id} attempt={attempt} actions={iteration.actions} />
          {iteration.said && (
            <div>
              <h3>What the agent said</h3>
              <ClippedText
                text={iteration.said}
                whole={whole(`part=said&iteration=${iteration.iteration}`)}
              />
            </div>
          )}
          {iteration.output && (
            <div>
              <h3>What the check printed</h3>
              <ClippedText
                text={iteration.output}
                whole={whole(`part=output&iteration=${iteration.iteration}`)}
              />
            </div>
          )}
        </section>
      )}
      <section class="panel stack">
        <div class="section-head">
          <h2>Attempt {attempt.id}</h2>
          <span class="soft small">
            {fullTime(attempt.started)}
            {attempt.agent ? `, ${attempt.agent}` : ""}
          </span>
        </div>
        {outcome && (
          <p>
            <StateBadge state={outcome.status} /> {outcome.reason}
            {outcome.final_quality !== undefined && (
              <span class="soft"> quality {percent(outcome.final_quality)}</span>
            )}
          </p>
        )}
        <Listed title="What worked" lines={outcome?.what_worked ?? []} />
        <Listed title="What did not work" lines={outcome?.what_didnt_work ?? []} />
        {files.length > 0 && (
          <div>
            <h3>Changed files</h3>
            <ul class="list-plain small">
              {files.map(({ path, added, removed }) => (
                <li key={path} class="row">
                  <FilePath path={path} />
                  <span class="plus">+{added}</span>
                  <span class="minus">−{removed}</span>
                </li>
              ))}
            </ul>
          </div>
        )}
        {errors.length > 0 && (
          <div>
            <h3>Failures, and what resolved them</h3>
            <ul class="list-plain small">
              {errors.map(({ type, message, resolution }) => (
                <li key={`${type} ${message}`}>
                  <div>
                    <span class="no" aria-hidden="true">
                      ✗{" "}
                    </span>
                    <span class="soft">{type}:</span> {message}
                  </div>
                  {resolution ? (
                    <div class="remedy">
                      <span aria-hidden="true">→ </span>
                      {resolution}
                    </div>
                  ) : (
                    <div class="soft">not resolved here</div>
                  )}
                </li>
              ))}
            </ul>
          </div>
        )}
        {attempt.plan && (
          <details>
            <summary>The plan and the brief that it started with</summary>
            <ClippedText text={attempt.plan} whole={whole("part=plan")} />
          </details>
        )}
      </section>
      <Reflections title="Reflections" reflections={reflections} />
    </>
  );
}

function Reflections({ title, reflections }: { title: string; reflections: readonly Reflection[] }) {
  if (reflections.length === 0) return null;
  return (
    <section class="panel">
      <h2>{title}</h2>
      <ul class="list-plain reflections">
        {reflections.map((reflection) => (
          <li key={reflection.timestamp + reflection.observation}>
            <p class="row small soft">
              <Badge word={reflection.reflection_type} />
              {reflection.iteration !== undefined && <span>after iteration {reflection.iteration}</span>}
              {reflection.effectiveness && <span>rated {reflection.effectiveness}</span>}
            </p>
            {reflection.observation !== reflection.learning && <p>{reflection.observation}</p>}
            {reflection.analysis && <p class="soft">{reflection.analysis}</p>}
            {reflection.learning && <p class="statement">{reflection.learning}</p>}
            {reflection.action_items.length > 0 && (
              <ul class="bullets">
                {reflection.action_items.map((item) => (
                  <li key={item}>{item}</li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Listed({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <div>
      <h3>{title}</h3>
      <ul class="bullets">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  );
}

function Actions({
  task,
  attempt,
  actions,
}: {
  task: string;
  attempt: AttemptView;
  actions: readonly ActionView[];
}) {
  const [further, setFurther] = useState<ActionView[]>([]);
  const change = useChange();
  const shown = [...actions, ...further];
  const left = attempt.actionsLeftOut - further.length;
  const isLast = actions.at(-1) === attempt.iterations.at(-1)?.actions.at(-1);
  const more = () =>
    change(async () => {
      const from = (shown.at(-1)?.step ?? 0) + 1;
      const next = await get<ActionView[]>(`/api/tasks/${task}/actions?attempt=${attempt.id}&from=${from}`);
      setFurther((before) => [...before, ...next]);
    }, "More actions are shown");
  if (shown.length === 0)
    return <p class="soft small">{attempt.actionsSummary ?? "No actions were recorded."}</p>;
  return (
    <div>
      <h3>{counted(shown.length, "action")}</h3>
      {shown.map((action) => (
        <Action key={action.step} {...{ task, attempt, action }} />
      ))}
      {isLast && left > 0 && (
        <p class="more">
          <span>{counted(left, "more action")}</span>
          <button type="button" class="button" onClick={more}>
            Show more
          </button>
        </p>
      )}
    </div>
  );
}

const doers = { agent: "", git: "found by Git", check: "check" };

function Action({ task, attempt, action }: { task: string; attempt: AttemptView; action: ActionView }) {
  const { step, tool, subject, success, by, tookMs, output, error, reasoning } = action;
  const line = (
    <>
      <Verdict success={success} />
      <span>{tool}</span>
      <span class="subject">{subject}</span>
      <span class="soft nowrap">{doers[by] || duration(tookMs)}</span>
    </>
  );
  if (output === undefined && error === undefined && reasoning === undefined)
    return <div class="act is-plain">{line}</div>;
  const whole = (part: string) => `/api/tasks/${task}/text?attempt=${attempt.id}&step=${step}&part=${part}`;
  return (
    <details class="act">
      <summary>{line}</summary>
      <div class="stack">
        {reasoning && <ClippedText text={reasoning} whole={whole("reasoning")} />}
        {error && <ClippedText text={error} whole={whole("error")} />}
        {output && <ClippedText text={output} whole={whole("output")} />}
      </div>
    </details>
  );
}
