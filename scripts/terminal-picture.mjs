/** The size of a character; each piece of text is put into its columns, whatever font it is shown with. */
const step = { width: 8.43, height: 19 };
const margin = 16;
const seconds = 12;

/**
 * A picture of a terminal, in which each frame is text. A line is a list of pieces, each with its text and its tone.
 * Frames follow each other; the last one stays the longest, and is the one that is seen where nothing moves.
 */
export function renderTerminalPicture({ title, summary, columns, rows, frames }) {
  const [width, height] = [columns * step.width + 2 * margin, rows * step.height + 2 * margin];
  const groups = frames.map((lines, index) => {
    const texts = lines.flatMap((pieces, row) => renderLine(pieces, margin + (row + 0.8) * step.height));
    return `  <g id="frame-${index + 1}">\n${texts.join("\n")}\n  </g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width.toFixed(0)} ${height}" role="img" aria-labelledby="title summary">
  <title id="title">${escaped(title)}</title>
  <desc id="summary">${escaped(summary)}</desc>
  <style>
    rect { fill: #0d1117; }
    text { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 14px; fill: #e6edf3; white-space: pre; }
    .strong { font-weight: bold; }
    .faint { fill: #8b949e; }
    .good { fill: #3fb950; }
    .bad { fill: #ff7b72; }
    .warning { fill: #d29922; }
${rulesOf(frames).join("\n")}
  </style>
  <rect width="${width.toFixed(0)}" height="${height}" rx="8" />
${groups.join("\n")}
</svg>
`.replace(/^\n/gm, "");
}

/** In steps: two frames that fade into each other cannot be read. */
function rulesOf(frames) {
  if (frames.length === 1) return [];
  const share = 100 / (frames.length + 1);
  return frames.map((_, index) => {
    const isLast = index === frames.length - 1;
    const [from, to] = [index * share, (index + 1) * share].map((percent) => `${percent.toFixed(2)}%`);
    const before = index === 0 ? "" : "0% { visibility: hidden; } ";
    const after = isLast ? "" : ` ${to} { visibility: hidden; }`;
    const frame = `#frame-${index + 1}`;
    return [
      `    @keyframes show-${index + 1} { ${before}${from} { visibility: visible; }${after} 100% { visibility: ${isLast ? "visible" : "hidden"}; } }`,
      ...(isLast ? [] : [`    ${frame} { visibility: hidden; }`]),
      `    @media (prefers-reduced-motion: no-preference) { ${frame} { animation: show-${index + 1} ${seconds}s step-end infinite; } }`,
    ].join("\n");
  });
}

/** Plain characters in runs, all others one by one: another font, with another width, may have them. */
function renderLine(pieces, y) {
  const texts = [];
  let column = 0;
  for (const { text, tone } of pieces) {
    for (const match of text.matchAll(/[!-~]+(?: [!-~]+)*|[^ -~]/gu)) {
      const [run] = match;
      const x = margin + (column + match.index) * step.width;
      const length = run.length > 1 ? ` textLength="${(run.length * step.width).toFixed(1)}"` : "";
      texts.push(
        `    <text class="${tone}" x="${x.toFixed(1)}" y="${y.toFixed(1)}"${length}>${escaped(run)}</text>`,
      );
    }
    column += text.length;
  }
  return texts;
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
