import type { Transaction } from 'kysely';
import type { Core, Owned } from '../core.ts';
import { checkName } from '../domain/check-name.ts';
import type { Clock } from '../domain/clock.ts';
import { invalidField } from '../domain/invalid-field.ts';
import { parseAddress } from '../domain/parse-address.ts';
import { accept, type Result, refuse } from '../domain/result.ts';
import type { SmartContract } from '../domain/smart-contract.ts';
import { unixSeconds } from '../domain/unix-seconds.ts';
import { ownPaymasterId, ownsPaymaster, paymasterNotFound } from '../paymasters/own-paymaster.ts';
import type { SponsorProfiles } from '../paymasters/sponsor-profiles.ts';
import type { Database } from '../store/database.ts';
import type { Store } from '../store/store.ts';
import { parseAbi } from './parse-abi.ts';
import { resolveWhitelist } from './resolve-whitelist.ts';
import { readStoredFunctions, toSmartContract } from './stored-contract.ts';

export const maxContractsPerPaymaster = 1_000;
/** Bounds what a list of contracts answers with. */
export const maxAbiBytesPerPaymaster = 16 * 1024 * 1024;

const contractNotFound = refuse({ reason: 'CONTRACT_NOT_FOUND', message: 'Smart contract not found' });
const invalidAddress = invalidField('address', 'must be a valid address');

/** The smart contract operations of `Core` (interface 4.3). Fields are checked before what is stored is looked at. */
export function manageContracts(parts: {
  store: Store;
  clock: Clock;
  profiles: SponsorProfiles;
}): Pick<Core, 'registerContract' | 'listContracts' | 'updateContract' | 'deleteContract'> {
  const { store, clock, profiles } = parts;

  /** Runs a change and, once it is committed, makes sponsorships see it. */
  async function change(
    owned: Owned,
    work: (trx: Transaction<Database>) => Promise<Result<SmartContract>>,
  ): Promise<Result<SmartContract>> {
    const result = await store.transaction(async (trx) =>
      (await ownsPaymaster(trx, owned)) ? work(trx) : paymasterNotFound,
    );
    if (result.ok) profiles.forget(owned.paymasterId);
    return result;
  }

  return {
    async registerContract(input) {
      const name = checkName(input.name);
      if (!name.ok) return name;
      const address = parseAddress(input.address);
      if (address === undefined) return invalidAddress;
      const functions = parseAbi(input.abi);
      if (!functions.ok) return functions;
      const whitelist = resolveWhitelist(functions.value, input.whitelistedMethods ?? []);
      if (!whitelist.ok) return whitelist;
      const row = {
        paymaster_id: input.paymasterId,
        name: name.value,
        address: address.toLowerCase(),
        functions: JSON.stringify(functions.value),
        whitelisted_methods: JSON.stringify(whitelist.value.methods),
        selectors: JSON.stringify(whitelist.value.selectors),
        abi_bytes: Buffer.byteLength(input.abi),
        abi: input.abi,
        created_at: unixSeconds(clock),
      };
      return change(input, async (trx) => {
        const conflict = await findConflict(trx, input, row);
        if (conflict !== undefined) return conflict;
        await trx.insertInto('contracts').values(row).execute();
        return accept(toSmartContract(row));
      });
    },

    async listContracts(owned) {
      if (!(await ownsPaymaster(store.db, owned))) return paymasterNotFound;
      const rows = await store.db
        .selectFrom('contracts')
        .selectAll()
        .where('paymaster_id', '=', ownPaymasterId(store.db, owned))
        .orderBy('contract_number')
        .execute();
      return accept(rows.map(toSmartContract));
    },

    async updateContract(input) {
      const address = parseAddress(input.address);
      if (address === undefined) return invalidAddress;
      return change(input, async (trx) => {
        const row = await trx
          .selectFrom('contracts')
          .selectAll()
          .where('paymaster_id', '=', ownPaymasterId(trx, input))
          .where('address', '=', address.toLowerCase())
          .executeTakeFirst();
        if (row === undefined) return contractNotFound;
        const whitelist = resolveWhitelist(readStoredFunctions(row.functions), input.whitelistedMethods);
        if (!whitelist.ok) return whitelist;
        const whitelisted_methods = JSON.stringify(whitelist.value.methods);
        await trx
          .updateTable('contracts')
          .set({ whitelisted_methods, selectors: JSON.stringify(whitelist.value.selectors) })
          .where('contract_number', '=', row.contract_number)
          .execute();
        return accept(toSmartContract({ ...row, whitelisted_methods }));
      });
    },

    async deleteContract(input) {
      const address = parseAddress(input.address);
      if (address === undefined) return invalidAddress;
      return change(input, async (trx) => {
        const row = await trx
          .deleteFrom('contracts')
          .where('paymaster_id', '=', ownPaymasterId(trx, input))
          .where('address', '=', address.toLowerCase())
          .returningAll()
          .executeTakeFirst();
        return row === undefined ? contractNotFound : accept(toSmartContract(row));
      });
    },
  };
}

/** What stands against a new contract: its name first, then its address, then the limits. */
async function findConflict(
  trx: Transaction<Database>,
  owned: Owned,
  added: { name: string; address: string; abi_bytes: number },
): Promise<ReturnType<typeof refuse> | undefined> {
  const registered = await trx
    .selectFrom('contracts')
    .select(['name', 'address', 'abi_bytes'])
    .where('paymaster_id', '=', ownPaymasterId(trx, owned))
    .execute();
  if (registered.some(({ name }) => name === added.name)) {
    return refuse({ reason: 'CONTRACT_NAME_EXISTS', message: 'Smart contract name already exists' });
  }
  if (registered.some(({ address }) => address === added.address)) {
    return refuse({ reason: 'CONTRACT_ADDRESS_EXISTS', message: 'Smart contract address already exists' });
  }
  if (registered.length >= maxContractsPerPaymaster) {
    return refuse({
      reason: 'TOO_MANY_CONTRACTS',
      message: `A paymaster can have at most ${maxContractsPerPaymaster} smart contracts`,
    });
  }
  const abiBytes = registered.reduce((sum, { abi_bytes }) => sum + abi_bytes, added.abi_bytes);
  if (abiBytes > maxAbiBytesPerPaymaster) {
    return refuse({
      reason: 'TOO_MANY_CONTRACTS',
      message: `The ABIs of a paymaster can have at most ${maxAbiBytesPerPaymaster} bytes together`,
    });
  }
  return undefined;
}
