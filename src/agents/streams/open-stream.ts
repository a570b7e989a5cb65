import { StringDecoder } from "node:string_decoder";
import type { Clock } from "../../domain/clock.js";
import { isObject } from "../../domain/shape.js";
import type { AgentOutput } from "../../domain/tasks/agent.js";
import type { AgentEvent, MessageReader } from "./agent-event.js";
import { readClaude } from "./claude.js";
import { readCodex } from "./codex.js";
import { readGemini } from "./gemini.js";
import { splitJsonLines } from "./json-lines.js";
import { readOpencode } from "./opencode.js";
import { type RunRecord, recordRun } from "./record-run.js";

/** Takes an agent's output in pieces of any size and tells what the agent does. */
export interface AgentStream {
  push(chunk: Buffer): void;
  /** Tells what is left, and the final event. */
  end(): void;
}

const readers: Record<Exclude<AgentOutput, "text">, (run: RunRecord) => MessageReader> = {
  "claude-stream-json": readClaude,
  "codex-json": readCodex,
  "gemini-stream-json": readGemini,
  "opencode-json": readOpencode,
};

const maxLineBytes = 16 * 1024 * 1024;
const maxReported = 5;
const maxExcerpt = 200;

/** Whatever comes, reading goes on: what cannot be understood is told as a problem. */
export function openAgentStream(
  output: AgentOutput,
  onEvent: (event: AgentEvent) => void,
  clock: Clock,
): AgentStream {
  const run = recordRun(onEvent, clock);
  return output === "text" ? openText(run, onEvent) : openJson(readers[output](run), run, onEvent);
}

function openJson(reader: MessageReader, run: RunRecord, onEvent: (event: AgentEvent) => void): AgentStream {
  let strange = 0;
  const reportStrange = (what: string) => {
    strange += 1;
    if (strange <= maxReported) run.report(what);
  };
  const readMessage = (message: Record<string, unknown>) => {
    try {
      reader.read(message);
    } catch (error) {
      // Nested deeper than the stack.
      if (!(error instanceof RangeError)) throw error;
      reportStrange("a message was too deep to be read");
    }
  };
  const lines = splitJsonLines(maxLineBytes, {
    onLine(line) {
      const message = parseObject(line);
      if (message === undefined) reportStrange(`not JSON: ${excerpt(line)}`);
      else readMessage(message);
    },
    onOther: (line) => reportStrange(`not JSON: ${excerpt(line)}`),
    onLongLine: (bytes) => reportStrange(`a line of ${Math.round(bytes / 1024 / 1024)} MB was left out`),
  });
  return {
    push: lines.push,
    end() {
      lines.end();
      run.abandonTools();
      if (strange > maxReported)
        run.report(`${strange - maxReported} more lines of output were not understood`);
      onEvent({ kind: "final", ...reader.final() });
    },
  };
}

/** An agent that prints plain text: all of it is what it says. */
function openText(run: RunRecord, onEvent: (event: AgentEvent) => void): AgentStream {
  const decoder = new StringDecoder("utf8");
  return {
    push: (chunk) => run.say(decoder.write(chunk), true),
    end() {
      run.say(decoder.end(), true);
      onEvent({ kind: "final", text: run.lastText(), isError: false, isComplete: true });
    },
  };
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function excerpt(line: string): string {
  const text = line.trim();
  return text.length > maxExcerpt ? `${text.slice(0, maxExcerpt)} …` : text;
}
