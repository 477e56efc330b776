import type { Secret } from '../../../core/base/values/secret.ts';
import { inspectServer } from '../../../core/store/postgres/inspect-server.ts';
import { type Finding, findingsAbout } from '../finding.ts';
import { checkMasterKeys } from './check-master-key.ts';

/** Checks a PostgreSQL database without changing it: that it opens, and its schema. */
export async function checkServer(
  url: Secret<string>,
  keys: readonly string[] | undefined,
): Promise<readonly Finding[]> {
  const find = findingsAbout('database');
  try {
    const { server, schemaVersion, newestVersion, masterKeys } = await inspectServer(url);
    if (schemaVersion === 0)
      return [find.ok('database', `${server} is empty. Its tables are created when the service starts.`)];
    const rest = schemaVersion === newestVersion ? '' : `, and is migrated to ${newestVersion} when the service starts`;
    return [
      find.ok('database', `${server} has schema version ${schemaVersion}${rest}.`),
      ...checkMasterKeys(masterKeys, keys, find),
    ];
  } catch (error) {
    const message = error instanceof Error ? error.message : 'It cannot be opened.';
    return [
      find.failure('database-unreadable', message, 'Fix what the message names, in databaseUrl or at the server.'),
    ];
  }
}
