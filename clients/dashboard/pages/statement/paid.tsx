import { useQuery } from '@tanstack/react-query';
import type { GasTankStatementItem } from '@tollfree/contract/gas-tank-statement';
import { statementQuery } from '../../api/of-paymaster.ts';
import { usePaymaster } from '../../api/use-paymaster.ts';
import { counted } from '../../parts/text/counted.ts';
import { locale } from '../../parts/text/moment-text.ts';
import { usdText } from '../../parts/text/usd-text.ts';
import { inCents } from './in-cents.ts';
import { monthName } from './month-picker.tsx';
import { type Part, paidOf, partsOf, usdOfMicros } from './statement-matrix.ts';

type PaidProps = {
  readonly statement: GasTankStatementItem;
  /** Those that users paid in. */
  readonly tokens: string;
  /** The month before, to compare with; undefined for the first one. */
  readonly before: string | undefined;
};

/** What the month cost in one number, and what that is next to the month before. */
export function Paid({ statement, tokens, before }: PaidProps) {
  const parts = partsOf(statement, tokens);
  const { you, users, unpriced, operations } = paidOf(statement);
  return (
    <section aria-label="What you paid" className="card paid not-printed">
      <div>
        <p className="hero">{usdText(usdOfMicros(you))}</p>
        <p>
          <strong>paid by you for {counted(operations, 'operation')}</strong>
          {users === 0n ? '' : `, and ${usdText(usdOfMicros(users))} by users in ${tokens}`}
          {unpriced === 0 ? '' : `. ${unpriced} more had no price`}
        </p>
        <p className="small muted">
          {before === undefined ? null : <Before month={before} />}
          {operations === 0 ? '' : `One operation cost you ${usdText(usdOfMicros(you / BigInt(operations)))}.`}
        </p>
      </div>
      {parts.length === 0 ? null : <PartBar parts={parts} />}
    </section>
  );
}

/** The parts of the cost as one bar, with their amounts below it. */
function PartBar({ parts }: { readonly parts: readonly Part[] }) {
  const total = parts.reduce((sum, { usdMicros }) => sum + usdMicros, 0n);
  return (
    <div className="stack">
      <span className="bar-track thick" aria-hidden="true">
        {parts.map(({ key, by, usdMicros }) => (
          <span
            key={key}
            className={`bar-fill ${by}`}
            style={{ width: `${Number((usdMicros * 10_000n) / total) / 100}%` }}
          />
        ))}
      </span>
      <dl className="parts">
        {parts.map(({ key, title, by, usdMicros }) => (
          <div key={key}>
            <dt>
              <span className={`part-mark ${by}`} aria-hidden="true" />
              {title}
            </dt>
            <dd>{usdText(usdOfMicros(usdMicros))}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Before({ month }: { readonly month: string }) {
  const { data } = useQuery(statementQuery(usePaymaster(), month));
  if (data === undefined) return null;
  const { you, operations } = paidOf(inCents(data));
  if (operations === 0) return null;
  return (
    <>
      {monthName(month)}: {usdText(usdOfMicros(you))} for {operations.toLocaleString(locale)}.{' '}
    </>
  );
}
