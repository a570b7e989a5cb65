import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runGit } from "../../processes/run-git.js";

/**
 * A fake agent that only knows its prompt and prints what Claude Code would. Without a hint it guesses wrong; when the prompt
 * contains the wrong sum, or says that totals are rounded to cents, it rounds.
 */
const agentSource = `const fs = require("node:fs");
const prompt = fs.readFileSync(0, "utf8");
const say = (message) => console.log(JSON.stringify(message));
const usage = { input_tokens: Math.ceil(prompt.length / 4), output_tokens: 40 };
let calls = 0;
const use = (name, input, work) => {
  const id = "call-" + process.pid + "-" + (calls += 1);
  const content = [{ type: "tool_use", id, name, input }];
  say({ type: "assistant", message: { id: "m" + calls, content, usage } });
  const result = { type: "tool_result", tool_use_id: id, content: work() };
  say({ type: "user", message: { content: [result] } });
};
const [, objective = ""] = /# Task\\n\\n(.*)/.exec(prompt) || [];
const file = /shipping/.test(objective) ? "shipping.js" : "cart.js";
const knowsLesson = /rounded to cents/.test(prompt);
const knowsFailure = /0\\.30000000000000004/.test(prompt);
say({ type: "system", subtype: "init", session_id: "demo-" + process.pid });
use("Read", { file_path: file }, () => fs.readFileSync(file, "utf8"));
const change = (from, to) =>
  use("Edit", { file_path: file, old_string: from, new_string: to }, () => {
    fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace(from, to));
    return "done";
  });
if (knowsLesson || knowsFailure) change("return sum;", "return Math.round(sum * 100) / 100;");
else change("let sum = 0;", "let sum = 0.0;");
const why = knowsLesson ? "An earlier task taught this." : knowsFailure ? "The failure shows it." : "This may be it.";
const learned = knowsLesson || knowsFailure
  ? "Learned: A total of money has to be rounded to cents at the end of the sum, or binary fractions show up in its test.\\n"
  : "";
const result = why + "\\n" + learned + "<promise>COMPLETE</promise>";
say({ type: "assistant", message: { id: "last", content: [{ type: "text", text: result }], usage } });
say({ type: "result", subtype: "success", is_error: false, num_turns: 2, result, total_cost_usd: 0, usage });
`;

const summing = (name: string) => `exports.${name} = (prices) => {
  let sum = 0;
  for (const price of prices) sum += price;
  return sum;
};
`;

const test = (name: string, title: string) => `const test = require("node:test");
const assert = require("node:assert");
const { ${name} } = require("./${name}.js");

test("${title}", () => assert.equal(${name}([0.1, 0.2]), 0.3));
`;

const files = {
  "cart.js": summing("cart"),
  "cart.test.js": test("cart", "the cart's total is exact"),
  "shipping.js": summing("shipping"),
  "shipping.test.js": test("shipping", "the total with shipping is exact"),
  "agent.cjs": agentSource,
  "ralph.yml": `agents:
  scripted: { program: ${JSON.stringify(process.execPath)}, args: [agent.cjs], output: claude-stream-json }
`,
};

/** A small project with two failing tests and a scripted agent; a Git repository if Git is installed. */
export async function makeScratchProject(folder: string): Promise<{ hasGit: boolean }> {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const author = ["-c", "user.name=Demo", "-c", "user.email=demo@example.com", "-c", "commit.gpgsign=false"];
  const commit = ["commit", "--quiet", "--no-verify", "--message", "Two totals with rounding errors"];
  for (const args of [
    ["init", "--quiet"],
    ["add", "."],
    [...author, ...commit],
  ])
    if ((await runGit(folder, ...args)) === undefined) return { hasGit: false };
  return { hasGit: true };
}
