import { type Address, encodeAbiParameters } from 'viem';
import { type CalldataWalker, createCalldataWalker, NotUnderstoodError, selectorOf } from './calldata-walker.ts';
import { createFormDecoder } from './create-form-decoder.ts';
import type { InnerCall } from './decoder.ts';
import { erc7579Forms, erc7579FormsWithUserOp } from './erc7579.ts';
import { maxInnerCalls, readDynamicList, readList, toInnerCall } from './read-call.ts';

/** Safe and SafeL2, 1.4.1 and 1.5.0, in lower case. */
const singletons: readonly Address[] = [
  '0x41675c099f32341bf84bfc5382af534df5c7461a',
  '0x29fcb43b46531bca003ddc8fcb67ffe91900c762',
  '0xff51a5898e281db6dfc7855790607438df2ca44b',
  '0xedd160febbd92e350d4d398fb636302fccd67c7e',
];
/** Rhinestone's Safe7579 adapter and launchpad, as permissionless documents them. */
const adapter: Address = '0x7579ee8307284f293b1927136486880611f20002';
const launchpad: Address = '0x7579011ab74c46090561ea277ba79d510c6c00ff';

/** `initSafe7579(address,(address,bytes)[],(address,bytes)[],(address,bytes)[],address[],uint8)` of the launchpad. */
const initSelector = '0x15cca638';
/** `onInstall(bytes)` of a module. */
const onInstallSelector = '0x6d61fe70';
const selectorBytes = 4;
const maxUint8 = 255n;

/**
 * Safe 1.4.1 or 1.5.0 with the Safe7579 adapter (EntryPoint 0.7). Its first operation calls the launchpad's `setupSafe`, which turns
 * the proxy into a Safe, installs its validators and executes the rest of the call data.
 */
export const safe7579 = createFormDecoder('SAFE_7579', '1.0.0', {
  '0.7': [...erc7579FormsWithUserOp, { selector: '0xd9ed0e8f', read: readSetup }],
});

/**
 * Reads `((address singleton, address[] owners, uint256 threshold, address setupTo, bytes setupData, address safe7579,
 * (address module, bytes initData)[] validators, bytes callData) initData)` to the end. The Safe delegates to `singleton`
 * permanently and to `setupTo` once, so both must be the published contracts, called with their usual data. Installing a
 * validator counts as a call of the account.
 */
function readSetup(walker: CalldataWalker): InnerCall[] {
  const initDataAt = walker.offset();
  walker.reach(initDataAt);
  const base = walker.position();
  const singleton = walker.address();
  const ownersAt = walker.offset();
  walker.uint(); // the threshold of the owners' signatures
  const setupTo = walker.address();
  const setupDataAt = walker.offset();
  const safe7579Address = walker.address();
  const validatorsAt = walker.offset();
  const callDataAt = walker.offset();
  walker.reach(base + ownersAt);
  readList(walker, () => walker.address());
  walker.reach(base + setupDataAt);
  const setupData = walker.bytes();
  walker.reach(base + validatorsAt);
  const installed = readDynamicList(walker, () => readValidator(walker));
  walker.reach(base + callDataAt);
  const callData = walker.bytes();
  walker.end();
  if (!singletons.includes(singleton) || setupTo !== launchpad || safe7579Address !== adapter) {
    throw new NotUnderstoodError('it sets up another account than a Safe 1.4.1 or 1.5.0 with the Safe7579 adapter');
  }
  requirePlainSetup(setupData);
  const calls = [...installed, ...readExecuted(callData)];
  if (calls.length > maxInnerCalls) throw new NotUnderstoodError(`there are more than ${maxInnerCalls} calls`);
  return calls;
}

function readValidator(walker: CalldataWalker): InnerCall {
  const base = walker.position();
  const module = walker.address();
  const initDataAt = walker.offset();
  walker.reach(base + initDataAt);
  const initData = walker.bytes();
  return toInnerCall(module, 0n, encodeOnInstall(initData));
}

function encodeOnInstall(initData: Buffer): Buffer {
  const encoded = encodeAbiParameters([{ type: 'bytes' }], [`0x${initData.toString('hex')}`]);
  return Buffer.from(`${onInstallSelector.slice(2)}${encoded.slice(2)}`, 'hex');
}

/** The setup may name attesters of the module registry, but installs no executor, fallback or hook. */
function requirePlainSetup(setupData: Buffer): void {
  if (selectorOf(setupData) !== initSelector)
    throw new NotUnderstoodError('the setup calls another method than initSafe7579');
  const walker = createCalldataWalker(setupData.subarray(selectorBytes));
  const safe7579Address = walker.address();
  const emptyListsAt = [walker.offset(), walker.offset(), walker.offset()];
  const attestersAt = walker.offset();
  const attestersNeeded = walker.uint();
  if (attestersNeeded > maxUint8) throw new NotUnderstoodError('the setup names more attesters than there can be');
  for (const listAt of emptyListsAt) {
    walker.reach(listAt);
    if (readList(walker, () => undefined).length > 0) {
      throw new NotUnderstoodError('the setup installs an executor, a fallback or a hook');
    }
  }
  walker.reach(attestersAt);
  readList(walker, () => walker.address());
  walker.end();
  if (safe7579Address !== adapter) throw new NotUnderstoodError('the setup is for another adapter than Safe7579');
}

function readExecuted(callData: Buffer): InnerCall[] {
  const selector = selectorOf(callData);
  const form = erc7579Forms.find((candidate) => candidate.selector === selector);
  if (form === undefined) throw new NotUnderstoodError('the setup ends in a method that is not known to make calls');
  return form.read(createCalldataWalker(callData.subarray(selectorBytes)));
}
