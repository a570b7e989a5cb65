/** Milliseconds by a clock that never jumps. `performance.now()` is the same, but loads a millisecond's worth of modules. */
export function monotonicMs(): number {
  return process.uptime() * 1000;
}
