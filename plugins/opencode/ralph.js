// Ralph for opencode: tells `ralph-memory hook opencode <event>` what happens, and puts what it answers in front of the model.
// A hook that fails, or takes too long, changes nothing.
import { spawn } from "node:child_process";

const ralph = ["ralph-memory"];
const timeoutMs = 5000;

/** Runs a hook with the event as JSON on its standard input; the text that it wants the model to read. */
function tell(event, directory, details) {
  return new Promise((resolve) => {
    const [program, ...args] = ralph;
    const child = spawn(program, [...args, "hook", "opencode", event], {
      cwd: directory,
      stdio: ["pipe", "pipe", "ignore"],
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.stdin.on("error", () => undefined);
    child.on("error", () => resolve(undefined));
    child.on("close", () => {
      clearTimeout(timer);
      resolve(contextOf(output));
    });
    child.stdin.end(JSON.stringify({ hook_event_name: event, cwd: directory, ...details }));
  });
}

function contextOf(output) {
  try {
    const text = JSON.parse(output)?.hookSpecificOutput?.additionalContext;
    return typeof text === "string" && text !== "" ? text : undefined;
  } catch {
    return undefined;
  }
}

const textOf = (parts) =>
  parts
    .filter((part) => part.type === "text" && !part.synthetic)
    .map((part) => part.text)
    .join("\n");

export const RalphPlugin = async ({ directory }) => {
  const started = new Map();
  const answered = new Map();
  // Sessions of subagents, each with the one that started it: what they do belongs to that one.
  const parents = new Map();
  // Opencode does not wait for it: it ends before the session does.
  let stopping;
  const idsOf = (session) =>
    parents.has(session) ? { session_id: parents.get(session), agent_id: session } : { session_id: session };
  const start = (session, source) => {
    const brief = tell("SessionStart", directory, { session_id: session, source });
    started.set(session, brief);
    return brief;
  };
  return {
    event: async ({ event }) => {
      const { info, part, sessionID = info?.id } = event.properties ?? {};
      if (event.type === "session.created" && info?.parentID) parents.set(sessionID, info.parentID);
      else if (event.type === "session.created") start(sessionID, "startup");
      else if (event.type === "session.compacted" && !parents.has(sessionID)) start(sessionID, "compact");
      else if (event.type === "message.part.updated" && part?.type === "text" && part.time?.end)
        answered.set(part.sessionID, part.text);
      else if (event.type === "session.idle" && (started.has(sessionID) || parents.has(sessionID)))
        stopping = tell(parents.has(sessionID) ? "SubagentStop" : "Stop", directory, {
          ...idsOf(sessionID),
          last_assistant_message: answered.get(sessionID) ?? "",
        });
      else if (event.type === "session.deleted" && started.delete(sessionID))
        await tell("SessionEnd", directory, { session_id: sessionID, reason: "other" });
    },
    "chat.message": async ({ sessionID }, output) => {
      if (parents.has(sessionID)) return;
      await (started.get(sessionID) ?? start(sessionID, "resume"));
      const context = await tell("UserPromptSubmit", directory, {
        session_id: sessionID,
        prompt: textOf(output.parts),
      });
      if (context === undefined) return;
      output.parts.push({
        id: `prt_ralph${Date.now().toString(36)}`,
        sessionID,
        messageID: output.message.id,
        type: "text",
        text: context,
        synthetic: true,
      });
    },
    "experimental.chat.system.transform": async ({ sessionID }, output) => {
      const brief = await started.get(sessionID);
      if (brief !== undefined) output.system.push(brief);
    },
    "tool.execute.after": async ({ tool, sessionID, callID, args }, output) => {
      const exit = output?.metadata?.exit;
      const hasFailed = typeof exit === "number" && exit !== 0;
      const context = await tell(hasFailed ? "PostToolUseFailure" : "PostToolUse", directory, {
        ...{ ...idsOf(sessionID), tool_name: tool, tool_use_id: callID, tool_input: args },
        ...(hasFailed
          ? { error: `Exit code ${exit}\n${output.output ?? ""}` }
          : {
              tool_response:
                exit === 0 ? { stdout: output.output } : (output?.output ?? output?.content ?? ""),
            }),
      });
      if (context !== undefined && typeof output?.output === "string") output.output += `\n\n${context}`;
    },
    dispose: async () => {
      await stopping;
      await Promise.all(
        [...started.keys()].map((session) =>
          tell("SessionEnd", directory, { session_id: session, reason: "other" }),
        ),
      );
    },
  };
};
