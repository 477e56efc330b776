import { omitAbsent } from '@tollfree/contract/omit-absent';
import { unixSeconds } from '../../base/time/clock.ts';
import type { UserOperationLanded } from '../../node/chain-event.ts';
import type { SeenCoinPrice } from '../../quotes/last-coin-price.ts';
import { type ConfirmedStretch, postEvents } from '../posting/post-events.ts';
import { releaseExpired } from '../posting/release-expired.ts';
import { WatchMoved } from '../posting/watch-moved.ts';
import type { Following } from './following.ts';

/** How far the price used for posting may be from the time of the blocks, in seconds. */
const maxPriceAge = 3_600;

type Ledger = Pick<Following, 'store' | 'clock' | 'logger' | 'coinPrice' | 'noteCostWithoutTank'>;

/**
 * Posts a stretch to the ledger of its contract, then releases the holds that had expired at its end. False when another
 * process has moved the watch meanwhile: the next stretch has to be read from where the watch is now.
 */
export async function takeStretch(
  books: Ledger,
  read: ConfirmedStretch & { readonly chainTime: number },
): Promise<boolean> {
  const { store, logger } = books;
  const { chainId, contract, chainTime } = read;
  const stretch = { ...read, ...omitAbsent({ coinPrice: priceAt(books, chainTime) }) };
  const now = unixSeconds(books.clock);
  try {
    const unexplained = await store.transaction((transaction) => postEvents(transaction, stretch, now));
    for (const operation of unexplained) reportUnexplained(books, stretch, operation);
  } catch (cause) {
    if (!(cause instanceof WatchMoved)) throw cause;
    logger.warn({ err: cause, chainId, contract }, 'Another process writes to this ledger');
    return false;
  }
  const ended = { chainId, contract, chainTime };
  let more = true;
  while (more) more = await store.transaction((transaction) => releaseExpired(transaction, ended, now));
  return true;
}

/** The last price that was seen, unless it is from another time than the blocks. */
export function priceAt({ coinPrice }: Pick<Ledger, 'coinPrice'>, chainTime: number): SeenCoinPrice | undefined {
  const last = coinPrice?.last();
  return last === undefined || Math.abs(last.at - chainTime) > maxPriceAge ? undefined : last;
}

function reportUnexplained(
  { logger, noteCostWithoutTank }: Ledger,
  { chainId, contract }: ConfirmedStretch,
  { userOperationHash, charge, actualGasCost, relayed }: UserOperationLanded,
): void {
  // Its hold is deleted by now, or never existed: the operator bears what it cost.
  if (relayed === true) {
    logger.warn({ chainId, contract, userOperationHash }, 'A relayed operation has no hold; the operator pays for it');
    return;
  }
  if (charge === undefined) noteCostWithoutTank?.(contract, actualGasCost);
  logger.warn({ chainId, contract, userOperationHash }, 'An operation was paid by our contract but has no hold');
}
