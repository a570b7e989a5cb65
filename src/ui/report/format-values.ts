import { renderDuration } from "../../domain/duration.js";
import { html, type Markup } from "./html.js";

const time = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "long" });

/** In the zone of whoever writes the report, which it names: a file without a script cannot know its reader's. */
export function told(at: string): Markup {
  const ms = Date.parse(at);
  return html`<time datetime="${at}">${Number.isNaN(ms) ? at : time.format(ms)}</time>`;
}

export function spanMs(from: string, to: string): number {
  return Math.max(0, Date.parse(to) - Date.parse(from));
}

export function tookTime(from: string, to: string): string {
  return renderDuration(spanMs(from, to));
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

export function figure(value: number): string {
  return String(Math.abs(value) < 100 ? Math.round(value * 100) / 100 : Math.round(value));
}

const tones: Readonly<Record<string, readonly [string, string]>> = {
  running: ["live", "●"],
  paused: ["warn", "‖"],
  completed: ["ok", "✓"],
  success: ["ok", "✓"],
  better: ["ok", "✓"],
  failed: ["bad", "✗"],
  failure: ["bad", "✗"],
  timeout: ["bad", "✗"],
  worse: ["bad", "✗"],
};

export function badge(word: string): Markup {
  const [tone, sign] = tones[word] ?? ["plain", ""];
  const shown = sign !== "" && html`<span aria-hidden="true">${sign}</span>`;
  return html`<span class="badge is-${tone}">${shown}${word}</span>`;
}
