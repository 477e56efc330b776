import type { Address, Hex } from 'viem';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { Eip7702Authorization, UserOperation } from '../../domain/user-operation.ts';
import { delegateOf, isEip7702InitCode } from '../../evm/entry-point/eip7702.ts';
import type { ChainRuntime, SponsorshipParts } from '../run/sponsorship-parts.ts';
import { type Asked, noted, type Step } from '../run/steps.ts';
import type { Identified } from './identify.ts';
import { type ReadOperation, readUserOperation } from './read-user-operation.ts';

type Chain = Pick<ChainRuntime, 'client'> & { readonly config: Pick<ChainRuntime['config'], 'chainId'> };
type Parts = Pick<SponsorshipParts, 'hasOpenDeployment'>;
type Found = Pick<
  UserOperation,
  'eip7702Auth' | 'eip7702Delegate' | 'eip7702Replaces' | 'paysAuthorization' | 'repeatsAuthorization' | 'isFreshSender'
>;

/**
 * Whose code the sender of an EIP-7702 operation runs, and whether its bundler is paid for an authorization. The bundler can
 * omit a given authorization, so the current code decides:
 *
 * - the sender has no code: the authorized delegate runs, and the bundler is paid, for one open operation of the sender;
 * - it already delegates to the authorized contract: the authorization changes nothing, but a bundler that carries it pays
 *   for it, and requires the gas (`repeatsAuthorization`);
 * - it delegates elsewhere: the same, and both delegates must be known (`eip7702Replaces`).
 *
 * The chain is not read for other operations. `INVALID_PARAMS` for the marker without a delegate, and for an authorization that
 * the chain would ignore (EIP-7702, behaviour of the set code transaction): one of another chain, of a contract, or with
 * another nonce than the sender's. `CHAIN_UNAVAILABLE` when the node does not answer.
 */
export async function findEip7702Delegate(
  parts: Parts,
  chain: Chain,
  read: ReadOperation,
): Promise<Result<ReadOperation>> {
  const { eip7702Auth, initCode } = read.operation;
  const { chainId } = chain.config;
  if (eip7702Auth === undefined && !isEip7702InitCode(initCode)) return accept(read);
  if (eip7702Auth !== undefined && eip7702Auth.chainId !== 0n && eip7702Auth.chainId !== BigInt(chainId)) {
    const field = 'eip7702Auth.chainId';
    return refuse({ reason: 'INVALID_PARAMS', message: `${field} must be ${chainId}, or 0 for every chain`, field });
  }
  const code = await readCode(chain, read.operation.sender);
  if (!code.ok) return code;
  const found =
    eip7702Auth === undefined
      ? readDelegation(code.value)
      : await readAuthorization(parts, chain, { operation: read.operation, eip7702Auth, code: code.value });
  if (!found.ok) return found;
  const { eip7702Auth: _, ...operation } = read.operation;
  return accept({ ...read, operation: { ...operation, ...found.value } });
}

/** For an operation with only the marker. */
function readDelegation(code: Hex): Result<Found> {
  const delegate = delegateOf(code);
  if (delegate !== undefined) return accept({ eip7702Delegate: delegate });
  return refuse({
    reason: 'INVALID_PARAMS',
    message: 'eip7702Auth is required: factory is the EIP-7702 marker, and the sender has not delegated its code yet',
    field: 'eip7702Auth',
  });
}

/**
 * For a bundler, the marker is complete only with the authorization, also when the sender has delegated already: alto 0.0.20
 * takes such an operation, and its process ends when it bundles it.
 */
export function lacksAuthorization({
  initCode,
  eip7702Auth,
}: Pick<UserOperation, 'initCode' | 'eip7702Auth'>): boolean {
  return eip7702Auth === undefined && isEip7702InitCode(initCode);
}

export const authorizationRequired = refuse({
  reason: 'INVALID_PARAMS',
  message:
    'eip7702Auth is required with the factory 0x7702, which bundlers do not send without it. If the sender has delegated its code already, leave factory and factoryData out, and sign again',
  field: 'eip7702Auth',
});

