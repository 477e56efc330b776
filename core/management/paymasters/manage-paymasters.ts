import { randomUUID } from 'node:crypto';
import { maxPaymasters } from '@tollfree/contract/limits';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { getAddress } from 'viem';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { Core } from '../../domain/core.ts';
import type { ChainConfig } from '../../domain/core-config.ts';
import type { ServedChain } from '../../domain/paymaster.ts';
import { accept, checkName, invalidField, refuse } from '../../domain/result/result.ts';
import { paymasterContractFamilies } from '../../evm/paymaster-contracts/families.ts';
import { ownKeyNumber } from '../../paymasters/key-settings.ts';
import { selectPaymasters, toPaymaster } from '../../paymasters/to-paymaster.ts';
import type { SecretBox } from '../../store/secret-box.ts';
import type { Store } from '../../store/store.ts';
import { addApiKey } from './add-api-key.ts';

/** The paymaster operations of `Core` (interface 4.2). */
export function managePaymasters(parts: {
  store: Store;
  clock: Clock;
  chains: readonly ChainConfig[];
  box: SecretBox;
  digestApiKey: (apiKey: string) => string;
}): Pick<Core, 'createPaymaster' | 'listPaymasters' | 'listChains'> {
  const { store, clock, chains, box, digestApiKey } = parts;
  const served = servedChains(chains);

  /** All fields except the name, in the order of the interface. */
  function checkKind(input: { type: string; chainId: number; version: string }) {
    if (input.type !== 'HYBRID') return invalidField('type', 'must be HYBRID');
    const chain = chains.find((candidate) => candidate.chainId === input.chainId);
    if (chain === undefined) {
      return refuse({ reason: 'PAYMASTER_CHAIN_NOT_SUPPORTED', message: 'Chain ID not supported' });
    }
    if (!chain.paymasterContracts.some((contract) => contract.version === input.version)) {
      return refuse({ reason: 'PAYMASTER_VERSION_NOT_SUPPORTED', message: 'Paymaster version not supported' });
    }
    return accept(true);
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
        const { row: key } = await addApiKey(trx, { paymasterId, keyNumber: ownKeyNumber }, { box, digestApiKey, now });
        return accept(toPaymaster({ ...row, api_key_sealed: key.sealed }, box));
      });
    },

    async listPaymasters({ accountId }) {
      const rows = await selectPaymasters(store.db)
        .where('account_id', '=', accountId)
        .orderBy('paymaster_number')
        .execute();
      return accept(rows.map((row) => toPaymaster(row, box)));
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
  return chains.map(({ chainId, name, entryPoints, paymasterContracts, explorerPageUrl }) => ({
    chainId,
    name,
    ...omitAbsent({ explorerPageUrl }),
    contracts: paymasterContracts.flatMap(({ version, family, address }) => {
      const entryPointVersion = paymasterContractFamilies.get(family)?.entryPointVersion;
      const entryPoint = entryPointVersion && entryPoints[entryPointVersion];
      if (entryPointVersion === undefined || entryPoint === undefined) return [];
      return [{ version, family, address: getAddress(address), entryPointVersion, entryPoint: getAddress(entryPoint) }];
    }),
  }));
}
