import { contentText, objectOf, textOf } from "../../agents/streams/fields.js";
import type { SessionBuilder } from "../build-session.js";
import type { Row } from "../read-rows.js";

const silentParts = new Set([
  ...[
    "step-start",
    "step-finish",
    "reasoning",
    "snapshot",
    "patch",
    "agent",
    "retry",
    "compaction",
    "file",
    "subtask",
  ],
]);

/** A message of opencode with its parts, from its database or an export. */
export function readOpencodeMessage(
  build: SessionBuilder,
  info: Row,
  parts: readonly Row[],
  isSubagent: boolean,
): void {
  const isUser = info.role === "user";
  build.at(objectOf(info.time).created);
  if (isUser && !isSubagent)
    build.prompt(
      parts
        .filter(({ type, synthetic, ignored }) => type === "text" && synthetic !== true && ignored !== true)
        .map(({ text }) => textOf(text))
        .join("\n"),
    );
  for (const part of parts) {
    const type = textOf(part.type);
    build.at(objectOf(objectOf(part.state).time).start ?? objectOf(part.time).start);
    if (type === "text") {
      if (!isUser && !isSubagent && info.summary !== true) build.run.say(textOf(part.text).trim());
    } else if (type === "tool") readCall(build, part);
    else if (!silentParts.has(type)) build.countUnknown(`part ${type || "without a type"}`);
  }
  if (objectOf(info.error).name === "MessageAbortedError") build.interrupt();
}

function readCall(build: SessionBuilder, part: Row): void {
  const state = objectOf(part.state);
  const { start, end } = objectOf(state.time);
  const id = textOf(part.callID) || textOf(part.id);
  const tool = textOf(part.tool) || "tool";
  if (state.status !== "completed" && state.status !== "error") return;
  build.run.startTool(id, tool, state.input, start);
  if (state.status === "error" && /rejected permission|dismissed/i.test(textOf(state.error))) {
    build.refuse(id);
    return;
  }
  build.at(end);
  const { exit, output: printed } = objectOf(state.metadata);
  const isExitBad = typeof exit === "number" && exit !== 0;
  const isSuccess = state.status !== "error" && !isExitBad && tool !== "invalid";
  const output = typeof printed === "string" ? printed : contentText(state.output);
  const error = isSuccess ? "" : isExitBad ? `Exit code ${exit}` : textOf(state.error) || output;
  build.run.endTool(id, { isSuccess, output: output === error ? "" : output, error }, end);
}
