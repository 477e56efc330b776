import { concat, type Hex, keccak256, parseAbi, size, slice, toFunctionSelector } from 'viem';
import { implementationsOf, marksOf } from '../find-in-catalogue.ts';
import { type AccountCodeKind, type ReadCreation, readExactly } from '../known-code.ts';

const name = 'MetaMask 1.3';

const factoryAbi = parseAbi(['function deploy(bytes bytecode, bytes32 salt)']);
/** The arguments of the proxy's constructor, decoded like those of a function. */
const constructorAbi = parseAbi(['function construct(address implementation, bytes data)']);
const constructorSelector = toFunctionSelector(constructorAbi[0]);

/** The creation code of the ERC1967Proxy published with the accounts, without its arguments. */
const proxyCode = { bytes: 1008, hash: '0xc8fb9314d27cddb08b374dd2bf47cd06c6fb879756ddfbedf522a8c58756a8e0' } as const;

/** `initialize` of HybridDeleGator and of MultiSigDeleGator. Both only store owners and make no calls. */
const initializers: ReadonlySet<Hex> = new Set(['0x8ebf9533', '0x60b5bb3f']);

/** Longest initializer call, in bytes: enough for five passkeys. The sponsor would pay for more, whatever it contains. */
const maxInitializer = 1_500;

/** The factory deploys any code, so only the published proxy is accepted, and only if it is initialized. */
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
 * HybridDeleGator, at their CREATE2 addresses. The first two are also recognized by their published code, with their
 * deployer's delegation manager. The third contains the address of a library.
 */
export const metamask13: AccountCodeKind = {
  name,
  decoders: [{ name: 'METAMASK', version: '1.0.0' }],
  implementations: implementationsOf(name),
  factories: marksOf(name, 'factory').map((mark) => ({ mark, readCreation })),
};
