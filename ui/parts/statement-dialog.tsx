import { useState } from "preact/hooks";
import { Dialog } from "./dialog.js";

/** Asks for a text: a new wording, or a reason. */
export function StatementDialog({
  title,
  statement,
  action,
  label = "Statement",
  onSave,
  onClose,
}: {
  title: string;
  statement: string;
  action: string;
  label?: string;
  onSave(text: string): void;
  onClose(): void;
}) {
  const [text, setText] = useState(statement);
  const save = (event: Event) => {
    event.preventDefault();
    if (text.trim() !== "") onSave(text.trim());
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" onSubmit={save}>
        <label class="field">
          {label}
          <textarea
            class="input"
            rows={4}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save(event);
            }}
          />
          <span class="hint">Ctrl-Enter saves, Escape goes back.</span>
        </label>
        <p class="row">
          <button type="submit" class="button is-main" disabled={text.trim() === ""}>
            {action}
          </button>
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
        </p>
      </form>
    </Dialog>
  );
}
