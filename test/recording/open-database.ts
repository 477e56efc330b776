import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseAddress } from '../../core/base/values/database-address.ts';
import { Secret } from '../../core/base/values/secret.ts';
import { startPostgres } from '../../tools/start-postgres.ts';

/** An empty database for one run. */
export type OpenedDatabase = { readonly address: DatabaseAddress; close(): Promise<void> };

export const databaseKinds = ['sqlite', 'postgres'] as const;

/** A file, or a server that is started for it. */
export async function openDatabase(kind: (typeof databaseKinds)[number]): Promise<OpenedDatabase> {
  if (kind === 'postgres') {
    const server = await startPostgres();
    return { address: { kind, url: new Secret(server.url) }, close: () => server.stop() };
  }
  const folder = mkdtempSync(join(tmpdir(), 'tollfree-recording-'));
  return {
    address: { kind, file: join(folder, 'tollfree.db') },
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
}
