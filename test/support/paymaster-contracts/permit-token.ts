import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { type Abi, type Address, type Hex, parseAbi } from 'viem';
import type { LocalAccount } from 'viem/accounts';
import type { TokenPermit } from '../../../core/evm/paymaster-contracts/family/family.ts';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import { runSolc } from '../../../tools/run-solc.ts';
import { bundler } from '../chain/chain-lab.ts';

const packages = join(
  dirname(createRequire(import.meta.url).resolve('@openzeppelin/contracts-4/package.json')),
  '../..',
);
export const permitTokenAbi = parseAbi([
  'function nonces(address owner) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function mint(address to, uint256 value)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
]);
const permitTypes = {
  Permit: [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const;

/** Puts OpenZeppelin's token with permits on the chain. */
export async function deployPermitToken({ client }: Pick<Devnet, 'client'>): Promise<Address> {
  const hash = await client.deployContract({ account: bundler, chain: client.chain, ...compile(), args: [] });
  const { contractAddress } = await client.waitForTransactionReceipt({ hash });
  if (!contractAddress) throw new Error('The token was not made.');
  return contractAddress;
}

/** Makes one of the chain's tokens such a token. Its code computes the domain of the address where it runs. */
export async function giveTokenPermits(devnet: Devnet, address: Address): Promise<void> {
  const made = await deployPermitToken(devnet);
  const bytecode = await devnet.client.getCode({ address: made });
  if (bytecode === undefined) throw new Error('The token has no code.');
  await devnet.client.setCode({ address, bytecode });
}

export type PermitWish = Pick<TokenPermit, 'value' | 'deadline'> & {
  readonly token: Address;
  readonly spender: Address;
  readonly nonce?: bigint;
};

/** A permit of the owner, for the nonce that the token has for it. */
export async function signPermit(
  { client, chainId }: Pick<Devnet, 'client' | 'chainId'>,
  owner: Pick<LocalAccount, 'address' | 'signTypedData'>,
  { token, spender, value, deadline, ...wish }: PermitWish,
): Promise<TokenPermit> {
  const read = { address: token, abi: permitTokenAbi, functionName: 'nonces', args: [owner.address] } as const;
  const nonce = wish.nonce ?? (await client.readContract(read));
  const signature = await owner.signTypedData({
    domain: { name: 'Permit token', version: '1', chainId, verifyingContract: token },
    types: permitTypes,
    primaryType: 'Permit',
    message: { owner: owner.address, spender, value, nonce, deadline },
  });
  return { value, deadline, signature };
}

function compile(): { readonly abi: Abi; readonly bytecode: Hex } {
  const content = readFileSync(join(import.meta.dirname, 'contracts/PermitToken.sol'), 'utf8');
  const output = JSON.parse(
    runSolc(
      JSON.stringify({
        language: 'Solidity',
        sources: { 'PermitToken.sol': { content }, ...importsOf('PermitToken.sol', content) },
        settings: { optimizer: { enabled: true }, outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } },
      }),
    ),
  );
  const made = output.contracts?.['PermitToken.sol']?.PermitToken;
  if (made === undefined) throw new Error(JSON.stringify(output.errors));
  return { abi: made.abi, bytecode: `0x${made.evm.bytecode.object}` };
}

type Sources = Record<string, { readonly content: string }>;

/** The files of packages that a file imports, and those that they import. */
function importsOf(file: string, content: string, sources: Sources = {}): Sources {
  for (const [, path = ''] of content.matchAll(/^import .*"(.+)";$/gm)) {
    const name = path.startsWith('.') ? posix.join(posix.dirname(file), path) : path;
    if (sources[name] !== undefined) continue;
    const imported = readFileSync(join(packages, name), 'utf8');
    sources[name] = { content: imported };
    importsOf(name, imported, sources);
  }
  return sources;
}
