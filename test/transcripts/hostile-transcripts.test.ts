import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tasksOfSession } from "../../src/memory/ingest/session-tasks.js";
import { chooseTranscripts } from "../../src/transcripts/choose-transcripts.js";
import { findTranscripts } from "../../src/transcripts/find-transcripts.js";
import { readTranscriptFile } from "../../src/transcripts/read-transcript-file.js";
import type { Transcript } from "../../src/transcripts/session.js";
import { growsLinearly } from "../support/grows-linearly.js";
import { scratchFolder } from "../support/scratch.js";
import { claudeRows, type Row, writeText, writeTranscript } from "../support/write-transcripts.js";

const id = "0b9d3f3a-6f1e-4f6e-9d0a-3c1b5a7e9f10";
const cwd = "/home/dev/app";
const rows = claudeRows({ id, cwd }, [
  { prompt: "Do it", steps: [{ tool: "Bash", input: { command: "ls" } }] },
]);

async function onlyTranscript(path: string): Promise<Transcript> {
  const { transcripts } = await findTranscripts(path);
  const [transcript] = transcripts;
  if (transcript === undefined || transcripts.length > 1) throw new Error("not one transcript");
  return transcript;
}

describe("a folder of transcripts", () => {
  it("is not left by links, and nothing but regular files is opened", async () => {
    const [folder, outside] = [scratchFolder(), scratchFolder()];
    const secret = writeTranscript(join(outside, `${id}.jsonl`), rows);
    symlinkSync(secret, join(folder, "linked.jsonl"));
    symlinkSync(outside, join(folder, "linked"));
    execFileSync("mkfifo", [join(folder, "pipe.jsonl")]);
    mkdirSync(join(folder, "folder.jsonl"));
    expect(await findTranscripts(folder)).toEqual({ transcripts: [], foreign: [], problems: [] });
  });

  it("may hold other files, which are counted", async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, "history.jsonl"), '{"display":"x"}\n');
    writeFileSync(join(folder, "empty.jsonl"), "");
    writeFileSync(join(folder, "session.json"), "[1]");
    writeFileSync(join(folder, "opencode.db"), "no database");
    const found = await findTranscripts(folder);
    expect(found.foreign.length).toBe(3);
    expect(found.problems).toEqual([
      expect.stringContaining("opencode.db cannot be read as opencode's database"),
    ]);
  });
});

describe("the rows of a transcript", () => {
  it("of unknown types are counted by type", async () => {
    const strange: Row[] = [
      { type: "hologram", sessionId: id },
      { type: "hologram" },
      { sessionId: id },
      { type: "mode" },
    ];
    const transcript = await onlyTranscript(
      writeTranscript(join(scratchFolder(), `${id}.jsonl`), [...rows, ...strange]),
    );
    expect([...transcript.read(new Date()).unknown]).toEqual([
      ["hologram", 2],
      ["without a type", 1],
    ]);
  });

  it("may be anything at all", async () => {
    const odd = [
      {
        type: "user",
        sessionId: id,
        timestamp: "yesterday",
        message: { content: [null, 1, "x", { type: "tool_result" }] },
      },
      { type: "user", sessionId: id, timestamp: 1e300, message: "text" },
      {
        type: "assistant",
        sessionId: id,
        message: { content: [{ type: "tool_use", id: 5, name: {}, input: [] }] },
      },
      { type: "assistant", sessionId: id, message: { content: { type: "text" } } },
      { type: "progress", data: { type: "agent_progress", message: [] } },
      { type: ["user"], sessionId: id, cwd: "../../etc" },
    ];
    const deep = `{"type":"user","sessionId":"${id}","message":{"content":${"[".repeat(50_000)}${"]".repeat(50_000)}}}\n`;
    const text = [...odd, ...rows].map((row) => `${JSON.stringify(row)}\n`).join("");
    const path = writeText(join(scratchFolder(), `${id}.jsonl`), `${text}${deep}not JSON\n{"half":\n[1]\n`);
    const { session, unreadable, isCutShort } = (await onlyTranscript(path)).read(new Date());
    expect(session.turns.map(({ prompt, actions }) => [prompt, actions.length])).toEqual([["Do it", 1]]);
    expect(unreadable).toBeGreaterThanOrEqual(2);
    expect(isCutShort).toBe(false);
  });

  it("are read up to one that is only half written", async () => {
    const text = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
    const path = writeText(join(scratchFolder(), `${id}.jsonl`), `${text}{"type":"assis`);
    const { session, isCutShort } = (await onlyTranscript(path)).read(new Date());
    expect(isCutShort).toBe(true);
    expect(session.turns.length).toBe(1);
    const whole = writeText(join(scratchFolder(), `${id}.jsonl`), text.trimEnd());
    expect((await onlyTranscript(whole)).read(new Date()).isCutShort).toBe(false);
  });

  it("of the future have no say in when a session ended", async () => {
    const late = { type: "mode", sessionId: id, timestamp: "2999-01-01T00:00:00.000Z" };
    const transcript = await onlyTranscript(
      writeTranscript(join(scratchFolder(), `${id}.jsonl`), [...rows, late]),
    );
    expect(transcript.read(new Date()).session.ended).toBe("2025-10-01T10:00:03.000Z");
  });
});

describe("the choice of sessions", () => {
  it("leaves those that changed in the last ten minutes, and those of other projects", async () => {
    const folder = scratchFolder();
    const write = (name: string, own: string, changed?: Date) =>
      writeTranscript(
        join(folder, `${name}.jsonl`),
        claudeRows({ id: name, cwd: own }, [{ prompt: "Do" }]),
        changed,
      );
    write("quiet", cwd);
    write("busy", cwd, new Date(Date.now() - 60_000));
    write("other", "/home/dev/other");
    const { transcripts } = await findTranscripts(folder);
    const choice = chooseTranscripts(transcripts, {
      now: new Date(),
      belongs: (folderOf) => folderOf === cwd,
    });
    expect(choice.chosen.map(({ main }) => main.id)).toEqual(["quiet"]);
    expect(choice.busy.map((busy) => busy.id)).toEqual(["busy"]);
    expect(choice.elsewhere).toBe(1);
  });

  it("does not follow helpers that started each other", async () => {
    const helper = (own: string, parent: string) => ({
      ...{ agent: "codex", id: own, parent, cwd, started: "", modifiedMs: 0, bytes: 1, path: "" },
      read: () => {
        throw new Error("not read");
      },
    });
    const circle = [helper("a", "b"), helper("b", "a")] as unknown as Transcript[];
    expect(chooseTranscripts(circle, { now: new Date(), belongs: () => true })).toMatchObject({
      chosen: [],
      orphans: 2,
    });
  });
});

describe("the time to read a session", () => {
  it("grows with its length alone", () => {
    const folder = scratchFolder();
    const paths = new Map<number, string>();
    const read = (turns: number) => {
      const exchanges = Array.from({ length: turns }, (_, turn) => ({
        prompt: `Look at file ${turn} of the project and tell me what the function in it does`,
        steps: [{ tool: "Bash", input: { command: `cat ${turn}.txt` }, output: "text ".repeat(50) }],
        said: `It is number ${turn}.`,
      }));
      const path =
        paths.get(turns) ??
        writeTranscript(join(folder, `${turns}.jsonl`), claudeRows({ id: `s${turns}`, cwd }, exchanges));
      paths.set(turns, path);
      const recognised = { agent: "claude", id: "s", cwd, started: "" } as const;
      return tasksOfSession(readTranscriptFile(path, recognised, new Date()).session).length;
    };
    expect(growsLinearly(read, 5000)).toBe(true);
  });
});
