import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runGit } from "../../processes/run-git.js";
import { agentSource } from "./scripted-agent.js";

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
