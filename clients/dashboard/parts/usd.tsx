import { usdText } from './text/usd-text.ts';

type UsdProps = {
  /** Decimal text, or undefined if no price is known for any of it. */
  readonly text: string | undefined;
  /** How many operations are excluded, since no price was known when they were booked. */
  readonly unpriced?: number;
};

/** An amount in USD at the time of booking. Excluded operations are mentioned. */
export function Usd({ text, unpriced = 0 }: UsdProps) {
  if (text === undefined || (unpriced > 0 && Number(text) === 0)) return <span className="muted">No price</span>;
  const amount = (
    <span className="coin" title={`${text} USD`}>
      {usdText(text)}
    </span>
  );
  return unpriced === 0 ? (
    amount
  ) : (
    <>
      {amount} + {unpriced} without a price
    </>
  );
}
