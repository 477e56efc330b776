import type { Insertable } from 'kysely';
import { numberToHex, pad } from 'viem';
import { expect, test } from 'vitest';
import { isFinalHold } from '../../core/ledger/final-holds.ts';
import { blocksToRevert } from '../../core/ledger/posting/pass-block.ts';
import type { HoldsTable } from '../../core/store/hold-fields.ts';
import { writeVendorUse } from '../../core/store/vendor-use.ts';
import { depositEvent, numberedAddress, post } from '../support/core/ledger-lab.ts';
import { useLedger } from '../support/core/use-ledger.ts';

const ledger = useLedger();
const now = 1_800_000_000;
const day = 86_400;
/** The last block that is not rolled back by itself. */
const safeBlock = 1_000;

type Case = { readonly hold: Partial<Insertable<HoldsTable>>; readonly isRelayed?: true; readonly isFinal: boolean };

const released = { state: 'released', released_because: 'expired', ended_at: now } as const;
const settled = { state: 'settled', ended_at: now, charge: '1', landed_block: safeBlock } as const;
const asked = writeVendorUse({ reserved: 1n, askedUntil: now + 30 });
const answered = writeVendorUse({ reserved: 1n, answered: 1n, askedUntil: 0 });

const cases: Readonly<Record<string, Case>> = {
  'a live one': { hold: {}, isFinal: false },
  'one that landed in a block that stays': { hold: settled, isFinal: true },
  'one that landed in a later block': { hold: { ...settled, landed_block: safeBlock + 1 }, isFinal: false },
  'one that expired': { hold: released, isFinal: true },
  'one that a later block replaced': { hold: { ...released, landed_block: safeBlock + 1 }, isFinal: false },
  'one that expired, but was relayed': { hold: released, isRelayed: true, isFinal: false },
  'a relayed one that landed': { hold: settled, isRelayed: true, isFinal: true },
  'one that landed unpaid within a day': { hold: { ...settled, unpaid: '1', unpaid_until: now + 1 }, isFinal: false },
  'one that landed unpaid long ago': { hold: { ...settled, unpaid: '1' }, isFinal: true },
  'one for which another paymaster is asked': { hold: { ...released, vendor_use: asked }, isFinal: false },
  'one whose question was never answered': {
    hold: { ...released, vendor_use: asked, ended_at: now - day - 1 },
    isFinal: true,
  },
  'one that another paymaster answered': { hold: { ...released, vendor: 1, vendor_use: answered }, isFinal: true },
};

test('a hold is final once no event, rollback, answer or passed time changes what its accounts count', async () => {
  const { store } = ledger;
  await post(store, [depositEvent(1, 1_000n)]);
  const { db } = store;
  const { tank_id, chain_id, contract } = await db.selectFrom('tanks').selectAll().executeTakeFirstOrThrow();
  await db
    .updateTable('contract_watches')
    .set({ next_block: safeBlock + 1 + Number(blocksToRevert) })
    .execute();
  const names = Object.keys(cases);
  for (const [index, { hold, isRelayed }] of Object.values(cases).entries()) {
    const holdId = index + 1;
    const ofSender = { sender: numberedAddress(holdId), nonce: '1', operation_key: `${numberedAddress(holdId)}:1` };
    const terms = { tank_id, paymaster_id: 'p', amount: '1', valid_until: now, created_at: now - 5 };
    await db
      .insertInto('holds')
      .values({ hold_id: holdId, ...ofSender, ...terms, ...hold })
      .execute();
    if (isRelayed === undefined) continue;
    const user_operation_hash = pad(numberToHex(holdId), { size: 32 });
    const row = { chain_id, contract, user_operation_hash, hold_id: holdId, operation: '{}', state: 'ended' as const };
    await db
      .insertInto('relayed_operations')
      .values({ ...row, next_at: now, created_at: now, asked: 1 })
      .execute();
  }
  const rows = await db.selectFrom('holds').select('hold_id').where(isFinalHold(now)).orderBy('hold_id').execute();
  expect(rows.map(({ hold_id }) => names[hold_id - 1])).toEqual(names.filter((name) => cases[name]?.isFinal));
});
