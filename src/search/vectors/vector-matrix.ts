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

interface MatrixRow extends QuantisedVector {
  id: string;
  source: string;
}

/** Vectors side by side in one block of memory, so that comparing with all of them takes as long as reading it. */
export interface VectorMatrix {
  readonly size: number;
  /** Adds a record's vector, in the place of an earlier one. */
  put(row: MatrixRow): void;
  keyAt(place: number): { id: string; source: string };
  find(id: string, source: string): number | undefined;
  /** The cosine of the angle between a vector and each one here, by place. */
  compare(vector: QuantisedVector): Float32Array;
}

export function makeVectorMatrix(dimensions: number): VectorMatrix {
  let bytes = new Int8Array(dimensions * 64);
  const scales: number[] = [];
  const keys: { id: string; source: string }[] = [];
  const places = new Map<string, number>();
  const nameOf = (id: string, source: string) => `${source} ${id}`;
  return {
    get size() {
      return keys.length;
    },
    put({ id, source, scale, bytes: row }) {
      if (row.length !== dimensions) return;
      const name = nameOf(id, source);
      const place = places.get(name) ?? keys.length;
      if ((place + 1) * dimensions > bytes.length) {
        const larger = new Int8Array(bytes.length * 2);
        larger.set(bytes);
        bytes = larger;
      }
      bytes.set(row, place * dimensions);
      scales[place] = scale;
      keys[place] = { id, source };
      places.set(name, place);
    },
    keyAt(place) {
      const key = keys[place];
      if (key === undefined) throw new RangeError(`no vector at ${place}`);
      return key;
    },
    find: (id, source) => places.get(nameOf(id, source)),
    compare(vector) {
      const cosines = new Float32Array(keys.length);
      if (vector.bytes.length !== dimensions) return cosines;
      for (let place = 0; place < keys.length; place += 1)
        cosines[place] =
          product(bytes, place * dimensions, vector.bytes) * (scales[place] ?? 0) * vector.scale;
      return cosines;
    },
  };
}

function product(bytes: Int8Array, start: number, question: Int8Array): number {
  let sum = 0;
  for (let at = 0; at < question.length; at += 1)
    sum += (bytes[start + at] as number) * (question[at] as number);
  return sum;
}
