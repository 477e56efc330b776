import type { EventPosition, UserOperationLanded } from './chain-event.ts';
import { inChainOrder } from './event-range.ts';
import type { CustomerCharge } from './read-customer-events.ts';
import type { ReportedTokenPayment } from './read-token-payments.ts';

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
