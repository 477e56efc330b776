import { type Address, type Hex, pad, zeroAddress } from 'viem';
import { beaconImplementationSlot, beaconSlot, implementationSlot } from '../../evm/account-codes/find-in-catalogue.ts';
import { addressInWord } from '../../evm/account-codes/known-code.ts';
import type { ChainClient } from '../chain-client.ts';
import type { CreatedAccount } from './read-created-account.ts';
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
