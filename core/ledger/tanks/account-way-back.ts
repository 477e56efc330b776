import type { Address } from 'viem';
import type { StrayDeposit } from '../../domain/gas-tank.ts';
import type { CustomerFunding } from '../../evm/paymaster-contracts/family/family.ts';

/** What the account holder can do about a deposit that the funding wallet sent and that is in no tank. */
export function accountWayBack(
  { amount }: Pick<StrayDeposit, 'amount'>,
  wallet: Address,
  customers: CustomerFunding | undefined,
): string {
  if (customers === undefined) {
    return (
      'It was not sent directly by the funding wallet, with its value and as the only deposit of its transaction. ' +
      'Ask the operator to credit it to the tank, and name the transaction.'
    );
  }
  const { depositFunction, refundFunction } = customers;
  const lost = `Only ${depositFunction.name} fills a balance. This deposit is in the contract's deposit but in no customer's balance`;
  if (refundFunction === undefined) return `${lost}, and the contract has no function to return it.`;
  return (
    `${lost}. The owner of the contract can add it to yours with ${refundFunction.name}([${wallet}], [${amount}]). ` +
    'Then the operator credits it to the tank. Ask them, and name the transaction.'
  );
}
