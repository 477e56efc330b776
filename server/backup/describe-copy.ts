import type { CopyFacts } from '../../core/store/sqlite/backup/check-copy.ts';

/** The content of a copy, in one line. */
export function describeCopy({ bytes, schemaVersion, entries, chains }: CopyFacts): string {
  const blocks = chains.map(({ chainId, block }) => `chain ${chainId} up to block ${block}`);
  return [`${bytes} bytes`, `schema version ${schemaVersion}`, `${entries} entries of gas tanks`, ...blocks].join(', ');
}
