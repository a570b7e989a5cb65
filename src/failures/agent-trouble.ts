/** What `ralph run` puts before the output of the checks if the agent itself broke down: how it ended, and what it printed then. */
const trouble =
  /^the agent(?:'s output was cut off| (?:exited|timed out|was killed|was stopped|reported an error)\b)[\s\S]*?(?=\n\n\$ |(?![\s\S]))/;

/** What Claude Code answers to a call that it does not permit. */
const denial =
  /^(?:Claude requested permissions to .+ but you haven't granted it yet|This command requires approval|Permission to use .+ has been denied).*$/gm;

/** An output without that: a service that is down, a login that ran out or a missing permission says nothing about the project. */
export function withoutAgentTrouble(output: string): string {
  return output.replace(trouble, "").replace(denial, "");
}
