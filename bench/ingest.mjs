// How fast `ralph ingest` reads and records: samples of transcripts, repeated with new ids until there are enough megabytes.
// npm run bench:ingest -- --data DIR [--megabytes 200]
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: { data: { type: "string" }, megabytes: { type: "string", default: "200" } },
});
if (values.data === undefined) throw new Error("--data DIR: a folder with transcripts of Claude Code");

const ralph = resolve(import.meta.dirname, "../dist/cli/main.cjs");
const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000);
const scratch = mkdtempSync(join(tmpdir(), "ralph-bench-"));
try {
  const samples = readSamples(values.data);
  const folder = join(scratch, "transcripts");
  const project = join(scratch, "project");
  for (const each of [folder, project]) mkdirSync(each);
  repeat(samples, folder, Number(values.megabytes) * 1e6);
  const first = ingest(project, folder);
  const again = ingest(project, folder);
  const { reading, recording, reflecting } = first.ms;
  const rate = (ms) => (first.bytes / 1000 / ms).toFixed(1);
  console.log(
    `${first.sessions.ingested} sessions, ${first.actions} actions, ${(first.bytes / 1e6).toFixed(0)} MB`,
  );
  console.log(`reading                 ${rate(reading)} MB/s`);
  console.log(`reading and recording   ${rate(reading + recording)} MB/s`);
  console.log(`with reflections        ${rate(reading + recording + reflecting)} MB/s`);
  console.log(`a second time           ${again.tasks} new tasks`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function readSamples(data) {
  const files = readdirSync(data, { recursive: true }).filter((name) => name.endsWith(".jsonl"));
  const texts = files.map((name) => readFileSync(join(data, name), "utf8"));
  const samples = texts.filter((text) => /"sessionId":"/.test(text) && /"type":"assistant"/.test(text));
  if (samples.length === 0) throw new Error(`No transcripts of Claude Code in ${data}`);
  return samples;
}

function repeat(samples, folder, bytes) {
  for (let written = 0; written < bytes; )
    for (const sample of samples) {
      const session = randomUUID();
      const suffix = session.slice(0, 8);
      const text = sample
        .replace(/"sessionId":"[^"]+"/g, `"sessionId":"${session}"`)
        .replace(/"uuid":"([^"]+)"/g, `"uuid":"$1-${suffix}"`)
        .replace(/\btoolu_\w+/g, (id) => `${id}${suffix}`);
      const path = join(folder, `${session}.jsonl`);
      writeFileSync(path, text);
      utimesSync(path, yesterday, yesterday);
      written += Buffer.byteLength(text);
    }
}

function ingest(project, folder) {
  const env = { ...process.env, RALPH_HOME: join(scratch, "home") };
  const options = { cwd: project, env, encoding: "utf8", maxBuffer: 1e9 };
  return JSON.parse(execFileSync(process.execPath, [ralph, "ingest", folder, "--json"], options));
}
