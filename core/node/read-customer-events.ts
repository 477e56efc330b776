import { type AbiEvent, type Address, getAddress, isAddress } from 'viem';
import type { CustomerFunding } from '../evm/paymaster-contracts/family/family.ts';
import type { ChainClient } from './chain-client.ts';
import type { CustomerDepositEvent, CustomerWithdrawalEvent, EventPosition } from './chain-event.ts';
import { type EventRange, onChain, placeOf, within } from './event-range.ts';

/** A contract's charge to a customer's balance for an operation, in wei, from its event. */
export type CustomerCharge = EventPosition & {
  readonly contract: Address;
  readonly wallet: Address;
  readonly amount: bigint;
};

export type CustomerMovement = CustomerDepositEvent | CustomerWithdrawalEvent;

/** Changes of the balances that contracts keep for their customers. */
export type CustomerEvents = {
  readonly movements: readonly CustomerMovement[];
  readonly charges: readonly CustomerCharge[];
};

/** Reads the events of all contracts in the range that keep balances. */
export async function readCustomerEvents(client: ChainClient, range: EventRange): Promise<CustomerEvents> {
  const found = await Promise.all(
    range.contracts.map(({ address, customers }) =>
      customers === undefined ? [] : readEvents(client, range, address, customers),
    ),
  );
  const events = found.flat();
  return {
    movements: events.filter((event) => event.kind !== 'charge'),
    charges: events.filter((event) => event.kind === 'charge'),
  };
}

type CustomerEvent = CustomerMovement | (CustomerCharge & { readonly kind: 'charge' });

async function readEvents(
  client: ChainClient,
  range: EventRange,
  contract: Address,
  { depositEvent, withdrawalEvent, chargeEvents }: CustomerFunding,
): Promise<readonly CustomerEvent[]> {
  const events = [depositEvent, withdrawalEvent, ...chargeEvents];
  const logs = await client.getLogs({ ...within(range), address: contract, events });
  return onChain(logs, range, contract).map((log) => {
    const { wallet, amount } = readArguments(log.eventName, log.args);
    const kind = kindOf(log.eventName, { depositEvent, withdrawalEvent });
    return { kind, contract, wallet, amount, ...placeOf(log) };
  });
}

function kindOf(
  name: string,
  { depositEvent, withdrawalEvent }: { readonly depositEvent: AbiEvent; readonly withdrawalEvent: AbiEvent },
): CustomerEvent['kind'] {
  if (name === depositEvent.name) return 'customer-deposit';
  return name === withdrawalEvent.name ? 'customer-withdrawal' : 'charge';
}

/** The first argument is the wallet, the first number the wei. */
function readArguments(name: string, args: unknown): { wallet: Address; amount: bigint } {
  const [wallet, ...others] = typeof args === 'object' && args !== null ? Object.values(args) : [];
  const amount = others.find((value) => typeof value === 'bigint');
  if (typeof wallet !== 'string' || !isAddress(wallet) || amount === undefined) {
    throw new TypeError(`The event ${name} does not begin with an address, or has no amount.`);
  }
  return { wallet: getAddress(wallet), amount };
}
