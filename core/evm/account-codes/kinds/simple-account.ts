import type { Hex } from 'viem';
import { addressInCode } from '../address-in-word.ts';
import type { AccountCodeKind, KnownFactory, ReadCreation } from '../known-code.ts';

const decoders = [{ name: 'INFINITISM', version: '1.0.0' }];

/** `createAccount(address owner, uint256 salt)`: two words. */
const createAccount = /^0x5fbfb9cf[0-9a-f]{128}$/i;

/** A SimpleAccountFactory delegates to the implementation that its constructor made, which is in its code. */
function factory(codeHash: Hex, implementationAt: readonly [number, ...number[]], others: readonly number[] = []) {
  const readCreation: ReadCreation = ({ code, callData }) => {
    if (!createAccount.test(callData)) return undefined;
    const [implementation, ...again] = implementationAt.map((offset) => addressInCode(code, offset));
    return implementation === undefined || again.some((other) => other !== implementation)
      ? undefined
      : { implementation };
  };
  return { mark: { codeHash, immutables: [...implementationAt, ...others] }, readCreation } satisfies KnownFactory;
}

/** `@account-abstraction/contracts` 0.6.0: the account that its factory makes, and the one published next to it. */
export const simpleAccount06: AccountCodeKind = {
  name: 'SimpleAccount 0.6',
  decoders,
  implementations: [
    {
      codeHash: '0x16b853660bff2f70762045a374962e98f85d5b1afa6641c8b1b038968a91e85f',
      immutables: [815, 1643, 1819, 2177, 2344, 2540, 2716, 3045, 3404, 3997, 4068, 4918, 5621],
    },
    {
      codeHash: '0x7413d32e10f00187589aeef3f8030eb2e575ba3b7621091369c9de9aed38fc2a',
      immutables: [1507, 2050, 2299, 2532, 3113, 3590, 3965, 4468, 5056, 7172, 7267],
    },
  ],
  factories: [factory('0x5bf8c8fe80c8f04fa7a777b8b83c75d3fcba08f2c9d3073733f27d164327afb8', [75, 276, 600])],
};

/** The same of 0.7.0. */
export const simpleAccount07: AccountCodeKind = {
  name: 'SimpleAccount 0.7',
  decoders,
  implementations: [
    {
      codeHash: '0xf2f46832e632c56f36aac550a60db6c38d1703708d471a86b05597441e5c2280',
      immutables: [800, 1776, 1950, 2342, 2915, 2986, 3434, 3891, 3932, 4477, 4638],
    },
    {
      codeHash: '0x2b8d3826f461fd00f8569181b4a7ce8c8611d5ac5a7cc21016288525b1116b2d',
      immutables: [871, 1553, 1776, 2303, 2813, 3301, 3772, 4516, 5276, 5710],
    },
  ],
  factories: [factory('0x2b468f6e577646b5aef1d88d2b54aeacb2364f943da7dcbbc3cfb9b2f253e08d', [75, 276, 600])],
};

/** The same of 0.8.0, whose factory also knows the EntryPoint's SenderCreator. */
export const simpleAccount08: AccountCodeKind = {
  name: 'SimpleAccount 0.8',
  decoders,
  implementations: [
    {
      codeHash: '0x66afc1526ea3b7fb7d2f298cdc604b4169293fb9399dce9d07842d5d928584d8',
      immutables: [496, 935, 1430, 1926, 2244, 2488, 3317, 3530, 4134, 5395],
    },
    {
      codeHash: '0x013b950eb5d44a379995379da00f9fdf0cc2bfce392e4b476defc6b61e8928c4',
      immutables: [496, 935, 1430, 1926, 2244, 2488, 3317, 3530, 4134, 5395],
    },
  ],
  factories: [
    factory('0x81a1a5e5faf3f52e1831f910a1fc05c9461ae5e92bf5e1ca48a2800bab15b354', [230, 893, 1247], [338, 690]),
  ],
};

/** The same of the release candidate 0.9.0-rc.1, the only one of 0.9 on npm. */
export const simpleAccount09: AccountCodeKind = {
  name: 'SimpleAccount 0.9',
  decoders,
  implementations: [
    {
      codeHash: '0xde7f48b1b9203258922919b7881d8d56d0dc95d947b4f17d4c68cda732d4d13a',
      immutables: [496, 935, 1430, 1926, 2244, 2488, 3317, 3530, 4134, 5354],
    },
    {
      codeHash: '0xa7736daa19fa6b53b3f956f0ce367a5da8eedc905ecc621d152b206b6f5540ac',
      immutables: [496, 935, 1430, 1926, 2244, 2488, 3317, 3530, 4134, 5354],
    },
  ],
  factories: [
    factory('0xc3d5960e70fcedb13e6cd992e7139a78c6d1b59edf2c988caaf352216f522c04', [230, 895, 1206], [338, 690]),
  ],
};
