import { sql } from 'kysely';
import type { Address } from 'viem';
import { fixedStatement, type Statement } from '../../store/statements/fixed-statement.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import type { Store } from '../../store/store.ts';

type Asked = {
  readonly chainId: number;
  readonly sender: Address;
  /** Unix seconds. */
  readonly now: number;
  /** The nonce of an operation that is not counted. */
  readonly besides?: bigint;
};

/**
 * Whether an operation that gives this sender code that is known, by a factory or an EIP-7702 authorization, has been signed
 * and may still land.
 */
export async function hasOpenDeployment({ db }: Pick<Store, 'db'>, asked: Asked): Promise<boolean> {
  const [rows] = await runTogether(db, openDeploymentOf(asked));
  return rows.length > 0;
}

/** The row of {@link hasOpenDeployment}, if any. */
export function openDeploymentOf({ chainId, sender, now, besides }: Asked): Statement<{ readonly hold_id: number }> {
  return openDeployment({
    chainId,
    now,
    from: `${sender}:`,
    until: `${sender};`,
    besides: `${sender}:${besides ?? ''}`,
  });
}

type OtherOperationKeys = Pick<Asked, 'chainId' | 'now'> & Readonly<Record<'from' | 'until' | 'besides', string>>;

// An operation key starts with its sender. The index on operation keys contains live holds only: the planner uses it when the state is a
// literal.
const openDeployment = fixedStatement<OtherOperationKeys>()(({ db, value }) =>
  db
    .selectFrom('holds')
    .innerJoin('tanks', 'tanks.tank_id', 'holds.tank_id')
    .select('holds.hold_id')
    .where('holds.state', '=', sql.lit('live'))
    .where('holds.operation_key', '>=', value('from'))
    .where('holds.operation_key', '<', value('until'))
    .where('holds.operation_key', '!=', value('besides'))
    .where('holds.deploys', '=', 1)
    .where('holds.valid_until', '>', value('now'))
    .where('tanks.chain_id', '=', value('chainId'))
    .limit(1),
);
