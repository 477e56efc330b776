import type { Owned } from '../../domain/access/owned.ts';
import type { Core } from '../../domain/core.ts';
import { invalidField } from '../../domain/result/invalid-field.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { SmartContract } from '../../domain/smart-contract.ts';
import type { Clock } from '../../domain/time/clock.ts';
import { parseAddress } from '../../domain/values/parse-address.ts';
import { resolveWhitelist } from '../../evm/abi/resolve-whitelist.ts';
import { ownPaymasterId, ownsPaymaster, paymasterNotFound } from '../../store/own-paymaster.ts';
import type { Store } from '../../store/store.ts';
import { changeOwnPaymaster } from '../paymasters/change-own-paymaster.ts';
import type { SponsorProfiles } from '../paymasters/sponsor-profiles.ts';
import { findBrokenRules } from './find-broken-rules.ts';
import { registerContract } from './register-contract.ts';
import { readStoredFunctions, toSmartContract } from './stored-contract.ts';

type Parts = { readonly store: Store; readonly clock: Clock; readonly profiles: SponsorProfiles };

const contractNotFound = refuse({ reason: 'CONTRACT_NOT_FOUND', message: 'Smart contract not found' });
const invalidAddress = invalidField('address', 'must be a valid address');

/** The smart contract operations of `Core` (interface 4.3). */
export function manageContracts(
  parts: Parts,
): Pick<Core, 'registerContract' | 'listContracts' | 'updateContract' | 'deleteContract'> {
  return {
    registerContract: (input) => registerContract(parts, input),
    listContracts: (owned) => listContracts(parts, owned),
    updateContract: (input) => updateContract(parts, input),
    deleteContract: (input) => deleteContract(parts, input),
  };
}

async function listContracts({ store }: Parts, owned: Owned): Promise<Result<readonly SmartContract[]>> {
  if (!(await ownsPaymaster(store.db, owned))) return paymasterNotFound;
  const rows = await store.db
    .selectFrom('contracts')
    .selectAll()
    .where('paymaster_id', '=', ownPaymasterId(store.db, owned))
    .orderBy('contract_number')
    .execute();
  return accept(rows.map(toSmartContract));
}

async function updateContract(
  parts: Parts,
  input: Owned & { address: string; whitelistedMethods: readonly string[] },
): Promise<Result<SmartContract>> {
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
    await trx
      .updateTable('contracts')
      .set({ whitelisted_methods, selectors: JSON.stringify(whitelist.value.selectors) })
      .where('contract_number', '=', row.contract_number)
      .execute();
    return accept(toSmartContract({ ...row, whitelisted_methods }));
  });
}

async function deleteContract(parts: Parts, input: Owned & { address: string }): Promise<Result<SmartContract>> {
  const address = parseAddress(input.address);
  if (address === undefined) return invalidAddress;
  return changeOwnPaymaster(parts, input, async (trx) => {
    const row = await trx
      .deleteFrom('contracts')
      .where('paymaster_id', '=', ownPaymasterId(trx, input))
      .where('address', '=', address.toLowerCase())
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) return contractNotFound;
    return accept({ ...toSmartContract(row), ...(await findBrokenRules(trx, row.paymaster_id, row.address)) });
  });
}
