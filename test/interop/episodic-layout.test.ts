import { describeLayout } from "./layout-contract.js";

const files = {
  "tasks/task-001/metadata.json": {
    id: "task-001",
    description: "Round checkout totals to cents",
    completion_criteria: "npm test passes",
    created: "2026-01-06T10:00:00+01:00",
    updated: "2026-01-06T11:00:00Z",
    completed: "2026-01-06",
    status: "completed",
    current_attempt: 1,
    total_attempts: 1,
    tags: ["money"],
    related_tasks: ["task-002"],
    priority: { level: "high" },
  },
  "tasks/task-001/trajectory.json": {
    task_id: "task-001",
    attempts: [{ attempt_id: 1, started: "2026-01-06T10:01:00Z", outcome: "success", actions: 1 }],
    milestones: [{ timestamp: "2026-01-06T10:05:00Z", event: "tests green", details: "all 14" }],
    final_quality: 0.9,
  },
  "tasks/task-001/reflections.jsonl": [
    {
      timestamp: "2026-01-06T10:30:00Z",
      attempt_id: 1,
      observation: "Totals were off by one cent",
      analysis: "Floats were added before rounding",
      learning: "Add integer cents, format at the edge",
      action_items: ["Search for parseFloat"],
      triggered_by: "success",
      reflection_type: "success-pattern",
      mood: "good",
    },
  ],
  "tasks/task-001/attempts/001/attempt.json": {
    id: 1,
    task_id: "task-001",
    started: 1767693660,
    ended: "2026-01-06T10:30:00Z",
    plan: { approach: "Use integers", steps: ["Read", "Change"], estimated_iterations: 2 },
    execution: {
      agent: "eng-001",
      iterations: 1,
      actions_performed: 1,
      quality_history: [{ iteration: 1, quality: 0.9, delta: 0.9 }],
      model: "some-model",
    },
    outcome: { status: "success", what_worked: ["integers"] },
  },
  "tasks/task-001/attempts/001/actions.jsonl": [
    {
      timestamp: "2026-01-06T10:02:00.5Z",
      iteration: 1,
      type: "edit",
      tool: "Edit",
      params: { file_path: "src/totals.ts" },
      success: true,
      cost: 3,
    },
  ],
  "tasks/task-001/attempts/001/plan.md": "# Plan\n\nUse integers\n",
  "tasks/task-001/attempts/001/results/iter-001/output.txt": "14 passing\n",
  "tasks/task-001/attempts/001/outcome.json": { status: "success", reason: "done", score: [1, 2] },
  "tasks/task-001/notes.md": "by hand\n",
  "tasks/task-002/metadata.json": {
    description: "Document the rounding rule",
    created: "2026-01-07T10:00:00Z",
    status: "paused",
  },
};

describeLayout({
  layout: "episodic",
  files,
  counts: { task: 2 },
  found: ["Round checkout totals", "Document the rounding rule"],
  saying: (text) => ({
    ...files,
    "tasks/task-001/metadata.json": { ...files["tasks/task-001/metadata.json"], description: text },
  }),
  json: "tasks/task-001/metadata.json",
});
