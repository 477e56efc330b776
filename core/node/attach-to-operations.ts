import { type Address, getAddress, type Hex, isAddress, isHex } from 'viem';
import type { ChainClient } from './chain-client.ts';
import type { EventPosition, UserOperationLanded } from './chain-event.ts';
import type { CustomerCharge } from './complete-charges.ts';
import { type EventRange, inChainOrder, onChain, placeOf, within } from './event-range.ts';

/**
 * Adds to each operation what its contract's events report: the charge to a customer's balance, and the user's token
 * payment.
 *
 * postOp emits a charge, and the EntryPoint handles operations one by one: execution, postOp, `UserOperationEvent`. So a
 * charge belongs to the contract's next operation in the transaction. Payments name their operation.
 */
export function attachToOperations(
  operations: readonly UserOperationLanded[],
  reported: { readonly charges: readonly CustomerCharge[]; readonly payments: readonly ReportedTokenPayment[] },
): readonly UserOperationLanded[] {
  const bundles = new Map<string, UserOperationLanded[]>();
  for (const operation of [...operations].sort(inChainOrder)) {
    const bundle = bundles.get(bundleOf(operation));
    if (bundle === undefined) bundles.set(bundleOf(operation), [operation]);
    else bundle.push(operation);
  }
  const chargeOf = new Map<UserOperationLanded, CustomerCharge>();
  for (const charge of reported.charges) {
    const next = bundles.get(bundleOf(charge))?.find(({ logIndex }) => logIndex > charge.logIndex);
    if (next !== undefined) chargeOf.set(next, charge);
  }
  const payments = new Map(reported.payments.map((payment) => [keyOf(payment), payment]));
  return operations.map((operation) => {
    const charge = chargeOf.get(operation);
    const payment = payments.get(keyOf(operation));
    return {
      ...operation,
      ...(charge === undefined ? {} : { charge: { wallet: charge.wallet, amount: charge.amount } }),
      ...(payment === undefined
        ? {}
        : { tokenPayment: { token: payment.token, amount: payment.amount, logIndex: payment.logIndex } }),
    };
  });
}

type Reported = EventPosition & Pick<UserOperationLanded, 'contract'>;

/** A key for the operations of a contract in one transaction. */
function bundleOf({ contract, txHash }: Reported): string {
  return `${contract}:${txHash}`;
}

function keyOf(reported: Reported & Pick<UserOperationLanded, 'userOperationHash'>): string {
  return `${bundleOf(reported)}:${reported.userOperationHash}`;
}

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
