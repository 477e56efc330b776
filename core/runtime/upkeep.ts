import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Logger } from '../base/logger.ts';
import type { Clock } from '../base/time/clock.ts';
import type { CoreConfig } from '../domain/core-config.ts';
import type { RowSums } from '../ledger/checking/row-sums.ts';
import type { Store } from '../store/store.ts';
import { startArchiving } from './archive-by-age.ts';
import { startRereadingLedger } from './checking/start-rereading-ledger.ts';
import { startHousekeeping } from './housekeeping.ts';

/** Starts the background maintenance of the database: pruning, archiving, and reading the ledger again. */
export function startUpkeep(
  config: Pick<CoreConfig, 'decisions' | 'auditLog' | 'ledger'>,
  parts: { readonly store: Store; readonly rows: RowSums; readonly clock: Clock; readonly logger: Logger },
): { close(): Promise<void> } {
  const { store, clock, logger } = parts;
  const keepDays = config.ledger?.keepDays;
  const running = [
    startHousekeeping({
      ...{ store, clock, logger, keep: config.decisions },
      ...omitAbsent({ keepAuditLog: config.auditLog?.keepDays }),
    }),
    startRereadingLedger(parts),
    ...(keepDays === undefined ? [] : [startArchiving({ store, clock, logger, keepDays })]),
  ];
  return { close: async () => void (await Promise.all(running.map((one) => one.close()))) };
}
