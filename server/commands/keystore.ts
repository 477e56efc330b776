import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import type { Flags } from '../../clients/cli/terminal/flags.ts';
import { formatTime, printAnswer, printLine, printRows } from '../../clients/cli/terminal/print-answer.ts';
import { askNewPassword } from '../../clients/cli/terminal/prompts.ts';
import { readPassword } from '../../clients/cli/terminal/read-file.ts';
import { withProgress } from '../../clients/cli/terminal/with-progress.ts';
import { Secret } from '../../core/base/values/secret.ts';
import { readSigners } from '../../core/ledger/signers.ts';
import { openToRead } from '../../core/store/open-store.ts';
import { databaseOf } from '../config/database-of.ts';
import { loadConfig, withOwnConfig } from '../config/load-config.ts';
import { makeKeystore } from '../keys/make-keystore.ts';

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
