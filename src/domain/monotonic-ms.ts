/** Milliseconds by a clock that never jumps. `performance.now()` is the same, but loads a millisecond's worth of modules. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
