import type { Hex } from 'viem';
import type { Logger } from '../../base/logger.ts';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { Store } from '../../store/store.ts';
import { createWriteBehind } from '../../store/write-behind.ts';
import { markSent, type SentNote } from './mark-sent.ts';

/** An operation that a bundler accepted, by its hash. `paymasterId`: through whose URL, where that is known. */
export type SentOperation = {
  readonly chainId: number;
  readonly entryPoint: string;
  readonly userOpHash: Hex;
  readonly paymasterId?: string;
};

/** Records that a bundler accepted an operation. Returns at once; the same operation again changes nothing. */
export type NoteSent = (sent: SentOperation) => void;

/** `owner` takes turns with others. */
type OwnedNote = SentNote & { readonly owner: string };

/** How long a note waits for the signature's own record, which another process may still have to write, in seconds. */
const maxWait = 10;
/**
 * Milliseconds between two attempts, and how many notes may wait for one. More are dropped: the status then goes from signed
 * to landed.
 */
const betweenAttempts = 1_000;
const maxWaiting = 1_000;

export type SentRecorder = { readonly noteSent: NoteSent; flush(): Promise<void>; close(): Promise<void> };

/** Records in the background when operations were sent. Operations that this service did not sign are not recorded. */
export function createSentRecorder(store: Store, clock: Clock, logger: Logger): SentRecorder {
  let waiting: OwnedNote[] = [];
  let timer: NodeJS.Timeout | undefined;
  const notes = createWriteBehind<OwnedNote>({
    ...{ store, logger, what: 'Notes of sent operations', ownerOf: ({ owner }) => owner },
    insert: async (transaction, rows) => {
      const unknown = await markSent(transaction, rows);
      const since = unixSeconds(clock) - maxWait;
      waitFor(unknown.filter(({ at }) => at > since));
    },
  });

  /** Some come twice when a transaction is rolled back, which changes nothing. */
  function waitFor(unknown: readonly OwnedNote[]): void {
    waiting = [...new Set([...waiting, ...unknown])].slice(-maxWaiting);
    if (waiting.length > 0) timer ??= setTimeout(tryAgain, betweenAttempts).unref();
  }

  function tryAgain(): void {
    timer = undefined;
    const again = waiting;
    waiting = [];
    for (const note of again) notes.add(note);
  }

  return {
    noteSent: ({ chainId, entryPoint, userOpHash, paymasterId }) =>
      notes.add({
        hash: userOpHash.toLowerCase(),
        chainId,
        at: unixSeconds(clock),
        owner: paymasterId ?? `${chainId}:${entryPoint}`,
      }),
    flush: notes.flush,
    close: async () => {
      clearTimeout(timer);
      await notes.close();
      clearTimeout(timer);
    },
  };
}
