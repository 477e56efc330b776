import { isAddressEqual, numberToHex, zeroAddress } from 'viem';
import { recoverAuthorizationAddress } from 'viem/utils';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { Eip7702Authorization, UserOperation } from '../../domain/user-operation.ts';
import { authorizationNonce, delegateOf } from '../../evm/entry-point/eip7702.ts';
import type { PaymasterContractRuntime } from '../../evm/paymaster-contracts/family/family.ts';
import { FieldError } from '../identify/field-readers.ts';
import type { Identified } from '../identify/identify.ts';
import { findEip7702Delegate } from '../identify/read-operation.ts';
import { type ReadOperation, readEip7702Authorization } from '../identify/read-user-operation.ts';
import type { ChainRuntime } from '../run/sponsorship-parts.ts';
import { type Asked, noted, notedIfRefused, type Step } from '../run/steps.ts';

/** Half of the order of secp256k1: EIP-7702 rejects a signature with a higher `s`. */
const highestS = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * Refuses an authorization (EIP-7702) that the chain would ignore because another key signed it. The operation would then
 * fail in its bundle, at the cost of the executors.
 */
export const checkAuthorization: Step<Asked & Identified & ReadOperation, object> = notedIfRefused(
  { rule: 'operation', finding: ['authorization'] },
  async ({ operation }: Asked & Identified & ReadOperation): Promise<Result<object>> => {
    const { eip7702Auth, sender } = operation;
    if (eip7702Auth === undefined) return accept({});
    const signer = await authorityOf(eip7702Auth);
    if (signer !== undefined && isAddressEqual(signer, sender)) return accept({});
    return refuse({
      reason: 'INVALID_PARAMS',
      message: 'eip7702Auth must be signed by the sender',
      field: 'eip7702Auth.r',
    });
  },
);

/** The account that signed an authorization (the `authority` of EIP-7702). Undefined for an invalid signature. */
async function authorityOf({ address, chainId, nonce, r, s, yParity }: Eip7702Authorization) {
  if (s > highestS) return undefined;
  const signature = { r: numberToHex(r, { size: 32 }), s: numberToHex(s, { size: 32 }), yParity };
  // viem uses numbers for these. Ours have up to 64 bits, JavaScript's 53: no account gets there.
  const authorization = { address, chainId: Number(chainId), nonce: Number(nonce), ...signature };
  return recoverAuthorizationAddress({ authorization }).catch(() => undefined);
}

/** An authorization for the hot wallet to send, as an operation of its account without calls; the relay's tank pays. */
export type ReadAuthorization = ReadOperation & {
  readonly authorization: Eip7702Authorization;
  readonly contract: PaymasterContractRuntime;
};

/**
 * Reads an authorization, and refuses one that would not change the account now: the tank would pay for nothing. Anyone who has
 * the authorization may bring it, since the account has signed it for this chain.
 */
export const readAuthorization: Step<Asked & Identified, ReadAuthorization> = noted(
  { rule: 'operation', finding: ['plain-authorization'] },
  async (request: Asked & Identified): Promise<Result<ReadAuthorization>> => {
    const { chain, draft } = request;
    const contract = payingContract(request);
    if (!contract.ok) return contract;
    const read = readFields(request);
    if (!read.ok) return read;
    const { address, chainId, nonce } = read.value;
    if (chainId !== BigInt(chain.config.chainId)) return refuseField('chainId', `must be ${chain.config.chainId}`);
    const sender = await authorityOf(read.value);
    if (sender === undefined) return refuseField('r', 'must belong to a valid signature');
    if (walletsOf(chain).some((wallet) => isAddressEqual(wallet, sender))) {
      return refuseField('r', 'must not belong to a wallet of the service');
    }
    const count = await chain.client.getTransactionCount({ address: sender }).catch(() => undefined);
    if (count === undefined) return unreadable(chain);
    if (nonce !== BigInt(count))
      return refuseField('nonce', `must be ${count}, the number of transactions of ${sender}`);
    const operation: UserOperation = {
      entryPointVersion: contract.value.family.entryPointVersion,
      ...{ sender, nonce: authorizationNonce(nonce), initCode: '0x', callData: '0x', signature: '0x' },
      ...{ maxFeePerGas: 0n, maxPriorityFeePerGas: 0n, eip7702Auth: read.value },
    };
    const found = await (address === zeroAddress
      ? readUndelegation(chain, operation)
      : readDelegation(request, operation));
    if (!found.ok) return found;
    draft.operation = found.value;
    return accept({ operation: found.value, givenGas: {}, authorization: read.value, contract: contract.value });
  },
);

/** The relay in the role of the paymaster contract, if the operator has the hot wallet send authorizations. */
function payingContract({ chain, contract }: Identified): Result<PaymasterContractRuntime> {
  const { relay, treasury, config } = chain;
  const isSent = treasury?.authorizations !== undefined && relay !== undefined;
  if (isSent && relay.contract.location.entryPoint === contract.location.entryPoint) return accept(relay.contract);
  const which = isSent ? `for paymasters of EntryPoint ${relay.contract.family.entryPointVersion} only` : 'not';
  const message = `Authorizations are sent ${which} on chain ${config.chainId}. Send a transaction of type 4 with the authorization from any wallet.`;
  return refuse({ reason: 'INVALID_PARAMS', message, field: 'eip7702Auth' });
}

function readFields({ request }: Asked): Result<Eip7702Authorization> {
  try {
    return accept(readEip7702Authorization(request.userOperation.eip7702Auth ?? {}));
  } catch (cause) {
    if (!(cause instanceof FieldError)) throw cause;
    return refuse({ reason: 'INVALID_PARAMS', message: cause.message, field: cause.field });
  }
}

/** Wallets that send transactions with nonces of their own, which an authorization would use up. */
function walletsOf({ relay, treasury }: ChainRuntime) {
  const { executors = [] } = relay?.contract.location ?? {};
  return [...executors, ...(treasury === undefined ? [] : [treasury.address])];
}

async function readUndelegation(chain: ChainRuntime, operation: UserOperation): Promise<Result<UserOperation>> {
  const read = await chain.client.getCode({ address: operation.sender }).then(
    (code) => ({ code }),
    () => undefined,
  );
  if (read === undefined) return unreadable(chain);
  if (delegateOf(read.code) !== undefined) return accept({ ...operation, eip7702Delegate: zeroAddress });
  return refuseField('address', 'must not be the zero address: the account has no delegate to remove');
}

/** The account's current delegate need not be known: no code runs before the new one is there. */
async function readDelegation(
  { parts, chain }: Asked & Identified,
  operation: UserOperation,
): Promise<Result<UserOperation>> {
  const found = await findEip7702Delegate(parts, chain, { operation, givenGas: {} });
  if (!found.ok) return found;
  const { eip7702Replaces: _, ...delegation } = found.value.operation;
  if (delegation.eip7702Auth !== undefined) return accept(delegation);
  return refuseField('address', 'must not be the delegate that the account already has');
}

function unreadable({ config: { chainId } }: ChainRuntime): Result<never> {
  const message = `The account could not be read on chain ${chainId}. Nothing is sent until it can be.`;
  return refuse({ reason: 'CHAIN_UNAVAILABLE', message });
}

function refuseField(field: string, must: string): Result<never> {
  const name = `eip7702Auth.${field}`;
  return refuse({ reason: 'INVALID_PARAMS', message: `${name} ${must}`, field: name });
}
