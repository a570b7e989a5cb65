import { describe, expect, it } from "vitest";
import { clipCheck, clipMessage, clipOutput, endOf, startOf } from "../../../src/text/secrets/clip-output.js";
import { redact } from "../../../src/text/secrets/redact.js";
import { digits, hex, lower, randomFrom } from "./samples/random.js";

const random = randomFrom(4);
const secrets = {
  token: `ghp_${random.text(lower + digits, 36)}`,
  password: `DB_PASSWORD=${random.text(lower + digits, 12)}9`,
  signature: `https://b.s3.amazonaws.com/k?X-Amz-Signature=${random.text(hex, 64)}`,
};

/** Every piece of a secret that is long enough to help somebody. */
function piecesOf(secret: string): string[] {
  const value = secret.slice(-10);
  return [value, secret.slice(-16, -6)];
}

const clips = { clipOutput, clipCheck, clipMessage };

describe("a cut through a long output", () => {
  it.each(Object.entries(secrets))("leaves no piece of a secret: %s", (_kind, secret) => {
    for (const clip of Object.values(clips)) {
      for (let shift = 0; shift < 24; shift += 2) {
        for (const filler of [`${"word ".repeat(12)}\n`, "x1,"]) {
          // Secrets all along the text, so that one is at each cut.
          const text = `${filler.repeat(shift)}${`${secret} ${filler.repeat(3)}`.repeat(900)}`;
          const clipped = clip(text);
          for (const piece of piecesOf(secret)) expect(clipped).not.toContain(piece);
        }
      }
    }
  });

  it("leaves none when redacting shortens the text to less than its margin", () => {
    const long = `sk-ant-api03-${random.text(lower + digits, 400)}`;
    for (let shift = 0; shift < 60; shift += 1) {
      const clipped = clipOutput(`${"x".repeat(shift * 7)} ${`${long} ok\n`.repeat(400)}`);
      for (let at = 20; at < long.length - 20; at += 20)
        expect(clipped).not.toContain(long.slice(at, at + 20));
    }
  });

  it("keeps short lines that matter, without their secrets, and still cuts", () => {
    const line = "the agent tells at length what it did and why\n";
    const matters = (said: string) => said.startsWith("Learned:");
    const lessons = [
      `Learned: ${"x ".repeat(300)}`,
      `Learned: the token is ${secrets.token}`,
      "Learned: two",
    ];
    const said = [line.repeat(60), ...lessons, line.repeat(200)].join("\n");
    const clipped = clipMessage(said, matters).split("\n").filter(matters);
    expect(clipped).toEqual([expect.stringContaining("the token is [redacted"), "Learned: two"]);
    expect(clipMessage(clipMessage(said, matters), matters)).toBe(clipMessage(said, matters));
    expect(clipMessage(said)).not.toContain("Learned");
  });

  it("keeps such a line wherever it is", () => {
    const line = "x".repeat(49);
    const lines = Array.from({ length: 200 }, () => line);
    for (let at = 0; at <= lines.length; at += 1) {
      const said = lines.toSpliced(at, 0, "Learned: one").join("\n");
      expect(clipMessage(said, (each) => each.startsWith("Learned:"))).toContain("Learned: one");
    }
  });

  it("keeps most of what it may keep", () => {
    const line = "a line of ordinary output without any secret\n";
    const clipped = clipOutput(line.repeat(5000));
    expect(clipped.length).toBeGreaterThan(59 * 1024);
  });
});

describe("a long text that is read in parts", () => {
  it.each(Object.entries(secrets))("keeps no secret where the parts meet: %s", (_kind, secret) => {
    for (const filler of ["ok ", "x1,", `${"word ".repeat(12)}\n`]) {
      const { text } = redact(`${secret} ${filler.repeat(2)}`.repeat(8000));
      for (const piece of piecesOf(secret)) expect(text).not.toContain(piece);
    }
  });

  it("may be a single word of megabytes", () => {
    expect(redact("aB3+x/9Z".repeat(400_000)).found).toEqual([]);
  });
});

describe("the start and the end of a text", () => {
  it("are whole words", () => {
    expect(startOf("one two three", 9)).toBe("one two");
    expect(endOf("one two three", 9)).toBe(" three");
    expect(startOf("short", 9)).toBe("short");
  });

  it("hold no half of a secret, wherever it is cut", () => {
    const text = `before ${secrets.token} after ${secrets.token} and more`;
    for (let length = 10; length < text.length; length += 1) {
      const kept = redact(startOf(text, length)).text + redact(endOf(text, length)).text;
      expect(kept).not.toContain(secrets.token.slice(10, 20));
    }
  });
});
