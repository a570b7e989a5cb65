import { useState } from "preact/hooks";
import type { StoredNote } from "../../src/domain/knowledge/note.js";
import type { NoteList } from "../../src/ui/routes/note-routes.js";
import { get, post, useLoaded } from "../api.js";
import { useKeys } from "../keys.js";
import { Badge, Tags } from "../parts/badges.js";
import { useChange } from "../parts/change.js";
import { Dialog } from "../parts/dialog.js";
import { ChoiceField, Filters, SearchField } from "../parts/filters.js";
import { Head } from "../parts/head.js";
import { Link } from "../parts/link.js";
import { useRowKeys } from "../parts/list-keys.js";
import { NoteDialog, type NoteFields } from "../parts/note-dialog.js";
import { Pager } from "../parts/pager.js";
import { Empty, Ready } from "../parts/state.js";
import type { Place } from "../router.js";
import { dateOf } from "../words.js";

const types = ["pattern", "decision", "fix", "context"] as const;

type Asking = { kind: "add" } | { kind: "edit" | "delete"; note: StoredNote };

export function NotesPage({ place: { query } }: { place: Place }) {
  const loaded = useLoaded<NoteList>(`/api/notes?${query}`);
  const one = query.get("note");
  const single = useLoaded<StoredNote>(one === null ? undefined : `/api/notes/${encodeURIComponent(one)}`);
  const [asking, setAsking] = useState<Asking>();
  const change = useChange();
  const { here } = useRowKeys(loaded.value?.rows.length ?? 0);
  const value = (name: string) => query.get(name) ?? "";
  const isFiltered = [...query.keys()].some((name) => name !== "page");
  const close = () => setAsking(undefined);
  const finish = async (work: () => Promise<unknown>, done: string) => {
    if (!(await change(work, done))) return;
    close();
    loaded.reload();
    single.reload();
  };
  const edit = (id: string) =>
    // As it is in the file, not as it is shown.
    change(async () => setAsking({ kind: "edit", note: await get<StoredNote>(`/api/notes/${id}`) }), "");
  const save = (fields: NoteFields) => {
    if (asking?.kind !== "edit") return finish(() => post("/api/notes", fields), "The note was added");
    const changes = changesOf(asking.note, fields);
    return Object.keys(changes).length === 0
      ? close()
      : finish(() => post(`/api/notes/${asking.note.id}/edit`, changes), "The note was changed");
  };
  useKeys({ n: () => setAsking({ kind: "add" }) });
  const card = (note: StoredNote, index: number) => (
    <NoteCard
      key={note.id}
      note={note}
      index={index}
      isHere={here === index}
      onEdit={() => edit(note.id)}
      onDelete={() => setAsking({ kind: "delete", note })}
    />
  );
  return (
    <>
      <Head
        title="Notes"
        actions={
          <button type="button" class="button is-main" onClick={() => setAsking({ kind: "add" })}>
            Add a note <kbd>n</kbd>
          </button>
        }
      >
        <p>
          What people and agents wrote down, in <code>.agent/memories.md</code>. A change touches the bytes of
          that note only.
        </p>
      </Head>
      {one !== null && (
        <section class="stack">
          <Ready loaded={single}>{(note) => <div class="panel is-flush">{card(note, -1)}</div>}</Ready>
          <p>
            <Link to="/notes">All notes</Link>
          </p>
        </section>
      )}
      {one === null && (
        <>
          <Filters>
            <SearchField value={value("q")} label="Search" />
            <ChoiceField
              name="type"
              label="Type"
              value={value("type")}
              choices={types.map((type) => ({ value: type, count: loaded.value?.counts[type] ?? 0 }))}
            />
            {value("tag") !== "" && (
              <p class="row">
                <span class="tag">{value("tag")}</span>
                <Link to="/notes">clear</Link>
              </p>
            )}
          </Filters>
          <Ready loaded={loaded}>
            {({ rows, total, page, limit }) =>
              rows.length === 0 && page === 1 ? (
                isFiltered ? (
                  <Empty title="No note matches">
                    <Link to="/notes">Show all notes</Link>
                  </Empty>
                ) : (
                  <Empty title="No notes yet">
                    <p>
                      Write down what the next agent should know: a decision, a fix, a pattern of this
                      project.
                    </p>
                    <pre>ralph memory add "Tests need the database: docker compose up -d db"</pre>
                  </Empty>
                )
              ) : (
                <>
                  <div class="panel is-flush">{rows.map(card)}</div>
                  <Pager {...{ page, limit, total, rows: rows.length, what: "notes" }} />
                </>
              )
            }
          </Ready>
        </>
      )}
      {(asking?.kind === "add" || asking?.kind === "edit") && (
        <NoteDialog note={asking.kind === "edit" ? asking.note : undefined} onSave={save} onClose={close} />
      )}
      {asking?.kind === "delete" && (
        <Dialog title="Delete this note?" onClose={close}>
          <pre>{asking.note.content}</pre>
          <p class="row">
            <button
              type="button"
              class="button is-bad"
              onClick={() =>
                finish(() => post(`/api/notes/${asking.note.id}/delete`), "The note was deleted")
              }
            >
              Delete
            </button>
            <button type="button" class="button" onClick={close}>
              Cancel
            </button>
          </p>
        </Dialog>
      )}
    </>
  );
}

/** Only what was changed here: somebody may have changed the rest in the file, and the words that were edited, too. */
function changesOf(note: StoredNote, { content, type, tags }: NoteFields) {
  return {
    ...(content !== note.content && { content, was: note.content }),
    ...(type !== note.type && { type }),
    ...(tags.join() !== note.tags.join() && { tags }),
  };
}

function NoteCard({
  note: { id, type, content, tags, created, origin },
  index,
  isHere,
  onEdit,
  onDelete,
}: {
  note: StoredNote;
  index: number;
  isHere: boolean;
  onEdit(): void;
  onDelete(): void;
}) {
  return (
    <article class={`note-card ${isHere ? "is-here" : ""}`} data-row={index}>
      <div class="run-top">
        <p class="row small soft">
          <Badge word={type} />
          <Link class="mono" to={`/notes?note=${id}`}>
            {id}
          </Link>
          <time dateTime={created}>{dateOf(created)}</time>
          {origin !== "project" && <Badge tone="warn" word={`only in this ${origin}`} />}
          <Tags tags={tags} path="/notes" />
        </p>
        <p class="row">
          <button type="button" class="button" onClick={onEdit} aria-label={`Edit ${id}`}>
            Edit
          </button>
          <button type="button" class="button is-bad" onClick={onDelete} aria-label={`Delete ${id}`}>
            Delete
          </button>
        </p>
      </div>
      <pre>{content}</pre>
    </article>
  );
}
