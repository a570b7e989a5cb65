import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  lateFileOf,
  listWaitingSessions,
  mayBeLeft,
  newSession,
  sessionFile,
} from "../../src/hooks/session-files.js";
import { scratchFolder } from "../support/scratch.js";

describe("the sessions of which actions wait", () => {
  it("are those with a file beside their own, also one that a killed process was reading", () => {
    const store = storeWith("a quiet one", "one that waits", "one that was read");
    const [, waiting, read] = ["a quiet one", "one that waits", "one that was read"].map(fileIn(store));
    writeFileSync(lateFileOf(waiting ?? ""), "{}\n");
    writeFileSync(`${lateFileOf(read ?? "")}.4711`, "{}\n");
    expect(listWaitingSessions(store).toSorted()).toEqual([waiting, read].toSorted());
    expect(mayBeLeft(store)).toBe(true);
  });

  it("are none without a session: nobody could say whose actions they were", () => {
    const store = storeWith("a quiet one");
    writeFileSync(lateFileOf(fileIn(store)("one that is finished")), "{}\n");
    expect(listWaitingSessions(store)).toEqual([]);
    expect(mayBeLeft(store)).toBe(false);
  });

  it("are none where there is no session", () => {
    expect(listWaitingSessions(scratchFolder())).toEqual([]);
  });
});

function fileIn(store: string): (session: string) => string {
  return (session) => sessionFile(store, "claude", session);
}

/** Sessions of this very process, which goes on. */
function storeWith(...sessions: string[]): string {
  const store = scratchFolder();
  mkdirSync(join(store, "sessions"));
  for (const session of sessions) {
    const runner = { pid: process.pid };
    writeFileSync(fileIn(store)(session), JSON.stringify({ ...newSession("claude", session), runner }));
  }
  return store;
}
