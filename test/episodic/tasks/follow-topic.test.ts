import { describe, expect, it } from "vitest";
import { followTopic } from "../../../src/episodic/tasks/follow-topic.js";
import { type FollowedTask, followedTasks } from "./followed-tasks.js";

const objective = "Fix the flaky login test";

describe("a prompt in a session", () => {
  it.each([
    "yes",
    "try again",
    "now run the tests of the login page again please",
    "The login test still fails on the second attempt",
    "and what about the documentation of the payment service?",
    "no, use pnpm instead of npm everywhere in this repository",
    "commit everything and open a pull request against the develop branch",
    "Rename the helper and keep the old name as an alias",
    "Show me the diff",
    "Can you make the error message shorter and friendlier",
  ])("goes on with the task: %s", (prompt) => {
    expect(followTopic(objective).isLeftBy(prompt)).toBe(false);
  });

  it.each([
    "Write a migration that adds an index to the orders table",
    "Add dark mode to the settings screen of the mobile app",
    "Investigate why kubernetes evicts our redis pods during nightly backups",
    "Upgrade eslint to version 9 and migrate the flat config of all packages",
    "Write a test for the CSV export of invoices with umlauts in customer names",
  ])("begins another task: %s", (prompt) => {
    expect(followTopic(objective).isLeftBy(prompt)).toBe(true);
  });

  it("goes on with what the agent said or did", () => {
    const prompt = "The retry helper in packages/clock freezes timezone offsets, replace it by luxon";
    const topic = followTopic(objective);
    expect(topic.isLeftBy(prompt)).toBe(true);
    topic.add(() => ["The retry helper freezes the clock", "packages/clock/src/freeze.ts"]);
    expect(topic.isLeftBy(prompt)).toBe(false);
  });

  it("may have a word in common with what was done before if it is long", () => {
    const topic = followTopic(objective);
    topic.add(() => ["npm test -- login", "I updated the table of contents"]);
    expect(
      topic.isLeftBy(
        "Customers report that invoices exported to CSV show broken umlauts in the address table; find out which encoding Excel expects",
      ),
    ).toBe(true);
  });
});

describe("among 90 prompts that follow work of many kinds", () => {
  const leaving = (choose: (task: FollowedTask) => readonly string[]) =>
    followedTasks.flatMap((task) => {
      const topic = followTopic(task.objective);
      topic.add(() => task.done);
      return choose(task).map((prompt) => ({ prompt, isLeaving: topic.isLeftBy(prompt) }));
    });

  it("none that goes on begins a task", () => {
    const going = leaving(({ goesOn }) => goesOn);
    expect([going.length, going.filter(({ isLeaving }) => isLeaving)]).toEqual([54, []]);
  });

  it("hardly any that announces something else, or plainly asks for it, is missed", () => {
    const turning = leaving(({ turnsAway }) => turnsAway);
    expect(turning.length).toBe(36);
    expect(turning.filter(({ isLeaving }) => !isLeaving).length).toBeLessThanOrEqual(2);
  });
});
