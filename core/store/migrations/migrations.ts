import { management } from './0001-management.ts';
import { ledger } from './0002-ledger.ts';
import type { Migration } from './migration.ts';

/** In the order they are applied. */
export const migrations: readonly Migration[] = [management, ledger];
