import { parseAbi, size } from 'viem';
import { addressOf, implementationsOf } from '../find-in-catalogue.ts';
import type { AccountCodeKind, ReadCreation } from '../known-code.ts';
import { readExactly } from '../read-exactly.ts';

const factoryAbi = parseAbi(['function createAccount(address admin, bytes data)']);
/** Most bytes of `data`, of which the factory makes the salt: a word. More would be paid for. */
const maxSaltBytes = 32;

/** thirdweb's account at one version of the EntryPoint. Its factory makes the implementation with its first creation, and calls no one. */
function thirdweb(version: string): AccountCodeKind {
  const name = `thirdweb ${version}`;
  const implementation = addressOf(name, 'Account');
  const readCreation: ReadCreation = ({ callData }) => {
    const [, data] = readExactly(factoryAbi, 'createAccount', callData) ?? [];
    return data !== undefined && size(data) <= maxSaltBytes ? { implementation } : undefined;
  };
  return {
    name,
    decoders: [{ name: 'THIRDWEB', version: '1.0.0' }],
    implementations: implementationsOf(name),
    factories: [{ mark: { address: addressOf(name, 'AccountFactory') }, readCreation }],
  };
}

export const thirdwebs: readonly AccountCodeKind[] = ['0.6', '0.7'].map(thirdweb);
