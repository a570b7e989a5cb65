import { useState } from "preact/hooks";
import type { ReviewPage as ReviewPageView, ReviewRow } from "../../src/ui/routes/learning-routes.js";
import { post, useLoaded } from "../api.js";
import { useKeys } from "../keys.js";
import { Badge } from "../parts/badges.js";
import { useChange } from "../parts/change.js";
import { Head } from "../parts/head.js";
import { Link, RecordLink } from "../parts/link.js";
import { useRowKeys } from "../parts/list-keys.js";
import { Empty, Ready } from "../parts/state.js";
import { StatementDialog } from "../parts/statement-dialog.js";
import { Ago } from "../parts/time.js";
import { counted, percent } from "../words.js";

type Asking = { kind: "edit" | "reject"; row: ReviewRow };

export function ReviewPage() {
  const loaded = useLoaded<ReviewPageView>("/api/review");
  const waiting = loaded.value?.waiting ?? [];
  const { here, setHere } = useRowKeys(waiting.length);
  const [asking, setAsking] = useState<Asking>();
  const change = useChange();
  const decide = async (row: ReviewRow, path: string, body: object, done: string) => {
    setAsking(undefined);
    await change(() => post(`/api/review/${row.id}/${path}`, body), done);
    loaded.reload();
  };
  const accept = (row: ReviewRow) => decide(row, "accept", {}, "Accepted");
  const onHere = (act: (row: ReviewRow) => void) => () => {
    const row = waiting[here === -1 ? 0 : here];
    if (row !== undefined) act(row);
  };
  useKeys({
    a: onHere(accept),
    e: onHere((row) => setAsking({ kind: "edit", row })),
    r: onHere((row) => setAsking({ kind: "reject", row })),
  });
  return (
    <>
      <Head
        title="Review"
        crumb={
          <>
            <Link to="/learnings">Learnings</Link> / Review
          </>
        }
      >
        <p>
          What was found and waits for you: <Keys />
        </p>
      </Head>
      <Ready loaded={loaded}>
        {({ waiting: rows, rejected, awaitingEvidence }) => (
          <div class="stack is-loose">
            {rows.length === 0 ? (
              <Empty title="Nothing waits for a review">
                {awaitingEvidence > 0 && (
                  <p>{counted(awaitingEvidence, "finding")} must be confirmed by another task first.</p>
                )}
                <p>With this setting, everything that is learned waits here first:</p>
                <pre>ralph config set learnings.promotion review</pre>
              </Empty>
            ) : (
              <ul class="stack">
                {rows.map((row, index) => (
                  <li
                    key={row.id}
                    data-row={index}
                    tabIndex={-1}
                    class={`panel review-card stack ${here === index ? "is-here" : ""}`}
                    onFocus={() => setHere(index)}
                  >
                    <div>
                      <p class="row small soft">
                        <Badge word={row.type} />
                        <span>{row.taskType}</span>
                        <span>confidence {percent(row.confidence)}</span>
                        <span>
                          found <Ago time={row.stagedAt} />
                        </span>
                        {row.sources.map((source) => (
                          <RecordLink key={source} id={source} />
                        ))}
                      </p>
                      <p class="statement">{row.statement}</p>
                      {row.remedy && <p class="remedy">→ {row.remedy}</p>}
                      {row.reason && <p class="note">{row.reason}</p>}
                    </div>
                    <p class="row">
                      <button type="button" class="button is-main" onClick={() => accept(row)}>
                        Accept <kbd>a</kbd>
                      </button>
                      <button type="button" class="button" onClick={() => setAsking({ kind: "edit", row })}>
                        Reword <kbd>e</kbd>
                      </button>
                      <button
                        type="button"
                        class="button is-bad"
                        onClick={() => setAsking({ kind: "reject", row })}
                      >
                        Reject <kbd>r</kbd>
                      </button>
                    </p>
                  </li>
                ))}
              </ul>
            )}
            {rejected.length > 0 && (
              <details>
                <summary>{counted(rejected.length, "rejected finding")}</summary>
                <ul class="list-plain panel">
                  {rejected.map((row) => (
                    <li key={row.id}>
                      <p>{row.statement}</p>
                      <p class="soft small">rejected: {row.rejectionReason}</p>
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </div>
        )}
      </Ready>
      {asking?.kind === "edit" && (
        <StatementDialog
          title="Accept with another wording"
          statement={asking.row.statement}
          action="Accept"
          onSave={(statement) => decide(asking.row, "accept", { statement }, "Accepted with the new wording")}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking?.kind === "reject" && (
        <StatementDialog
          title="Reject"
          label={`Why is this wrong? “${asking.row.statement}”`}
          statement=""
          action="Reject"
          onSave={(reason) => decide(asking.row, "reject", { reason }, "Rejected")}
          onClose={() => setAsking(undefined)}
        />
      )}
    </>
  );
}

function Keys() {
  return (
    <span>
      <kbd class="key">j</kbd> next, <kbd class="key">k</kbd> previous, <kbd class="key">a</kbd> accept,{" "}
      <kbd class="key">r</kbd> reject, <kbd class="key">e</kbd> reword.
    </span>
  );
}
