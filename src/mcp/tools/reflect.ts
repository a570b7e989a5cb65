import { aboutAttempt, reflectionTypes } from "../../domain/tasks/reflection.js";
import { defineTool } from "./tool.js";

export const reflectTool = defineTool({
  name: "reflect",
  description: "Adds a reflection to a task; its next attempt starts with it.",
  arguments: {
    task: { type: "string", description: "such as task-007" },
    observation: { type: "string", description: "what happened" },
    analysis: { type: "string", description: "why" },
    learning: { type: "string", description: "what to do differently" },
    type: { type: "string", enum: reflectionTypes },
  },
  required: ["task", "observation"],
  effect: "adds",
  isIdempotent: false,
  whereIdsAre: "history lists the ids of tasks",
  async run(memory, { task, observation, analysis, learning, type }) {
    const reflection = await memory.tasks.reflect(task, {
      ...{ observation, analysis, learning },
      reflection_type: type,
    });
    const { task_id, attempt_id, reflection_type, timestamp } = reflection;
    return {
      text: `Added a reflection ${aboutAttempt(attempt_id)} of ${task_id}`,
      value: { task: task_id, attempt: attempt_id, type: reflection_type, timestamp },
    };
  },
});
