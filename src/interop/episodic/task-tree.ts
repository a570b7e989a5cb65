/** The layout of the published episodic tree: one folder per task, with indexes beside them. */
export const tasksFolder = "tasks";
export const indexFolder = "index";
export const embeddingsFolder = "embeddings";

export const taskFiles = {
  metadata: "metadata.json",
  trajectory: "trajectory.json",
  reflections: "reflections.jsonl",
  summary: "summary.json",
  attempts: "attempts",
} as const;

export const attemptFiles = {
  attempt: "attempt.json",
  plan: "plan.md",
  actions: "actions.jsonl",
  results: "results",
  outcome: "outcome.json",
} as const;

export const resultFiles = { result: "result.json", output: "output.txt" } as const;

export function attemptFolder(id: number): string {
  return String(id).padStart(3, "0");
}

export function iterationFolder(iteration: number): string {
  return `iter-${String(iteration).padStart(3, "0")}`;
}
