import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { counted } from '@tollfree/contract/counted';
import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import { type Flags, requiredFlag } from '../../clients/cli/terminal/flags.ts';
import { printAnswer, printHint, printLine } from '../../clients/cli/terminal/print-answer.ts';
import { withProgress } from '../../clients/cli/terminal/with-progress.ts';
import { backUpDatabase } from '../../core/store/sqlite/backup/back-up-database.ts';
import type { CopyFacts } from '../../core/store/sqlite/backup/copy-database.ts';
import { restoreDatabase } from '../../core/store/sqlite/backup/restore-database.ts';
import type { Config } from '../config/config-schema.ts';
import { databaseOf, loadConfig, withOwnConfig } from '../config/load-config.ts';
import type { KeySection } from '../config/signer-schema.ts';
import { systemClock } from '../system-clock.ts';

/** `tollfree backup`: a checked copy of the database, which a service may be using. */
export async function backUp(flags: Flags): Promise<void> {
  const config = loadConfig(withOwnConfig(flags));
  const databaseFile = fileToCopy(config);
  if (!existsSync(databaseFile)) throw mistake(`There is no database ${databaseFile} yet.`);
  const file = resolve(requiredFlag(flags, 'out'));
  const facts = await withProgress('Copying the database', (show) =>
    backUpDatabase(databaseFile, file, (done) => show(`Copying the database: ${Math.floor(done * 100)} %`)),
  );
  const keys = keyFiles(config);
  printAnswer(flags, { file, ...facts, keyFiles: keys }, () => {
    printLine(`${file}: ${describeCopy(facts)}`);
    printHint(
      'It contains no keys. It is useful only together with these files; store them in another place than the copy:',
    );
    for (const key of keys) printHint(`  ${key}`);
  });
}

const whatComesNext = `Start the service. It reads from the chain what has happened since the copy was made, and the deposits agree again.
What the chain does not have is as it was then:
  what is signed since then is in no tank: what it costs stands as cost of no tank (tollfree ledger check)
  authTokens, apiKeys and accounts that were revoked or suspended since then are let in again: revoke them again
  policies, contracts, webhooks and paymasters that were made or changed since then have to be made or changed again
It needs these files as they were then:`;

/** `tollfree restore`: replaces the database with a copy and moves the old one aside. No service may have it open. */
export async function restore(file: string, flags: Flags): Promise<void> {
  const config = loadConfig(withOwnConfig(flags));
  const databaseFile = fileToCopy(config);
  const from = resolve(file);
  const restored = await withProgress('Restoring the copy', (show) =>
    restoreDatabase({ from, to: databaseFile, now: new Date(systemClock.now()) }, (done) =>
      show(`Restoring the copy: ${Math.floor(done * 100)} %`),
    ),
  );
  const keys = keyFiles(config);
  printAnswer(flags, { file: databaseFile, ...restored, keyFiles: keys }, () => {
    printLine(`${databaseFile}: ${describeCopy(restored)}`);
    if (restored.movedAside !== undefined) printLine(`The previous database is now ${restored.movedAside}`);
    printHint(whatComesNext);
    for (const key of keys) printHint(`  ${key}`);
  });
}

/** The database file. Throws a `CliError` for a database on a server, which the server's own tools back up and restore. */
function fileToCopy(config: Config): string {
  const database = databaseOf(config);
  if (database.kind === 'sqlite') return database.file;
  throw mistake(
    'The database is on a PostgreSQL server. Copy it with pg_dump, and restore it with pg_restore while the service is ' +
      `stopped. A copy is useful only together with these files: ${keyFiles(config).join(', ')}`,
  );
}

/** The content of a copy, in one line. */
function describeCopy({ bytes, schemaVersion, entries, chains }: CopyFacts): string {
  const blocks = chains.map(({ chainId, block }) => `chain ${chainId} up to block ${block}`);
  return [
    `${counted(bytes, 'byte')}`,
    `schema version ${schemaVersion}`,
    `${counted(entries, 'entry', 'entries')} of gas tanks`,
    ...blocks,
  ].join(', ');
}

/** The files that a copy of the database needs to be usable: master keys, and the chains' signing keys. */
export function keyFiles({ masterKeyFile, previousMasterKeyFiles, chains = [] }: Config): readonly string[] {
  const signers = chains.flatMap((chain) => chain.signers ?? chain.signer ?? []);
  const places = signers.flatMap(({ standIns = [], ...signer }) => [signer, ...standIns]);
  const files = [masterKeyFile, ...previousMasterKeyFiles, ...places.flatMap(filesOf)];
  return [...new Set(files.filter((file) => file !== undefined))];
}

/** For a remote key, the credentials of this service. */
function filesOf({ keystoreFile, passwordFile, ethSign }: KeySection): readonly (string | undefined)[] {
  return [keystoreFile, passwordFile, ethSign?.tokenFile, ethSign?.caFile];
}
