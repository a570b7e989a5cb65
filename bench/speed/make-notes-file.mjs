const subjects =
  "build cache deploy token session database connection refused timeout migration schema index query handler route parser " +
  "lexer module export import barrel config setting environment variable docker compose container port socket retry backoff " +
  "queue worker thread process signal memory leak buffer stream encoding unicode locale date timezone cron job lock mutex";
const syllables =
  "ba co di fu ga he ji ko lu me ni po qua re si to vu wa xe yo za bra cle dri fro gla sto tra spe".split(
    " ",
  );
const sections = ["Patterns", "Decisions", "Fixes", "Context"];
const vocabularySize = 6000;

/** A notes file with many made-up notes whose words are spread as in real text: few are common, most are rare. */
export function makeNotesFile(count) {
  const { word, sentence } = makeWriter(1);
  const perSection = Math.ceil(count / sections.length);
  const parts = ["# Memories\n"];
  for (const [section, name] of sections.entries()) {
    parts.push(`\n## ${name}\n`);
    const from = section * perSection;
    for (let number = Math.min(from + perSection, count) - 1; number >= from; number -= 1) {
      const time = 1_700_000_000 + number * 300;
      const id = `mem-${time}-${(number % 65536).toString(16).padStart(4, "0")}`;
      const date = new Date(time * 1000).toISOString().slice(0, 10);
      parts.push(`\n### ${id}\n> ${sentence()}.\n<!-- tags: ${word()}, ${word()} | created: ${date} -->\n`);
    }
  }
  return parts.join("");
}

/** Writes words that are spread as in real text, always the same ones for the same seed. */
export function makeWriter(seed) {
  const random = randomNumbers(seed);
  const vocabulary = makeVocabulary();
  const word = () => vocabulary[Math.min(vocabularySize - 1, Math.floor(vocabularySize ** random()))];
  const sentence = (least = 12, most = 28) =>
    Array.from({ length: least + Math.floor(random() * (most - least)) }, word).join(" ");
  return { word, sentence };
}

/** Made-up words by falling frequency, with words of the trade at every eighth place. */
function makeVocabulary() {
  const random = randomNumbers(2);
  const syllable = () => syllables[Math.floor(random() * syllables.length)];
  const words = new Set();
  while (words.size < vocabularySize)
    words.add(Array.from({ length: 2 + Math.floor(random() * 3) }, syllable).join(""));
  const vocabulary = [...words];
  for (const [place, subject] of subjects.split(" ").entries()) vocabulary[8 + place * 8] = subject;
  return vocabulary;
}

/** The same numbers between 0 and 1 for the same seed. */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
