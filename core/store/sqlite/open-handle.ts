import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';

const require = createRequire(import.meta.url);

/** The Node-API version of better-sqlite3 13's builds. A Node.js with less crashes when it loads them, without an error. */
const nodeApiOfBuilds = 10;

/**
 * Opens a SQLite file like the constructor of better-sqlite3. Its version 13 has a build for each platform and works with
 * Node.js from 22.14 on; version 12 is compiled for earlier ones, and compiled for a later one it aborts some time after a
 * handle is released.
 */
export function openHandle(file: string | Buffer, options?: BetterSqlite3.Options): BetterSqlite3.Database {
  const isServed = Number(process.versions.napi) >= nodeApiOfBuilds;
  const Sqlite: typeof BetterSqlite3 = isServed ? require('better-sqlite3') : require('better-sqlite3-12');
  return new Sqlite(file, options);
}
