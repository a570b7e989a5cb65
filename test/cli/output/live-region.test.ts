import { describe, expect, it } from "vitest";
import { openLiveRegion } from "../../../src/cli/output/run/live-region.js";
import { openRunStatus } from "../../../src/cli/output/run/run-status.js";
import { displayWidth } from "../../../src/cli/output/terminal/display-width.js";
import { openScreen } from "../../support/screen.js";

describe("the live region", () => {
  it("stays below what scrolls by, and leaves nothing", () => {
    const screen = openScreen(20);
    // A terminal turns a new line into a return as well.
    const write = (text: string) => screen.write(text.replaceAll("\n", "\r\n"));
    const region = openLiveRegion(write, () => 20);
    region.update(["status", "doing"]);
    region.update(["status 2", "doing 2"], ["one", "two"]);
    expect(screen.text()).toEqual(["one", "two", "status 2", "doing 2"]);
    region.update(["only one"], ["three"]);
    expect(screen.text()).toEqual(["one", "two", "three", "only one"]);
    region.clear();
    expect(screen.text()).toEqual(["one", "two", "three", ""]);
    expect(screen.cursor()).toEqual({ row: 3, column: 0 });
  });

  it("writes nothing where nothing has changed", () => {
    const written: string[] = [];
    const region = openLiveRegion(
      (text) => written.push(text),
      () => 20,
    );
    for (let times = 0; times < 3; times += 1) region.update(["same"]);
    expect(written).toHaveLength(1);
  });

  it("goes up past the rows that a narrower window has wrapped", () => {
    const written: string[] = [];
    let columns = 40;
    const region = openLiveRegion(
      (text) => written.push(text),
      () => columns,
    );
    region.update(["x".repeat(39), "doing"]);
    columns = 20;
    region.update(["new", "doing"]);
    expect(written[1]).toBe("\r\u001b[1A\u001b[1A\u001b[Jnew\ndoing\r");
  });
});

describe("the status of a run", () => {
  const status = () => {
    const made = openRunStatus(0);
    made.note(
      {
        event: "run-started",
        max_iterations: 10,
        attempts: 3,
        ...{ task_id: "t", objective: "o", agent: "a" },
        verify: [],
        resumed: false,
      },
      0,
    );
    made.note({ event: "attempt-started", attempt: 2, reflections: 0, memory_capacity: 3 }, 0);
    const started = { attempt: 2, brief_tokens: 1, prompt_tokens: 2, shown: [], holdout: false };
    made.note({ event: "iteration-started", iteration: 4, ...started }, 0);
    made.note({ event: "usage", input_tokens: 12_000, output_tokens: 345, cost_usd: 0.417 }, 0);
    made.note({ event: "tool-started", tool: "Edit", subject: "src/\u001b[2Jcart.js" }, 60_000);
    return made;
  };

  it("shows attempt, iteration, time, tokens, cost, and the last action with its time", () => {
    expect(
      status()
        .rows(65_000, 100)
        .map((row) => row.slice(2)),
    ).toEqual([
      "attempt 2 of 3 · iteration 4 of 10 · 1m 5s · 12.3k tokens · 0.42 USD",
      "Edit src/�[2Jcart.js · 5s",
    ]);
  });

  it("leaves out facts where there is little room", () => {
    expect(status().rows(65_000, 30)[0]?.slice(2)).toBe("iteration 4 of 10 · 1m 5s");
    for (let columns = 2; columns < 120; columns += 1)
      for (const row of status().rows(65_000, columns))
        expect(displayWidth(row)).toBeLessThanOrEqual(columns);
  });

  it("is nothing before the first attempt and after the end", () => {
    expect(openRunStatus(0).rows(0, 80)).toEqual([]);
  });
});
