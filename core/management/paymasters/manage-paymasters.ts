import { randomUUID } from 'node:crypto';
import { maxPaymasters } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import type { Transaction } from 'kysely';
import { getAddress } from 'viem';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { Owned } from '../../domain/access/actor.ts';
import type { Core } from '../../domain/core.ts';
import type { ChainConfig } from '../../domain/core-config.ts';
import type { ServedChain } from '../../domain/paymaster.ts';
import { defaultPolicy } from '../../domain/policy.ts';
import { accept, checkName, invalidField, refuse } from '../../domain/result/result.ts';
import { paymasterContractFamilies } from '../../evm/paymaster-contracts/families.ts';
import { ownKeyNumber } from '../../paymasters/key-settings.ts';
import type { SponsorProfiles } from '../../paymasters/sponsor-profiles.ts';
import { selectPaymasters } from '../../paymasters/to-paymaster.ts';
import { policyText } from '../../policies/policy-text.ts';
import type { Database } from '../../store/database.ts';
import type { SecretBox } from '../../store/secret-box.ts';
import type { Store } from '../../store/store.ts';
import { addApiKey } from './add-api-key.ts';
import { changeOwnPaymaster } from './change-own-paymaster.ts';
import { showPaymaster } from './show-paymaster.ts';

/** The cap on the cost of one operation that a new paymaster with this contract gets, in wei. */
export type SuggestedMaxCost = (at: {
  readonly chain: ChainConfig;
  readonly contract: ChainConfig['paymasterContracts'][number];
}) => bigint | undefined;

/** The paymaster operations of `Core` (interface 4.2). */
export function managePaymasters(parts: {
  store: Store;
  clock: Clock;
  chains: readonly ChainConfig[];
  box: SecretBox;
  digestApiKey: (apiKey: string) => string;
  /** Caps the cost of one operation of a new paymaster, in wei; no cap when absent. */
  suggestedMaxCost: SuggestedMaxCost | undefined;
}): Pick<Core, 'createPaymaster' | 'listPaymasters' | 'listChains'> {
  const { store, clock, chains, box, digestApiKey, suggestedMaxCost } = parts;
  const served = servedChains(chains);

  /** All fields except the name, in the order of the interface. */
  function checkKind(input: { type: string; chainId: number; version: string }) {
    if (input.type !== 'HYBRID') return invalidField('type', 'must be HYBRID');
    const chain = chains.find((candidate) => candidate.chainId === input.chainId);
    if (chain === undefined) {
      return refuse({ reason: 'PAYMASTER_CHAIN_NOT_SUPPORTED', message: 'Chain ID not supported' });
    }
    const contract = chain.paymasterContracts.find(({ version }) => version === input.version);
    if (contract === undefined) {
      return refuse({ reason: 'PAYMASTER_VERSION_NOT_SUPPORTED', message: 'Paymaster version not supported' });
    }
    return accept({ chain, contract });
  }

  return {
    async createPaymaster(input) {
      const name = checkName(input.name);
      if (!name.ok) return name;
      const kind = checkKind(input);
      if (!kind.ok) return kind;
      const paymasterId = randomUUID();
      const now = unixSeconds(clock);
      return store.transaction(async (trx) => {
        const account = await trx
          .selectFrom('accounts')
          .select('account_id')
          .where('account_id', '=', input.accountId)
          .executeTakeFirst();
        if (account === undefined) return refuse({ reason: 'ACCOUNT_NOT_FOUND', message: 'Account not found' });
        const { owned } = await trx
          .selectFrom('paymasters')
          .select(({ fn }) => fn.countAll<number>().as('owned'))
          .where('account_id', '=', input.accountId)
          .executeTakeFirstOrThrow();
        if (Number(owned) >= maxPaymasters) return tooManyPaymasters();
        const row = await trx
          .insertInto('paymasters')
          .values({
            paymaster_id: paymasterId,
            account_id: input.accountId,
            name: name.value,
            chain_id: input.chainId,
            version: input.version,
            funding_wallet: null,
            created_at: now,
          })
          .onConflict((conflict) => conflict.columns(['account_id', 'chain_id', 'name']).doNothing())
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) return refuse({ reason: 'PAYMASTER_NAME_EXISTS', message: 'paymaster_name_exists' });
        const maxCostWei = suggestedMaxCost?.(kind.value);
        if (maxCostWei !== undefined) {
          const policy = policyText({ ...defaultPolicy, maxCostWei });
          await trx.insertInto('policies').values({ paymaster_id: paymasterId, policy, updated_at: now }).execute();
        }
        const { row: key } = await addApiKey(trx, { paymasterId, keyNumber: ownKeyNumber }, { box, digestApiKey, now });
        return accept(showPaymaster({ ...row, api_key_sealed: key.sealed }, box));
      });
    },

    async listPaymasters({ accountId }) {
      const rows = await selectPaymasters(store.db)
        .where('account_id', '=', accountId)
        .orderBy('paymaster_number')
        .execute();
      return accept(rows.map((row) => showPaymaster(row, box)));
    },

    listChains: async () => accept(served),
  };
}

