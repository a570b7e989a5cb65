import { describe, it } from "vitest";
import { type InstallableAgent, installAgent } from "./install-agent.js";

/** Tests of a program that comes from the registry: where it cannot be had, nothing fails because of that. */
export async function describeAgent(
  name: InstallableAgent,
  define: (program: string) => void,
): Promise<void> {
  const installed = await installAgent(name);
  if ("program" in installed)
    describe(`${name}, version ${installed.version}`, () => define(installed.program));
  else
    it(name, ({ skip }) => {
      console.warn(`skipped: ${installed.missing}`);
      skip(installed.missing);
    });
}
