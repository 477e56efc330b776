import { isAddressEqual, numberToHex } from 'viem';
import { recoverAuthorizationAddress } from 'viem/utils';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { Eip7702Authorization } from '../../domain/user-operation.ts';
import type { Identified } from '../identify/identify.ts';
import type { ReadOperation } from '../identify/read-user-operation.ts';
import { type Asked, notedIfRefused, type Step } from '../run/steps.ts';

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
