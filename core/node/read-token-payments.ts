import { type Address, getAddress, type Hex, isAddress, isHex } from 'viem';
import type { ChainClient } from './chain-client.ts';
import type { EventPosition } from './chain-event.ts';
import { type EventRange, onChain, placeOf, within } from './event-range.ts';

/** A user's token payment for an operation, in base units, from the contract's event. */
export type ReportedTokenPayment = EventPosition & {
  readonly contract: Address;
  readonly userOperationHash: Hex;
  readonly token: Address;
  readonly amount: bigint;
};

/** Reads users' token payments. For a sponsored operation, some contracts report the zero address as token. */
export async function readTokenPayments(
  client: ChainClient,
  range: EventRange,
): Promise<readonly ReportedTokenPayment[]> {
  const reported = await Promise.all(
    range.contracts.map(async ({ address: contract, tokenPaymentEvents }) => {
      if (tokenPaymentEvents === undefined) return [];
      const logs = await client.getLogs({ ...within(range), address: contract, events: tokenPaymentEvents });
      return onChain(logs, range, contract).map((log) => ({
        contract,
        ...readArguments(log.eventName, log.args),
        ...placeOf(log),
      }));
    }),
  );
  return reported.flat();
}

function readArguments(
  name: string,
  args: unknown,
): Pick<ReportedTokenPayment, 'userOperationHash' | 'token' | 'amount'> {
  const named: Readonly<Record<string, unknown>> = typeof args === 'object' && args !== null ? { ...args } : {};
  const { userOperationHash, token, amount } = named;
  if (!isHex(userOperationHash) || typeof token !== 'string' || !isAddress(token) || typeof amount !== 'bigint') {
    throw new TypeError(`The event ${name} has no operation, token or amount.`);
  }
  return { userOperationHash, token: getAddress(token), amount };
}
