import { cursorForm, maxContracts } from '@tollfree/contract/limits';
import { whatItCallsBack } from '@tollfree/contract/methods-that-call-back';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Selectable, Transaction } from 'kysely';
import { type Address, getAddress } from 'viem';
import { z } from 'zod';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import { inOwnTurn, inOwnTurns } from '../../base/time/in-own-turn.ts';
import { parseAddress } from '../../base/values/parse-address.ts';
import type { Owned } from '../../domain/access/actor.ts';
import type { Core, Input } from '../../domain/core.ts';
import { accept, checkName, invalidField, type Result, refuse } from '../../domain/result/result.ts';
import type { SmartContract, SmartContractPage } from '../../domain/smart-contract.ts';
import { parseAbiInSteps } from '../../evm/abi/parse-abi.ts';
import { resolveWhitelist } from '../../evm/abi/resolve-whitelist.ts';
import { readCalledBack } from '../../paymasters/called-back.ts';
import { readStoredFunctions } from '../../paymasters/contract-methods.ts';
import type { SponsorProfiles } from '../../paymasters/sponsor-profiles.ts';
import type { Database } from '../../store/database.ts';
import { ownPaymasterId, ownsPaymaster, paymasterNotFound } from '../../store/own-paymaster.ts';
import { readJsonColumn } from '../../store/read-json-column.ts';
import type { Store } from '../../store/store.ts';
import { etagOf } from '../audit-log/object-versions.ts';
import { contractFacts } from '../audit-log/row-facts.ts';
import { fillPage } from '../fill-page.ts';
import { changeOwnPaymaster } from '../paymasters/change-own-paymaster.ts';
import { checkSelectors, findBrokenRules } from './find-broken-rules.ts';

/** Whether a chain has code at an address; undefined if that is not known now. */
export type HasCode = (chainId: number, address: Address) => Promise<boolean | undefined>;

type Parts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly profiles: SponsorProfiles;
  readonly hasCode?: HasCode;
};

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
    return accept(toSmartContract({ ...row, whitelisted_methods, selectors }));
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

/** Bounds the size of a contract list. */
const maxAbiBytesPerPaymaster = 16 * 1024 * 1024;

type ContractInput = Input<'registerSmartContract'>;

/** `Core.registerSmartContract`. The fields are checked, in the order of the interface, before what is stored. */
async function registerSmartContract(parts: Parts, input: ContractInput): Promise<Result<SmartContract>> {
  const checked = await checkFields(input);
  if (!checked.ok) return checked;
  const row = { ...checked.value, created_at: unixSeconds(parts.clock) };
  const registered = await changeOwnPaymaster(parts, input, async (trx) => {
    const conflict = await findConflict(trx, input, row);
    if (conflict !== undefined) return conflict;
    await trx.insertInto('contracts').values(row).execute();
    return accept(toSmartContract(row));
  });
  if (!registered.ok) return registered;
  return accept({
    ...registered.value,
    ...(await findBrokenRules(parts.store, input, row.address)),
    ...((await isMissing(parts, input)) ? { hasNoCode: true } : {}),
  });
}

/** Whether the chain of the paymaster certainly has no code at the address: a mistyped one would never be called. */
async function isMissing({ store, hasCode }: Parts, input: ContractInput): Promise<boolean> {
  const row = await ownPaymasterId(store.db, input).select('chain_id').executeTakeFirst();
  return row !== undefined && (await hasCode?.(row.chain_id, getAddress(input.address))) === false;
}

async function checkFields(input: ContractInput) {
  const name = checkName(input.name);
  if (!name.ok) return name;
  const address = parseAddress(input.address);
  if (address === undefined) return invalidField('address', 'must be a valid address');
  const functions = await inOwnTurns(input.accountId, parseAbiInSteps(input.abi));
  if (!functions.ok) return functions;
  const whitelist = resolveWhitelist(functions.value, input.whitelistedMethods ?? []);
  if (!whitelist.ok) return whitelist;
  return accept({
    paymaster_id: input.paymasterId,
    name: name.value,
    address: address.toLowerCase(),
    functions: JSON.stringify(functions.value),
    whitelisted_methods: JSON.stringify(whitelist.value.methods),
    selectors: JSON.stringify(whitelist.value.selectors),
    argument_bytes: JSON.stringify(whitelist.value.argumentBytes),
    called_back: '{}',
    abi_bytes: Buffer.byteLength(input.abi),
    abi: input.abi,
  });
}

/** Conflicts of a new contract: first its name, then its address, then the limits. */
async function findConflict(
  trx: Transaction<Database>,
  owned: Owned,
  added: { name: string; address: string; abi_bytes: number; selectors: string },
): Promise<Result<never> | undefined> {
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
  if (registered.length >= maxContracts) {
    return refuse({
      reason: 'TOO_MANY_CONTRACTS',
      message: `A paymaster can have at most ${maxContracts} smart contracts`,
    });
  }
  const abiBytes = registered.reduce((sum, { abi_bytes }) => sum + abi_bytes, added.abi_bytes);
  if (abiBytes > maxAbiBytesPerPaymaster) {
    return refuse({
      reason: 'TOO_MANY_CONTRACTS',
      message: `The ABIs of a paymaster can have at most ${maxAbiBytesPerPaymaster} bytes together`,
    });
  }
  return checkSelectors(trx, owned, added);
}

type ContractRow = Selectable<Database['contracts']>;

const MethodsSchema = z.array(z.string());

/** A stored contract in the form of the domain. */
function toSmartContract(row: Omit<ContractRow, 'contract_number' | 'argument_bytes'>): SmartContract {
  const functions = readStoredFunctions(row);
  const calledBack = readCalledBack(row);
  const callsBack = functions
    .filter(({ selector }) => row.selectors.includes(selector))
    .flatMap(({ selector, signature }) => {
      const what = whatItCallsBack(signature) ?? whatItCalled(calledBack[selector]);
      return what === undefined ? [] : [`${signature} ${what}`];
    });
  return {
    name: row.name,
    address: getAddress(row.address),
    abi: row.abi,
    whitelistedMethods: readJsonColumn(MethodsSchema, row.whitelisted_methods, {
      table: 'contracts',
      id: `${row.paymaster_id}/${row.address}`,
    }),
    methods: [...new Set(functions.map(({ name }) => name))],
    ...(callsBack.length === 0 ? {} : { callsBack }),
    etag: etagOf('contract', contractFacts(row)),
  };
}

/** What a method did in the operation of a decision, in the words of the known ones. */
function whatItCalled(decisionId: string | undefined): string | undefined {
  return decisionId && `calls an address that the caller chooses (seen in the operation of decision ${decisionId})`;
}
