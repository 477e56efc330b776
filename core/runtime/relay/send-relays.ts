import type { Address } from 'viem';
import type { Logger } from '../../base/logger.ts';
import { type Clock, createTimers, repeat, type Timers, unixSeconds } from '../../base/time/clock.ts';
import { readDueRelays, tidyRelays } from '../../ledger/holds/relayed-operations.ts';
import { createRelayDesk } from '../../ledger/relay/relay-desk.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import type { ChainRelay } from '../../node/followed-chain.ts';
import { asLeader } from '../../store/leading/as-leader.ts';
import type { Store } from '../../store/store.ts';
import { type Running, whileLeading } from '../leading/while-leading.ts';

/** Milliseconds between two turns, and most operations sent in one. */
const betweenTurns = 1_000;
const maxAtOnce = 50;

type Options = ChainRelay & {
  readonly client: ChainClient;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly timers?: Timers;
};

/**
 * While this process leads, sends due operations that have not landed to the bundler: those whose request ended early, those
 * that the bundler did not answer, and once a minute those that it has taken.
 */
export function startSendingRelays(options: Options): Running {
  const { store } = options;
  return whileLeading(store.leadership, () => startSending({ ...options, store: asLeader(store) }));
}

function startSending(options: Options): Running {
  const { clock, logger, timers = createTimers(clock) } = options;
  return repeat(
    { clock, timers },
    betweenTurns,
    () => sendDueRelays(options),
    (cause) => logger.error({ err: cause }, 'Relayed operations could not be sent; trying again'),
  );
}

/** One turn. */
export async function sendDueRelays({ contract, bundler, client, store, clock, logger }: Options): Promise<void> {
  const { chainId, address } = contract.location;
  const relay = { chainId, contract: address };
  const desk = createRelayDesk({ store, clock, logger });
  const due = await readDueRelays(store.db, relay, { now: unixSeconds(clock), limit: maxAtOnce });
  await Promise.all(
    due.map(({ userOperationHash, holdId, sender, nonce }) =>
      desk.handOver({
        ...{ ...relay, userOperationHash, holdId, bundler, client },
        ...{ sender: sender as Address, nonce: BigInt(nonce) },
      }),
    ),
  );
  await tidyRelays(store, relay, unixSeconds(clock));
}
