import { parseAbi, size } from 'viem';
import { addressOf, implementationsOf } from '../find-in-catalogue.ts';
import { type AccountCodeKind, type ReadCreation, readExactly } from '../known-code.ts';

const factoryAbi = parseAbi(['function createAccount(address admin, bytes data)']);
/** Most bytes of `data`, from which the factory derives the salt: a word. The sponsor would pay for more. */
const maxSaltBytes = 32;

/**
 * thirdweb's account for one EntryPoint version. Its factory deploys the implementation at its first creation, and makes no
 * other calls.
 */
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
