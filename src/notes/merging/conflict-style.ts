/** How conflicts are written. */
export interface ConflictStyle {
  /** Both texts between markers, each of which is a line of its own. */
  render(ours: string, theirs: string): string;
}

export interface ConflictMarks {
  /** How many characters long markers are. */
  markerSize: number;
  /** What the versions are called. */
  ours: string;
  theirs: string;
  lineEnd: string;
}

export function conflictStyle({ markerSize, ours, theirs, lineEnd }: ConflictMarks): ConflictStyle {
  const marker = (sign: string, label: string) =>
    `${[sign.repeat(markerSize), ...(label === "" ? [] : [label])].join(" ")}${lineEnd}`;
  const closed = (text: string) => (text === "" || text.endsWith("\n") ? text : text + lineEnd);
  return {
    render: (our, their) =>
      marker("<", ours) + closed(our) + marker("=", "") + closed(their) + marker(">", theirs),
  };
}
