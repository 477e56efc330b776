import { type Address, getAddress, type Hex, pad, size, slice } from 'viem';
import { addressInWord } from '../../../core/evm/account-codes/known-code.ts';
import { createKnownCodeTable } from '../../../core/evm/account-codes/known-code-table.ts';
import { delegationCode } from '../../../core/evm/entry-point/eip7702.ts';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';

/**
 * Has an account run other code than before: a copy of its implementation, with another last byte. Throws if the account does
 * not delegate through known code.
 */
export async function changeAccountCode({ client }: Devnet, account: Address): Promise<void> {
  const code = (await client.getCode({ address: account })) ?? '0x';
  const delegation = createKnownCodeTable().findDelegation(code);
  if (delegation === undefined) throw new Error(`${account} delegates to nothing.`);
  if ('to' in delegation) {
    const bytecode = delegationCode(await copyChanged(client, delegation.to));
    return client.setCode({ address: account, bytecode });
  }
  const slot = delegation.slot === 'own-address' ? pad(account) : delegation.slot;
  const implementation = addressInWord((await client.getStorageAt({ address: account, slot })) ?? '0x');
  if (implementation === undefined) throw new Error(`${account} names no implementation.`);
  const value = pad(await copyChanged(client, implementation));
  return client.setStorageAt({ address: account, index: slot, value });
}

async function copyChanged(client: Devnet['client'], implementation: Address): Promise<Address> {
  const code = (await client.getCode({ address: implementation })) ?? '0x';
  const last = size(code) - 1;
  const changed = Number(slice(code, last)) ^ 1;
  const bytecode: Hex = `${slice(code, 0, last)}${changed.toString(16).padStart(2, '0')}`;
  const address = getAddress(`0x${(BigInt(implementation) ^ 1n).toString(16).padStart(40, '0')}`);
  await client.setCode({ address, bytecode });
  return address;
}
