import { management } from './0001-management.ts';
import { ledger } from './0002-ledger.ts';
import { decisions } from './0003-decisions.ts';
import { charges } from './0004-charges.ts';
import { notifications } from './0005-notifications.ts';
import { usage } from './0006-usage.ts';
import { deployments } from './0008-deployments.ts';
import type { Migration } from './migration.ts';

/** In the order they are applied. */
export const migrations: readonly Migration[] = [
  management,
  ledger,
  decisions,
  charges,
  notifications,
  usage,
  deployments,
];
