import {
  type Address,
  BaseError,
  createPublicClient,
  fallback,
  http,
  isAddressEqual,
  type PublicClient,
  parseAbi,
  type Transport,
} from 'viem';
import { mistake, tryAgain } from '../../clients/cli/terminal/cli-error.ts';
import { type Flags, textFlag } from '../../clients/cli/terminal/flags.ts';
import { entryPointAddresses } from '../../core/domain/entry-point-version.ts';
import { paymasterContractFamilies } from '../../core/evm/paymaster-contracts/families.ts';
import type { PaymasterContractFamily } from '../../core/evm/paymaster-contracts/family/family.ts';
import { explainNodeFailure } from '../../core/node/node-error.ts';
import { readRpcAnswer } from '../../core/node/rpc/rpc-answer.ts';
import { type Complaint, checkContract } from '../../core/runtime/check-chain.ts';
import { findWellKnownChain } from '../chains/well-known-chains.ts';
import type { ChainSection } from '../config/chain-schema.ts';
import type { Config } from '../config/config-schema.ts';
import { readKeystoreAddress } from './payer.ts';

/** The functions of EntryPoints and paymaster contracts that these commands call; every family inherits the latter. */
export const contractAbi = parseAbi([
  'function addStake(uint32 unstakeDelaySec) payable',
  'function unlockStake()',
  'function withdrawStake(address withdrawAddress)',
  'function withdrawTo(address withdrawAddress, uint256 amount)',
  'function addSigner(address signer)',
  'function removeSigner(address signer)',
  'function signers(address signer) view returns (bool)',
  'function getDepositInfo(address account) view returns (uint256 deposit, bool staked, uint112 stake, uint32 unstakeDelaySec, uint48 withdrawTime)',
]);

/** A paymaster contract of the configuration. */
export type ConfiguredContract = {
  readonly version: string;
  readonly address: Address;
  readonly entryPoint: Address;
  readonly family: PaymasterContractFamily;
};

/** The chain's contracts, as the configuration names them. */
export function configuredContracts(chain: ChainSection): readonly ConfiguredContract[] {
  return chain.paymasterContracts.map(({ version, address, family: name }) => {
    const family = findFamily(name);
    return { version, address, family, entryPoint: entryPointOf(chain, family) };
  });
}

/** The contract of `--contract`, an address or a version, or the chain's only one. */
export function findContract(chain: ChainSection, flags: Flags): ConfiguredContract {
  const contracts = configuredContracts(chain);
  const wanted = textFlag(flags, 'contract');
  const known = contracts.map(({ version, address }) => `${version} (${address})`).join(', ');
  if (contracts.length === 0) {
    throw mistake(
      `Chain ${chain.chainId} has no paymasterContracts in the configuration: tollfree paymaster-contract deploy`,
    );
  }
  if (wanted === undefined && contracts.length > 1) throw mistake(`Name the contract: --contract, one of ${known}.`);
  const found = contracts.find(
    ({ version, address }) =>
      wanted === undefined || version === wanted || address.toLowerCase() === wanted.toLowerCase(),
  );
  if (found === undefined) throw mistake(`The configuration has no paymaster contract ${wanted}. It has ${known}.`);
  return found;
}

export function findFamily(name: string): PaymasterContractFamily {
  const family = paymasterContractFamilies.get(name);
  if (family !== undefined) return family;
  throw mistake(`--family must be one of ${[...paymasterContractFamilies.keys()].join(', ')}.`);
}

export function entryPointOf(chain: ChainSection, { entryPointVersion }: PaymasterContractFamily): Address {
  return chain.entryPoints[entryPointVersion] ?? entryPointAddresses[entryPointVersion];
}

/** Why the key cannot sign for the contract, by the service's own startup check; undefined if it can. */
export function checkSigner(
  { chain, client }: ChainAccess,
  { version, address, entryPoint, family }: ConfiguredContract,
  signer: Address,
): Promise<Complaint | undefined> {
  const { chainId, allowedBundlers } = chain;
  const location = { chainId, address, entryPoint, ...(allowedBundlers === undefined ? {} : { allowedBundlers }) };
  return checkContract({ client, config: { chainId } }, { family, location, version }, signer);
}

/** The addresses of the chain's signers, newest first, from the configuration or the keystore. */
export function configuredSigners({ signer, signers = signer === undefined ? [] : [signer] }: ChainSection): Address[] {
  return signers.map(({ keystoreFile = '', ...elsewhere }) => {
    const named = elsewhere.ethSign ?? elsewhere.awsKms ?? elsewhere.googleKms;
    const address = named === undefined ? readKeystoreAddress(keystoreFile) : named.address;
    if (address !== undefined) return address;
    throw mistake(`The keystore ${keystoreFile} does not name its address. Set it with --signer.`);
  });
}

export function isAmong(addresses: readonly Address[], address: Address): boolean {
  return addresses.some((one) => isAddressEqual(one, address));
}

/** A chain of the configuration, its index there, and its nodes. */
export type ChainAccess = {
  readonly chain: ChainSection;
  readonly index: number;
  readonly client: PublicClient<Transport>;
};

/** Opens the chain of `--chain`, or the only configured one. Refuses nodes of another chain. */
export async function openChain(config: Config, flags: Flags): Promise<ChainAccess> {
  const chains = config.chains ?? [];
  const wanted = textFlag(flags, 'chain');
  const id = wanted === undefined ? undefined : String(findWellKnownChain(wanted)?.chainId ?? wanted);
  const index = id === undefined ? 0 : chains.findIndex(({ chainId }) => String(chainId) === id);
  const chain = chains[index];
  const ids = chains.map(({ chainId }) => chainId).join(', ');
  if (chains.length === 0) throw mistake('chains is missing in the configuration. Name it with --config.');
  if (chain === undefined) throw mistake(`The configuration has no chain ${wanted}. It has ${ids}.`);
  if (wanted === undefined && chains.length > 1) throw mistake(`Name the chain: --chain, one of ${ids}.`);
  const transport = fallback(chain.nodeUrls.map((url) => http(url, { timeout: chain.callTimeoutMs })));
  const client = createPublicClient({ transport, pollingInterval: Math.min(chain.pollIntervalMs, 4_000) });
  const chainId = await askChain(chain.chainId, client.getChainId());
  if (chainId === chain.chainId) return { chain, index, client };
  throw mistake(`nodeUrls of chain ${chain.chainId} leads to chain ${chainId}.`);
}

/** The answer of the chain's nodes. A failure is one sentence without their URLs, which may contain a key. */
export async function askChain<T>(chainId: number, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    const { text, remedy } = explainNodeFailure(error);
    const said = readRpcAnswer(error)?.code === undefined ? '' : ` (${error.shortMessage.replaceAll('\n', ' ')})`;
    throw tryAgain(`No node of chain ${chainId} answers the request. ${text}${said} ${remedy}`);
  }
}
