import { earlyHeading, type Reflection } from "../../domain/tasks/reflection.js";
import type { TaskPage } from "../routes/task-routes.js";
import type { ShownText } from "../views/shown-text.js";
import type { ActionView, AttemptView, IterationView } from "../views/task-view.js";
import { badge, percent, spanMs, told, tookTime } from "./format-values.js";
import { html, type Markup } from "./html.js";

/** A task with its timeline and everything below it, folded. */
export function taskReport(task: TaskPage): Markup {
  const { attempts, earlyReflections: early, learned, shown } = task;
  return html`<section class="stack is-loose" id="${task.id}">
    <header class="head"><div>
      <p class="crumb mono">${task.id}</p>
      <h1>${task.description}</h1>
      <p class="row small soft">${badge(task.status)} <span>created ${told(task.created)}</span> <span>updated ${told(task.updated)}</span></p>
    </div></header>
    ${attempts.length === 0 ? html`<p class="empty">No attempt was made yet.</p>` : timeline(attempts)}
    ${early.length > 0 && html`<section class="panel stack"><h2>${earlyHeading}</h2>${reflectionList(early)}</section>`}
    ${attempts.map(attemptReport)}
    <div class="columns">
      <section class="panel"><h2>Learned from it</h2>${
        learned.length === 0
          ? html`<p class="soft">Nothing yet.</p>`
          : html`<ul class="list-plain">${learned.map(
              ({ type, statement, id }) =>
                html`<li>${badge(type)} ${statement} <span class="soft mono small">${id}</span></li>`,
            )}</ul>`
      }</section>
      <section class="panel"><h2>Shown to its agent</h2>${
        shown.records.length === 0
          ? html`<p class="soft">${shown.isHoldout ? "Nothing from other tasks: it is in the control group." : "Nothing from other tasks."}</p>`
          : html`<ul class="list-plain">${shown.records.map(
              ({ id, kind, statement }) =>
                html`<li>${badge(kind)} <span class="mono small">${id}</span> ${statement}</li>`,
            )}</ul>`
      }</section>
    </div>
  </section>`;
}

const laneHeight = 44;

/** Iterations as boxes in proportion to time, one line for each attempt. */
function timeline(attempts: readonly AttemptView[]): Markup {
  const longestMs = Math.max(1, ...attempts.map(({ started, to }) => spanMs(started, to)));
  const share = (ms: number) => `${((ms / longestMs) * 100).toFixed(3)}%`;
  return html`<figure class="panel">
    <figcaption class="section-head"><h2>Timeline</h2><span class="soft small">as wide as the longest attempt, ${tookTime("1970-01-01T00:00:00Z", new Date(longestMs).toISOString())}</span></figcaption>
    ${attempts.map((attempt) => {
      const offset = ({ from }: { from: string }) => share(spanMs(attempt.started, from));
      return html`<div class="lane"><div class="lane-name"><strong>Attempt ${attempt.id}</strong><div class="soft">${attempt.isRunning ? "running" : (attempt.outcome?.status ?? "ended")}, ${tookTime(attempt.started, attempt.to)}</div></div>
      <svg class="lane-svg" width="100%" height="${laneHeight}" role="img" aria-label="Iterations of attempt ${attempt.id}">
        ${attempt.iterations.map(
          (
            iteration,
          ) => html`<rect class="box-${toneOf(iteration)}" x="${offset(iteration)}" y="2" width="${share(spanMs(iteration.from, iteration.to))}" height="${laneHeight - 12}" rx="3"><title>Iteration ${iteration.iteration}: ${verdictOf(iteration)}, ${tookTime(iteration.from, iteration.to)}</title></rect>
          <text x="${offset(iteration)}" dx="6" y="22">${iteration.iteration}${iteration.success === undefined ? "" : iteration.success ? " ✓" : " ✗"}</text>
          ${iteration.actions.map(
            ({ at }) =>
              html`<line class="tick" x1="${offset({ from: at })}" x2="${offset({ from: at })}" y1="${laneHeight - 8}" y2="${laneHeight - 2}"></line>`,
          )}`,
        )}
      </svg></div>`;
    })}
  </figure>`;
}

