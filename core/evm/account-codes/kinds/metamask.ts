import { concat, type Hex, keccak256, parseAbi, size, slice, toFunctionSelector } from 'viem';
import { implementationsOf, marksOf } from '../find-in-catalogue.ts';
import type { AccountCodeKind, ReadCreation } from '../known-code.ts';
import { readExactly } from '../read-exactly.ts';

const name = 'MetaMask 1.3';

const factoryAbi = parseAbi(['function deploy(bytes bytecode, bytes32 salt)']);
/** The arguments of the proxy's constructor, read as those of a function. */
const constructorAbi = parseAbi(['function construct(address implementation, bytes data)']);
const constructorSelector = toFunctionSelector(constructorAbi[0]);

/** The creation code of the ERC1967Proxy published with the accounts, without its arguments. */
const proxyCode = { bytes: 1008, hash: '0xc8fb9314d27cddb08b374dd2bf47cd06c6fb879756ddfbedf522a8c58756a8e0' } as const;

/** `initialize` of HybridDeleGator and of MultiSigDeleGator. They write down owners, and call no one. */
const initializers: ReadonlySet<Hex> = new Set(['0x8ebf9533', '0x60b5bb3f']);

/** Longest call of them, in bytes: enough for five passkeys. More would be paid for, whatever is in it. */
const maxInitializer = 1_500;

/** The factory puts any code on the chain: only the published proxy is known, and only when it is initialized. */
const readCreation: ReadCreation = ({ callData }) => {
  const [bytecode] = readExactly(factoryAbi, 'deploy', callData) ?? [];
  if (bytecode === undefined || size(bytecode) <= proxyCode.bytes) return undefined;
  if (keccak256(slice(bytecode, 0, proxyCode.bytes)) !== proxyCode.hash) return undefined;
  const given = concat([constructorSelector, slice(bytecode, proxyCode.bytes)]);
  const [implementation, data] = readExactly(constructorAbi, 'construct', given) ?? [];
  if (implementation === undefined || data === undefined || size(data) < 4 || size(data) > maxInitializer)
    return undefined;
  return initializers.has(slice(data, 0, 4)) ? { implementation } : undefined;
};

/**
 * MetaMask's smart accounts of its delegation framework 1.3: MultiSigDeleGator, EIP7702StatelessDeleGator and
 * HybridDeleGator, where CREATE2 puts them. The first two also by the code that is published, with the manager of
 * delegations of their deployer; the third has the address of a library in its code.
 */
export const metamask13: AccountCodeKind = {
  name,
  decoders: [{ name: 'METAMASK', version: '1.0.0' }],
  implementations: implementationsOf(name),
  factories: marksOf(name, 'factory').map((mark) => ({ mark, readCreation })),
};
