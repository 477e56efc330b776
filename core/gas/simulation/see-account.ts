import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { UserOperation } from '../../domain/user-operation.ts';
import { delegationCode } from '../../evm/entry-point/eip7702.ts';
import type { AccountSlots, SeenAccount } from '../../node/account-codes/seen-account.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { explainNodeError } from '../../node/node-error.ts';
import { probeAccount } from './probe-account.ts';

/** The sender of an operation as it is now, before the operation. `CHAIN_UNAVAILABLE` when the node does not tell. */
export async function seeAccount(
  client: ChainClient,
  operation: UserOperation,
  { slots, beaconSlot }: AccountSlots,
): Promise<Result<SeenAccount>> {
  const { sender, initCode, eip7702Auth } = operation;
  try {
    const [kept, code = '0x'] = await Promise.all([
      probeAccount({ client }, sender, { slots, beaconSlot }),
      eip7702Auth === undefined ? client.getCode({ address: sender }) : delegationCode(eip7702Auth.address),
    ]);
    if (!kept.ok) return kept;
    const { words, beaconImplementation } = kept.value;
    const wasThere = initCode !== '0x' && code !== '0x';
    return accept({ code, words, beaconImplementation, ...(wasThere ? { wasThere } : {}) });
  } catch (error) {
    return refuse(explainNodeError(error));
  }
}
