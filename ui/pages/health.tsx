import { useEffect, useState } from "preact/hooks";
import type { Health } from "../../src/memory/health/check-health.js";
import type { HealthPage as HealthPageView } from "../../src/ui/routes/health-routes.js";
import { type Problem, post, problemIn, useLoaded } from "../api.js";
import { StateBadge } from "../parts/badges.js";
import { FilePath } from "../parts/file-path.js";
import { CheckField } from "../parts/filters.js";
import { Head } from "../parts/head.js";
import { ProblemPanel, Ready } from "../parts/state.js";
import type { Place } from "../router.js";
import { bytes, count } from "../words.js";

export function HealthPage({ place: { query } }: { place: Place }) {
  const loaded = useLoaded<HealthPageView>("/api/health");
  return (
    <>
      <Head title="Health">
        <p>Whether everything is sound, what there is, and which settings hold.</p>
      </Head>
      <div class="stack is-loose">
        <Doctor />
        <Ready loaded={loaded}>
          {(page) => <Inventory page={page} isChangedOnly={query.get("changed") === "1"} />}
        </Ready>
      </div>
    </>
  );
}

/** The same as `ralph doctor`; it may take a moment in a large store, so it comes after the rest. */
function Doctor() {
  const [health, setHealth] = useState<Health>();
  const [problem, setProblem] = useState<Problem>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isLeft = false;
    setProblem(undefined);
    post<Health>("/api/health/check", { round }).then(
      (found) => !isLeft && setHealth(found),
      (error: unknown) => !isLeft && setProblem(problemIn(error)),
    );
    return () => {
      isLeft = true;
    };
  }, [round]);
  const again = () => {
    setHealth(undefined);
    setRound((before) => before + 1);
  };
  return (
    <section>
      <div class="section-head">
        <h2>Doctor</h2>
        <button
          type="button"
          class="button"
          onClick={again}
          disabled={health === undefined && problem === undefined}
        >
          Check again
        </button>
      </div>
      {problem && <ProblemPanel problem={problem} onRetry={again} />}
      {!problem && health === undefined && <p class="panel soft">Checking…</p>}
      {health && (
        <div class="table-frame">
          <table class="table is-stacked">
            <caption class="hidden">{health.isHealthy ? "No problems found" : "Problems were found"}</caption>
            <thead>
              <tr>
                <th scope="col">Part</th>
                <th scope="col">State</th>
                <th scope="col">Detail</th>
              </tr>
            </thead>
            <tbody>
              {health.checks.map(({ part, status, detail }) => (
                <tr key={`${part} ${detail}`}>
                  <th scope="row">{part}</th>
                  <td>
                    <StateBadge state={status} />
                  </td>
                  <td class="wide">
                    <Detail text={detail} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

const longDetail = 400;

/** SQLite tells of a damaged page line by line. */
function Detail({ text }: { text: string }) {
  if (text.length <= longDetail) return <>{text}</>;
  return (
    <details>
      <summary>{text.slice(0, longDetail / 2)}…</summary>
      {text}
    </details>
  );
}

function Inventory({ page, isChangedOnly }: { page: HealthPageView; isChangedOnly: boolean }) {
  const { records, notes, files, settings, leftOut, team, version } = page;
  const shown = settings.filter(({ origin }) => !isChangedOnly || origin !== "default");
  return (
    <>
      <div class="columns">
        <section>
          <h2 class="section-head">Records</h2>
          <div class="table-frame">
            <table class="table">
              <thead>
                <tr>
                  <th scope="col">Kind</th>
                  <th scope="col" class="number">
                    Number
                  </th>
                </tr>
              </thead>
              <tbody>
                <tr>
                  <th scope="row">notes</th>
                  <td class="number">{count(notes)}</td>
                </tr>
                {records
                  .filter((record) => record.count > 0)
                  .map((record) => (
                    <tr key={record.kind}>
                      <th scope="row">{record.kind.replaceAll("_", " ")}</th>
                      <td class="number">{count(record.count)}</td>
                    </tr>
                  ))}
              </tbody>
            </table>
          </div>
        </section>
        <section class="stack">
          <div>
            <h2 class="section-head">Files</h2>
            <div class="table-frame">
              <table class="table is-stacked">
                <thead>
                  <tr>
                    <th scope="col">What</th>
                    <th scope="col">Path</th>
                    <th scope="col" class="number">
                      Size
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {files.map(({ what, path, bytes: size }) => (
                    <tr key={path}>
                      <th scope="row">{what}</th>
                      <td class="wide">
                        <FilePath path={path} />
                      </td>
                      <td class="number nowrap">{bytes(size)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </div>
          <p class="small soft">
            Ralph {version}, {page.project.kind} project in <code>{page.project.root}</code>
            {team ? `, shared memory ${team.project} in ${team.address}` : ""}
          </p>
        </section>
      </div>
      <section>
        <div class="section-head">
          <h2>Settings, and where each comes from</h2>
          <CheckField name="changed" label="only those that are set" isOn={isChangedOnly} />
        </div>
        {leftOut > 0 && (
          <p class="note">
            {leftOut} of this project's requests are left out until you allow them: <code>ralph trust</code>
          </p>
        )}
        {shown.length === 0 ? (
          <p class="panel soft">All settings have their default values.</p>
        ) : (
          <div class="table-frame">
            <table class="table is-stacked">
              <thead>
                <tr>
                  <th scope="col">Setting</th>
                  <th scope="col">Value</th>
                  <th scope="col">From</th>
                </tr>
              </thead>
              <tbody>
                {shown.map(({ key, value, origin }) => (
                  <tr key={key}>
                    <th scope="row">
                      <code>{key}</code>
                    </th>
                    <td class="wide">
                      <code>{JSON.stringify(value)}</code>
                    </td>
                    <td class={origin === "default" ? "soft" : ""}>{origin}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </section>
    </>
  );
}
