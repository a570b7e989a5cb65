import { userHome } from "../../config/paths.js";
import { messageOf } from "../../domain/ralph-error.js";
import { appendToLog } from "../../files/append-to-log.js";
import { redact } from "../../text/secrets/redact.js";
import { defineCommand } from "../framework/command.js";
import { readHookInput } from "../input/read-hook-input.js";

/** Agents wait for their hooks. */
const maxTimeMs = 1800;

/** Changes nothing, whatever the agent asked. */
const noAnswer = "{}\n";

export const hookCommand = defineCommand({
  summary: "answer a hook of an agent (called by the agent itself)",
  description:
    "Reads the event that the agent writes to standard input, and prints the agent's own form of answer: a session starts with a\n" +
    "brief, a prompt gets what is relevant to it, tool calls become actions of a task, and the end of the session completes it.\n" +
    "Always exits with 0 within two seconds: an error is only written to the project's .ralph/ralph.log, or to the user's if no\n" +
    "project was found. The settings hooks.enabled, hooks.events and hooks.exclude turn it off.\n" +
    '"ralph run" needs no hooks; during a run they do nothing.',
  arguments: [
    { name: "agent", summary: "claude, codex, gemini, qwen or opencode", isOptional: true },
    { name: "event", summary: "the agent's own name of the event, such as SessionStart", isOptional: true },
  ],
  formats: ["json"],
  examples: ["ralph hook claude SessionStart < event.json"],
  async run({ arguments: [agent = "", eventName = ""], terminal, environment }) {
    let isDone = false;
    const giveUp = () => {
      if (isDone) return;
      terminal.out(Buffer.from(noAnswer));
      appendToLog(
        userHome(environment),
        `hook ${agent} ${eventName}: not done after ${maxTimeMs} ms, or standard input did not end`,
      );
      process.exit(0);
    };
    setTimeout(giveUp, maxTimeMs).unref();
    const { runHook } = await import("../../hooks/run-hook.js");
    const answer = await runHook({ agent, eventName, readInput: readHookInput, environment });
    isDone = true;
    terminal.out(Buffer.from(answer));
  },
  async onFault(fault, terminal, environment) {
    appendToLog(userHome(environment), `hook: ${redact(messageOf(fault)).text}`);
    terminal.out(Buffer.from(noAnswer));
    return 0;
  },
});
