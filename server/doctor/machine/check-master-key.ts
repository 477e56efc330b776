import { digestMasterKey } from '../../../core/store/master-keys/check-master-key.ts';
import type { Config } from '../../config/config-schema.ts';
import { readMasterKey } from '../../config/secret-files.ts';
import type { Finding, FindingsAbout } from '../finding.ts';

/**
 * The digests of a configuration's master keys, as a database stores them; undefined for an unreadable file, which is
 * reported elsewhere.
 */
export function digestsOf({
  masterKeyFile,
  previousMasterKeyFiles,
}: Pick<Config, 'masterKeyFile' | 'previousMasterKeyFiles'>): readonly string[] | undefined {
  if (masterKeyFile === undefined) return undefined;
  try {
    return [masterKeyFile, ...previousMasterKeyFiles].map((file) => digestMasterKey(readMasterKey(file)));
  } catch {
    return undefined;
  }
}

/** Whether the configuration has every master key that sealed data in the database. */
export function checkMasterKeys(
  known: readonly string[],
  given: readonly string[] | undefined,
  find: FindingsAbout,
): readonly Finding[] {
  if (given === undefined || known.every((digest) => given.includes(digest))) return [];
  const isOther = !known.some((digest) => given.includes(digest));
  const message = isOther
    ? 'It was written with another master key. The service does not start.'
    : 'It still holds values sealed with a master key that is not configured.';
  const remedy = isOther
    ? 'Set masterKeyFile to the key that the database was written with.'
    : 'Add the file of the earlier key to previousMasterKeyFiles.';
  return [find.failure('database-master-key', message, remedy)];
}
