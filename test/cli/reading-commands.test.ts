import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newestVersion as newest } from '../../core/store/migrations/history.ts';
import { migrate } from '../../core/store/sqlite/migrate.ts';
import { openSqlite } from '../../core/store/sqlite/open-sqlite.ts';
import { runInProcess } from '../support/command-line/run-in-process.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollfree-reading-'));
  writeFileSync(join(folder, 'master.key'), 'cd'.repeat(32), { mode: 0o600 });
  // The database is given by a variable, as a container would.
  writeFileSync(join(folder, 'tollfree.json'), JSON.stringify({ masterKeyFile: 'master.key' }));
  for (const version of [0, newest - 1, newest, newest + 1]) makeDatabase(version);
});
afterAll(() => rmSync(folder, { recursive: true }));

const fileOf = (version: number | 'none') => join(folder, `${version}.db`);

/** What an earlier, this, or a later version of the program has left. */
function makeDatabase(version: number): void {
  const database = openSqlite(fileOf(version));
  if (version > 0) migrate(database);
  if (version === newest - 1) {
    database.exec(`DELETE FROM schema_migrations; INSERT INTO schema_migrations VALUES (${version}, 'earlier', 0)`);
  }
  if (version > newest) database.exec(`INSERT INTO schema_migrations VALUES (${version}, 'later', 0)`);
  database.close();
}

async function run(command: string, version: number | 'none') {
  const flags = ['--config', join(folder, 'tollfree.json'), '--database-file', fileOf(version), '--json'];
  return runInProcess(...command.split(' '), ...flags);
}

describe.each(['audit', 'keystore status', 'master-key status', 'account list', 'auth-token list unknown'])(
  '%s, which only reads,',
  (command) => {
    test.each([
      ['of an earlier version', newest - 1, /from before the first release/],
      ['of a later version', newest + 1, new RegExp(`has schema version ${newest + 1}, .*versions up to ${newest}`)],
      ['without a table', 0, /is empty/],
    ])('refuses a database %s and leaves it as it is', async (_, version, sentence) => {
      const before = readFileSync(fileOf(version));
      expect(await run(command, version)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(sentence),
      });
      expect(readFileSync(fileOf(version)).equals(before)).toBe(true);
    });

    test('makes no database', async () => {
      const before = readdirSync(folder);
      const said = await run(command, 'none');
      expect(said).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('There is no database') });
      expect(readdirSync(folder)).toEqual(before);
    });

    test('answers of one that is up to date', async () => {
      const { code, stderr } = await run(command, newest);
      // No one has the id that is asked for.
      const expected = command.endsWith('unknown') ? { code: 1, stderr: 'tollfree: Account not found\n' } : { code: 0 };
      expect({ code, stderr }).toMatchObject(expected);
    });
  },
);
