const parts = 10;
const enough = 2.5;
/** Shorter work is repeated until it has taken as many microseconds: a switch of processes would decide about it. */
const measurable = 20_000;

/**
 * Whether work on a long text costs no more than the same work on its parts: with a cost that grows with the square of the length
 * it would be ten times as much. Processor time is compared, within one run, which a busy machine changes little; a pause for
 * collecting garbage may spoil one try.
 */
export function growsLinearly(work: (length: number) => unknown, length: number): boolean {
  const part = Math.ceil(length / parts);
  work(part);
  return Array.from({ length: 3 }).some(() => {
    let ofParts = 0;
    let ofWhole = 0;
    while (ofParts + ofWhole < measurable) {
      ofParts += costOf(() => {
        for (let done = 0; done < parts; done += 1) work(part);
      });
      ofWhole += costOf(() => work(length));
    }
    return ofWhole < enough * ofParts;
  });
}

/** The same for looking through a text that repeats something; it is made before, which may take longer than the look. */
export function looksLinearly(look: (text: string) => unknown, unit: string, count: number): boolean {
  const texts = new Map([Math.ceil(count / parts), count].map((times) => [times, unit.repeat(times)]));
  return growsLinearly((times) => look(texts.get(times) ?? ""), count);
}

function costOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