function toneOf({ success }: IterationView): string {
  return success === undefined ? "plain" : success ? "ok" : "bad";
}

function verdictOf({ success }: IterationView): string {
  return success === undefined ? "not judged" : success ? "passed" : "failed";
}

function attemptReport(attempt: AttemptView): Markup {
  const { outcome, files, errors, reflections, iterations } = attempt;
  return html`<section class="panel stack">
    <div class="section-head"><h2>Attempt ${attempt.id}</h2><span class="soft small">${told(attempt.started)}${attempt.agent === undefined ? "" : `, ${attempt.agent}`}</span></div>
    ${outcome && html`<p>${badge(outcome.status)} ${outcome.reason ?? ""} ${outcome.final_quality === undefined ? "" : `quality ${percent(outcome.final_quality)}`}</p>`}
    ${listed("What worked", outcome?.what_worked ?? [])}
    ${listed("What did not", outcome?.what_didnt_work ?? [])}
    ${
      files.length > 0 &&
      html`<div><h3>Changed files</h3><ul class="list-plain small">${files.map(
        ({ path, added, removed }) =>
          html`<li><code>${path}</code> <span class="plus">+${added}</span> <span class="minus">−${removed}</span></li>`,
      )}</ul></div>`
    }
    ${
      errors.length > 0 &&
      html`<div><h3>Failures, and what resolved them</h3><ul class="list-plain small">${errors.map(
        ({ message, resolution }) =>
          html`<li><div>✗ ${message}</div>${resolution === undefined ? html`<div class="soft">not resolved here</div>` : html`<div class="remedy">→ ${resolution}</div>`}</li>`,
      )}</ul></div>`
    }
    ${
      reflections.length > 0 &&
      html`<details><summary>Reflections (${reflections.length})</summary>${reflectionList(reflections)}</details>`
    }
    ${attempt.plan && html`<details><summary>The plan and the brief that it started with</summary>${text(attempt.plan)}</details>`}
    ${iterations.map(iterationReport)}
  </section>`;
}

function reflectionList(reflections: readonly Reflection[]): Markup {
  return html`<ul class="list-plain">${reflections.map(
    ({ observation, analysis, learning, action_items: items }) =>
      html`<li>${observation !== learning && html`<p>${observation}</p>`}<p class="soft">${analysis}</p><p class="statement">${learning}</p>${listed("", items)}</li>`,
  )}</ul>`;
}

function iterationReport(iteration: IterationView): Markup {
  const { from, to, quality, trouble, actions, said, output } = iteration;
  return html`<details class="iteration"><summary>Iteration ${iteration.iteration}: ${verdictOf(iteration)}, ${tookTime(from, to)}, ${actions.length} actions${quality === undefined ? "" : `, quality ${percent(quality)}`}</summary>
    <div class="stack">
    ${trouble && html`<p class="note">${trouble}</p>`}
    ${actions.length > 0 && html`<div>${actions.map(actionReport)}</div>`}
    ${said && html`<div><h3>What the agent said</h3>${text(said)}</div>`}
    ${output && html`<div><h3>What the check printed</h3>${text(output)}</div>`}
    </div></details>`;
}

function actionReport({ tool, subject, success, output, error, reasoning }: ActionView): Markup {
  const line = html`<span class="${success ? "yes" : "no"}">${success ? "✓" : "✗"}</span><span>${tool}</span><span class="subject">${subject}</span><span></span>`;
  const texts = [reasoning, error, output].flatMap((each) => (each === undefined ? [] : [text(each)]));
  return texts.length === 0
    ? html`<div class="act is-plain">${line}</div>`
    : html`<details class="act"><summary>${line}</summary><div class="stack">${texts}</div></details>`;
}

function listed(title: string, lines: readonly string[]): Markup | false {
  return (
    lines.length > 0 &&
    html`<div>${title !== "" && html`<h3>${title}</h3>`}<ul class="bullets">${lines.map((line) => html`<li>${line}</li>`)}</ul></div>`
  );
}

function text({ text: shown, length, isClipped }: ShownText): Markup {
  return html`<pre class="text">${shown}</pre>${isClipped && html`<p class="more">The first ${shown.length} of ${length} characters.</p>`}`;
}
