import type { Address } from 'viem';
import { encodeFunctionData, getAbiItem, getCreate2Address } from 'viem';
import type { TankFilling } from '../../domain/gas-tank.ts';
import { deploymentProxy, zeroSalt } from '../deployment-proxy.ts';
import type { PaymasterContract } from '../paymaster-contracts/family/family.ts';
import { tankFunderAbi, tankFunderBytecode } from './tank-funder.generated.ts';

/** Where the contract stands on every chain that has it. The address is made of the code, so that no other code can be there. */
export const tankFunderAddress: Address = getCreate2Address({
  from: deploymentProxy,
  salt: zeroSalt,
  bytecode: tankFunderBytecode,
});

/**
 * The event with which it says whose tank it filled, right behind the EntryPoint's `Deposited`. An `entryPoint` that is none is any
 * contract of the caller's choice.
 */
export const tankFilledEvent = getAbiItem({ abi: tankFunderAbi, name: 'TankFilled' });

/** The call with which anybody fills a wallet's tank where the contract is on chain. Elsewhere the value would be lost. */
export function tankFunderCall({ address, entryPoint }: PaymasterContract, wallet: Address): TankFilling {
  const args = [entryPoint, address, wallet] as const;
  return {
    to: tankFunderAddress,
    call: `fillTank(${args.join(', ')})`,
    data: encodeFunctionData({ abi: tankFunderAbi, functionName: 'fillTank', args }),
    from: 'anybody',
  };
}
