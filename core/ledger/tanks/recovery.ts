import { type Address, zeroHash } from 'viem';
import type { StrayDeposit } from '../../domain/gas-tank.ts';
import type { CustomerFunding } from '../../evm/paymaster-contracts/family/family.ts';

/** What the account holder can do about a deposit that the funding wallet sent and that is in no tank. */
export function accountRecovery(
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

/** What the operator can do about a deposit that is in no tank. */
export function operatorRecovery(
  { amount, txHash }: Pick<StrayDeposit, 'amount' | 'txHash'>,
  customers: CustomerFunding | undefined,
): string {
  if (txHash === zeroHash && customers !== undefined) {
    return 'It was made before the ledger began. Let the ledger begin earlier (startBlock).';
  }
  if (customers !== undefined && customers.refundFunction === undefined) {
    return `None: only ${customers.depositFunction.name} fills a balance, and the contract has no function to return it.`;
  }
  const credit = `tollfree tank credit "${amount} wei" --paymaster <name|id> --for ${txHash} --reason <text>`;
  const whose = 'Find out who paid; the sender may only have forwarded it';
  if (customers?.refundFunction === undefined) return `${whose}. Then: ${credit}`;
  return `${whose}. The contract's owner calls ${customers.refundFunction.name}([<wallet>], [${amount}]). Then: ${credit}`;
}

/** What the operator can do with what executors of a relay received, including their own balance when the ledger began. */
export function relayRecovery({ amount, txHash }: Pick<StrayDeposit, 'amount' | 'txHash'>): string {
  const credit = `tollfree tank credit "${amount} wei" --paymaster <name|id> --relay --for ${txHash} --reason <text>`;
  return `It is the operator's, unless a funding wallet paid it by way of a contract. Then: ${credit}`;
}
