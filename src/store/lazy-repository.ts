/**
 * A repository whose code is loaded on first use, so that a command that needs only notes does not load tasks and learnings.
 * All repository methods are asynchronous, so callers see no difference.
 */
export function lazyRepository<Repository extends object>(load: () => Promise<Repository>): Repository {
  let loading: Promise<Repository> | undefined;
  return new Proxy({} as Repository, {
    get(_target, name) {
      // Awaiting the repository itself must not treat it as a promise.
      if (name === "then" || typeof name === "symbol") return undefined;
      return async (...args: unknown[]): Promise<unknown> => {
        loading ??= load();
        const repository = (await loading) as Record<string, (...values: unknown[]) => unknown>;
        const method = repository[name];
        if (method === undefined) throw new Error(`The repository has no ${name}`);
        return method(...args);
      };
    },
  });
}
