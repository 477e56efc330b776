import { zeroHash } from 'viem';
import type { StrayDeposit } from '../../domain/gas-tank.ts';
import type { CustomerFunding } from '../../evm/paymaster-contracts/family/family.ts';

/** What the operator can do about a deposit that is in no tank. */
export function operatorWayBack(
  { amount, txHash }: Pick<StrayDeposit, 'amount' | 'txHash'>,
  customers: CustomerFunding | undefined,
): string {
  if (txHash === zeroHash && customers !== undefined) {
    return 'It was made before the ledger began. Let the ledger begin earlier (startBlock).';
  }
  if (customers !== undefined && customers.refundFunction === undefined) {
    return `None: only ${customers.depositFunction.name} fills a balance, and the contract has no function to return it.`;
  }
  const credit = `tollfree tank credit <paymasterId> "${amount} wei" --for ${txHash} --reason <text>`;
  const whose = 'Find out who paid; the sender may only have forwarded it';
  if (customers?.refundFunction === undefined) return `${whose}. Then: ${credit}`;
  return `${whose}. The contract's owner calls ${customers.refundFunction.name}([<wallet>], [${amount}]). Then: ${credit}`;
}

/** The same for what executors of a relay received, including their own balance when the ledger began. */
export function relayWayBack({ amount, txHash }: Pick<StrayDeposit, 'amount' | 'txHash'>): string {
  const credit = `tollfree tank credit <paymasterId> "${amount} wei" --relay --for ${txHash} --reason <text>`;
  return `It is the operator's, unless a funding wallet paid it by way of a contract. Then: ${credit}`;
}
