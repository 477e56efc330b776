import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import type { CopyFacts } from '../../core/store/sqlite/backup/copy-database.ts';
import type { Config } from '../config/config-schema.ts';
import { databaseOf } from '../config/database-of.ts';
import type { KeySection } from '../config/signer-schema.ts';

/** The database file. Throws a `CliError` for a database on a server, which the server's own tools back up and restore. */
export function fileToCopy(config: Config): string {
  const database = databaseOf(config);
  if (database.kind === 'sqlite') return database.file;
  throw mistake(
    'The database is on a PostgreSQL server. Copy it with pg_dump, and restore it with pg_restore while the service is ' +
      `stopped. A copy is useful only together with these files: ${keyFiles(config).join(', ')}`,
  );
}

/** The content of a copy, in one line. */
export function describeCopy({ bytes, schemaVersion, entries, chains }: CopyFacts): string {
  const blocks = chains.map(({ chainId, block }) => `chain ${chainId} up to block ${block}`);
  return [`${bytes} bytes`, `schema version ${schemaVersion}`, `${entries} entries of gas tanks`, ...blocks].join(', ');
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
