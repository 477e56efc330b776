import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import type { Flags } from '../../clients/cli/terminal/flags.ts';
import { printAnswer, printRows } from '../../clients/cli/terminal/print-answer.ts';
import type { DatabaseAddress } from '../../core/base/values/database-address.ts';
import { digestMasterKey } from '../../core/store/master-keys/check-master-key.ts';
import { openToRead } from '../../core/store/open-store.ts';
import { databaseOf } from '../config/database-of.ts';
import { loadConfig, withOwnConfig } from '../config/load-config.ts';
import { readMasterKey } from '../config/secret-files.ts';

/**
 * `tollfree master-key status`: which of the configured master keys the database still needs. Works while a service runs.
 * Fails when a needed key is not configured.
 */
export async function showMasterKeys(flags: Flags): Promise<void> {
  const config = loadConfig(withOwnConfig(flags));
  const { masterKeyFile, previousMasterKeyFiles } = config;
  const database = databaseOf(config);
  if (masterKeyFile === undefined) {
    throw mistake('masterKeyFile is missing in the configuration. Name the file with --config.');
  }
  const files = [masterKeyFile, ...previousMasterKeyFiles];
  const digests = files.map((file) => digestMasterKey(readMasterKey(file)));
  const needed = await readNeeded(database);
  const keys = files.map((file, index) => {
    const isNeeded = needed.has(digests[index] ?? '');
    if (index === 0) return { file, state: isNeeded ? 'seals' : 'new: seals from the next start of the service' };
    return { file, state: isNeeded ? 'still needed' : 'no longer needed' };
  });
  printAnswer(flags, keys, () => printRows(keys));
  const missing = [...needed].filter((digest) => !digests.includes(digest)).length;
  if (missing > 0)
    throw mistake(`The database needs ${missing} more keys, which previousMasterKeyFiles does not name.`);
}

async function readNeeded(database: DatabaseAddress): Promise<ReadonlySet<string>> {
  const store = await openToRead(database);
  try {
    const rows = await store.db.selectFrom('master_keys').select('digest').execute();
    return new Set(rows.map(({ digest }) => digest));
  } finally {
    await store.close();
  }
}
