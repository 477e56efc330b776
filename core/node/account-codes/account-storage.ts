import { type Address, type Hex, pad, zeroAddress } from 'viem';
import { addressInWord } from '../../evm/account-codes/address-in-word.ts';
import { beaconImplementationSlot, beaconSlot, implementationSlot } from '../../evm/account-codes/known-proxies.ts';
import type { ChainClient } from '../chain-client.ts';
import type { CreatedAccount } from './read-created-account.ts';
import type { SeenAccount } from './seen-account.ts';

/**
 * What an account keeps of whose code runs. Each throws what the node's client throws when the node does not answer.
 */
export type AccountStorage = {
  /** The address in a slot of the account; undefined for none. */
  addressIn(slot: Hex): Promise<Address | undefined>;
  /** What the beacon in the account's beacon slot names, when its code is known; undefined for nothing. */
  beaconImplementation(): Promise<Address | undefined>;
};

/** As it was seen in a state that was simulated. */
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

/** As it will be once a factory has made it. A beacon is there already. */
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

/** As the node tells now. Most accounts are proxies with the slot of EIP-1967: that one is asked for at once. */
export function currentStorage(client: ChainClient, account: Address): AccountStorage {
  const read = (address: Address, slot: Hex) => readAddress(client, address, slot);
  const implementation = read(account, implementationSlot);
  // No one may be waiting for it when it fails.
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
