import { expect, it } from "vitest";
import {
  firstProvisional,
  numberOfTaskId,
  provisionalNumber,
  taskIdOf,
  uuidStartOf,
} from "../../../src/domain/tasks/task.js";

it("a provisional number is the beginning of the task's UUID, and its id leads back to both", () => {
  const number = provisionalNumber("0f0c9a2b-1111-4222-8333-444444444444");
  expect(number).toBeGreaterThanOrEqual(firstProvisional);
  expect(taskIdOf(number)).toBe("task-local-0f0c9a2b");
  expect(numberOfTaskId("task-local-0f0c9a2b")).toBe(number);
  expect(uuidStartOf("task-local-0f0c9a2b")).toBe("0f0c9a2b");
});

it.each([
  "task-007",
  "task-999999999999",
  "task-local-0F0C9A2B",
  "task-local-0f0c9a2",
  "Fix task-local-0f0c9a2b",
])("%s is no provisional id", (id) => {
  expect(uuidStartOf(id)).toBeUndefined();
});
