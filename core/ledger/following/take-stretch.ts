import type { Hex } from 'viem';
import type { Logger } from '../../domain/logger.ts';
import type { Clock } from '../../domain/time/clock.ts';
import { unixSeconds } from '../../domain/time/unix-seconds.ts';
import type { Store } from '../../store/store.ts';
import { type ConfirmedStretch, postEvents } from '../posting/post-events.ts';
import { releaseExpired } from '../posting/release-expired.ts';
import { WatchMoved } from '../posting/watch-moved.ts';

type Books = { readonly store: Store; readonly clock: Clock; readonly logger: Logger };

/**
 * Takes a stretch into the books of its contract, then lets go of the holds that had expired at its end. False when somebody
 * else has moved the watch meanwhile: what follows is to be read from where it stands now.
 */
export async function takeStretch(
  books: Books,
  stretch: ConfirmedStretch & { readonly chainTime: number },
): Promise<boolean> {
  const { store, logger } = books;
  const { chainId, contract, chainTime } = stretch;
  const now = unixSeconds(books.clock);
  try {
    const unexplained = await store.transaction((transaction) => postEvents(transaction, stretch, now));
    for (const { userOperationHash } of unexplained) warnUnexplained(books, stretch, userOperationHash);
  } catch (cause) {
    if (!(cause instanceof WatchMoved)) throw cause;
    logger.warn({ err: cause, chainId, contract }, 'Another process writes to these books');
    return false;
  }
  const ended = { chainId, contract, chainTime };
  let more = true;
  while (more) more = await store.transaction((transaction) => releaseExpired(transaction, ended, now));
  return true;
}

function warnUnexplained({ logger }: Books, { chainId, contract }: ConfirmedStretch, userOperationHash: Hex): void {
  logger.warn(
    { chainId, contract, userOperationHash },
    'An operation was paid by our contract and no hold explains it',
  );
}
