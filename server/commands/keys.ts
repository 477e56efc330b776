import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { counted } from '@tollfree/contract/counted';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import type { Flags } from '../../clients/cli/terminal/flags.ts';
import { formatTime, printAnswer, printLine, printRows } from '../../clients/cli/terminal/print-answer.ts';
import { askNewPassword } from '../../clients/cli/terminal/prompts.ts';
import { readPassword } from '../../clients/cli/terminal/read-file.ts';
import { withProgress } from '../../clients/cli/terminal/with-progress.ts';
import type { DatabaseAddress } from '../../core/base/values/database-address.ts';
import { Secret } from '../../core/base/values/secret.ts';
import { readSigners } from '../../core/ledger/signers.ts';
import { digestMasterKey } from '../../core/store/master-keys/check-master-key.ts';
import { openToRead } from '../../core/store/open-store.ts';
import { databaseOf, loadConfig, withOwnConfig } from '../config/load-config.ts';
import { readMasterKey } from '../config/secret-files.ts';
import { makeKeystore } from '../keystores.ts';

/** `tollfree keystore create`: a new signing key, encrypted (V3, scrypt). Never overwrites a file; prints the address. */
export async function createKeystore(flags: Flags): Promise<void> {
  if (typeof flags.out !== 'string') throw mistake('Name the file to write the keystore to: --out <file>.');
  const out = resolve(flags.out);
  const password =
    typeof flags.passwordFile === 'string'
      ? readPassword(resolve(flags.passwordFile))
      : await askNewPassword(
          'Password for the new keystore',
          'The keystore needs a password: use --password-file, or start at a terminal.',
        );
  const { address, text } = await withProgress('Encrypting the key', () => makeKeystore(new Secret(password)));
  try {
    writeFileSync(out, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw mistake(`The keystore cannot be written to ${out}. An existing file is never overwritten.`, error);
  }
  printAnswer(flags, { address, file: out }, () => printLine(address));
}

/**
 * `tollfree keystore status`: which key signs for which contract, and when a former one can be removed. Works while a
 * service runs.
 */
export async function showSigners(flags: Flags): Promise<void> {
  const store = await openToRead(databaseOf(loadConfig(withOwnConfig(flags))));
  try {
    const signers = await readSigners(store);
    printAnswer(flags, signers, () =>
      printRows(
        signers.map(({ chainId, contract, signer, since, until, openUntil }) => ({
          chain: String(chainId),
          contract,
          signer,
          since: formatTime(since),
          until: formatTime(until),
          state:
            until === undefined
              ? 'signs'
              : openUntil === undefined
                ? 'can be removed'
                : `open until ${formatTime(openUntil)}`,
        })),
      ),
    );
  } finally {
    await store.close();
  }
}

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
    throw mistake(`The database needs ${counted(missing, 'more key')}, which previousMasterKeyFiles does not name.`);
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
