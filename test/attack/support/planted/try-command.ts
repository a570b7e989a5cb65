import { join } from "node:path";
import type { TriedCommand } from "./commands.js";
import { comparePrints, filesWith, printFolder } from "./folder-print.js";
import { type Home, type Lane, outsideWord, printOutside, restoreOutside, runIn } from "./lanes.js";
import type { MeasuredRun } from "./measured-run.js";

/** With the start on a busy machine. */
const limitsMs = { hook: 5_000, other: 20_000 };
const mostMegabytes = 600;

export interface Tried {
  run: MeasuredRun;
  /** What must never happen, whatever is in a project. */
  wrong: string[];
}

/** Runs a command in the project of a lane as it is now. */
export async function tryCommand(lane: Lane, command: TriedCommand, home: Home): Promise<Tried> {
  const precious = join(lane.project, "precious.txt");
  const before = printOutside(lane);
  const inside = printFolder(precious);
  const limitMs = command.isHook ? limitsMs.hook : limitsMs.other;
  const run = await runIn(lane, command.args, { home, input: command.input?.(lane) ?? "", limitMs });
  const wrong = comparePrints(before, printOutside(lane));
  if (wrong.length > 0) restoreOutside(lane);
  wrong.push(...comparePrints(inside, printFolder(precious)).map((change) => `${change} of precious.txt`));
  if (run.isHung) wrong.push(`did not end in ${limitMs / 1000} s`);
  else if (run.signal !== null) wrong.push(`ended by ${run.signal}`);
  else if (command.isHook && run.status !== 0) wrong.push(`a hook ended with ${run.status}`);
  if (run.peakMegabytes > mostMegabytes) wrong.push(`took ${run.peakMegabytes} MB`);
  if (/^\s+at .*:\d+:\d+\)?$/m.test(run.stderr)) wrong.push(`broke: ${firstError(run.stderr)}`);
  if (`${run.stdout}${run.stderr}`.includes(outsideWord)) wrong.push("showed what is outside");
  wrong.push(...filesWith(lane.project, outsideWord).map((name) => `copied what is outside to ${name}`));
  return { run, wrong };
}

function firstError(stderr: string): string {
  return /^.*Error.*$/m.exec(stderr)?.[0].slice(0, 120) ?? stderr.slice(0, 120);
}
