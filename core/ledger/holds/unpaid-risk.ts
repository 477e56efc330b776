import { sql } from 'kysely';
import { fixedStatement, type Statement, type StatementParts } from '../../store/statements/fixed-statement.ts';
import { fromWeiSum, sumWei } from '../../store/wei/sum-wei.ts';
import { toWeiText } from '../../store/wei/wei-text.ts';
import { riskIdentities } from '../sums/hold-legs.ts';
import type { HoldRequest } from './hold-request.ts';

/** How long an unpaid operation counts, in seconds. */
const countedSeconds = 86_400;

/** Statements that read what counts for those requests of a batch that may end unpaid, each a sum of its risk. `now` in Unix seconds. */
export function risksOf(requests: readonly HoldRequest[], now: number): readonly RiskStatement[] {
  const statements = new Map<string, readonly RiskStatement['statement'][]>();
  for (const request of requests) {
    if (request.unpaidBudget === undefined) continue;
    const { paymaster, sender, client } = riskIdentities(request);
    const asked = { ...request, client: request.client ?? '', since: now - countedSeconds };
    statements.set(paymaster, [openOfPaymaster(asked), unpaidOfPaymaster(asked)]);
    statements.set(sender, [openOfSender(asked), unpaidOfSender(asked)]);
    if (client !== undefined) statements.set(client, [openOfClient(asked)]);
  }
  return [...statements].flatMap(([identity, own]) => own.map((statement) => ({ identity, statement })));
}

type RiskStatement = { readonly identity: string; readonly statement: Statement<{ readonly sum: string | null }> };

/** The answers of the statements as rows, each identity once: with what counts of it, as wei text. */
export function toRisks(
  statements: readonly RiskStatement[],
  answers: readonly (readonly Readonly<Record<string, unknown>>[])[],
) {
  const risks = new Map<string, bigint>();
  for (const [index, { identity }] of statements.entries()) {
    risks.set(
      identity,
      (risks.get(identity) ?? 0n) + fromWeiSum(answers[index]?.[0]?.sum as string | null | undefined),
    );
  }
  return [...risks].map(([identity, sum]) => ({ identity, sum: toWeiText(sum) }));
}

type Asked = {
  readonly paymasterId: string;
  readonly sender: string;
  /** Empty if it counts for no client. */
  readonly client: string;
  readonly since: number;
};

const openOfPaymaster = fixedStatement<Asked>()(openRisk);
const openOfClient = fixedStatement<Asked>()((parts) =>
  openRisk(parts).where(sql<string>`coalesce(client, '')`, '=', parts.value('client')),
);
const openOfSender = fixedStatement<Asked>()((parts) =>
  openRisk(parts)
    .where('sender', '=', parts.value('sender'))
    .where(sql<string>`coalesce(client, '')`, '=', parts.value('client')),
);
const unpaidOfPaymaster = fixedStatement<Asked>()(unpaid);
const unpaidOfSender = fixedStatement<Asked>()((parts) => unpaid(parts).where('sender', '=', parts.value('sender')));

/** What live holds can cost. */
function openRisk({ db, value }: StatementParts<Asked>) {
  return db
    .selectFrom('holds')
    .select(sumWei('at_risk').as('sum'))
    .where('paymaster_id', '=', value('paymasterId'))
    .where('at_risk', 'is not', null)
    .where('state', '=', sql.lit('live'));
}

/** What operations have cost since then without being paid for, no matter who requested them. */
function unpaid({ db, value }: StatementParts<Asked>) {
  return db
    .selectFrom('holds')
    .select(sumWei('unpaid').as('sum'))
    .where('paymaster_id', '=', value('paymasterId'))
    .where('unpaid', 'is not', null)
    .where('unpaid_at', '>', value('since'));
}
