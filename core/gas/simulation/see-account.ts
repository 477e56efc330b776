import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { UserOperation } from '../../domain/user-operation.ts';
import { delegationCode } from '../../evm/entry-point/eip7702-delegation.ts';
import type { AccountSlots, SeenAccount } from '../../node/account-codes/seen-account.ts';
import type { ChainClient } from '../../node/chain-client.ts';
import { explainNodeError } from '../../node/node-error.ts';
import { readAccountSlots } from './read-account-slots.ts';

/** The sender of an operation that does not create it, as it is now. `CHAIN_UNAVAILABLE` when the node does not tell. */
export async function seeAccount(
  client: ChainClient,
  { sender, eip7702Auth }: UserOperation,
  accountSlots: AccountSlots,
): Promise<Result<SeenAccount>> {
  try {
    const [kept, code = '0x'] = await Promise.all([
      readAccountSlots({ client }, sender, accountSlots),
      eip7702Auth === undefined ? client.getCode({ address: sender }) : delegationCode(eip7702Auth.address),
    ]);
    if (!kept.ok) return kept;
    const { words, beaconImplementation } = kept.value;
    return accept({ code, words, beaconImplementation });
  } catch (error) {
    return refuse(explainNodeError(error));
  }
}
