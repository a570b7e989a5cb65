import type { TaskList } from "../../src/ui/routes/task-routes.js";
import { useLoaded } from "../api.js";
import { StateBadge, Tags } from "../parts/badges.js";
import { CheckField, ChoiceField, Filters, SearchField } from "../parts/filters.js";
import { Head } from "../parts/head.js";
import { Link } from "../parts/link.js";
import { useRowKeys } from "../parts/list-keys.js";
import { Pager } from "../parts/pager.js";
import { Empty, Ready } from "../parts/state.js";
import { Ago } from "../parts/time.js";
import { goTo, type Place, withQuery } from "../router.js";

const statuses = ["running", "paused", "completed", "failed"] as const;

export function TasksPage({ place: { query } }: { place: Place }) {
  const loaded = useLoaded<TaskList>(`/api/tasks?${query}`);
  const { here } = useRowKeys(loaded.value?.rows.length ?? 0);
  const value = (name: string) => query.get(name) ?? "";
  const isFiltered = [...query.keys()].some((name) => name !== "page");
  return (
    <>
      <Head title="Tasks">
        <p>Every objective that an agent worked on, newest first.</p>
      </Head>
      <Filters>
        <SearchField value={value("q")} label="Search objectives, errors, reflections" />
        <ChoiceField
          name="status"
          label="State"
          value={value("status")}
          choices={statuses.map((status) => ({
            value: status,
            count: loaded.value?.counts[status] ?? (loaded.value ? 0 : undefined),
          }))}
        />
        <label class="field">
          Updated since
          <input
            class="input"
            type="date"
            value={value("since")}
            onChange={({ currentTarget }) => goTo(withQuery({ since: currentTarget.value }))}
          />
        </label>
        <TextFilter name="agent" label="Agent" value={value("agent")} />
        <TextFilter name="tag" label="Tag" value={value("tag")} />
        <CheckField name="archived" label="with archived" isOn={value("archived") === "1"} />
      </Filters>
      <Ready loaded={loaded}>
        {({ rows, total, page, limit }) =>
          rows.length === 0 && page === 1 ? (
            isFiltered ? (
              <Empty title="No task matches">
                <Link to="/tasks">Show all tasks</Link>
              </Empty>
            ) : (
              <Empty title="No tasks yet">
                <p>A task is recorded by a run, by hooks of your agent, or by your own runner:</p>
                <pre>{'ralph run "Fix the failing test" --verify "npm test"\nralph setup\nralph ingest'}</pre>
              </Empty>
            )
          ) : (
            <>
              <div class="table-frame">
                <table class="table is-stacked">
                  <caption class="hidden">Tasks, newest first</caption>
                  <thead>
                    <tr>
                      <th scope="col">Task</th>
                      <th scope="col">Objective</th>
                      <th scope="col">State</th>
                      <th scope="col" class="number">
                        Attempts
                      </th>
                      {rows.some(({ agent }) => agent !== undefined) && <th scope="col">Agent</th>}
                      <th scope="col">Updated</th>
                    </tr>
                  </thead>
                  <tbody>
                    {rows.map((task, index) => (
                      <tr
                        key={task.id}
                        data-row={index}
                        class={`is-linked ${here === index ? "is-here" : ""}`}
                      >
                        <td class="nowrap">
                          <Link to={`/tasks/${task.id}`} class="mono">
                            {task.id}
                          </Link>
                        </td>
                        <td class="wide">
                          {task.description}{" "}
                          {task.excerpt && (
                            <div class="small soft clamp">
                              {task.excerpt.from}: {task.excerpt.text}
                            </div>
                          )}
                          <Tags tags={task.tags} path="/tasks" />
                        </td>
                        <td>
                          <StateBadge state={task.status} />
                        </td>
                        <td class="number" data-name="attempts">
                          {task.total_attempts}
                        </td>
                        {rows.some(({ agent }) => agent !== undefined) && (
                          <td class="soft is-second">{task.agent}</td>
                        )}
                        <td class="nowrap soft">
                          <Ago time={task.updated} />
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
              <Pager {...{ page, limit, total, rows: rows.length, what: "tasks" }} />
            </>
          )
        }
      </Ready>
    </>
  );
}

function TextFilter({ name, label, value }: { name: string; label: string; value: string }) {
  return (
    <label class="field">
      {label}
      <input
        class="input"
        size={10}
        value={value}
        onChange={({ currentTarget }) => goTo(withQuery({ [name]: currentTarget.value.trim() }))}
      />
    </label>
  );
}
