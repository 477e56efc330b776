import type { ChainEvent } from '../../node/chain-event.ts';
import type { WatchedContract } from '../../node/followed-chain.ts';
import type { ReadStretch } from '../../node/read-stretch.ts';
import { relayLogs } from '../../node/relay/book-transactions.ts';
import { depositAfter } from '../posting/deposit-after.ts';
import type { Following } from './following.ts';

/** What the ledger of a relay had before a stretch and what its executors have after it, in wei. */
type Sums = { readonly before: bigint; readonly after: bigint; readonly end: ReadStretch['end'] };

/**
 * Adds to a relay's events what none of them explains, as the operator's: what its executors had when the ledger began, those that
 * joined or left the configuration, and blocks whose state the node no longer has. No tank is filled or charged by it. Other
 * contracts explain themselves.
 */
export function balanceRelay(
  { chainId, logger }: Pick<Following, 'chainId' | 'logger'>,
  { address: contract, relay }: WatchedContract,
  events: readonly ChainEvent[],
  { before, after, end }: Sums,
): readonly ChainEvent[] {
  if (relay === undefined) return events;
  const missing = after - depositAfter(before, events, contract);
  if (missing === 0n) return events;
  const fields = { chainId, contract, blockNumber: Number(end.number), wei: missing.toString() };
  logger.info(fields, 'The balances of the executors changed by what no transaction explains');
  const at = { contract, blockNumber: end.number, txHash: end.hash, logIndex: relayLogs.balanced };
  const added: ChainEvent =
    missing > 0n
      ? { kind: 'deposit', totalDeposit: 0n, rise: missing, ...at }
      : { kind: 'executor-cost', amount: -missing, ...at };
  return [...events, added];
}
