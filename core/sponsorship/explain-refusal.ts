import { omitAbsent } from '@tollfree/contract/omit-absent';
import { getAddress, type Hex, isHex, size, slice } from 'viem';
import type { Refusal } from '../domain/result/refusal.ts';
import { isEip7702InitCode } from '../evm/entry-point/eip7702.ts';
import type { Asked } from './run/steps.ts';

/** The refusal in words of its reader: with the name of the refused method and whether it can be whitelisted, and with what is missing on the chain. */
export async function explainRefusal(asked: Asked, refusal: Refusal): Promise<Refusal> {
  if (refusal.reason === 'METHOD_NOT_WHITELISTED') return nameMethod(asked, refusal);
  return refusal.reason === 'ESTIMATION_FAILED' ? explainCreation(asked, refusal) : refusal;
}

/** The registered ABI may have the method that is not whitelisted. */
async function nameMethod({ parts, draft }: Asked, refusal: Refusal): Promise<Refusal> {
  const { target, selector } = refusal.details ?? {};
  if (target === undefined || !isHex(selector) || draft.paymasterId === undefined) return refusal;
  const method = await parts.errors.findMethod(draft.paymasterId, { address: target, selector });
  if (method === undefined) return refusal;
  const { signature, isView } = method;
  const message = refusal.message.replace(selector, () => signature);
  const mutability = isView ? ('view' as const) : undefined;
  return { ...refusal, message, details: { ...refusal.details, method: signature, ...omitAbsent({ mutability }) } };
}

/** Codes of the EntryPoint for an account that was not created, or not at the sender. */
const creationCodes: ReadonlySet<string> = new Set(['AA13', 'AA14', 'AA15']);
const addressBytes = 20;

/**
 * Says so if there is no contract at the factory's address: usually the operation is for another chain. The EntryPoint itself reports any
 * failed call of the factory alike.
 */
async function explainCreation({ parts, draft }: Asked, refusal: Refusal): Promise<Refusal> {
  const { aaCode = '' } = refusal.details ?? {};
  const factory = creationCodes.has(aaCode) ? factoryIn(draft.operation?.initCode) : undefined;
  const client = parts.chains.get(draft.chainId)?.client;
  if (factory === undefined || client === undefined) return refusal;
  // Without an answer, the code of the EntryPoint has to do.
  const code = await client.getCode({ address: factory }).catch(() => 'unknown');
  if (code !== undefined) return refusal;
  const message = `There is no contract at ${factory} on this chain, so it cannot create the account (${aaCode}).`;
  return { ...refusal, message, details: { ...refusal.details, target: factory, missing: 'factory' } };
}

function factoryIn(initCode: Hex | undefined) {
  if (initCode === undefined || size(initCode) < addressBytes || isEip7702InitCode(initCode)) return undefined;
  return getAddress(slice(initCode, 0, addressBytes));
}
