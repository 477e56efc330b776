import { type Address, encodeFunctionData, parseAbiItem } from 'viem';
import type { TankFilling } from '../../domain/gas-tank.ts';
import type { CustomerFunding, PaymasterContract } from './family/family.ts';

const depositTo = parseAbiItem('function depositTo(address account) payable');

/**
 * The call that fills a wallet's tank. For a contract with customer balances it is a call of the contract, from any sender;
 * otherwise it is `depositTo` of the EntryPoint, and the sender determines the tank.
 */
export function fillingCall(
  { address, entryPoint }: PaymasterContract,
  wallet: Address,
  customers: CustomerFunding | undefined,
): TankFilling {
  const [to, item, argument] =
    customers === undefined
      ? ([entryPoint, depositTo, address] as const)
      : ([address, customers.depositFunction, wallet] as const);
  return {
    to,
    call: `${item.name}(${argument})`,
    data: encodeFunctionData({ abi: [item], functionName: item.name, args: [argument] }),
    from: customers === undefined ? 'funding-wallet' : 'anybody',
  };
}
