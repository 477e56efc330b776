import type { Hex } from 'viem';
import type { Logger } from '../../domain/logger.ts';
import type { Clock } from '../../domain/time/clock.ts';
import { unixSeconds } from '../../domain/time/unix-seconds.ts';
import { omitAbsent } from '../../domain/values/omit-absent.ts';
import type { LastCoinPrice, SeenCoinPrice } from '../../quotes/last-coin-price.ts';
import type { Store } from '../../store/store.ts';
import { type ConfirmedStretch, postEvents } from '../posting/post-events.ts';
import { releaseExpired } from '../posting/release-expired.ts';
import { WatchMoved } from '../posting/watch-moved.ts';

/** How far the price of what is booked may be from the time of the blocks, in seconds. */
const maxPriceAge = 3_600;

type Books = {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly coinPrice?: Pick<LastCoinPrice, 'last'>;
};

/**
 * Takes a stretch into the books of its contract, then lets go of the holds that had expired at its end. False when
 * someone else has moved the watch meanwhile: what follows is to be read from where it stands now.
 */
export async function takeStretch(
  books: Books,
  read: ConfirmedStretch & { readonly chainTime: number },
): Promise<boolean> {
  const { store, logger } = books;
  const { chainId, contract, chainTime } = read;
  const stretch = { ...read, ...omitAbsent({ coinPrice: priceAt(books, chainTime) }) };
  const now = unixSeconds(books.clock);
  try {
    const unexplained = await store.transaction((transaction) => postEvents(transaction, stretch, now));
    for (const { userOperationHash } of unexplained) warnUnexplained(books, stretch, userOperationHash);
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

/** The last price that was seen, unless it is of another time than the blocks. */
function priceAt({ coinPrice }: Books, chainTime: number): SeenCoinPrice | undefined {
  const last = coinPrice?.last();
  return last === undefined || Math.abs(last.at - chainTime) > maxPriceAge ? undefined : last;
}

function warnUnexplained({ logger }: Books, { chainId, contract }: ConfirmedStretch, userOperationHash: Hex): void {
  logger.warn({ chainId, contract, userOperationHash }, 'An operation was paid by our contract but has no hold');
}
