import { type Address, getAddress } from 'viem';
import { tankFilledEvent, tankFunderAddress } from '../evm/tank-funder/tank-funder.ts';
import type { ChainClient } from './chain-client.ts';
import type { EventPosition } from './chain-event.ts';
import { type EventRange, onChain, placeOf, within } from './event-range.ts';

/** What the contract that fills tanks tells of a deposit that it made: whose tank it is for, and how many wei came in. */
export type TankFill = EventPosition & {
  readonly contract: Address;
  readonly wallet: Address;
  readonly amount: bigint;
};

/** Reads them for the contracts of the range that keep no balances of their customers themselves. */
export async function readTankFills(client: ChainClient, range: EventRange): Promise<readonly TankFill[]> {
  const paymaster = range.contracts.flatMap(({ address, customers }) => (customers === undefined ? [address] : []));
  if (paymaster.length === 0) return [];
  const logs = await client.getLogs({
    ...within(range),
    address: tankFunderAddress,
    event: tankFilledEvent,
    // Another contract instead of the EntryPoint has deposited nothing.
    args: { entryPoint: range.entryPoint, paymaster },
  });
  return onChain(logs, range, tankFunderAddress).map((log) => ({
    contract: getAddress(log.args.paymaster),
    wallet: getAddress(log.args.wallet),
    amount: log.args.amount,
    ...placeOf(log),
  }));
}

/** One text for a deposit and the fill right behind it. */
export function fillKey({ contract, txHash }: Pick<TankFill, 'contract' | 'txHash'>, depositIndex: number): string {
  return `${contract} ${txHash} ${depositIndex}`;
}
