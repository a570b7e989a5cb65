interface Dated {
  time: number;
  type?: string;
  key?: number;
}

/** Whether one note was written after another; within one second, only notes of one section have an order. */
export function isNewer(one: Dated, other: Dated): boolean {
  if (one.time !== other.time) return one.time > other.time;
  return one.type === other.type && (one.key ?? 0) > (other.key ?? 0);
}
