/** Waits for whoever is at the other end of a pipe that somebody set to non-blocking. */
export function pauseBriefly(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
}
