import type { Shelf } from "../places/shelf.js";
import type { Session } from "../session.js";
import { taskContext } from "../task-session.js";
import { deliverOutbox } from "./deliver-outbox.js";

/** Delivers what waited for a team's server, and tells about it. */
export async function deliverWaiting(session: Session, shelf: Shelf): Promise<void> {
  await session.redacting(async () => {
    const { delivered, refused } = await deliverOutbox(session, await taskContext(session, shelf));
    if (delivered === 0 && refused.length === 0) return;
    session.notify({
      kind: "outbox-delivered",
      delivered,
      refused: refused.map(({ entry, why }) => `${entry.verb} of ${entry.taskId}: ${why}`),
    });
  });
}
