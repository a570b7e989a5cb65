import { describe, expect, it } from "vitest";
import { failureNames, failureSignature } from "../../src/loop/failure-signature.js";
import { tscOutput } from "../episodic/open-scratch-memory.js";

describe("what a failure is recognised by", () => {
  it("is the same when only numbers in it differ", () => {
    expect(failureSignature(tscOutput("src/a.ts", 3))).toBe(failureSignature(tscOutput("src/a.ts", 48)));
    expect(failureSignature("took 31 ms\nnope")).toBe(failureSignature("took 7 ms\nnope"));
  });

  it("is another one in another file, or with another message", () => {
    const known = failureSignature(tscOutput("src/a.ts", 3));
    expect(failureSignature(tscOutput("src/b.ts", 3))).not.toBe(known);
    expect(failureSignature(tscOutput("src/a.ts", 3, "Cannot find name 'x'."))).not.toBe(known);
    expect(failureSignature("nope")).not.toBe(failureSignature("no"));
  });

  it("does not depend on the order of failures, nor on what stands around them", () => {
    const [one, other] = [tscOutput("src/a.ts", 3), tscOutput("src/b.ts", 4)];
    expect(failureSignature(`${one}${other}`)).toBe(failureSignature(`${other}\ncompiled in 3 s\n${one}`));
  });

  it("is the end of an output in which no failure is known", () => {
    expect(failureSignature(`${"begin ".repeat(1000)}the gate is shut`)).toBe(
      failureSignature(`${"other ".repeat(10)}${"begin ".repeat(1000)}the gate is shut\n`),
    );
    expect(failureSignature("")).toBe("");
  });

  it("comes from the failures by name, each once", () => {
    const names = failureNames(
      `${tscOutput("src/a.ts", 3)}${tscOutput("src/a.ts", 3)}${tscOutput("src/b.ts", 4)}`,
    );
    expect(names).toHaveLength(2);
    expect(names[0]).toContain("src/a.ts");
    expect(failureNames("all is well")).toEqual([]);
  });
});
