import { readCommands } from "./render-cli-reference.mjs";

/** Manual pages by file name: one for `ralph`, and one for each of its commands with those below it. */
export async function renderManPages(version, help) {
  const root = await readCommands(help);
  const pages = root.commands.map((command) => [
    `${nameOf(command.path)}.1`,
    renderPage(command, version, [command, ...below(command)]),
  ]);
  return Object.fromEntries([["ralph.1", renderPage(root, version, [root], pages)], ...pages]);
}

const nameOf = (path) => ["ralph", ...path].join("-");
const below = ({ commands }) => commands.flatMap((command) => [command, ...below(command)]);

function renderPage({ path, text }, version, commands, pages = []) {
  const name = nameOf(path);
  const { summary } = partsOf(text);
  const [first, ...others] = commands;
  return [
    `.TH ${name.toUpperCase()} 1 "" "ralph ${version}" "Ralph Manual"`,
    ".SH NAME",
    `${name} \\- ${roff(summary)}`,
    ...renderParts(first, ".SH"),
    ...others.flatMap((command) => [
      `.SH ${roff(["ralph", ...command.path].join(" ").toUpperCase())}`,
      roff(partsOf(command.text).summary),
      ...renderParts(command, ".SS"),
    ]),
    ".SH SEE ALSO",
    pages.length > 0
      ? pages.map(([file]) => `.BR ${file.replace(/\.1$/, "")} (1)`).join(",\n")
      : ".BR ralph (1)",
    "",
  ].join("\n");
}

/** The sections of a help text. */
function partsOf(help) {
  const [title, ...sections] = help.trimEnd().split(/\n\n/);
  const parts = { summary: title.slice(title.indexOf(": ") + 2), description: [], lists: [] };
  for (const section of sections) {
    const [head, ...lines] = section.split("\n");
    if (head.startsWith("Usage: ")) parts.usage = head.slice("Usage: ".length);
    else if (/^[A-Z][a-z]+:$/.test(head)) parts.lists.push({ title: head.slice(0, -1), lines });
    else parts.description.push(section.replaceAll("\n", " "));
  }
  return parts;
}

function renderParts({ text }, heading) {
  const { usage, description, lists } = partsOf(text);
  return [
    ...(usage ? [`${heading} SYNOPSIS`, ".nf", roff(usage), ".fi"] : []),
    ...(description.length > 0 ? [`${heading} DESCRIPTION`, description.map(roff).join("\n.PP\n")] : []),
    ...lists.flatMap(({ title, lines }) => [
      `${heading} ${title.toUpperCase()}`,
      ...renderList(title, lines),
    ]),
  ];
}

function renderList(title, lines) {
  if (title === "Examples") return [".nf", ...lines.map((line) => roff(line)), ".fi"];
  return lines.flatMap((line) => {
    const [, term, meaning = ""] = /^\s*(.*?)(?: {2,}(.*))?$/.exec(line);
    return [".TP", `\\fB${roff(term)}\\fR`, roff(meaning)];
  });
}

/** A dot or a quote at the beginning of a line would be a request. */
function roff(text) {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^(?=[.'])/, "\\&");
}
