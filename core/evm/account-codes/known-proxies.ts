import type { Hex } from 'viem';
import type { KnownProxy } from './known-code.ts';

/** `eip1967.proxy.implementation` and `eip1967.proxy.beacon` (EIP-1967). */
export const implementationSlot: Hex = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
export const beaconSlot: Hex = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50';
const firstSlot: Hex = `0x${'0'.repeat(64)}`;

/** Where OpenZeppelin's UpgradeableBeacon keeps the implementation, behind its owner. */
export const beaconImplementationSlot: Hex = `0x${'1'.padStart(64, '0')}`;
/** UpgradeableBeacon of OpenZeppelin 4.9. */
export const knownBeaconHashes: readonly Hex[] = ['0xd5712efcee4f3f46d7a41e210cebc68cb7e6059c01e29a723e09a7dba91ef27c'];

/**
 * Proxies by their own code: an account that only keeps a good address in the right slot, and runs something else, is not
 * one of them. Minimal proxies with the address in their code (EIP-1167) and EIP-7702 delegations need no entry.
 */
export const knownProxies: readonly KnownProxy[] = [
  // ERC1967Proxy, as it is inside the SimpleAccountFactory of 0.6, 0.7 and 0.8, and of OpenZeppelin 4.9.
  erc1967('0x0acbd632c56f6f227951f6c832b36177319145deddb8df3a12c3bcc91fbf49b3'),
  erc1967('0x0cf33e42b59cd30ce43a3d95a9c4de2589047c5e0968708337764f9776097210'),
  erc1967('0x41ee894da413cc99e8dec0a1784470eceb736845ad1591e06ff0ecdf0aca26c9'),
  erc1967('0x29c3f7ad385c2b0425f15c31480e625cc2610bc80d9cd4af656d0b29c3f51d88'),
  // ERC1967Proxy that the factories of LightAccount 1.1 and of Modular Account 1 make.
  erc1967('0xb26a7586edc0cc4bfd2e1ed67ec8f0eeb5673658683376175868e1e0d635a21d'),
  erc1967('0x49aea3a95a51b32d1e6fd229840c38521e3b4680b0a6c013494091be0e530b6c'),
  // The minimal one of Solady: Kernel, LightAccount 2, Coinbase Smart Wallet; with arguments behind it Modular Account 2.
  erc1967('0xaaa52c8cc8a0e3fd27ce756cc6b4e70c51423e9b597b11f32d3e49f8b1fc890d'),
  // NexusProxy 1.2.
  erc1967('0x37f47513090b87acd09e20f11f5536ac41e0a4403b6d782f4073e3cebfb263ab'),
  // ERC1967Proxy of OpenZeppelin 5, as MetaMask publishes it.
  erc1967('0x8678a7d794f76a790255c0db52d6276dc7259cc7a211426bca106e5ebb4b1ddf'),
  // BeaconProxy of OpenZeppelin 4.9.
  {
    mark: { codeHash: '0x1cc72fa0793e1b1cfb66e99f2cb58f85f8eafa3bdda5886d5007a72a4bcd2adc' },
    slot: beaconSlot,
    through: 'beacon',
  },
  // SafeProxy 1.4.1.
  {
    mark: { codeHash: '0xd7d408ebcd99b2b70be43e20253d6d92a8ea8fab29bd3be7f55b10032331fb4c' },
    slot: firstSlot,
  },
  // Proxy of Biconomy SmartAccount 2.
  {
    mark: { codeHash: '0xeb943ca16c0a3d8c19be2c02105552f49d4ff1d02fb80b199b613f085c8c7847' },
    slot: 'own-address',
  },
];

function erc1967(codeHash: Hex): KnownProxy {
  return { mark: { codeHash }, slot: implementationSlot };
}