type Authorized = {
  readonly operation: UserOperation;
  readonly eip7702Auth: Eip7702Authorization;
  /** Of the sender. */
  readonly code: Hex;
};

async function readAuthorization(
  { hasOpenDeployment }: Parts,
  chain: Chain,
  { operation, eip7702Auth, code }: Authorized,
): Promise<Result<Found>> {
  const eip7702Delegate = eip7702Auth.address;
  const current = delegateOf(code);
  if (current === undefined && code !== '0x') return isContract;
  const fits = await checkNonce(chain, operation.sender, eip7702Auth);
  const again = { eip7702Delegate, repeatsAuthorization: true } as const;
  // An authorization that is used up, or that nothing is known of, changes nothing, and no bundler carries it.
  if (current === eip7702Delegate) return accept(fits.ok ? again : { eip7702Delegate });
  if (!fits.ok) return fits;
  if (current !== undefined) return accept({ ...again, eip7702Auth, eip7702Replaces: current });
  const { sender, nonce } = operation;
  const isPaid = await hasOpenDeployment({ chainId: chain.config.chainId, sender, besides: nonce });
  if (isPaid) return accept({ eip7702Auth, eip7702Delegate });
  const isFresh = await isFreshAccount(chain, sender, eip7702Auth);
  if (!isFresh.ok) return isFresh;
  const paid = { eip7702Auth, eip7702Delegate, paysAuthorization: true } as const;
  return accept(isFresh.value ? { ...paid, isFreshSender: true } : paid);
}

const isContract = refuse({
  reason: 'INVALID_PARAMS',
  message: 'eip7702Auth is for a sender that is a contract, whose code no authorization can replace',
  field: 'eip7702Auth',
});

async function checkNonce(chain: Chain, sender: Address, { nonce }: Eip7702Authorization): Promise<Result<object>> {
  const count = await chain.client.getTransactionCount({ address: sender }).catch(() => undefined);
  if (count === undefined) return unreadable(chain, 'nonce');
  if (nonce === BigInt(count)) return accept({});
  const field = 'eip7702Auth.nonce';
  return refuse({
    reason: 'INVALID_PARAMS',
    message: `${field} must be ${count}, the number of transactions of the sender`,
    field,
  });
}

async function readCode(chain: Chain, sender: Address): Promise<Result<Hex>> {
  try {
    return accept((await chain.client.getCode({ address: sender })) ?? '0x');
  } catch {
    return unreadable(chain, 'code');
  }
}

/**
 * Whether the sender, which has no code, does not exist yet, so that creating it costs more. An authorization fixes the
 * nonce, and one with a wrong nonce has no effect. Anyone who sends a coin to the account afterwards pays for its creation.
 */
async function isFreshAccount(
  chain: Chain,
  sender: Address,
  { nonce }: Eip7702Authorization,
): Promise<Result<boolean>> {
  if (nonce > 0n) return accept(false);
  try {
    return accept((await chain.client.getBalance({ address: sender })) === 0n);
  } catch {
    return unreadable(chain, 'balance');
  }
}

/** The text of the node or the library may contain its URL. */
function unreadable({ config }: Chain, what: 'code' | 'balance' | 'nonce'): Result<never> {
  return refuse({
    reason: 'CHAIN_UNAVAILABLE',
    message: `The ${what} of the sender could not be read on chain ${config.chainId}. Nothing is signed until it can be.`,
  });
}

/** Reads the operation in the form of the paymaster's EntryPoint. */
export const readOperation: Step<Asked & Identified, ReadOperation> = noted(
  {
    rule: 'operation',
    finding: ({ contract }) => ['operation', contract.family.entryPointVersion],
  },
  async ({ parts, request, chain, contract, draft }: Asked & Identified) => {
    const { entryPointVersion } = contract.family;
    const read = readUserOperation(request.userOperation, entryPointVersion, chain.config.eip7702Marker);
    const found = read.ok ? await findEip7702Delegate(parts, chain, read.value) : read;
    if (found.ok) draft.operation = found.value.operation;
    return found;
  },
);
