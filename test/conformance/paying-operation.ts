import { type Address, getAddress } from 'viem';
import { type Devnet, devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import { fundWithTokens } from '../support/chain/chain-lab.ts';
import { newOperation } from '../support/interface/rpc-calls.ts';

/** A new operation of an account that can pay in any token of the chain. */
export async function payingOperation(devnet: Devnet): Promise<Readonly<Record<string, unknown>>> {
  const operation = await newOperation(devnet, '0.7');
  const owner: Address = getAddress(String(operation.sender));
  const spender = devnet.paymasterContracts[devnetFamilies['0.7']];
  for (const token of devnet.tokens) await fundWithTokens(devnet, token, { owner, spender });
  return operation;
}
