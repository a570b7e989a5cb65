import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { loadSqliteEngine } from "../../src/store/sqlite/sqlite-driver.js";

export type Row = Record<string, unknown>;

export interface Step {
  tool: string;
  input: Record<string, unknown>;
  output?: string;
  /** What it printed when it failed. */
  error?: string;
  exitCode?: number;
}

export interface Exchange {
  prompt: string;
  steps?: readonly Step[];
  said?: string;
}

export interface SessionOptions {
  id: string;
  cwd: string;
  /** One second for each row after it. */
  started?: string;
}

/** Long enough ago that nobody writes to it any more. */
export const anHourAgo = () => new Date(Date.now() - 60 * 60 * 1000);

/** Writes a transcript that was last changed at a time. */
export function writeTranscript(path: string, rows: readonly unknown[], changed = anHourAgo()): string {
  return writeText(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""), changed);
}

export function writeText(path: string, text: string, changed = anHourAgo()): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  utimesSync(path, changed, changed);
  return path;
}

const defaultStart = "2025-10-01T10:00:00.000Z";

function clockFrom(started = defaultStart): () => string {
  let ms = Date.parse(started);
  return () => {
    ms += 1000;
    return new Date(ms).toISOString();
  };
}

/** The rows that Claude Code writes: one for each block of a message. */
export function claudeRows({ id, cwd, started }: SessionOptions, exchanges: readonly Exchange[]): Row[] {
  const time = clockFrom(started);
  const row = (type: string, rest: Row): Row => ({
    type,
    ...{ sessionId: id, cwd, version: "2.1.325", isSidechain: false, timestamp: time(), ...rest },
  });
  const assistant = (block: Row) => row("assistant", { message: { role: "assistant", content: [block] } });
  return exchanges.flatMap(({ prompt, steps = [], said }, turn) => [
    row("user", { promptSource: "sdk", message: { role: "user", content: prompt } }),
    ...steps.flatMap(({ tool, input, output = "", error }, index) => {
      const call = `toolu_${id}_${turn}_${index}`;
      const result = {
        type: "tool_result",
        tool_use_id: call,
        content: error ?? output,
        is_error: error !== undefined,
      };
      return [
        assistant({ type: "tool_use", id: call, name: tool, input }),
        row("user", { message: { role: "user", content: [result] } }),
      ];
    }),
    ...(said === undefined ? [] : [assistant({ type: "text", text: said })]),
  ]);
}

/** The rows that Codex writes. */
export function codexRows(
  { id, cwd, started, parent }: SessionOptions & { parent?: string },
  exchanges: readonly Exchange[],
): Row[] {
  const time = clockFrom(started);
  const row = (type: string, payload: Row): Row => ({ timestamp: time(), type, payload });
  const item = (content: Row) => row("event_msg", { type: "item_completed", thread_id: id, item: content });
  return [
    row("session_meta", { id, cwd, ...(parent !== undefined && { parent_thread_id: parent }) }),
    ...exchanges.flatMap(({ prompt, steps = [], said }, turn) => [
      row("response_item", {
        type: "message",
        role: "user",
        content: [{ type: "input_text", text: prompt }],
      }),
      item({ type: "UserMessage", content: [{ type: "text", text: prompt }] }),
      ...steps.flatMap(({ input, output = "", exitCode = 0 }, index) => {
        const call = `call_${turn}_${index}`;
        const status = exitCode === 0 ? "completed" : "failed";
        const command = ["/bin/bash", "-lc", String(input.command)];
        return [
          row("response_item", {
            ...{ type: "function_call", name: "exec_command", call_id: call },
            arguments: JSON.stringify({ cmd: input.command }),
          }),
          item({
            type: "CommandExecution",
            id: call,
            command,
            status,
            aggregated_output: output,
            exit_code: exitCode,
          }),
          row("response_item", { type: "function_call_output", call_id: call, output: `Output:\n${output}` }),
        ];
      }),
      ...(said === undefined
        ? []
        : [item({ type: "AgentMessage", content: [{ type: "Text", text: said }] })]),
    ]),
  ];
}

