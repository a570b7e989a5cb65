import { describe, expect, it } from "vitest";
import { clipCheck, clipMessage, clipOutput } from "../../../src/text/secrets/clip-output.js";
import { endOf, startOf } from "../../../src/text/secrets/cut.js";
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

  it("keeps most of what it may keep", () => {
    const line = "a line of ordinary output without any secret\n";
    const clipped = clipOutput(line.repeat(5000));
    expect(clipped.length).toBeGreaterThan(59 * 1024);
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
