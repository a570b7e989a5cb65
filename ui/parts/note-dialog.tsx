import { useState } from "preact/hooks";
import type { StoredNote } from "../../src/domain/knowledge/note.js";
import { Dialog } from "./dialog.js";

const types = ["pattern", "decision", "fix", "context"] as const;

export interface NoteFields {
  content: string;
  type: string;
  tags: string[];
}

export function NoteDialog({
  note,
  onSave,
  onClose,
}: {
  note: StoredNote | undefined;
  onSave(fields: NoteFields): void;
  onClose(): void;
}) {
  const [content, setContent] = useState(note?.content ?? "");
  const [type, setType] = useState<string>(note?.type ?? "pattern");
  const [tags, setTags] = useState((note?.tags ?? []).join(", "));
  const save = (event: Event) => {
    event.preventDefault();
    if (content.trim() === "") return;
    const words = tags.split(",").map((tag) => tag.trim());
    onSave({ content, type, tags: words.filter((tag) => tag !== "") });
  };
  return (
    <Dialog title={note === undefined ? "Add a note" : `Edit ${note.id}`} onClose={onClose}>
      <form class="stack" onSubmit={save}>
        <label class="field">
          Content
          <textarea
            class="input"
            rows={7}
            value={content}
            onInput={({ currentTarget }) => setContent(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save(event);
            }}
          />
        </label>
        <label class="field">
          Type
          <select class="input" value={type} onChange={({ currentTarget }) => setType(currentTarget.value)}>
            {types.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          Tags, separated by commas
          <input class="input" value={tags} onInput={({ currentTarget }) => setTags(currentTarget.value)} />
        </label>
        <p class="row">
          <button type="submit" class="button is-main" disabled={content.trim() === ""}>
            Save
          </button>
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
        </p>
      </form>
    </Dialog>
  );
}
