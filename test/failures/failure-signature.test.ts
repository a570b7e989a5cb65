import { describe, expect, it } from "vitest";
import { failureNames, failureSignature } from "../../src/failures/failure.js";
import { findFailures } from "../../src/failures/find-failures.js";
import { tscOutput } from "../support/open-scratch-memory.js";

const signatureOf = (output: string) => failureSignature(output, findFailures(output));
const namesOf = (output: string) => failureNames(findFailures(output));

describe("what a failure is recognised by", () => {
  it("is the same when only numbers in it differ", () => {
    expect(signatureOf(tscOutput("src/a.ts", 3))).toBe(signatureOf(tscOutput("src/a.ts", 48)));
    expect(signatureOf("took 31 ms\nnope")).toBe(signatureOf("took 7 ms\nnope"));
    expect(signatureOf("took 1.25 s\nnope")).toBe(signatureOf("took 7 s\nnope"));
    expect(signatureOf("write at 0x00c0fe")).toBe(signatureOf("write at 0xbeef01"));
  });

  it("is another one in another file, or with another message", () => {
    const known = signatureOf(tscOutput("src/a.ts", 3));
    expect(signatureOf(tscOutput("src/b.ts", 3))).not.toBe(known);
    expect(signatureOf(tscOutput("src/a.ts", 3, "Cannot find name 'x'."))).not.toBe(known);
    expect(signatureOf("nope")).not.toBe(signatureOf("no"));
  });

  it("does not depend on the order of failures, nor on what stands around them", () => {
    const [one, other] = [tscOutput("src/a.ts", 3), tscOutput("src/b.ts", 4)];
    expect(signatureOf(`${one}${other}`)).toBe(signatureOf(`${other}\ncompiled in 3 s\n${one}`));
  });

  it("is the end of an output in which no failure is known", () => {
    expect(signatureOf(`${"begin ".repeat(1000)}the gate is shut`)).toBe(
      signatureOf(`${"other ".repeat(10)}${"begin ".repeat(1000)}the gate is shut\n`),
    );
    expect(signatureOf("")).toBe("");
  });

  it("comes from the failures by name, each once", () => {
    const names = namesOf(
      `${tscOutput("src/a.ts", 3)}${tscOutput("src/a.ts", 3)}${tscOutput("src/b.ts", 4)}`,
    );
    expect(names).toHaveLength(2);
    expect(names[0]).toContain("src/a.ts");
    expect(namesOf("all is well")).toEqual([]);
  });
});