function tooManyPaymasters() {
  const message = `An account can have at most ${maxPaymasters} paymasters`;
  return refuse({ reason: 'TOO_MANY_PAYMASTERS', message });
}

/** The configured chains, whether or not they answer now. */
function servedChains(chains: readonly ChainConfig[]): readonly ServedChain[] {
  return chains.map(({ chainId, name, entryPoints, paymasterContracts, tokens, explorerPageUrl }) => ({
    chainId,
    name,
    ...omitAbsent({ explorerPageUrl }),
    contracts: paymasterContracts.flatMap(({ version, family, address }) => {
      const entryPointVersion = paymasterContractFamilies.get(family)?.entryPointVersion;
      const entryPoint = entryPointVersion && entryPoints[entryPointVersion];
      if (entryPointVersion === undefined || entryPoint === undefined) return [];
      return [{ version, family, address: getAddress(address), entryPointVersion, entryPoint: getAddress(entryPoint) }];
    }),
    tokens: tokens.map(({ address, symbol, decimals }) => ({ address: getAddress(address), symbol, decimals })),
  }));
}

const nameExists = refuse({ reason: 'PAYMASTER_NAME_EXISTS', message: 'paymaster_name_exists' });

/** The operations of `Core` that rename, pause and retire a paymaster. */
export function managePaymasterStates(parts: {
  store: Store;
  clock: Clock;
  profiles: SponsorProfiles;
  box: SecretBox;
}): Pick<Core, 'updatePaymaster' | 'retirePaymaster'> {
  const { clock, box } = parts;

  async function read(trx: Transaction<Database>, { paymasterId }: Owned) {
    const row = await selectPaymasters(trx)
      .where('paymasters.paymaster_id', '=', paymasterId)
      .executeTakeFirstOrThrow();
    return showPaymaster(row, box);
  }

  return {
    async updatePaymaster({ name, paused, ...owned }) {
      const checked = name === undefined ? undefined : checkName(name);
      if (checked?.ok === false) return checked;
      const now = unixSeconds(clock);
      return changeOwnPaymaster(parts, owned, async (trx) => {
        const before = await read(trx, owned);
        const { pausedAt = null, chainId } = before;
        if (name !== undefined && (await isTaken(trx, owned, { name, chainId }))) return nameExists;
        await trx
          .updateTable('paymasters')
          .set({
            name: name ?? before.name,
            paused_at: paused === undefined ? pausedAt : paused ? (pausedAt ?? now) : null,
          })
          .where('paymaster_id', '=', owned.paymasterId)
          .execute();
        return accept(await read(trx, owned));
      });
    },

    async retirePaymaster({ name, ...owned }) {
      const now = unixSeconds(clock);
      return changeOwnPaymaster(parts, owned, async (trx) => {
        if ((await read(trx, owned)).name !== name) return invalidField('name', 'must be the paymaster’s name');
        await trx
          .updateTable('paymasters')
          .set({ retired_at: now })
          .where('paymaster_id', '=', owned.paymasterId)
          .execute();
        // Its own key stays, since the management API uses it to name the paymaster.
        await trx
          .deleteFrom('api_keys')
          .where('paymaster_id', '=', owned.paymasterId)
          .where(({ eb, or }) => or([eb('key_number', '<>', ownKeyNumber), eb('expires_at', 'is not', null)]))
          .execute();
        await trx
          .deleteFrom('api_key_settings')
          .where('paymaster_id', '=', owned.paymasterId)
          .where('key_number', '<>', ownKeyNumber)
          .execute();
        return accept(await read(trx, owned));
      });
    },
  };
}

async function isTaken(
  trx: Transaction<Database>,
  { accountId, paymasterId }: Owned,
  { name, chainId }: { readonly name: string; readonly chainId: number },
): Promise<boolean> {
  const other = await trx
    .selectFrom('paymasters')
    .select('paymaster_id')
    .where('account_id', '=', accountId)
    .where('chain_id', '=', chainId)
    .where('name', '=', name)
    .where('paymaster_id', '<>', paymasterId)
    .executeTakeFirst();
  return other !== undefined;
}
