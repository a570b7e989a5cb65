import { useCallback, useEffect, useState } from "preact/hooks";
import type { Problem } from "../src/ui/http/send.js";
import { authorized } from "./session.js";

export type { Problem };

const lost: Problem = {
  code: "internal",
  message: "The page's server does not answer",
  hint: "start it again with: ralph ui",
};
const over: Problem = {
  code: "internal",
  message: "This page was opened by an address that is not valid any more",
  hint: "open the address that ralph ui printed last, or start it again",
};

export class Failed extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

interface Asked {
  method: "GET" | "POST";
  body?: string;
  signal?: AbortSignal;
}

async function ask<Value>(path: string, asked: Asked): Promise<Value> {
  const { headers, credentials } = authorized();
  if (asked.body !== undefined) headers["content-type"] = "application/json";
  let response: Response;
  try {
    response = await fetch(path, { ...asked, headers, credentials, redirect: "error" });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Failed(lost);
  }
  if (response.status === 401) throw new Failed(over);
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  if (!isJson) throw new Failed({ code: "internal", message: (await response.text()).trim() });
  const value = (await response.json()) as Value | { problem: Problem };
  if (!response.ok) throw new Failed((value as { problem: Problem }).problem);
  return value as Value;
}

export function get<Value>(path: string, signal?: AbortSignal): Promise<Value> {
  return ask<Value>(path, { method: "GET", ...(signal && { signal }) });
}

export function post<Value>(path: string, body: object = {}): Promise<Value> {
  return ask<Value>(path, { method: "POST", body: JSON.stringify(body) });
}

export function problemIn(error: unknown): Problem {
  return error instanceof Failed
    ? error.problem
    : { code: "internal", message: error instanceof Error ? error.message : String(error) };
}

export interface Loaded<Value> {
  value: Value | undefined;
  problem: Problem | undefined;
  isLoading: boolean;
  reload(): void;
}

/** Reads from the server; what was read before stays until there is something new for the same page. */
export function useLoaded<Value>(path: string | undefined): Loaded<Value> {
  const [state, setState] = useState<{ path?: string; round?: number; value?: Value; problem?: Problem }>({});
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (path === undefined) return;
    const leaving = new AbortController();
    get<Value>(path, leaving.signal).then(
      (value) => {
        if (!leaving.signal.aborted) setState({ path, round, value });
      },
      (error: unknown) => {
        if (!leaving.signal.aborted)
          setState((before) => ({ ...before, path, round, problem: problemIn(error) }));
      },
    );
    return () => leaving.abort();
  }, [path, round]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  return {
    value: state.value,
    problem: state.path === path ? state.problem : undefined,
    isLoading: state.path !== path || state.round !== round,
    reload,
  };
}
