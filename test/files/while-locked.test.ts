import { describe, expect, it } from "vitest";
import { whileLocked } from "../../src/files/while-locked.js";

function failing(times: number, code: string): () => string {
  let left = times;
  return () => {
    if (left === 0) return "done";
    left -= 1;
    throw Object.assign(new Error(code), { code });
  };
}

describe("a file that another program has open", () => {
  it("is waited for on Windows", () => {
    expect(whileLocked(failing(3, "EBUSY"), true)).toBe("done");
    expect(() => whileLocked(failing(1000, "EPERM"), true)).toThrow("EPERM");
  });

  it("is not waited for where that cannot be, nor for another reason", () => {
    expect(() => whileLocked(failing(1, "EACCES"), false)).toThrow("EACCES");
    expect(() => whileLocked(failing(1, "ENOSPC"), true)).toThrow("ENOSPC");
  });
});
