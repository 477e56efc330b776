import { cursorForm } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { inOwnTurn } from '../../base/time/in-own-turn.ts';
import type { Owned } from '../../domain/access/actor.ts';
import { invalidField } from '../../domain/result/invalid-field.ts';
import { accept, type Result } from '../../domain/result/result.ts';
import type { SmartContract, SmartContractPage } from '../../domain/smart-contract.ts';
import { ownPaymasterId, ownsPaymaster, paymasterNotFound } from '../../store/own-paymaster.ts';
import type { Store } from '../../store/store.ts';
import { fillPage } from '../fill-page.ts';
import { toSmartContract } from './stored-contract.ts';

/** `Core.listSmartContracts`. */
export async function listSmartContracts(
  { store: { db } }: { readonly store: Store },
  { cursor, ...owned }: Owned & { readonly cursor?: string },
): Promise<Result<SmartContractPage>> {
  if (cursor !== undefined && !cursorForm.test(cursor)) {
    return invalidField('cursor', 'must be the nextCursor of an answer');
  }
  if (!(await ownsPaymaster(db, owned))) return paymasterNotFound;
  const rows = await db
    .selectFrom('contracts')
    .select(['contract_number as number', 'abi_bytes as bytes'])
    .where('paymaster_id', '=', ownPaymasterId(db, owned))
    .where('contract_number', '>', Number(cursor ?? 0))
    .orderBy('contract_number')
    .execute();
  const { page, next } = fillPage(rows);
  const contracts: SmartContract[] = [];
  for (const { number } of page) {
    const row = await db.selectFrom('contracts').selectAll().where('contract_number', '=', number).executeTakeFirst();
    // One may have been deleted meanwhile.
    if (row !== undefined) contracts.push(await inOwnTurn(owned.accountId, () => toSmartContract(row)));
  }
  return accept({ contracts, ...omitAbsent({ nextCursor: next?.number.toString() }) });
}
