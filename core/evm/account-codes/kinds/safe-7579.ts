import { parseAbi, zeroAddress } from 'viem';
import { addressOf, implementationsOf } from '../find-in-catalogue.ts';
import { type AccountCodeKind, type ReadCreation, readExactly } from '../known-code.ts';
import { fallbackHandlerSlot, safeFactories, safeFactoryAbi } from './safe.ts';

const preSetupAbi = parseAbi(['function preValidationSetup(bytes32 initHash, address to, bytes preInit)']);
const launchpad = addressOf('Safe7579 1', 'Safe7579Launchpad');
const decoders = [{ name: 'SAFE_7579', version: '1.0.0' }];

/**
 * Accepts a proxy that delegates to the launchpad and stores the hash of what its first operation sets up, with no other
 * call.
 */
const readCreation: ReadCreation = ({ callData }) => {
  const [singleton, initializer] = readExactly(safeFactoryAbi, 'createProxyWithNonce', callData) ?? [];
  if (singleton !== launchpad || initializer === undefined) return undefined;
  const [, to, preInit] = readExactly(preSetupAbi, 'preValidationSetup', initializer) ?? [];
  return to === zeroAddress && preInit === '0x' ? { implementation: launchpad } : undefined;
};

/**
 * Safe 1.4.1 or 1.5.0 with Rhinestone's adapter as fallback handler, and the launchpad that the proxy delegates to until the first
 * operation. Validators and hooks chosen by the owner run alongside the calls; the adapter stores the hooks.
 */
export const safes7579: readonly AccountCodeKind[] = [
  {
    name: 'Safe7579 1',
    decoders,
    implementations: [...implementationsOf('Safe 1.4.1'), ...implementationsOf('Safe 1.5.0')],
    requires: [{ slot: fallbackHandlerSlot, oneOf: [addressOf('Safe7579 1', 'Safe7579')] }],
  },
  {
    name: 'Safe7579 1',
    decoders,
    implementations: [{ address: launchpad }],
    factories: safeFactories.map((mark) => ({ mark, readCreation })),
  },
];
