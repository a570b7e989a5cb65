import { describe, expect, it } from "vitest";
import { makeVectorMatrix, quantise } from "../../../src/search/vectors/vector-matrix.js";

/** Spread between -0.5 and 0.5, and the same in every run. */
function scatter(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647 - 0.5;
  };
}

function cosine(one: Float32Array, other: Float32Array): number {
  let [product, first, second] = [0, 0, 0];
  one.forEach((value, at) => {
    product += value * (other[at] ?? 0);
    first += value * value;
    second += (other[at] ?? 0) ** 2;
  });
  return product / Math.sqrt(first * second);
}

describe("vectors in single bytes", () => {
  it.each([3, 64, 385])("keep their angles, with %i dimensions", (dimensions) => {
    const next = scatter();
    const random = () => Float32Array.from({ length: dimensions }, next);
    const matrix = makeVectorMatrix(dimensions);
    const vectors = Array.from({ length: 200 }, random);
    vectors.forEach((vector, index) => {
      matrix.put({ id: `n${index}`, source: "1", ...quantise(vector) });
    });
    const question = random();
    const cosines = matrix.compare(quantise(question));
    expect(matrix.size).toBe(200);
    vectors.forEach((vector, index) => {
      expect(Math.abs((cosines[index] ?? 9) - cosine(question, vector))).toBeLessThan(0.02);
    });
  });

  it("take the place of an earlier one of the same record", () => {
    const matrix = makeVectorMatrix(2);
    matrix.put({ id: "a", source: "1", ...quantise(Float32Array.of(1, 0)) });
    matrix.put({ id: "a", source: "2", ...quantise(Float32Array.of(1, 0)) });
    matrix.put({ id: "a", source: "1", ...quantise(Float32Array.of(0, 1)) });
    expect(matrix.size).toBe(2);
    expect([...matrix.compare(quantise(Float32Array.of(0, 5)))]).toEqual([expect.closeTo(1), 0]);
    expect(matrix.find("a", "2")).toBe(1);
  });

  it("of nothing are like nothing", () => {
    const matrix = makeVectorMatrix(2);
    matrix.put({ id: "a", source: "1", ...quantise(Float32Array.of(0, 0)) });
    expect([...matrix.compare(quantise(Float32Array.of(1, 1)))]).toEqual([0]);
  });

  it("of another length are left out", () => {
    const matrix = makeVectorMatrix(2);
    matrix.put({ id: "a", source: "1", ...quantise(Float32Array.of(1, 2, 3)) });
    expect(matrix.size).toBe(0);
  });
});
