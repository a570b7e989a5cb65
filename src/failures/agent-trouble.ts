/** What `ralph run` puts before the output of the checks if the agent itself broke down: how it ended, and what it printed then. */
const trouble =
  /^the agent(?:'s output was cut off| (?:exited|timed out|was killed|was stopped|reported an error)\b)[\s\S]*?(?=\n\n\$ |(?![\s\S]))/;

/** An output without that: a service that is down or a login that ran out says nothing about the project. */
export function withoutAgentTrouble(output: string): string {
  return output.replace(trouble, "");
}
