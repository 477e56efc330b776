import type { Transaction } from 'kysely';
import type { Refusal } from '../../domain/result/refusal.ts';
import { untilText } from '../../policies/findings/hold-findings.ts';
import type { Ruling } from '../../policies/rules/ruling.ts';
import type { Database } from '../../store/database.ts';
import { dialectOf } from '../../store/dialect-of.ts';
import { type HoldRequest, operationKeyOf, type TankKey, tankIdentity } from './hold-request.ts';
import { isLive } from './live-holds.ts';
import { handOverSeconds } from './relayed-operations.ts';

/** An operation that may still land: relayed, or signed for a paymaster contract until `validUntil` (Unix seconds). */
type Pending = { readonly relayed: boolean; readonly validUntil: number };

/** Live holds of senders and nonces, by tank and operation key, where an operation can be relayed as well as signed for. */
export type PendingPayers = Map<string, Pending>;

type Asked = Pick<HoldRequest, 'tank' | 'sender' | 'nonce'>;
const placeOf = (asked: Asked) => `${tankIdentity(asked.tank)}:${operationKeyOf(asked)}`;
const tanksOfOtherPayers = ({ tank, landing }: Pick<HoldRequest, 'tank' | 'landing'>): readonly TankKey[] =>
  (landing?.otherPayers ?? []).map((contract) => ({ ...tank, contract }));

/**
 * Reads what could conflict with requests: the live holds of their wallet, sender and nonce for the other way. A relayed
 * operation that no bundler has confirmed in time does not count: the paymaster contract takes over then, and both tanks
 * hold until one lands.
 */
export async function readPendingPayers(
  transaction: Transaction<Database>,
  requests: readonly HoldRequest[],
  now: number,
): Promise<PendingPayers> {
  const payers: PendingPayers = new Map();
  const asking = requests.filter(({ landing }) => landing !== undefined && landing.otherPayers.length > 0);
  if (asking.length === 0) return payers;
  const tanks = new Set(asking.flatMap(tanksOfOtherPayers).map(tankIdentity));
  const rows = await transaction
    .selectFrom('holds')
    .innerJoin('tanks', 'tanks.tank_id', 'holds.tank_id')
    .leftJoin('relayed_operations as relayed', 'relayed.hold_id', 'holds.hold_id')
    .select(['tanks.chain_id', 'tanks.contract', 'tanks.wallet', 'holds.operation_key', 'holds.valid_until'])
    .select(['holds.created_at', 'relayed.state as relayed'])
    .where(isLive)
    .where('holds.operation_key', 'in', dialectOf(transaction).texts([...new Set(asking.map(operationKeyOf))]))
    .execute();
  for (const row of rows) {
    const tank = `${row.chain_id}:${row.contract}:${row.wallet}`;
    const isUnconfirmed = row.relayed === 'waiting' && row.created_at <= now - handOverSeconds;
    if (!tanks.has(tank) || row.relayed === 'ended' || isUnconfirmed) continue;
    payers.set(`${tank}:${row.operation_key}`, { relayed: row.relayed !== null, validUntil: row.valid_until });
  }
  return payers;
}

/** Whether an operation of this sender and nonce may still land the other way; if so, it is not sponsored this way. */
export function decidePayer(
  payers: PendingPayers,
  request: HoldRequest,
): (Ruling & { readonly refusal: Refusal }) | undefined {
  for (const tank of tanksOfOtherPayers(request)) {
    const pending = payers.get(placeOf({ ...request, tank }));
    if (pending !== undefined) return refusePending(pending);
  }
  return undefined;
}

/** Records a hold for later requests of the same batch. */
export function notePayer(payers: PendingPayers, request: HoldRequest): void {
  const { landing, validUntil } = request;
  if (landing === undefined || landing.otherPayers.length === 0) return;
  payers.set(placeOf(request), { relayed: landing.relayed !== undefined, validUntil });
}

function refusePending({ relayed, validUntil }: Pending): Ruling & { readonly refusal: Refusal } {
  return {
    rule: 'gas-tank',
    finding: relayed ? ['pending-relay'] : ['pending-signature', validUntil],
    refusal: {
      reason: 'OPERATION_PENDING',
      message: relayed
        ? 'An operation with this sender and nonce is already relayed and may still land. Wait for it, or use another nonce key.'
        : `An operation with this sender and nonce is already signed for and can land ${untilText(validUntil)}. Send that one with its paymaster data, or use another nonce key.`,
      details: { payer: relayed ? 'RELAY' : 'CONTRACT', ...(relayed ? {} : { validUntil: String(validUntil) }) },
    },
  };
}
