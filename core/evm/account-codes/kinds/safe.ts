import { type Address, concat, encodeFunctionData, encodePacked, type Hex, pad, parseAbi, size } from 'viem';
import { dummySignature } from '../estimation-signature.ts';
import type { AccountCodeKind, ReadCreation } from '../known-code.ts';
import { readExactly } from '../read-exactly.ts';

const factoryAbi = parseAbi(['function createProxyWithNonce(address singleton, bytes initializer, uint256 saltNonce)']);
const setupAbi = parseAbi([
  'function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)',
]);
const enableModulesAbi = parseAbi(['function enableModules(address[] modules)']);
const multiSendAbi = parseAbi(['function multiSend(bytes transactions)']);

/** Safe and SafeL2 1.4.1. */
const singletons: readonly Address[] = [
  '0x41675C099F32341bf84BFc5382aF534df5C7461a',
  '0x29fcB43b46531BcA003ddC8FCB67FFE91900C762',
];
/** Safe4337Module 0.2.0 and 0.3.0, each with the SafeModuleSetup that enables it. */
const modules: readonly { readonly module: Address; readonly setup: Address }[] = [
  { module: '0xa581c4A4DB7175302464fF3C06380BC3270b4037', setup: '0x8EcD4ec46D4D2a6B64fE960B3D64e8B94B2234eb' },
  { module: '0x75cf11467937ce3F2f357CE24ffc3DBF8fD5c226', setup: '0x2dd68b007B46fBe91B9A7c3EDa5A7a1063cB5b47' },
];
const multiSend: Address = '0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526';

/** `fallback_manager.handler.address`: who gets what the Safe itself does not know, `validateUserOp` among it. */
const fallbackHandlerSlot: Hex = '0x6c9a6c4a39284e37ed1cf53d337577d14212a4870fb976a4366c693b939918d5';

/** A Safe that enables its module when it is set up, and does nothing else. */
const readCreation: ReadCreation = ({ callData }) => {
  const [singleton, initializer] = readExactly(factoryAbi, 'createProxyWithNonce', callData) ?? [];
  if (singleton === undefined || initializer === undefined || !singletons.includes(singleton)) return undefined;
  const args = readExactly(setupAbi, 'setup', initializer);
  if (args === undefined) return undefined;
  const [, , to, data, fallbackHandler, , payment] = args;
  const known = modules.find(({ module }) => module === fallbackHandler);
  if (known === undefined || payment !== 0n || !enablesOnly(known, { to, data })) return undefined;
  return { implementation: singleton };
};

/** Whether the setup's delegate call only enables the module, by itself or as the one call of a MultiSend. */
function enablesOnly(known: (typeof modules)[number], call: { readonly to: Address; readonly data: Hex }): boolean {
  const enabling = encodeFunctionData({ abi: enableModulesAbi, args: [[known.module]] });
  const data = call.data.toLowerCase();
  if (call.to === known.setup) return data === enabling;
  const delegateCall = 1;
  const batch = encodePacked(
    ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
    [delegateCall, known.setup, 0n, BigInt(size(enabling)), enabling],
  );
  return call.to === multiSend && data === encodeFunctionData({ abi: multiSendAbi, args: [batch] });
}

/** Safe 1.4.1 with its module for ERC-4337 as fallback handler. */
export const safe141: AccountCodeKind = {
  name: 'Safe 1.4.1',
  decoders: [{ name: 'SAFE', version: '1.4.1' }],
  implementations: singletons.map((address) => ({ address })),
  requires: [{ slot: fallbackHandlerSlot, oneOf: modules.map(({ module }) => module) }],
  factories: [{ mark: { address: '0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67' }, readCreation }],
  // The times between which the module takes it, both 0, and one owner's signature.
  estimationSignature: concat([pad('0x', { size: 12 }), dummySignature]),
};
