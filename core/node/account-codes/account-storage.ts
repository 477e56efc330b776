import {
  type Address,
  getAddress,
  getContractAddress,
  type Hex,
  isHex,
  numberToHex,
  pad,
  size,
  slice,
  zeroAddress,
} from 'viem';
import { z } from 'zod';
import { beaconImplementationSlot, beaconSlot, implementationSlot } from '../../evm/account-codes/find-in-catalogue.ts';
import { addressInWord } from '../../evm/account-codes/known-code.ts';
import type { ChainClient } from '../chain-client.ts';
import { readRpcAnswer } from '../rpc/rpc-answer.ts';
import type { SeenAccount } from './seen-account.ts';

/**
 * The storage of an account that determines whose code runs. Each method throws the client's error when the node does not
 * answer.
 */
export type AccountStorage = {
  /** The address in a slot of the account; undefined if it is zero. */
  addressIn(slot: Hex): Promise<Address | undefined>;
  /** The target named by the beacon in the account's beacon slot, if the beacon's code is known; undefined otherwise. */
  beaconImplementation(): Promise<Address | undefined>;
};

/** The storage as read in a simulated state. */
export function seenStorage({ words, beaconImplementation }: SeenAccount): AccountStorage {
  return {
    addressIn: async (slot) => {
      const word = words[slot];
      if (word === undefined) throw new Error(`The slot ${slot} has not been read.`);
      return addressInWord(word);
    },
    beaconImplementation: async () => addressInWord(pad(beaconImplementation)),
  };
}

/** The storage after a factory has created the account. Beacons exist already. */
export function createdStorage(client: ChainClient, { words }: CreatedAccount): AccountStorage {
  const { addressIn } = seenStorage({ code: '0x', words, beaconImplementation: zeroAddress });
  return {
    addressIn,
    beaconImplementation: async () => {
      const beacon = await addressIn(beaconSlot);
      return beacon === undefined ? undefined : readAddress(client, beacon, beaconImplementationSlot);
    },
  };
}

/** The current storage on the node. Most accounts are proxies with the EIP-1967 slot, so that slot is read at once. */
export function currentStorage(client: ChainClient, account: Address): AccountStorage {
  const read = (address: Address, slot: Hex) => readAddress(client, address, slot);
  const implementation = read(account, implementationSlot);
  // The result may not be awaited when it fails.
  implementation.catch(() => undefined);
  const addressIn = (slot: Hex) => (slot === implementationSlot ? implementation : read(account, slot));
  return {
    addressIn,
    beaconImplementation: async () => {
      const beacon = await addressIn(beaconSlot);
      return beacon === undefined ? undefined : read(beacon, beaconImplementationSlot);
    },
  };
}

async function readAddress(client: ChainClient, address: Address, slot: Hex): Promise<Address | undefined> {
  return addressInWord(await client.request({ method: 'eth_getStorageAt', params: [address, slot, 'latest'] }));
}

/** Returns the code of the address in its input. */
const codeReader: Hex = '0x600035803b8060006000843c6000f3';
/** Returns the word in the slot in its input. Replaces the code of the contract whose slot is read. */
const slotReader: Hex = '0x6000355460005260206000f3';
const codeReaderAt: Address = '0x00000000000000000000000000000000c0de4ead';
/** Gas for creating the account: as much as bundlers allow for validation. */
const creationGas = numberToHex(5_000_000);
const factoryBytes = 20;
/** JSON-RPC codes for unsupported methods: invalid request, method not found, not supported. */
const unknownMethod: readonly (number | undefined)[] = [-32_600, -32_601, -32_004];

const callSchema = z.object({ status: z.string(), returnData: z.custom<Hex>((value) => isHex(value)) });
const blocksSchema = z.tuple([
  z.object({ calls: z.tuple([callSchema, callSchema]) }),
  z.object({ calls: z.array(callSchema) }),
]);

/** The result of a factory: the account's code, and the words in the requested slots. */
type CreatedAccount = { readonly code: Hex; readonly words: Readonly<Record<Hex, Hex>> };

/**
 * The account that a factory would create now, by `eth_simulateV1`: the first block creates it, the second reads its slots.
 * Undefined if nothing is created, or if the node does not support the method. Throws the client's error when the node does
 * not answer.
 */
export async function readCreatedAccount(
  client: ChainClient,
  options: {
    readonly entryPoint: Address;
    readonly initCode: Hex;
    readonly sender: Address;
    readonly slots: readonly Hex[];
  },
): Promise<CreatedAccount | undefined> {
  const { entryPoint, initCode, sender, slots } = options;
  // The first contract that every published EntryPoint creates.
  const senderCreator = getContractAddress({ from: entryPoint, nonce: 1n });
  const factory = getAddress(slice(initCode, 0, factoryBytes));
  const input = size(initCode) === factoryBytes ? '0x' : slice(initCode, factoryBytes);
  const blockStateCalls = [
    {
      stateOverrides: { [codeReaderAt]: { code: codeReader } },
      calls: [
        { from: senderCreator, to: factory, input, gas: creationGas },
        { from: senderCreator, to: codeReaderAt, input: pad(sender) },
      ],
    },
    {
      stateOverrides: { [sender]: { code: slotReader } },
      calls: slots.map((slot) => ({ from: senderCreator, to: sender, input: slot })),
    },
  ];
  const answer = await ask(client, { blockStateCalls, validation: false });
  const read = blocksSchema.safeParse(answer);
  if (!read.success) return undefined;
  const [
    {
      calls: [made, code],
    },
    { calls: words },
  ] = read.data;
  if (made.status !== '0x1' || code.status !== '0x1' || words.length !== slots.length) return undefined;
  if (words.some(({ status, returnData }) => status !== '0x1' || size(returnData) !== 32)) return undefined;
  return {
    code: code.returnData,
    words: Object.fromEntries(slots.map((slot, index) => [slot, words[index]?.returnData ?? '0x'])),
  };
}

/** The node's answer; undefined if it does not support the method. */
async function ask(client: ChainClient, payload: object): Promise<unknown> {
  try {
    // viem's types for this method describe decoded calls.
    return await (client.request as (call: object) => Promise<unknown>)({
      method: 'eth_simulateV1',
      params: [payload, 'latest'],
    });
  } catch (error) {
    if (unknownMethod.includes(readRpcAnswer(error)?.code)) return undefined;
    throw error;
  }
}
