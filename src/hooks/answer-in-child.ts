import type { Environment } from "../domain/environment.js";

/** Far more than an agent takes. */
const maxAnswer = 1024 * 1024;

/**
 * Answers a hook in a process of its own, which is killed when the time is up: this one does nothing but wait, so that no work can keep
 * it from answering. What the other one has recorded by then is in the database. Undefined if there was no answer.
 */
export function answerInChild(
  words: readonly string[],
  { input, environment, timeoutMs }: { input: string; environment: Environment; timeoutMs: number },
): Promise<string | undefined> {
  const { execFile } = process.getBuiltinModule("node:child_process");
  const [, program = ""] = process.argv;
  return new Promise((answer) => {
    const child = execFile(
      process.execPath,
      [...process.execArgv, program, "hook", ...words],
      {
        env: environment,
        ...{
          timeout: Math.max(1, Math.round(timeoutMs)),
          killSignal: "SIGKILL",
          maxBuffer: maxAnswer,
          windowsHide: true,
        },
      },
      (error, stdout) => answer(error === null ? stdout : undefined),
    );
    // It may end before it has read everything.
    child.stdin?.on("error", () => undefined).end(input);
  });
}
