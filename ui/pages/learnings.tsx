import type { LearningList } from "../../src/ui/routes/learning-routes.js";
import { useLoaded } from "../api.js";
import { EvidenceBar } from "../charts/evidence-bar.js";
import { Badge } from "../parts/badges.js";
import { CheckField, ChoiceField, Filters, SearchField } from "../parts/filters.js";
import { Head } from "../parts/head.js";
import { Link } from "../parts/link.js";
import { useRowKeys } from "../parts/list-keys.js";
import { Pager } from "../parts/pager.js";
import { Empty, Ready } from "../parts/state.js";
import { Ago } from "../parts/time.js";
import type { Place } from "../router.js";
import { counted, percent } from "../words.js";

const verdicts = [
  { value: "helps", word: "helps" },
  { value: "hurts", word: "hurts" },
  { value: "unclear", word: "too little to tell" },
  { value: "none", word: "not shown yet" },
];

export function LearningsPage({ place: { query } }: { place: Place }) {
  const loaded = useLoaded<LearningList>(`/api/learnings?${query}`);
  const { here } = useRowKeys(loaded.value?.rows.length ?? 0);
  const staleIds = (loaded.value?.rows ?? []).map(({ id }) => `id=${id}`).join("&");
  const stale = useLoaded<{ id: string; files: string[] }[]>(
    staleIds === "" ? undefined : `/api/learnings/stale?${staleIds}`,
  );
  const outdated = new Set((stale.value ?? []).map(({ id }) => id));
  const value = (name: string) => query.get(name) ?? "";
  const isFiltered = [...query.keys()].some((name) => name !== "page");
  const choices = (counts: Record<string, number> | undefined) =>
    Object.entries(counts ?? {}).map(([word, count]) => ({ value: word, count }));
  const waiting = loaded.value?.waiting ?? 0;
  return (
    <>
      <Head
        title="Learnings"
        actions={
          waiting > 0 && (
            <Link class="button is-main" to="/review">
              Review {counted(waiting, "new one")}
            </Link>
          )
        }
      >
        <p>What held true in tasks, best first, each with the outcomes of the tasks that were shown it.</p>
      </Head>
      <Filters>
        <SearchField value={value("q")} label="Search" />
        <ChoiceField name="type" label="Type" value={value("type")} choices={choices(loaded.value?.byType)} />
        <ChoiceField
          name="task-type"
          label="Task type"
          value={value("task-type")}
          choices={choices(loaded.value?.byTaskType)}
        />
        <ChoiceField name="evidence" label="Evidence" value={value("evidence")} choices={verdicts} />
        <CheckField name="superseded" label="with superseded" isOn={value("superseded") === "1"} />
      </Filters>
      <Ready loaded={loaded}>
        {({ rows, total, page, limit }) =>
          rows.length === 0 && page === 1 ? (
            isFiltered ? (
              <Empty title="No learning matches">
                <Link to="/learnings">Show all learnings</Link>
              </Empty>
            ) : (
              <Empty title="Nothing was learned yet">
                <p>Learnings are drawn from finished tasks. Those of sessions that you had before:</p>
                <pre>ralph ingest</pre>
              </Empty>
            )
          ) : (
            <>
              <div class="table-frame">
                <table class="table is-stacked">
                  <caption class="hidden">Learnings, best first</caption>
                  <thead>
                    <tr>
                      <th scope="col">Statement</th>
                      <th scope="col">Type</th>
                      <th scope="col">Evidence</th>
                      <th scope="col" class="number">
                        Confidence
                      </th>
                      <th scope="col" class="number">
                        Shown
                      </th>
                      <th scope="col">Updated</th>
                    </tr>
                  </thead>
                  <tbody>
                    {rows.map((row, index) => (
                      <tr
                        key={row.id}
                        data-row={index}
                        class={`is-linked ${here === index ? "is-here" : ""}`}
                      >
                        <td class="wide">
                          <Link to={`/learnings/${row.id}`} class="statement clamp">
                            {row.statement}
                          </Link>
                          {row.remedy && (
                            <div class="remedy small clamp">
                              <span aria-hidden="true">→ </span>
                              {row.remedy}
                            </div>
                          )}
                          <div class="row small">
                            {outdated.has(row.id) && <Badge tone="warn" sign="!" word="its files changed" />}
                            {row.superseded_by && <Badge word="superseded" />}
                          </div>
                        </td>
                        <td class="nowrap kind-cell">
                          {row.type}
                          <div class="soft small">{row.taskType}</div>
                        </td>
                        <td class="evidence-cell">
                          <EvidenceBar evidence={row.evidence} />
                        </td>
                        <td class="number" data-name="confidence">
                          {percent(row.confidence)}
                        </td>
                        <td class="number" data-name="shown">
                          {row.useCount}
                        </td>
                        <td class="nowrap soft is-second">
                          <Ago time={row.updatedAt} />
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
              <p class="small soft legend-line">
                Bar: 90 % bounds of the success rate of tasks that were shown it. Dot: the rate. Line: how
                often tasks of that type succeed anyway.
              </p>
              <Pager {...{ page, limit, total, rows: rows.length, what: "learnings" }} />
            </>
          )
        }
      </Ready>
    </>
  );
}