/** The rows that Gemini CLI writes: a message is written again with its calls. */
export function geminiRows({ id, cwd, started }: SessionOptions, exchanges: readonly Exchange[]): Row[] {
  const time = clockFrom(started);
  const context = `<session_context>\n- **Workspace Directories:**\n  - ${cwd}\n</session_context>`;
  const first = { id: `${id}-0`, timestamp: time(), type: "user", content: [{ text: context }] };
  return [
    { sessionId: id, projectHash: "00", startTime: time(), kind: "main" },
    { $set: { messages: [first] } },
    ...exchanges.flatMap(({ prompt, steps = [], said }, turn) => [
      { id: `${id}-${turn}-p`, timestamp: time(), type: "user", content: [{ text: prompt }] },
      ...steps.flatMap(({ tool, input, output = "", exitCode = 0 }, index) => {
        const message = { id: `${id}-${turn}-${index}`, timestamp: time(), type: "gemini", content: "" };
        const code = exitCode === 0 ? "" : `\nExit Code: ${exitCode}`;
        const response = { output: `<untrusted_context>\nOutput: ${output}${code}\n</untrusted_context>` };
        const call = {
          id: `${turn}_${index}`,
          name: tool,
          args: input,
          status: "success",
          timestamp: time(),
        };
        const result = [{ functionResponse: { response } }];
        return [
          message,
          { ...message, toolCalls: [{ ...call, result }] },
          { id: `${id}-${turn}-${index}-r`, timestamp: time(), type: "user", content: result },
        ];
      }),
      ...(said === undefined
        ? []
        : [{ id: `${id}-${turn}-s`, timestamp: time(), type: "gemini", content: said }]),
      { $set: { lastUpdated: time() } },
    ]),
  ];
}

export interface OpencodeMessage {
  info: Row;
  parts: Row[];
}

/** A session of opencode, as it exports it and as its database holds it. */
export function opencodeSession(
  { id, cwd, started = defaultStart }: SessionOptions,
  exchanges: readonly Exchange[],
) {
  const time = clockFrom(started);
  const ms = () => Date.parse(time());
  const messages = exchanges.flatMap(({ prompt, steps = [], said }, turn): OpencodeMessage[] => [
    {
      info: { id: `msg_${turn}_0`, role: "user", time: { created: ms() } },
      parts: [
        { id: `prt_${turn}_0`, type: "text", text: prompt },
        { id: `prt_${turn}_1`, type: "text", text: "injected", synthetic: true },
      ],
    },
    {
      info: { id: `msg_${turn}_1`, role: "assistant", time: { created: ms() } },
      parts: [
        ...steps.map(({ tool, input, output = "", exitCode = 0 }, index) => ({
          ...{ id: `prt_${turn}_2_${index}`, type: "tool", tool, callID: `call_${turn}_${index}` },
          state: {
            ...{ status: "completed", input, output, metadata: { output, exit: exitCode } },
            time: { start: ms(), end: ms() },
          },
        })),
        ...(said === undefined
          ? []
          : [{ id: `prt_${turn}_3`, type: "text", text: said, time: { start: ms() } }]),
      ],
    },
  ]);
  const created = Date.parse(started);
  return { info: { id, directory: cwd, time: { created, updated: ms() } }, messages };
}

/** The same as rows of opencode's database. */
export async function writeOpencodeDatabase(
  path: string,
  { info, messages }: ReturnType<typeof opencodeSession>,
): Promise<string> {
  mkdirSync(dirname(path), { recursive: true });
  const database = (await loadSqliteEngine()).open(path);
  database.exec(
    "CREATE TABLE session (id, parent_id, directory, time_created, time_updated);" +
      "CREATE TABLE message (id, session_id, time_created, data);" +
      "CREATE TABLE part (id, message_id, session_id, data)",
  );
  const { created, updated } = info.time;
  database
    .prepare("INSERT INTO session VALUES (?, NULL, ?, ?, ?)")
    .run(info.id, info.directory, created, updated);
  for (const [index, message] of messages.entries()) {
    const { id, ...data } = message.info;
    database
      .prepare("INSERT INTO message VALUES (?, ?, ?, ?)")
      .run(String(id), info.id, created + index, JSON.stringify(data));
    for (const { id: part, ...rest } of message.parts)
      database
        .prepare("INSERT INTO part VALUES (?, ?, ?, ?)")
        .run(String(part), String(id), info.id, JSON.stringify(rest));
  }
  database.close();
  return path;
}
