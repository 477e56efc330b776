import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';

const require = createRequire(import.meta.url);

/** What the builds of better-sqlite3 13 are made for. A Node.js that has less crashes when it loads them, without an error. */
const nodeApiOfBuilds = 10;

/**
 * Opens a file of SQLite, as the constructor of better-sqlite3 does. Its version 13 brings a build for each platform and stands
 * every Node.js from 22.14 on; 12 is compiled for the Node.js before, and compiled for a later one it aborts some time after
 * a handle is given up.
 */
export function openHandle(file: string | Buffer, options?: BetterSqlite3.Options): BetterSqlite3.Database {
  const isServed = Number(process.versions.napi) >= nodeApiOfBuilds;
  const Sqlite: typeof BetterSqlite3 = isServed ? require('better-sqlite3') : require('better-sqlite3-12');
  return new Sqlite(file, options);
}
