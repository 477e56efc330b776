import type { Transaction } from 'kysely';
import { type Clock, unixSeconds } from '../../base/time/clock.ts';
import type { Owned } from '../../domain/access/actor.ts';
import type { Core } from '../../domain/core.ts';
import { accept, checkName, invalidField, refuse } from '../../domain/result/result.ts';
import { ownKeyNumber } from '../../paymasters/key-settings.ts';
import type { SponsorProfiles } from '../../paymasters/sponsor-profiles.ts';
import { selectPaymasters, toPaymaster } from '../../paymasters/to-paymaster.ts';
import type { Database } from '../../store/database.ts';
import type { SecretBox } from '../../store/secret-box.ts';
import type { Store } from '../../store/store.ts';
import { changeOwnPaymaster } from './change-own-paymaster.ts';

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
    return toPaymaster(row, box);
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
