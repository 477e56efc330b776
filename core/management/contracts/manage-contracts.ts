import { cursorForm } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Clock } from '../../base/time/clock.ts';
import { inOwnTurn } from '../../base/time/in-own-turn.ts';
import { parseAddress } from '../../base/values/parse-address.ts';
import type { Core, Input } from '../../domain/core.ts';
import { accept, invalidField, type Result, refuse } from '../../domain/result/result.ts';
import type { SmartContract, SmartContractPage } from '../../domain/smart-contract.ts';
import { resolveWhitelist } from '../../evm/abi/resolve-whitelist.ts';
import { readStoredFunctions } from '../../paymasters/contract-methods.ts';
import type { SponsorProfiles } from '../../paymasters/sponsor-profiles.ts';
import { ownPaymasterId, ownsPaymaster, paymasterNotFound } from '../../store/own-paymaster.ts';
import type { Store } from '../../store/store.ts';
import { fillPage } from '../fill-page.ts';
import { changeOwnPaymaster } from '../paymasters/change-own-paymaster.ts';
import { checkSelectors } from './check-selectors.ts';
import { findBrokenRules } from './find-broken-rules.ts';
import { registerSmartContract, toSmartContract } from './register-contract.ts';

type Parts = { readonly store: Store; readonly clock: Clock; readonly profiles: SponsorProfiles };

const contractNotFound = refuse({ reason: 'CONTRACT_NOT_FOUND', message: 'Smart contract not found' });
const invalidAddress = invalidField('address', 'must be a valid address');

/** The smart contract operations of `Core` (interface 4.3). */
export function manageContracts(
  parts: Parts,
): Pick<Core, 'registerSmartContract' | 'listSmartContracts' | 'updateSmartContract' | 'deleteSmartContract'> {
  return {
    registerSmartContract: (input) => registerSmartContract(parts, input),
    listSmartContracts: (input) => listSmartContracts(parts, input),
    updateSmartContract: (input) => updateSmartContract(parts, input),
    deleteSmartContract: (input) => deleteSmartContract(parts, input),
  };
}

async function updateSmartContract(parts: Parts, input: Input<'updateSmartContract'>): Promise<Result<SmartContract>> {
  const address = parseAddress(input.address);
  if (address === undefined) return invalidAddress;
  return changeOwnPaymaster(parts, input, async (trx) => {
    const row = await trx
      .selectFrom('contracts')
      .selectAll()
      .where('paymaster_id', '=', ownPaymasterId(trx, input))
      .where('address', '=', address.toLowerCase())
      .executeTakeFirst();
    if (row === undefined) return contractNotFound;
    const whitelist = resolveWhitelist(readStoredFunctions(row), input.whitelistedMethods);
    if (!whitelist.ok) return whitelist;
    const whitelisted_methods = JSON.stringify(whitelist.value.methods);
    const selectors = JSON.stringify(whitelist.value.selectors);
    const argument_bytes = JSON.stringify(whitelist.value.argumentBytes);
    const tooMany = await checkSelectors(trx, input, { address: row.address, selectors });
    if (tooMany !== undefined) return tooMany;
    await trx
      .updateTable('contracts')
      .set({ whitelisted_methods, selectors, argument_bytes })
      .where('contract_number', '=', row.contract_number)
      .execute();
    return accept(toSmartContract({ ...row, whitelisted_methods }));
  });
}

async function deleteSmartContract(parts: Parts, input: Input<'deleteSmartContract'>): Promise<Result<SmartContract>> {
  const address = parseAddress(input.address);
  if (address === undefined) return invalidAddress;
  const deleted = await changeOwnPaymaster(parts, input, async (trx) => {
    const row = await trx
      .deleteFrom('contracts')
      .where('paymaster_id', '=', ownPaymasterId(trx, input))
      .where('address', '=', address.toLowerCase())
      .returningAll()
      .executeTakeFirst();
    return row === undefined ? contractNotFound : accept(toSmartContract(row));
  });
  if (!deleted.ok) return deleted;
  return accept({ ...deleted.value, ...(await findBrokenRules(parts.store, input, address.toLowerCase())) });
}

/** `Core.listSmartContracts`. */
async function listSmartContracts(
  { store: { db } }: { readonly store: Store },
  { cursor, ...owned }: Input<'listSmartContracts'>,
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
    // It may have been deleted meanwhile.
    if (row !== undefined) contracts.push(await inOwnTurn(owned.accountId, () => toSmartContract(row)));
  }
  return accept({ contracts, ...omitAbsent({ nextCursor: next?.number.toString() }) });
}
