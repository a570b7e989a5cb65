const startsDifferently = /^[\s/]*[a-qs-z0-9>]/i;
const tagLike = /^\|*ra[l1i|]ph\|*(?:m|rn)e(?:m|rn)[o0]ry/;

/** Whether the text after a bracket looks like our fence's tag name, in any script and with any filler in between. */
export function looksLikeOurTag(text: string): boolean {
  return !startsDifferently.test(text) && tagLike.test(skeletonOf(text));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: matches everything but ASCII
const notAscii = /[^\u0000-\u007f]/g;

/** The text as it looks, reduced to ASCII letters, digits and `|>`, without accents. */
export function skeletonOf(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(notAscii, (character) => plainLetterFor(character) ?? "")
    .replace(/[^a-z0-9|>]+/g, "");
}

/** Lower-case letters of other scripts that look like a letter of a tag, or whose capitals do. */
const lookAlikes: readonly (readonly [string, string])[] = [
  ["r", "гᴦⲅꭇꭈꮁʀꭱꮢᖇꓣɾɼ"],
  ["a", "аαɑ⍺ᴀꭺᗅꓮ"],
  ["l", "ıіӏιɩǀ∣ʟłɫاןו١۱ߊⵏᛁꓲꮮᒪꓡ"],
  ["p", "рρⲣ⍴ᴘꮲᑭꓑƥ"],
  ["h", "һհнηⲏʜꮒꮋᕼꓧħɦ"],
  ["m", "мμϻⲙᴍɱꮇᗰᛖꓟ"],
  ["e", "еєεҽ℮ꬲᴇꭼⴹꓰɛ"],
  ["o", "оοσօςøɵөⲟᴏסه०০੦૦୦௦౦೦൦๐໐၀ဝ٥۵ჿⵔꓳ〇"],
  ["y", "уүγυɣყʏⲩꭹꮍꓬꭚỿ"],
  ["s", "ѕꜱꮪꓢʂƨ"],
  ["t", "тτᴛꭲꓔⲧŧ"],
  ["u", "սʋᴜꞟꓴ"],
  ["n", "пոɴռꓠ"],
  ["d", "ԁɗᏧꓒđ"],
  ["c", "сϲᴄⲥꓚ"],
  ["f", "ғƒꬵꓝ"],
  ["v", "νѵᴠꓦ"],
  ["k", "кκᴋⲕꓗ"],
  ["g", "ɡցɢꓖ"],
];
let letterByLookAlike: ReadonlyMap<string, string> | undefined;

function plainLetterFor(character: string): string | undefined {
  letterByLookAlike ??= new Map(
    lookAlikes.flatMap(([letter, others]) => [...others].map((other) => [other, letter] as const)),
  );
  return letterByLookAlike.get(character);
}
