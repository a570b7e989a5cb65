import type { Environment } from "../../domain/environment.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { HealthCheck } from "../../memory/health/check-health.js";
import type { Memory } from "../../memory/memory.js";
import { defineCommand, wrongUse } from "../framework/command.js";
import { flag, globalOption, ownerOf } from "../framework/options.js";
import { oneLine, renderJson } from "../output/terminal/style.js";

const marks: Record<HealthCheck["status"], string> = { ok: "✓", repaired: "↻", warning: "!", failed: "✗" };

export const doctorCommand = defineCommand({
  summary: "check for problems and repair what can be rebuilt",
  description:
    "Rebuilds derived data, such as the search index, when it is wrong. A damaged database is only reported; --repair\n" +
    "makes a new one of what can still be read and of the newest backup, says what may be lost, and keeps the damaged file. It also\n" +
    "gives notes that lost their tags and date, such as in a merge by hand, the line back that git's history has.\n" +
    "--secrets looks for secrets in notes, the continuity file, skills, the database, backups and logs, and reports their kinds\n" +
    "and places. --redact replaces them there and changes nothing else; a backup that holds one is removed and made again.",
  options: {
    repair: flag("restore a damaged database, and metadata that notes lost"),
    secrets: flag("look for secrets that are already stored"),
    redact: flag("with --secrets: replace them"),
    global: globalOption,
  },
  examples: ["ralph doctor", "ralph doctor --repair", "ralph doctor --secrets --redact"],
  async run({ options, format, terminal, environment, openMemory }) {
    if (options.redact && !options.secrets)
      throw wrongUse("--redact needs --secrets", "ralph doctor --secrets --redact");
    const memory = await openMemory({ owner: ownerOf(options) });
    const secrets = options.redact ? "redact" : options.secrets ? "find" : undefined;
    const health = await memory.checkHealth({ repair: options.repair, secrets });
    const { isHealthy } = health;
    const checks = [
      ...health.checks,
      ...(await checkMerging(memory, environment)),
      ...(await checkAgents(memory, environment)),
    ];
    if (format === "json") terminal.out(renderJson(checks));
    else {
      for (const { part, status, detail } of checks) {
        terminal.out(
          `${marks[status]} ${part.padEnd(12)} ${oneLine(detail)}${status === "repaired" ? " (repaired)" : ""}\n`,
        );
      }
      terminal.talk(`${summaryOf(isHealthy, checks)}\n`);
    }
    return isHealthy ? 0 : 1;
  },
});

/** Whether git merges notes as this project asks for; settings that are wrong have a finding of their own. */
async function checkMerging(memory: Memory, environment: Environment): Promise<HealthCheck[]> {
  const { mergingFindings } = await import("./setup/git-merging.js");
  try {
    return (await mergingFindings(memory, environment)).map((finding) => ({ part: "git", ...finding }));
  } catch (error) {
    if (error instanceof RalphError) return [];
    throw error;
  }
}

/** Which coding agents are connected, by their settings alone: nothing is run. */
async function checkAgents(memory: Memory, environment: Environment): Promise<HealthCheck[]> {
  const { agentFindings } = await import("./setup/agent-findings.js");
  return (await agentFindings(memory, environment)).map((finding) => ({ part: "agents", ...finding }));
}

function summaryOf(isHealthy: boolean, checks: readonly HealthCheck[]): string {
  if (!isHealthy) return "Problems found";
  return checks.some(({ status }) => status === "warning")
    ? "No errors; see the warnings marked with !"
    : "No problems found";
}
