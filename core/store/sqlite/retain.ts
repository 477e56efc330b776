const retained = new Set<object>();

/**
 * Keeps a native handle of SQLite until the process ends. Newer releases of Node 24 abort when they collect one while no
 * JavaScript runs; there are few (a database, and a statement for each different SQL text), so none is given up.
 */
export function retain<T extends object>(handle: T): T {
  retained.add(handle);
  return handle;
}
