/** A finished task with one attempt, as the library takes it over; what is not said is empty. */
export function finishedTask(
  number,
  { time, description, outcome, attempt = {}, reflections = [], ...task },
) {
  const id = `task-${String(number).padStart(3, "0")}`;
  return {
    id,
    uuid: crypto.randomUUID(),
    description,
    created: time,
    updated: time,
    status: outcome === "success" ? "completed" : "failed",
    current_attempt: 1,
    total_attempts: 1,
    tags: [],
    related_tasks: [],
    constraints: [],
    attempts: [
      {
        id: 1,
        task_id: id,
        started: time,
        ended: time,
        plan: { approach: "", steps: [] },
        context: { goal: description, constraints: [], files_involved: [] },
        execution: { iterations: 1, actions_performed: attempt.actions?.length ?? 0, quality_history: [] },
        outcome: { status: outcome, what_worked: [], what_didnt_work: [], suggestions_for_next_time: [] },
        errors_encountered: [],
        artifacts_produced: [],
        actions: [],
        milestones: [],
        results: [],
        ...attempt,
      },
    ],
    reflections: reflections.map((reflection) => ({
      timestamp: time,
      task_id: id,
      attempt_id: 1,
      analysis: "",
      learning: "",
      action_items: [],
      triggered_by: "failure",
      reflection_type: "error-analysis",
      ...reflection,
    })),
    memory_capacity_changes: [],
    ...task,
  };
}
