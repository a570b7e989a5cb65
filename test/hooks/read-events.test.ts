import { describe, expect, it } from "vitest";
import { pathOf } from "../../src/domain/tasks/action.js";
import { changesOf } from "../../src/episodic/resolutions/describe-remedy.js";
import { hookAgents } from "../../src/hooks/hook-formats.js";

const now = new Date("2026-11-16T10:00:00Z");
const read = (agent: string, name: string, input: object) =>
  hookAgents.get(agent)?.read(name, input as Record<string, unknown>, now);

describe("a hook's event", () => {
  it("of a command has what it printed, whatever that looks like", async () => {
    const printed = { stdout: "Output: hello", stderr: "" };
    const call = { tool_name: "Bash", tool_input: { command: "npm run greet" }, tool_use_id: "t1" };
    expect(await read("claude", "PostToolUse", { ...call, tool_response: printed })).toMatchObject({
      action: { success: true, output: "Output: hello" },
    });
  });

  it("of a failed command is an action with its error", async () => {
    const failed = {
      kind: "action",
      action: expect.objectContaining({
        type: "bash",
        params: { command: "ls /nowhere" },
        success: false,
        error: expect.stringContaining("No such file"),
      }),
    };
    const text = "ls: cannot access '/nowhere': No such file or directory";
    const call = { tool_input: { command: "ls /nowhere" }, tool_use_id: "t1" };
    const error = `Exit code 2\n${text}`;
    expect(await read("claude", "PostToolUseFailure", { ...call, tool_name: "Bash", error })).toEqual(failed);
    expect(await read("codex", "PostToolUse", { ...call, tool_name: "Bash", tool_response: text })).toEqual(
      failed,
    );
    const shell = { ...call, tool_name: "run_shell_command" };
    expect(await read("qwen", "PostToolUseFailure", { ...shell, error: text })).toEqual(failed);
    const llmContent = `Output: ${text}\nExit Code: 2`;
    expect(await read("gemini", "AfterTool", { ...shell, tool_response: { llmContent } })).toEqual(failed);
    expect(await read("opencode", "PostToolUseFailure", { ...call, tool_name: "bash", error })).toEqual(
      failed,
    );
  });

  it("of a command that passed is an action with its output", async () => {
    const passed = { tool_name: "Bash", tool_input: { command: "npm test" } };
    for (const [agent, tool_response] of [
      ["claude", { stdout: "ok", stderr: "" }],
      ["codex", "ok"],
    ] as const)
      expect(await read(agent, "PostToolUse", { ...passed, tool_response })).toMatchObject({
        action: { success: true, output: "ok" },
      });
    expect(
      await read("gemini", "AfterTool", {
        ...passed,
        tool_response: { llmContent: "Output: ok\nExit Code: 0" },
      }),
    ).toMatchObject({ action: { success: true } });
  });

  it("of Gemini CLI or Qwen Code tells what a command printed, without the lines around it", async () => {
    const printed = "src/a.go:3:2: undefined: fmt\nvet: 1 problem";
    const tool = {
      tool_name: "run_shell_command",
      tool_input: { command: "go vet ./..." },
      tool_use_id: "t1",
    };
    const framed = [
      "Command: go vet ./...\nDirectory: (root)",
      `Output: ${printed}`,
      "Error: (none)\nExit Code: 1\nSignal: (none)\nProcess Group PGID: (none)",
    ].join("\n");
    const failed = { action: { success: false, error: `Exit code 1\n${printed}` } };
    expect(await read("qwen", "PostToolUseFailure", { ...tool, error: framed })).toMatchObject(failed);
    const ofGemini = (llmContent: string, rest: object = {}) =>
      read("gemini", "AfterTool", {
        ...tool,
        tool_response: { llmContent: `<untrusted_context>\n${llmContent}\n</untrusted_context>`, ...rest },
      });
    expect(await ofGemini(`Output: ${printed}\nExit Code: 1\nProcess Group PGID: 7`)).toMatchObject(failed);
    expect(await ofGemini("Output: (empty)\nSignal: SIGTERM\nProcess Group PGID: 7")).toMatchObject({
      action: { success: false, error: "Signal SIGTERM" },
    });
    expect(await ofGemini("Output: Error: no cache yet, building one\nProcess Group PGID: 7")).toMatchObject({
      action: { success: true, output: "Error: no cache yet, building one" },
    });
    const error = { message: "0 occurrences found for old_string", type: "edit_no_occurrence_found" };
    expect(await ofGemini("Failed to edit", { error })).toMatchObject({
      action: { success: false, error: error.message },
    });
  });

  it("of opencode tells what an edit or a patch changed", async () => {
    const edited = { filePath: "/app/cart.go", oldString: "one", newString: "two" };
    const patchText = "*** Begin Patch\n*** Update File: cart.go\n@@\n-one\n+two\n*** End Patch";
    for (const [tool_name, tool_input, path] of [
      ["edit", edited, "/app/cart.go"],
      ["apply_patch", { patchText }, "cart.go"],
    ] as const) {
      const event = await read("opencode", "PostToolUse", { tool_name, tool_input, tool_response: "Done" });
      const action = event?.kind === "action" ? { ...event.action, iteration: 1 } : undefined;
      expect(action && pathOf(action)).toBe(path);
      expect(action && changesOf(action)).toEqual([{ before: "one", after: "two" }]);
    }
  });

  it("of a check whose exit status a pipe hides tells what it printed", async () => {
    const stdout = "src/a.ts(1,2): error TS2339: Property 'x' does not exist on type 'Y'.";
    const call = (command: string) => ({ tool_name: "Bash", tool_input: { command }, tool_use_id: "t1" });
    const ofClaude = (command: string) =>
      read("claude", "PostToolUse", { ...call(command), tool_response: { stdout, stderr: "" } });
    expect(await ofClaude("npx tsc --noEmit | tail -5")).toMatchObject({ action: { success: false } });
    expect(await ofClaude("cat build.log | tail -5")).toMatchObject({ action: { success: true } });
    expect(
      await read("codex", "PostToolUse", { ...call("cat build.log"), tool_response: stdout }),
    ).toMatchObject({ action: { success: true } });
    expect(await ofClaude("npx tsc --noEmit\necho done")).toMatchObject({ action: { success: false } });
    expect(
      await read("codex", "PostToolUse", { ...call("cd api\nnpx tsc --noEmit"), tool_response: stdout }),
    ).toMatchObject({ action: { success: false } });
  });

  it("of a prompt is what the user asked, without what hooks have put in front of it", async () => {
    const told = "<hook_context>&lt;ralph-memory&gt;\nA note\n&lt;/ralph-memory&gt;\n</hook_context>";
    for (const prompt of ["Fix the test", `${told}\n\nFix the test`])
      expect(await read("gemini", "BeforeAgent", { prompt })).toMatchObject({ text: "Fix the test" });
  });

  it("of no interest, or unknown, is none", async () => {
    for (const agent of hookAgents.keys()) {
      expect(await read(agent, "Notification", {})).toBeUndefined();
      expect(await read(agent, "SomethingNew", { prompt: 7 })).toBeUndefined();
    }
    expect(await read("codex", "UserPromptSubmit", { prompt: "a subtask", agent_id: "a1" })).toBeUndefined();
  });
});

describe("an answer", () => {
  it("without context changes nothing, and with it names the event and no further field", () => {
    expect(JSON.parse(hookAgents.get("codex")?.answer("Stop", "") ?? "")).toEqual({});
    expect(JSON.parse(hookAgents.get("codex")?.answer("SessionStart", "x") ?? "")).toEqual({
      hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "x" },
    });
  });
});
