import { StringDecoder } from "node:string_decoder";
import type { Clock } from "../../domain/clock.js";
import { isObject } from "../../domain/shape.js";
import type { AgentOutput } from "../../domain/tasks/agent.js";
import { startOf } from "../../text/secrets/clip-output.js";
import type { AgentEvent, MessageReader } from "./agent-event.js";
import { readClaude } from "./claude.js";
import { readCodex } from "./codex.js";
import { readGemini } from "./gemini.js";
import { splitJsonLines } from "./json-lines.js";
import { readOpencode } from "./opencode.js";
import { type RunRecord, recordRun } from "./record-run.js";

/** Turns chunks of an agent's output into events. */
interface AgentStream {
  push(chunk: Buffer): void;
  /** Emits the remaining events and the final one. */
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

/** Never fails on bad output: lines that cannot be parsed are reported as problems. */
export function openAgentStream(
  output: AgentOutput,
  onEvent: (event: AgentEvent) => void,
  clock: Clock,
): AgentStream {
  const run = recordRun(onEvent, clock);
  return output === "text" ? openText(run, onEvent) : openJson(readers[output](run), run, onEvent);
}

function openJson(reader: MessageReader, run: RunRecord, onEvent: (event: AgentEvent) => void): AgentStream {
  let unparsed = 0;
  const reportUnparsed = (what: string) => {
    unparsed += 1;
    if (unparsed <= maxReported) run.report(what);
  };
  const readMessage = (message: Record<string, unknown>) => {
    try {
      reader.read(message);
    } catch (error) {
      // Nested deeper than the stack.
      if (!(error instanceof RangeError)) throw error;
      reportUnparsed("a message was nested too deeply to be read");
    }
  };
  const lines = splitJsonLines(maxLineBytes, {
    onLine(line) {
      const message = parseObject(line);
      if (message === undefined) reportUnparsed(`not JSON: ${excerpt(line)}`);
      else readMessage(message);
    },
    onOther: (line) => reportUnparsed(`not JSON: ${excerpt(line)}`),
    onLongLine: (bytes) => reportUnparsed(`a line of ${Math.round(bytes / 1024 / 1024)} MB was skipped`),
  });
  return {
    push: lines.push,
    end() {
      lines.end();
      run.abandonTools();
      if (unparsed > maxReported)
        run.report(`${unparsed - maxReported} more lines of output could not be parsed`);
      onEvent({ kind: "final", ...reader.final() });
    },
  };
}

/** For agents that print plain text: all output is their message. */
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
  return text.length > maxExcerpt ? `${startOf(text, maxExcerpt)} …` : text;
}
