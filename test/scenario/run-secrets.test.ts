import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loopRepository, sayAsClaude } from "../support/scripted-agent.js";

const secret = `ghp_${"a1B2c3D4e5".repeat(4)}`;

it("a secret in what an agent does, says and names, and in a verification, is in no event, prompt or record", async () => {
  const { cwd, run, prompts, ralph } = loopRepository(
    `echo $n > ${secret}.txt
     ${sayAsClaude(`Learned: deploys need the token ${secret} to be set\n<promise>COMPLETE</promise>`, { tool: `Tool-${secret}` })}`,
    { output: "claude-stream-json" },
  );
  const { status, lines, stderr } = await run([
    `Deploy with ${secret}`,
    ...["--criteria", `${secret} is set`],
    ...["--verify", `echo said ${secret}; [ $(cat ${secret}.txt) = 2 ]`],
  ]);
  expect(status).toBe(0);
  expect(JSON.stringify(lines) + stderr).not.toContain(secret);
  expect(prompts()).toHaveLength(2);
  expect(prompts().join("\n")).not.toContain(secret);
  const told = await ralph(["history", "task-001", "--json"]);
  expect(told.stdout).toContain("[redacted:github-token]");
  expect(told.stdout).not.toContain(secret);
  expect((await ralph(["ledger", "show", "scripted", "--json"])).stdout).not.toContain(secret);
  for (const file of readdirSync(join(cwd, ".agent")))
    expect(readFileSync(join(cwd, ".agent", file), "utf8")).not.toContain(secret);
});

it("colours in what a verification prints are not in the prompt, and hide no secret", async () => {
  const { cwd, run, prompts, ralph } = loopRepository("echo $n > work.txt");
  const halves = `${secret.slice(0, 12)}\\033[31m${secret.slice(12)}`;
  const script = `printf '\\033[31mFAIL\\033[39m ${halves}'; grep -q 2 work.txt`;
  writeFileSync(join(cwd, "check.sh"), script);
  expect((await run(["Colour it", "--verify", "sh check.sh"])).status).toBe(0);
  expect(prompts()[1]).toContain("FAIL [redacted:github-token]");
  expect(prompts()[1]).not.toContain("\u001b");
  expect(prompts()[1]).not.toContain(secret);
  const { stdout } = await ralph(["history", "task-001", "--json"]);
  expect(stdout).not.toContain(secret);
  expect(stdout).not.toContain(secret.slice(12));
});
