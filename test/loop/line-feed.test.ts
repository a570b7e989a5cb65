import { describe, expect, it } from "vitest";
import { openLineFeed } from "../../src/loop/show-output.js";

function feedOf() {
  const passed: string[] = [];
  return { passed, feed: openLineFeed((lines) => passed.push(lines)) };
}

describe("a line feed", () => {
  it("passes on whole lines as soon as they are complete, and the rest at the end", () => {
    const { passed, feed } = feedOf();
    for (const piece of ["one\ntw", "o\n", "thr", "ee"]) feed.push(piece);
    expect(passed).toEqual(["one\n", "two\n"]);
    feed.end();
    expect(passed).toEqual(["one\n", "two\n", "three"]);
  });

  it("keeps a private key together, which is redacted only as a whole", () => {
    const { passed, feed } = feedOf();
    feed.push("-----BEGIN PRIVATE KEY-----\nMIIE\n");
    feed.push("abcd\n-----END PRIVATE");
    expect(passed).toEqual([]);
    feed.push(" KEY-----\nafter\n");
    expect(passed).toEqual(["-----BEGIN PRIVATE KEY-----\nMIIE\nabcd\n-----END PRIVATE KEY-----\nafter\n"]);
  });

  it("of an output without end passes on the beginning and the end", () => {
    const { passed, feed } = feedOf();
    for (let line = 0; line < 100_000; line += 1) feed.push(`this is line ${line}\n`);
    feed.end();
    const all = passed.join("");
    expect(all.length).toBeLessThan(300_000);
    expect(all).toMatch(/^this is line 0\nthis is line 1\n/);
    expect(all).toMatch(/\n\[… \d+ characters not shown …\]\nthis is line \d+\n[\s\S]*this is line 99999\n$/);
  });

  it("does not wait for the end of a line without end", () => {
    const { passed, feed } = feedOf();
    feed.push("x".repeat(20_000));
    expect(passed.join("")).toHaveLength(20_000);
  });
});
