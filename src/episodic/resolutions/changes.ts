import { type Action, isEdit, patchOf } from "../../domain/tasks/action.js";

/** A piece of text that an edit replaced. */
export interface Change {
  before: string;
  after: string;
}

/** What an edit changed, as far as its parameters tell. */
export function changesOf(action: Action): Change[] {
  if (!isEdit(action)) return [];
  const { params } = action;
  if (Array.isArray(params.edits))
    return params.edits.flatMap((edit) => replacement(edit as Action["params"]));
  const replaced = replacement(params);
  if (replaced.length > 0) return replaced;
  const patch = patchOf(action);
  if (patch !== undefined) return changesOfPatch(patch);
  const content = params.content ?? params.file_text;
  return typeof content === "string" ? [{ before: "", after: content }] : [];
}

function replacement(params: Action["params"]): Change[] {
  const before = params.old_string ?? params.old_str;
  const after = params.new_string ?? params.new_str;
  return typeof before === "string" && typeof after === "string" ? [{ before, after }] : [];
}

function changesOfPatch(patch: string): Change[] {
  const changes: Change[] = [];
  let open: { before: string[]; after: string[] } | undefined;
  for (const line of patch.split("\n")) {
    const isRemoved = /^-(?!--)/.test(line);
    const isAdded = /^\+(?!\+\+)/.test(line);
    if (!isRemoved && !isAdded) {
      if (open !== undefined) changes.push(joined(open));
      open = undefined;
      continue;
    }
    open ??= { before: [], after: [] };
    (isRemoved ? open.before : open.after).push(line.slice(1));
  }
  if (open !== undefined) changes.push(joined(open));
  return changes;
}

function joined({ before, after }: { before: string[]; after: string[] }): Change {
  return { before: before.join("\n"), after: after.join("\n") };
}
