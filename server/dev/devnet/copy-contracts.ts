import {
  type Address,
  getContractAddress,
  type Hex,
  HttpRequestError,
  hexToBigInt,
  isHex,
  numberToHex,
  size,
} from 'viem';
import { mistake, tryAgain } from '../../../clients/cli/terminal/cli-error.ts';
import { catalogue } from '../../../core/evm/account-codes/catalogue.ts';
import { createEndpoint, machineTimes } from '../../../core/node/rpc/create-endpoint.ts';
import type { DevnetClient } from './devnet-client.ts';

type NamedContract = { readonly name: string; readonly address: Address };
type StoredWord = { readonly address: Address; readonly slot: Hex };

/** Contracts of a public chain, and words of their storage. */
export type PublicContracts = { readonly contracts: readonly NamedContract[]; readonly words: readonly StoredWord[] };

/** The contracts of kinds of accounts that the catalogue knows by their addresses. */
export function contractsOf(kinds: readonly string[]): readonly NamedContract[] {
  return catalogue
    .filter(({ kind }) => kinds.includes(kind))
    .flatMap(({ kind, codes }) =>
      codes.flatMap(({ contract, mark }) =>
        'address' in mark ? [{ name: `${contract} of ${kind}`, address: mark.address }] : [],
      ),
    );
}

const biconomyAccount: Address = '0x0000002512019Dafb59528B82CB92D3c5D2423ac';
const biconomyFactory: Address = '0x000000a56Aaca3e9a4C479ea6b6CD0DbcB6634F5';
const safe7579: Address = '0x7579EE8307284F293B1927136486880611F20002';
/** Where Biconomy's SmartAccount 2 keeps that its list of modules has begun. */
const firstModuleSlot: Hex = '0xada5013122d395ba3c54772283fb069b10426056ef8ca54750cb9bb552a59e7d';
/** Where Alchemy's LightAccounts keep whether they were initialized. */
const initializedSlot: Hex = '0x33e4b41198cc5b8053630ed667ea7c0c4c873f7fc8d9a478b5d7259cec0a4a00';

/**
 * Biconomy's SmartAccount 2, LightAccount, Modular Account 1 and Safe7579 with all they call. Their code, or a part of it, is not
 * under a license of ours, so it is copied from a public chain. Safe itself is not among them. The words keep anyone from initializing an implementation.
 */
export const accountsOfPublicChains: PublicContracts = {
  contracts: [
    ...contractsOf(['LightAccount 1.1', 'LightAccount 2.0', 'Modular Account 1', 'Safe7579 1']),
    { name: 'SmartAccount 2 of Biconomy', address: biconomyAccount },
    { name: 'SmartAccountFactory 2 of Biconomy', address: biconomyFactory },
    { name: 'callback handler of Biconomy', address: getContractAddress({ from: biconomyFactory, nonce: 1n }) },
    { name: 'ECDSAOwnershipRegistryModule of Biconomy', address: '0x0000001c5b32F37F5beA87BDD5374eB2aC54eA8e' },
    { name: 'MultiOwnerPlugin of Modular Account 1', address: '0xcE0000007B008F50d762D155002600004cD6c647' },
    { name: 'Registry of ERC-7484', address: '0x000000000069E2a187AEFFb852bF3cCdC95151B2' },
    { name: 'batch helper of Safe7579 1', address: getContractAddress({ from: safe7579, nonce: 1n }) },
  ],
  words: [
    { address: biconomyAccount, slot: firstModuleSlot },
    { address: '0xae8c656ad28F2B59a196AB61815C16A0AE1c3cba', slot: initializedSlot },
    { address: '0x8E8e658E22B12ada97B402fF0b044D6A325013C7', slot: initializedSlot },
    {
      address: '0x0046000000000151008789797b54fdb500E2a61e',
      slot: '0xade46bbfcf6f898a43d541e42556d456ca0bf9b326df8debc0f29d3f811a0300',
    },
  ],
};

/** Longest wait for one answer to begin, and for all answers together, in milliseconds. */
const answerMs = 10_000;
const allAnswersMs = 60_000;
/** An answer with the largest code of a chain, 32,768 bytes, has half of it. */
const maxAnswerBytes = 128 * 1024;

/**
 * Copies code and words of storage from a node of a public chain to the same addresses of a development chain. What is there
 * already stays, and is not asked for. Nothing is written before all is read.
 *
 * @throws CliError when the node does not answer in time, or its chain lacks a contract. It does not contain the URL.
 */
export async function copyContracts(
  client: DevnetClient,
  nodeUrl: string,
  { contracts, words }: PublicContracts,
): Promise<void> {
  const read = openPublicChain(nodeUrl);
  const codes: { readonly address: Address; readonly bytecode: Hex }[] = [];
  for (const { name, address } of contracts) {
    if ((await client.getCode({ address })) !== undefined) continue;
    const bytecode = await read('eth_getCode', [address, 'latest']);
    if (size(bytecode) === 0) {
      throw mistake(
        `The public chain has no code at ${address} (${name}), so no accounts were copied. Name a node of another chain.`,
      );
    }
    codes.push({ address, bytecode });
  }
  const values: { readonly address: Address; readonly index: Hex; readonly value: Hex }[] = [];
  for (const { address, slot } of words) {
    const present = await client.getStorageAt({ address, slot });
    if (present !== undefined && hexToBigInt(present) !== 0n) continue;
    const value = hexToBigInt(await read('eth_getStorageAt', [address, slot, 'latest']));
    if (value !== 0n) values.push({ address, index: slot, value: numberToHex(value, { size: 32 }) });
  }
  for (const code of codes) await client.setCode(code);
  for (const word of values) await client.setStorageAt(word);
}

/** Reads bytes from a node, one question after the other: public nodes limit how many are asked at once. */
function openPublicChain(nodeUrl: string) {
  const rules = { maxBytes: maxAnswerBytes, sameId: true } as const;
  const endpoint = createEndpoint(nodeUrl, answerMs, machineTimes, rules);
  const signal = AbortSignal.timeout(allAnswersMs);
  return async (method: 'eth_getCode' | 'eth_getStorageAt', params: readonly string[]): Promise<Hex> => {
    const answer = await endpoint.ask({ method, params }, signal).catch((error: unknown) => {
      const status = error instanceof HttpRequestError && error.status !== undefined ? ` (HTTP ${error.status})` : '';
      // The error is no cause of this one: it contains the URL.
      throw tryAgain(`The node of the public chain does not answer ${method}${status}. Is its URL right?`);
    });
    if (isHex(answer) && answer.length % 2 === 0 && (method === 'eth_getCode' || size(answer) === 32)) return answer;
    throw tryAgain(`The node of the public chain does not answer ${method} with bytes. Is its URL right?`);
  };
}
