import type { Address } from 'viem';
import { encodeFunctionData, getAbiItem, getCreate2Address } from 'viem';
import type { TankFilling } from '../../domain/gas-tank.ts';
import { deploymentProxy, zeroSalt } from '../deployment-proxy.ts';
import type { PaymasterContract } from '../paymaster-contracts/family/family.ts';
import { tankFunderAbi, tankFunderBytecode } from './tank-funder.generated.ts';

/** The contract's address on every chain that has it. CREATE2 derives it from the code, so no other code can be there. */
export const tankFunderAddress: Address = getCreate2Address({
  from: deploymentProxy,
  salt: zeroSalt,
  bytecode: tankFunderBytecode,
});

/**
 * The event that names the filled tank, right after the EntryPoint's `Deposited`. Callers choose `entryPoint` freely, so it
 * may be any contract.
 */
export const tankFilledEvent = getAbiItem({ abi: tankFunderAbi, name: 'TankFilled' });

/**
 * The call with which anyone fills a wallet's tank, where the contract is deployed. On other chains the value would be lost.
 */
export function tankFunderCall({ address, entryPoint }: PaymasterContract, wallet: Address): TankFilling {
  const args = [entryPoint, address, wallet] as const;
  return {
    to: tankFunderAddress,
    call: `fillTank(${args.join(', ')})`,
    data: encodeFunctionData({ abi: tankFunderAbi, functionName: 'fillTank', args }),
    from: 'anybody',
  };
}
