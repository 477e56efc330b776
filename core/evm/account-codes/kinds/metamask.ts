import { concat, type Hex, keccak256, parseAbi, size, slice, toFunctionSelector } from 'viem';
import type { AccountCodeKind, ReadCreation } from '../known-code.ts';
import { readExactly } from '../read-exactly.ts';

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
  name: 'MetaMask 1.3',
  decoders: [{ name: 'METAMASK', version: '1.0.0' }],
  implementations: [
    { address: '0x56a9EdB16a0105eb5a4C54f4C062e2868844f3A7' },
    { address: '0x63c0c19a282a1B52b07dD5a65b58948A07DAE32B' },
    { address: '0x48dBe696A4D990079e039489bA2053B36E8FFEC4' },
    {
      codeHash: '0xb4b472e41378723163bbc2de8bcfbe751ec8db0c6912decece62d04814daedf8',
      immutables: [
        1752, 2122, 2509, 3117, 3255, 3381, 3480, 3611, 3737, 3836, 3918, 4057, 4446, 4686, 4865, 4979, 5411, 5538,
        5637, 5789, 5857, 6485, 6731, 7265, 7780, 8410, 8520, 8561, 8689, 8731, 8773, 8854, 8894, 9841, 10602, 10647,
        11533,
      ],
    },
    {
      codeHash: '0x201a45b6a8dd555051309d6ff21b2fd410e4462d4b348cd9fb2748743d3d5046',
      immutables: [
        1137, 1402, 1561, 1850, 1942, 2039, 2111, 2242, 2368, 2467, 2598, 2724, 2823, 2886, 2970, 3058, 3188, 3302,
        3495, 3600, 3727, 3826, 4117, 4185, 4813, 5582, 5665, 5759, 5801, 5843, 5924, 5964, 6451, 6496,
      ],
    },
  ],
  factories: [
    { mark: { address: '0x69Aa2f9fe1572F1B640E1bbc512f5c3a734fc77c' }, readCreation },
    {
      mark: { codeHash: '0xe5f22f99d0e7fe4e3d8f361afba4d6161d7b009ef2a5aab4325d48fba7e746cc' },
      readCreation,
    },
  ],
};
