import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Address, encodeAbiParameters, type Hex, keccak256, numberToHex } from 'viem';
import type { LocalAccount } from 'viem/accounts';
import { z } from 'zod';
import { mistake, tryAgain } from '../../../clients/cli/terminal/cli-error.ts';
import { type DevnetClient, sendInOrder } from './devnet-client.ts';

const hex = z.templateLiteral(['0x', z.string()]);
const accountContractsSchema = z.object({
  deployers: z.array(z.object({ address: hex, source: z.string(), code: hex })),
  contracts: z.array(z.object({ name: z.string(), source: z.string(), address: hex, deployer: hex, data: hex })),
});

/**
 * Transactions that put the contracts of published accounts at their published addresses. `deployers` have no address that
 * follows from their code, so their code is set. `source` is the repository of the source code, whose license `LICENSES.txt` has.
 */
export type AccountContracts = z.infer<typeof accountContractsSchema>;

const fileName = 'account-contracts/contracts.json';

/**
 * Reads the contracts of published accounts: in a clone from the sources, else from the package of the development chain.
 *
 * @throws CliError when neither is there.
 */
export function readAccountContracts(): AccountContracts {
  const folders = createRequire(import.meta.url).resolve.paths('@tollfree/development-chain') ?? [];
  const file = folders
    .flatMap((folder) => [
      join(folder, '@tollfree/development-chain', fileName),
      join(folder, '../server/dev', fileName),
    ])
    .find((path) => existsSync(path));
  if (file === undefined) {
    throw mistake(
      '`tollfree dev` needs the development chain of the same release: `npm install ./tollfree-development-chain-<version>.tgz`.',
    );
  }
  return accountContractsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
}

const kernelFactory2: Address = '0x5de4839a76cf55d0c90e2061ef4386d962E15ae3';
const factoryStaker: Address = '0xd703aaE79538628d27099B8c4f621bE4CCd142d5';

/** What the owners of two contracts have allowed on public chains: a `true` in a mapping from addresses, by its slot. */
const allowed: readonly { readonly at: Address; readonly slot: bigint; readonly keys: readonly Address[] }[] = [
  {
    at: kernelFactory2,
    slot: 1n,
    keys: ['0x0DA6a956B9488eD4dd761E59f52FDc6c8068E6B5', '0xd3082872F8B06073A021b4602e022d5A070d7cfC'],
  },
  {
    at: factoryStaker,
    slot: 0n,
    keys: [
      '0x6723b44Abeec4E71eBE3232BD5B455805baDD22f',
      '0xaac5D4240AF87249B3f71BC8E4A2cae074A3E419',
      '0x2577507b78c2008Ff367261CB6285d44ba5eF2E9',
    ],
  },
];

/** The slot of a key in a mapping of Solidity. */
function slotOf(key: Address, slot: bigint): Hex {
  return keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [key, slot]));
}

/**
 * Puts Kernel and Nexus where their published clients expect them. Existing contracts stay.
 */
export async function placeAccounts(client: DevnetClient, sender: LocalAccount): Promise<void> {
  const { deployers, contracts } = readAccountContracts();
  const codes = await Promise.all(contracts.map(({ address }) => client.getCode({ address })));
  const missing = contracts.filter((_, index) => codes[index] === undefined);
  if (missing.length === 0) return;
  for (const { address, code } of deployers) await client.setCode({ address, bytecode: code });
  await sendInOrder(
    client,
    sender,
    missing.map(({ name, deployer, data }) => ({ description: name, to: deployer, data })),
  );
  for (const { name, address } of missing) {
    if ((await client.getCode({ address })) === undefined) throw tryAgain(`${name} did not land at ${address}.`);
  }
  for (const { at, slot, keys } of allowed) {
    for (const key of keys) {
      const value = numberToHex(1, { size: 32 });
      await client.setStorageAt({ address: at, index: slotOf(key, slot), value });
    }
  }
}
