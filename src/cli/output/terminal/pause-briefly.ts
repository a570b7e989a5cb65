/** Waits for the other end of a non-blocking pipe. */
export function pauseBriefly(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
}
