import { expect, it } from "vitest";
import { sharesWords, toQuestion } from "../../src/recall/recall-question.js";
import { looseStem } from "../../src/words/stem.js";

const question = toQuestion(
  { objective: "Restore the databases of the services", errors: ["connection refused"] },
  new Date(),
);

it("what is shared with a question is told in its own words, of its errors too", () => {
  const stems = ["databases", "services", "refused"].map(looseStem);
  expect(stems).not.toContain("databases");
  expect(sharesWords(question, stems)).toEqual(['shares "databases", "services", "refused"']);
});

it("a stem of no word in the question is told as it is, and nothing shared is not told", () => {
  expect(sharesWords(question, ["elsewher"])).toEqual(['shares "elsewher"']);
  expect(sharesWords(question, [])).toEqual([]);
});

it("what is shared is shown as the question writes it, where words are parts of a name or path", () => {
  const asked = toQuestion(
    { objective: "Why is out.txt empty after writeReport", files: ["src/über-uns/Index.html", "a.b"] },
    new Date(),
  );
  const shown = (...words: string[]) => sharesWords(asked, words.map(looseStem));
  expect(shown("outtxt", "txt", "writereport")).toEqual(['shares "out.txt", "txt", "writeReport"']);
  expect(shown("indexhtml", "srcüberunsindexhtml")).toEqual([
    'shares "Index.html", "src/über-uns/Index.html"',
  ]);
});
