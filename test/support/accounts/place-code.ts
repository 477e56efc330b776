import { readFileSync } from 'node:fs';
import { type Address, concat, type Hex } from 'viem';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import { sendInOrder } from '../../../server/dev/devnet/devnet-client.ts';
import { bundler } from '../chain/chain-lab.ts';
import { packageFile } from '../packages/pack.ts';

/** A creation code of an account that `@rhinestone/modulekit` has, by its name in `<maker>Precompiles.sol`. */
export function modulekitCode(maker: 'Kernel' | 'Nexus' | 'Safe7579', name: string): Hex {
  const file = packageFile('@rhinestone/modulekit', `src/deployment/precompiles/${maker}Precompiles.sol`);
  const [, code] = new RegExp(` ${name} =\\s*hex"([0-9a-f]+)"`).exec(readFileSync(file, 'utf8')) ?? [];
  if (code === undefined) throw new Error(`${file} has no ${name}.`);
  return `0x${code}`;
}

/** The creation code of the proxies that Nexus accounts are. */
export function nexusProxyCode(): Hex {
  const file = packageFile('@rhinestone/sdk', 'dist/src/accounts/nexus.js');
  const [, code] = /NEXUS_CREATION_CODE = '(0x[0-9a-f]+)'/.exec(readFileSync(file, 'utf8')) ?? [];
  if (code === undefined) throw new Error(`${file} has no creation code.`);
  return code as Hex; // of that form
}

/**
 * Puts the code that a creation code leaves at an address, where the service knows it by its address alone. The creation code runs
 * there as it is: what packages have is compiled without the optimizer, and longer than a chain lets a contract be. It runs in a
 * transaction too, which keeps the contracts that it creates.
 */
export async function placeCode(
  { devnet: { client } }: { readonly devnet: Devnet },
  address: Address,
  ...creationCode: readonly Hex[]
) {
  if ((await client.getCode({ address })) !== undefined) return;
  await client.setCode({ address, bytecode: concat(creationCode) });
  const { data: bytecode } = await client.call({ to: address });
  if (bytecode === undefined) throw new Error(`The creation code of ${address} leaves nothing.`);
  await sendInOrder(client, bundler, [{ description: 'creation code', to: address }]);
  await client.setCode({ address, bytecode });
}
